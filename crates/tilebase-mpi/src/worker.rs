//! A worker: any rank but rank 0, whose commands it follows.
//!
//! 1. For each task, a thread opens the tables and then searches the dealt items.
//! 2. Items wait in [`DealtWork`] until a lane takes them. All available results are sent in one
//!    message.
//! 3. When the task is closed, the searches stop, and their nodes are reported.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, Sender, bounded, select};
use parking_lot::Mutex;
use pdb_core::Board;
use pdb_search::packets::{Counts, Deal, Dealer, Done, Finding};
use pdb_search::{
    Boards, LimitKind, Limits, Next, Outcome, SearchError, Sharing, Status, Weight, Work,
};
use tilebase::names::{GoalChoice, Spec, SpecChoice};
use tilebase::pdb_gen::{Build, Monitor};
use tilebase::pdb_lab::{Engine, SearchName};
use tilebase::shelf::confirm;
use tilebase::{Goal, Tilebase};
use tilebase_cli::message;

use crate::RankSettings;
use crate::mailbox::{Mailbox, read};
use crate::message::{BuildRequest, Effort, Item, ItemResult, RankCommand, Reply, TaskRequest};
use crate::message_loop::Incoming;
use crate::team::JobTeam;
use crate::work_queue::NextItem;

/// Time that results wait for more results.
const GATHER: Duration = Duration::from_millis(1);
const TICK: Duration = Duration::from_millis(20);

/// Dealt items that have not begun, and results that have not been sent.
struct DealtWork {
    state: Mutex<WorkState>,
    /// Ends the running searches.
    stop: AtomicBool,
    /// Wakes the thread that sends.
    news: Sender<()>,
}

#[derive(Default)]
struct WorkState {
    todo: VecDeque<(u64, Item)>,
    found: Vec<(u64, ItemResult)>,
    left: Counts,
    generated: u64,
    /// Number of boards or packets that are being searched.
    busy: usize,
    is_closed: bool,
    items: u64,
    /// Reason why no result can be trusted.
    problem: Option<String>,
    idle_since: Option<Instant>,
    waited: Duration,
}

impl DealtWork {
    fn new(news: Sender<()>) -> Self {
        let state = WorkState { idle_since: Some(Instant::now()), ..WorkState::default() };
        Self { state: Mutex::new(state), stop: AtomicBool::new(false), news }
    }

    fn take(&self) -> NextItem {
        let mut state = self.state.lock();
        if state.is_closed {
            return NextItem::End;
        }
        let Some((ticket, item)) = state.todo.pop_front() else { return NextItem::Later };
        state.busy += 1;
        if let Some(since) = state.idle_since.take() {
            state.waited += since.elapsed();
        }
        NextItem::Work(ticket, item)
    }

    /// Stores the result of an item and its generated nodes; `None` is an item that was not
    /// finished.
    fn put(&self, found: Option<(u64, ItemResult)>, generated: u64) {
        let mut state = self.state.lock();
        state.generated += generated;
        state.items += u64::from(found.is_some());
        state.found.extend(found);
        state.busy -= 1;
        if state.busy == 0 && state.todo.is_empty() {
            state.idle_since = Some(Instant::now());
        }
        drop(state);
        self.wake_sender();
    }

    fn wake_sender(&self) {
        // If the channel is full, the thread is already awake.
        let _ = self.news.try_send(());
    }

    fn close(&self) {
        self.state.lock().is_closed = true;
        self.stop.store(true, Ordering::Relaxed);
    }

    fn fail(&self, problem: String) {
        self.state.lock().problem.get_or_insert(problem);
        self.close();
        self.wake_sender();
    }

    /// Returns whether results can be trusted. Results found with a damaged table cannot.
    fn confirms(&self, engine: &Engine) -> bool {
        let confirmed = confirm(engine);
        if let Err(error) = &confirmed {
            self.fail(message(error));
        }
        confirmed.is_ok()
    }

    fn effort(&self) -> Effort {
        let state = self.state.lock();
        let idle = state.idle_since.map_or(Duration::ZERO, |since| since.elapsed());
        Effort {
            generated: state.generated,
            items: state.items,
            waited_seconds: (state.waited + idle).as_secs_f64(),
        }
    }
}

/// The queue as a source of boards for a search.
struct QueuedBoards<'a>(&'a DealtWork, &'a Engine);

impl Boards for QueuedBoards<'_> {
    fn next(&self) -> Next {
        self.0.take().board()
    }

    fn answer(&self, ticket: u64, answer: Result<Outcome, SearchError>) {
        let Self(queue, engine) = self;
        if !queue.confirms(engine) {
            return queue.put(None, 0);
        }
        match answer {
            // A search that rank 0 has stopped returns no answer.
            Ok(Outcome {
                status: Status::Limit { kind: LimitKind::Interrupted, .. },
                generated,
                ..
            }) if queue.stop.load(Ordering::Relaxed) => queue.put(None, generated),
            Ok(Outcome { status: Status::Unsolvable(_), .. }) | Err(_) => {
                queue.put(Some((ticket, ItemResult::Repeat)), 0);
            }
            Ok(outcome) => {
                let generated = outcome.generated;
                queue.put(Some((ticket, ItemResult::Board(outcome))), generated);
            }
        }
    }
}

/// The queue as a source of packets for a search.
struct QueuedPackets<'a>(&'a DealtWork, &'a Engine);

impl Dealer for QueuedPackets<'_> {
    fn next(&self) -> Deal {
        self.0.take().packet()
    }

    fn report(&self, number: usize, finding: Finding) {
        let Self(queue, engine) = self;
        if !queue.confirms(engine) {
            return queue.put(None, 0);
        }
        let (counts, found) = match finding {
            Finding::Done(Done { counts, nearest }) => {
                (counts, Some(ItemResult::Packet(counts, nearest)))
            }
            Finding::Goal(moves, counts) => (counts, Some(ItemResult::Goal(moves, counts))),
            Finding::Left(_, counts) => {
                let mut state = queue.state.lock();
                state.left = state.left.plus(counts);
                (counts, None)
            }
        };
        queue.put(found.map(|found| (number as u64, found)), counts.generated);
    }
}

/// A task that is open.
struct OpenTask {
    number: u64,
    queue: Arc<DealtWork>,
    /// `None` once the thread has ended.
    thread: Option<JoinHandle<()>>,
    is_open: Arc<AtomicBool>,
    is_closing: bool,
    is_refused: bool,
}

/// Opened handles. The key is the request that opened them.
type Handles = Arc<Mutex<BTreeMap<String, Tilebase>>>;

/// Follows the commands of rank 0 until the job ends.
///
/// # Errors
/// Rank 0 is lost, or it sent an unknown command.
pub(crate) fn work(
    mailbox: &Arc<Mailbox>,
    inbox: &Receiver<Incoming>,
    settings: &RankSettings,
) -> Result<(), String> {
    let thread_count = settings.thread_count;
    let host = mailbox.host(mailbox.rank).to_owned();
    let version = crate::VERSION.to_owned();
    mailbox.say(0, &Reply::Hello { version, host, threads: thread_count });
    let handles = Handles::default();
    let (news, woken) = bounded(1);
    let mut task: Option<OpenTask> = None;
    loop {
        select! {
            recv(inbox) -> entry => match entry {
                Ok(Incoming::Lost(_)) | Err(_) => {
                    return Err(format!("rank 0 on {} is lost", mailbox.host(0)));
                }
                Ok(Incoming::Words(_, words)) => match read(&words) {
                    Some(RankCommand::Leave) => return Ok(()),
                    Some(RankCommand::Open { task: number, open }) => {
                        let queue = Arc::new(DealtWork::new(news.clone()));
                        task = Some(begin(mailbox, number, *open, queue, thread_count, &handles));
                    }
                    Some(RankCommand::Deal { task: of, items }) => {
                        if let Some(task) = task.as_ref().filter(|task| task.number == of) {
                            task.queue.state.lock().todo.extend(items);
                        }
                    }
                    Some(RankCommand::Recall { task: of, count }) => {
                        if let Some(task) = task.as_ref().filter(|task| task.number == of) {
                            task.give_back(mailbox, count);
                        }
                    }
                    Some(RankCommand::Close { task: of }) => {
                        if let Some(task) = task.as_mut().filter(|task| task.number == of) {
                            task.queue.close();
                            task.is_closing = true;
                        }
                    }
                    Some(RankCommand::Build { task, build }) => begin_build(mailbox, task, *build, settings),
                    None => {
                        return Err("rank 0 has sent a command that this version does not know".to_owned());
                    }
                },
            },
            recv(woken) -> _ => thread::sleep(GATHER),
            default(TICK) => (),
        }
        let Some(now) = &mut task else { continue };
        now.notice_panic();
        now.send_found(mailbox);
        if now.has_closed(mailbox) {
            task = None;
        }
    }
}

impl OpenTask {
    fn give_back(&self, mailbox: &Mailbox, count: usize) {
        let mut state = self.queue.state.lock();
        let first = state.todo.len().saturating_sub(count);
        let returned = state.todo.split_off(first).into_iter().map(|(ticket, _)| ticket).collect();
        drop(state);
        let (task, effort) = (self.number, self.queue.effort());
        mailbox.say(0, &Reply::Results { task, found: Vec::new(), returned, effort });
    }

    /// Fails the task if its thread panicked. A thread that ends early for another reason reports
    /// it.
    fn notice_panic(&mut self) {
        let has_ended = self.thread.as_ref().is_some_and(JoinHandle::is_finished);
        if has_ended && self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            self.queue.fail("the search ended in a panic".to_owned());
        }
    }

    fn send_found(&mut self, mailbox: &Mailbox) {
        let (found, problem) = {
            let mut state = self.queue.state.lock();
            (std::mem::take(&mut state.found), state.problem.take())
        };
        let task = self.number;
        if let Some(problem) = problem.filter(|_| !self.is_refused) {
            self.is_refused = true;
            mailbox.say(0, &Reply::Refused { task, problem });
        } else if !found.is_empty() && !self.is_refused {
            let effort = self.queue.effort();
            mailbox.say(0, &Reply::Results { task, found, returned: Vec::new(), effort });
        }
    }

    /// Step 3: reports the nodes after the search has ended. A search that is still opening its
    /// tables is not waited for.
    fn has_closed(&mut self, mailbox: &Mailbox) -> bool {
        let is_opening = !self.is_open.load(Ordering::Relaxed);
        let has_ended = self.thread.as_ref().is_none_or(JoinHandle::is_finished);
        if !self.is_closing || !(has_ended || is_opening) {
            return false;
        }
        self.send_found(mailbox);
        let left = self.queue.state.lock().left;
        let (task, effort) = (self.number, self.queue.effort());
        if !self.is_refused {
            mailbox.say(0, &Reply::Closed { task, left, effort });
        }
        true
    }
}

/// Step 1: starts the thread of a task.
fn begin(
    mailbox: &Arc<Mailbox>,
    number: u64,
    open: TaskRequest,
    queue: Arc<DealtWork>,
    thread_count: usize,
    handles: &Handles,
) -> OpenTask {
    let is_open = Arc::new(AtomicBool::new(false));
    let (of_thread, mailbox, opened) =
        (Arc::clone(&queue), Arc::clone(mailbox), Arc::clone(&is_open));
    let handles = Arc::clone(handles);
    let run = move || {
        let queue = of_thread;
        let result = open_engine(&open, thread_count, &handles).and_then(|engine| {
            let say = || {
                opened.store(true, Ordering::Relaxed);
                let tables = engine.identity().1;
                mailbox.say(0, &Reply::Opened { task: number, tables });
            };
            search(&open, &engine, &queue, thread_count, &say)
        });
        opened.store(true, Ordering::Relaxed);
        if let Err(problem) = result {
            queue.fail(problem);
        }
        queue.wake_sender();
    };
    let thread = pdb_core::thread_builder().name("search".into()).spawn(run);
    let thread = thread.map_err(|error| queue.fail(format!("cannot start a thread: {error}"))).ok();
    OpenTask { number, queue, thread, is_open, is_closing: false, is_refused: false }
}

/// Ends this rank if its build panics, so that the other ranks notice.
struct PanicGuard<'a>(&'a Mailbox);

impl Drop for PanicGuard<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.end();
        }
    }
}

/// Takes part in a build, on a separate thread.
fn begin_build(mailbox: &Arc<Mailbox>, task: u64, build: BuildRequest, settings: &RankSettings) {
    let (of_thread, settings) = (Arc::clone(mailbox), settings.clone());
    mailbox.rounds.begin(task);
    let run = move || {
        let mailbox = of_thread;
        let _guard = PanicGuard(&mailbox);
        let Some(key) = build.key() else {
            return mailbox
                .say(0, &Reply::BuildEnded { task, problem: Some("no such table".to_owned()) });
        };
        let budget = settings.budget(build.memory_bytes);
        let unseen = |_| ();
        let monitor = Monitor::new(&unseen, &mailbox.rounds.is_stopped);
        let local = Build {
            folder: &build.folder,
            thread_count: settings.thread_count,
            replace: build.replace,
            monitor: &monitor,
        };
        let built = local.by_team(&key, &budget, &JobTeam(&mailbox));
        let problem = built.err().map(|error| message(&error.into()));
        mailbox.say(0, &Reply::BuildEnded { task, problem });
    };
    if let Err(error) = pdb_core::thread_builder().name("build".into()).spawn(run) {
        // The other ranks notice that this one is gone.
        let problem = Some(format!("cannot start a thread: {error}"));
        mailbox.say(0, &Reply::BuildEnded { task, problem });
        mailbox.end();
    }
}

fn open_engine(
    open: &TaskRequest,
    thread_count: usize,
    handles: &Handles,
) -> Result<Arc<Engine>, String> {
    let goal = open.goal.parse().map(Goal::new).map_err(|_| "the goal is malformed")?;
    let metric = open.metric.parse()?;
    let key = (&open.heuristic, &open.spec, &open.goal, &open.metric, &open.folder);
    let key = format!("{key:?}");
    // One task opens tables at a time.
    let mut handles = handles.lock();
    if let Some(tables) = handles.get(&key) {
        return tables.engine(&goal).map_err(|error| message(&error));
    }
    let choice = match &open.spec {
        Some(text) => Spec::parse(&open.heuristic, text)
            .map(|spec| SpecChoice::Spec(Box::new(spec)))
            .map_err(|error| message(&error.into()))?,
        None => SpecChoice::read(&open.heuristic, Some(goal.shape()))
            .map_err(|error| message(&error))?,
    };
    let builder = Tilebase::builder()
        .choice(choice)
        .goal(GoalChoice::Drawn(goal))
        .metric(metric)
        .folder(&open.folder)
        .residence(open.residence())
        .threads(thread_count);
    let builder = if open.trusts_tables { builder.trust_tables() } else { builder };
    let tables = builder.lazy_open().map_err(|error| message(&error))?;
    let engine = tables.engine(&goal).map_err(|error| message(&error))?;
    handles.insert(key, tables);
    Ok(engine)
}

/// Step 2: searches the dealt items; calls `say` when it is ready for them.
fn search(
    open: &TaskRequest,
    engine: &Engine,
    queue: &DealtWork,
    thread_count: usize,
    say: &dyn Fn(),
) -> Result<(), String> {
    let stop = Some(&queue.stop);
    let sharing = Sharing { boards_at_once: open.boards_at_once, ..Sharing::default() };
    if let Some(text) = &open.board {
        let read = |text: &String| text.parse::<Board>().map_err(|_| "a board is malformed");
        let (board, dual) = (read(text)?, open.dual.as_ref().map(read).transpose()?);
        // Rank 0 checks the limits, which are those of the whole board.
        let limits = Limits { stop, ..Limits::default() };
        let work = Work { limits, sharing, thread_count, ..Work::default() };
        let packets = engine.packets_with_dual(&board, dual.as_ref(), work);
        let packets = packets.map_err(|error| error.to_string())?;
        if packets.dual() != dual {
            return Err("the board has no dual with the goal of rank 0's dual".to_owned());
        }
        say();
        packets.search(&QueuedPackets(queue, engine));
        return Ok(());
    }
    let limits = Limits {
        time: open.time,
        nodes: open.nodes,
        memory: open.memory_bytes,
        stop,
        ..Limits::default()
    };
    let work = Work { limits, sharing, thread_count, ..Work::default() };
    let boards = QueuedBoards(queue, engine);
    let read = |name: &String| name.parse().map_err(|_| format!("{name:?} is no search"));
    let name: Option<SearchName> = open.search.as_ref().map(read).transpose()?;
    say();
    match name {
        Some(name) => engine.solve_all_by(name, &boards, Weight::ONE, &work),
        None => engine.solve_all(&boards, &work),
    }
    Ok(())
}

//! The other ranks: each does what rank 0 says.
//!
//! 1. A task comes: its tables are opened on a thread of its own, which then searches what is dealt.
//! 2. What is dealt lies in the [`Queue`] until a lane takes it. What is found is sent as soon as there is
//!    any, all that there is in one message.
//! 3. A task is closed: what is being searched is left, and what that took is said.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, Sender, bounded, select};
use pdb_core::notation::letters;
use pdb_search::packets::{Counts, Deal, Dealer, Done, Finding};
use pdb_search::{Boards, Limits, Next, Outcome, SearchError, Sharing, Weight, Work};
use tilebase::pdb_gen::{Monitor, build_shared};
use tilebase::pdb_lab::{Engine, SearchName};
use tilebase::pdb_spec::Spec;
use tilebase::{Goal, GoalChoice, SpecChoice, Tilebase, confirm};

use crate::Settings;
use crate::desk::{Desk, read};
use crate::message::{
    Answered, Build, Effort, Found, Item, News, Open, Order, RESIDENCES, board, directions, named,
};
use crate::post::Letter;
use crate::team::Mates;

/// What was found waits so long for more.
const GATHER: Duration = Duration::from_millis(1);
const TICK: Duration = Duration::from_millis(20);

/// What is dealt and not begun, and what is found and not sent.
struct Queue {
    state: Mutex<State>,
    /// Ends what is being searched.
    stop: AtomicBool,
    /// There is something to send.
    news: Sender<()>,
}

#[derive(Default)]
struct State {
    todo: VecDeque<(u64, Item)>,
    found: Vec<(u64, Found)>,
    left: Counts,
    generated: u64,
    /// Boards or packets that are being searched.
    busy: usize,
    is_closed: bool,
    items: u64,
    /// Why nothing that is found can be believed.
    problem: Option<String>,
    idle_since: Option<Instant>,
    waited: Duration,
}

impl Queue {
    fn new(news: Sender<()>) -> Self {
        let state = State { idle_since: Some(Instant::now()), ..State::default() };
        Self { state: Mutex::new(state), stop: AtomicBool::new(false), news }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> Taken {
        let mut state = self.state();
        if state.is_closed {
            return Taken::End;
        }
        let Some((ticket, item)) = state.todo.pop_front() else { return Taken::Later };
        state.busy += 1;
        if let Some(since) = state.idle_since.take() {
            state.waited += since.elapsed();
        }
        Taken::Work(ticket, item)
    }

    /// What was taken is done, and came to this, or is left; and how many nodes were generated.
    fn put(&self, found: Option<(u64, Found)>, generated: u64) {
        let mut state = self.state();
        state.generated += generated;
        state.items += u64::from(found.is_some());
        state.found.extend(found);
        state.busy -= 1;
        if state.busy == 0 && state.todo.is_empty() {
            state.idle_since = Some(Instant::now());
        }
        drop(state);
        self.tell();
    }

    fn tell(&self) {
        // Where it is full, somebody will look anyway.
        let _ = self.news.try_send(());
    }

    fn close(&self) {
        self.state().is_closed = true;
        self.stop.store(true, Ordering::Relaxed);
    }

    fn fail(&self, problem: String) {
        self.state().problem.get_or_insert(problem);
        self.close();
        self.tell();
    }

    /// Whether what was searched can be believed. A table that is damaged explains whatever came of it.
    fn confirms(&self, engine: &Engine) -> bool {
        let confirmed = confirm(engine);
        if let Err(error) = &confirmed {
            self.fail(error.to_string());
        }
        confirmed.is_ok()
    }

    fn effort(&self) -> Effort {
        let state = self.state();
        let idle = state.idle_since.map_or(Duration::ZERO, |since| since.elapsed());
        Effort {
            generated: state.generated,
            items: state.items,
            waited_seconds: (state.waited + idle).as_secs_f64(),
        }
    }
}

enum Taken {
    Work(u64, Item),
    Later,
    End,
}

/// The queue as a search of boards sees it.
struct QueuedBoards<'a>(&'a Queue, &'a Engine);

impl Boards for QueuedBoards<'_> {
    fn next(&self) -> Next {
        match self.0.take() {
            Taken::Work(ticket, Item::Board(text)) => {
                if let Some(board) = board(&text) {
                    return Next::Board(board, ticket);
                }
                self.0.fail(format!("{text:?} is no board"));
                Next::End
            }
            Taken::Work(..) => {
                self.0.fail("a packet was dealt where boards are".to_owned());
                Next::End
            }
            Taken::Later => Next::Later,
            Taken::End => Next::End,
        }
    }

    fn answer(&self, ticket: u64, answer: Result<Outcome, SearchError>) {
        let Self(queue, engine) = self;
        if !queue.confirms(engine) {
            return queue.put(None, 0);
        }
        match answer {
            Ok(outcome) => {
                let answered = Answered::new(&outcome);
                // Who was stopped by rank 0 has no answer.
                let answered = answered.filter(|answered| {
                    !(answered.is_interrupted() && queue.stop.load(Ordering::Relaxed))
                });
                let found = answered.map(|answered| (ticket, Found::Board(answered)));
                queue.put(found, outcome.generated);
            }
            Err(_) => queue.put(Some((ticket, Found::Error)), 0),
        }
    }
}

/// The queue as a search of packets sees it.
struct QueuedPackets<'a>(&'a Queue, &'a Engine);

impl Dealer for QueuedPackets<'_> {
    fn next(&self) -> Deal {
        match self.0.take() {
            Taken::Work(ticket, Item::Packet(bound, letters)) => {
                if let Some(moves) = directions(&letters) {
                    return Deal::Packet { number: ticket as usize, bound, moves };
                }
                self.0.fail(format!("{letters:?} are no moves"));
                Deal::End
            }
            Taken::Work(..) => {
                self.0.fail("a board was dealt where packets are".to_owned());
                Deal::End
            }
            Taken::Later => Deal::Later,
            Taken::End => Deal::End,
        }
    }

    fn report(&self, number: usize, finding: Finding) {
        let Self(queue, engine) = self;
        if !queue.confirms(engine) {
            return queue.put(None, 0);
        }
        let (counts, found) = match finding {
            Finding::Done(Done { counts, nearest }) => {
                (counts, Some(Found::Packet(counts.generated, counts.expanded, nearest)))
            }
            Finding::Goal(moves, counts) => {
                let found = Found::Goal(letters(&moves), counts.generated, counts.expanded);
                (counts, Some(found))
            }
            Finding::Left(_, counts) => {
                let mut state = queue.state();
                state.left = state.left.plus(counts);
                (counts, None)
            }
        };
        queue.put(found.map(|found| (number as u64, found)), counts.generated);
    }
}

/// A task under way.
struct Task {
    number: u64,
    queue: Arc<Queue>,
    /// Nothing once the thread has ended.
    thread: Option<JoinHandle<()>>,
    is_open: Arc<AtomicBool>,
    is_closing: bool,
    is_refused: bool,
}

/// Handles that were opened, by what they were opened with.
type Handles = Arc<Mutex<BTreeMap<String, Tilebase>>>;

/// Does what rank 0 says until it says that the job is over.
///
/// # Errors
/// That rank 0 is lost.
pub(crate) fn work(
    desk: &Arc<Desk>,
    inbox: &Receiver<Letter>,
    settings: &Settings,
) -> Result<(), String> {
    let thread_count = settings.thread_count;
    let host = desk.host(desk.rank).to_owned();
    let version = crate::VERSION.to_owned();
    desk.say(0, &News::Hello { version, host, threads: thread_count });
    let handles = Handles::default();
    let (news, told) = bounded(1);
    let mut task: Option<Task> = None;
    loop {
        select! {
            recv(inbox) -> letter => match letter {
                Ok(Letter::Lost(_)) | Err(_) => {
                    return Err(format!("rank 0 on {} is lost", desk.host(0)));
                }
                Ok(Letter::Words(_, words)) => match read(&words) {
                    Some(Order::Leave) => return Ok(()),
                    Some(Order::Open { task: number, open }) => {
                        let queue = Arc::new(Queue::new(news.clone()));
                        task = Some(begin(desk, number, *open, queue, thread_count, &handles));
                    }
                    Some(Order::Deal { task: of, items }) => {
                        if let Some(task) = task.as_ref().filter(|task| task.number == of) {
                            task.queue.state().todo.extend(items);
                        }
                    }
                    Some(Order::Recall { task: of, count }) => {
                        if let Some(task) = task.as_ref().filter(|task| task.number == of) {
                            task.give_back(desk, count);
                        }
                    }
                    Some(Order::Close { task: of }) => {
                        if let Some(task) = task.as_mut().filter(|task| task.number == of) {
                            task.queue.close();
                            task.is_closing = true;
                        }
                    }
                    Some(Order::Build { task, build }) => begin_build(desk, task, *build, settings),
                    None => {
                        return Err("rank 0 says what this version does not know".to_owned());
                    }
                },
            },
            recv(told) -> _ => thread::sleep(GATHER),
            default(TICK) => (),
        }
        let Some(now) = &mut task else { continue };
        now.notice_panic();
        now.send_found(desk);
        if now.has_closed(desk) {
            task = None;
        }
    }
}

impl Task {
    fn give_back(&self, desk: &Desk, count: usize) {
        let mut state = self.queue.state();
        let first = state.todo.len().saturating_sub(count);
        let returned = state.todo.split_off(first).into_iter().map(|(ticket, _)| ticket).collect();
        drop(state);
        let (task, effort) = (self.number, self.queue.effort());
        desk.say(0, &News::Found { task, found: Vec::new(), returned, effort });
    }

    /// A thread that has ended before the task is closed has said why, unless it could not.
    fn notice_panic(&mut self) {
        let has_ended = self.thread.as_ref().is_some_and(JoinHandle::is_finished);
        if has_ended && self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            self.queue.fail("the search ended in a panic".to_owned());
        }
    }

    fn send_found(&mut self, desk: &Desk) {
        let (found, problem) = {
            let mut state = self.queue.state();
            (std::mem::take(&mut state.found), state.problem.take())
        };
        let task = self.number;
        if let Some(problem) = problem.filter(|_| !self.is_refused) {
            self.is_refused = true;
            desk.say(0, &News::Refused { task, problem });
        } else if !found.is_empty() && !self.is_refused {
            let effort = self.queue.effort();
            desk.say(0, &News::Found { task, found, returned: Vec::new(), effort });
        }
    }

    /// Step 3, once the search has ended; one that still opens its tables is not waited for.
    fn has_closed(&mut self, desk: &Desk) -> bool {
        let is_opening = !self.is_open.load(Ordering::Relaxed);
        let has_ended = self.thread.as_ref().is_none_or(JoinHandle::is_finished);
        if !self.is_closing || !(has_ended || is_opening) {
            return false;
        }
        self.send_found(desk);
        let Counts { generated, expanded } = self.queue.state().left;
        let (task, effort) = (self.number, self.queue.effort());
        if !self.is_refused {
            desk.say(0, &News::Closed { task, left: (generated, expanded), effort });
        }
        true
    }
}

/// Step 1.
fn begin(
    desk: &Arc<Desk>,
    number: u64,
    open: Open,
    queue: Arc<Queue>,
    thread_count: usize,
    handles: &Handles,
) -> Task {
    let is_open = Arc::new(AtomicBool::new(false));
    let (of_thread, desk, opened) = (Arc::clone(&queue), Arc::clone(desk), Arc::clone(&is_open));
    let handles = Arc::clone(handles);
    let run = move || {
        let queue = of_thread;
        let result = open_engine(&open, thread_count, &handles).and_then(|engine| {
            let say = || {
                opened.store(true, Ordering::Relaxed);
                let tables = engine.identity().1;
                desk.say(0, &News::Opened { task: number, tables });
            };
            search(&open, &engine, &queue, thread_count, &say)
        });
        opened.store(true, Ordering::Relaxed);
        if let Err(problem) = result {
            queue.fail(problem);
        }
        queue.tell();
    };
    let thread = thread::Builder::new().name("search".into()).spawn(run);
    let thread = thread.map_err(|error| queue.fail(format!("cannot start a thread: {error}"))).ok();
    Task { number, queue, thread, is_open, is_closing: false, is_refused: false }
}

/// Ends the part of this rank when its build panics: the others notice that it is gone.
struct PanicGuard<'a>(&'a Desk);

impl Drop for PanicGuard<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.end();
        }
    }
}

/// Takes part in a build, on a thread of its own.
fn begin_build(desk: &Arc<Desk>, task: u64, build: Build, settings: &Settings) {
    let (of_thread, settings) = (Arc::clone(desk), settings.clone());
    desk.counter.begin(task);
    let run = move || {
        let desk = of_thread;
        let _guard = PanicGuard(&desk);
        let Some(key) = build.key() else {
            return desk
                .say(0, &News::BuildEnded { task, problem: Some("no such table".to_owned()) });
        };
        let budget = settings.budget(build.memory_bytes);
        let unseen = |_| ();
        let monitor = Monitor::new(&unseen, &desk.counter.is_stopped);
        let (folder, threads) = (&build.folder, settings.thread_count);
        let mates = Mates(&desk);
        let built = build_shared(&key, folder, &budget, threads, build.replace, &monitor, &mates);
        let problem = built.err().map(|error| error.to_string());
        desk.say(0, &News::BuildEnded { task, problem });
    };
    if let Err(error) = thread::Builder::new().name("build".into()).spawn(run) {
        // The others notice that a rank is gone.
        let problem = Some(format!("cannot start a thread: {error}"));
        desk.say(0, &News::BuildEnded { task, problem });
        desk.end();
    }
}

fn open_engine(open: &Open, thread_count: usize, handles: &Handles) -> Result<Arc<Engine>, String> {
    let goal = board(&open.goal).map(Goal::new).ok_or("the goal is no board")?;
    let key = format!("{:?}", (&open.heuristic, &open.spec, &open.goal, &open.folder));
    // Whoever comes while they are opened waits.
    let mut handles = handles.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(tables) = handles.get(&key) {
        return tables.engine(&goal).map_err(|error| error.to_string());
    }
    let choice = match &open.spec {
        Some(text) => Spec::parse(&open.heuristic, text)
            .map(|spec| SpecChoice::Spec(Box::new(spec)))
            .map_err(|error| error.to_string())?,
        None => SpecChoice::read(&open.heuristic, Some(goal.shape()))
            .map_err(|error| error.to_string())?,
    };
    let residence = named(RESIDENCES, &open.residence).unwrap_or_default();
    let builder = Tilebase::builder()
        .choice(choice)
        .goal(GoalChoice::Drawn(goal))
        .folder(&open.folder)
        .residence(residence)
        .threads(thread_count);
    let builder = if open.trusts_tables { builder.trust_tables() } else { builder };
    let tables = builder.lazy_open().map_err(|error| error.to_string())?;
    let engine = tables.engine(&goal).map_err(|error| error.to_string())?;
    handles.insert(key, tables);
    Ok(engine)
}

/// Step 2; `say` is called when the work may come.
fn search(
    open: &Open,
    engine: &Engine,
    queue: &Queue,
    thread_count: usize,
    say: &dyn Fn(),
) -> Result<(), String> {
    let stop = Some(&queue.stop);
    let sharing = Sharing { boards_at_once: open.boards_at_once, ..Sharing::default() };
    if let Some(text) = &open.board {
        let board = board(text).ok_or("the board is none")?;
        // Limits are those of the whole board, which rank 0 looks at.
        let limits = Limits { stop, ..Limits::default() };
        let work = Work { limits, sharing, thread_count };
        let packets = engine.packets(&board, work).map_err(|error| error.to_string())?;
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
    let work = Work { limits, sharing, thread_count };
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

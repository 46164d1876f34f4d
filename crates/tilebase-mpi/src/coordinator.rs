//! The coordinator: rank 0, which distributes work to all ranks.
//!
//! 1. A task is opened on every rank. A rank that is ready, with the same tables, receives work;
//!    rank 0 searches too.
//! 2. A rank with less than half of its supply of waiting items receives more ([`Pace`]). If no
//!    items are left and a rank has few, the rank with the most items returns half of those that it
//!    has not begun.
//! 3. A rank that is lost, or finds its tables damaged, is excluded, and its items are dealt again.
//! 4. When everything is done, or a solution is found, the task is closed on every rank.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::Receiver;
use parking_lot::Mutex;
use pdb_core::{PatternKey, TableKey};
use pdb_search::Boards;
use pdb_search::packets::{Dealer, Deals, Subject};
use tilebase::Error;
use tilebase::crew::{Crew, CrewState, CrewTask};
use tilebase::names::SpecChoice;
use tilebase::pdb_gen::{Build, BuildReport, Estimate, GenError, TeamLevel, estimate};

use crate::mailbox::{Mailbox, Traffic, read};
use crate::message::{BuildRequest, Effort, Item, ItemResult, RankCommand, Reply, TaskRequest};
use crate::message_loop::Incoming;
use crate::report::{Phase, PhaseOfRank, Report};
use crate::team::JobTeam;
use crate::work_queue::{
    BoardSource, LocalBoards, LocalPackets, Pace, PacketSource, WorkQueue, WorkSource,
};
use crate::{RankSettings, VERSION};

/// Time between two checks for items to deal.
const TICK: Duration = Duration::from_millis(5);
/// Smallest number of packets of a bound that is shared; rank 0 searches smaller bounds alone,
/// because they end too soon.
const PACKETS_MIN: usize = 64;
/// Smallest number of entries of a table that is shared; rank 0 builds smaller ones alone, because
/// they take one core less than a second.
const ENTRIES_MIN: u64 = 200_000_000;
/// Longest wait for other ranks after a search was stopped.
const FAREWELL: Duration = Duration::from_millis(300);

/// All ranks of a job, as rank 0 sees them.
pub(crate) struct Coordinator {
    mailbox: Arc<Mailbox>,
    settings: RankSettings,
    /// The state; it allows one task at a time.
    state: Mutex<CoordinatorState>,
}

struct CoordinatorState {
    inbox: Receiver<Incoming>,
    task_count: u64,
    /// Number of threads of each rank.
    threads: BTreeMap<usize, usize>,
    /// Ranks that had to leave a task, because their tables are damaged or for another problem.
    left: BTreeSet<usize>,
    report: Report,
}

/// A task that has begun.
struct TaskStart {
    number: u64,
    when: Instant,
    /// Traffic of each participating rank before the task.
    traffic: Vec<(usize, Traffic)>,
    is_batch: bool,
}

impl TaskStart {
    /// Returns the other participating ranks.
    fn members(&self) -> impl Iterator<Item = &usize> {
        self.traffic.iter().map(|(rank, _)| rank)
    }
}

impl CoordinatorState {
    /// Begins a task with some other ranks.
    fn begin(&mut self, mailbox: &Mailbox, others: Vec<usize>, is_batch: bool) -> TaskStart {
        let number = self.task_count;
        self.task_count += 1;
        let traffic = others.into_iter().map(|rank| (rank, mailbox.traffic_with(rank))).collect();
        TaskStart { number, when: Instant::now(), traffic, is_batch }
    }

    /// Reports a finished task.
    fn end(
        &mut self,
        mailbox: &Mailbox,
        begun: TaskStart,
        name: String,
        efforts: &BTreeMap<usize, Effort>,
        levels: Vec<TeamLevel>,
    ) {
        let phase_of = |(rank, before): (usize, Traffic)| {
            let effort = efforts.get(&rank).copied().unwrap_or_default();
            PhaseOfRank::new(rank, effort, mailbox.traffic_with(rank).since(before))
        };
        let TaskStart { when, traffic, is_batch, .. } = begun;
        let ranks = traffic.into_iter().map(phase_of).collect();
        self.report.add(Phase {
            name,
            seconds: when.elapsed().as_secs_f64(),
            ranks,
            levels,
            is_batch,
        });
    }
}

/// State of another rank in the current task.
struct Worker {
    is_ready: bool,
    pace: Pace,
    held: BTreeMap<u64, Item>,
    is_recalled: bool,
    /// Whether it had no item to return; it is not asked again before it receives more.
    has_nothing: bool,
    effort: Effort,
}

impl fmt::Debug for Coordinator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Coordinator").field("ranks", &self.mailbox.count()).finish_non_exhaustive()
    }
}

impl Coordinator {
    /// Waits for the first message of every rank.
    ///
    /// # Errors
    /// The silent ranks, or those with another version.
    pub(crate) fn meet(
        mailbox: Arc<Mailbox>,
        inbox: Receiver<Incoming>,
        settings: RankSettings,
    ) -> Result<Self, String> {
        let mut threads = BTreeMap::new();
        let mut problems = Vec::new();
        while threads.len() + problems.len() + 1 < mailbox.count() {
            let Ok(entry) = inbox.recv() else { break };
            match entry {
                Incoming::Lost(rank) => problems.push(format!("rank {rank} has said nothing")),
                Incoming::Words(rank, words) => match read(&words) {
                    Some(Reply::Hello { version, host, threads: count }) => {
                        mailbox.name_host(rank, &host);
                        if version == VERSION {
                            threads.insert(rank, count);
                        } else {
                            let name = mailbox.name(rank);
                            problems.push(format!("{name} runs version {version}"));
                        }
                    }
                    _ => problems.push(format!("rank {rank} says what version {VERSION} does not")),
                },
            }
        }
        if !problems.is_empty() {
            return Err(format!(
                "rank 0 on {} runs version {VERSION}, but {}: install the same program everywhere",
                mailbox.host(0),
                problems.join("; ")
            ));
        }
        let report = Report::new(&mailbox, &threads, settings.thread_count);
        let left = BTreeSet::new();
        let state = CoordinatorState { inbox, task_count: 0, threads, left, report };
        Ok(Self { mailbox, settings, state: Mutex::new(state) })
    }

    /// Ends the job on all ranks, and returns its report.
    pub(crate) fn dismiss(&self, exit_code: u8) -> Report {
        let mut state = self.state.lock();
        self.mailbox.reachable_peers().for_each(|rank| self.mailbox.say(rank, &RankCommand::Leave));
        state.report.end(&self.mailbox, exit_code);
        self.mailbox.end();
        state.report.clone()
    }

    fn note(&self, text: impl fmt::Display) {
        if !self.settings.quiet {
            // A note that cannot be written is lost.
            let _ = writeln!(std::io::stderr(), "note: {text}");
        }
    }

    /// Distributes the work of a source to all ranks, and waits for the results.
    fn share(
        &self,
        (name, open): (String, &TaskRequest),
        task: &CrewTask<'_>,
        source: &dyn WorkSource,
        search: &(dyn Fn(&WorkQueue<'_>) + Sync),
    ) -> Result<(), Error> {
        let mut state = self.state.lock();
        let state = &mut *state;
        let others =
            self.mailbox.active_peers().filter(|rank| !state.left.contains(rank)).collect();
        let begun = state.begin(&self.mailbox, others, open.board.is_none());
        let queue = WorkQueue::new(source, self.settings.thread_count);
        for &rank in begun.members() {
            let open = Box::new(open.clone());
            self.mailbox.say(rank, &RankCommand::Open { task: begun.number, open });
        }
        let member = |&rank: &usize| {
            let pace = Pace::new(state.threads[&rank], source.is_even());
            let (held, effort) = (BTreeMap::new(), Effort::default());
            let [is_ready, is_recalled, has_nothing] = [false; 3];
            (rank, Worker { is_ready, pace, held, is_recalled, has_nothing, effort })
        };
        let members: BTreeMap<_, _> = begun.members().map(member).collect();
        let inbox = &state.inbox;
        let mut dealing = SharedTask {
            coordinator: self,
            number: begun.number,
            task,
            source,
            queue: &queue,
            members,
            efforts: BTreeMap::new(),
            left: Vec::new(),
            failure: None,
        };
        thread::scope(|scope| {
            let here = pdb_core::thread_builder().spawn_scoped(scope, || search(&queue));
            let here = here.map_err(|source| Error::Threads { source })?;
            dealing.run(inbox, &|| here.is_finished());
            Ok::<_, Error>(())
        })?;
        let SharedTask { efforts, left, failure, .. } = dealing;
        state.left.extend(left);
        state.end(&self.mailbox, begun, name, &efforts, Vec::new());
        failure.map_or(Ok(()), |problem| Err(Error::Crew { problem }))
    }
}

/// A running task.
struct SharedTask<'a> {
    coordinator: &'a Coordinator,
    number: u64,
    task: &'a CrewTask<'a>,
    source: &'a dyn WorkSource,
    queue: &'a WorkQueue<'a>,
    /// The participating ranks.
    members: BTreeMap<usize, Worker>,
    /// The work of ranks that have left the task.
    efforts: BTreeMap<usize, Effort>,
    /// Ranks that had to leave the task.
    left: Vec<usize>,
    failure: Option<String>,
}

impl SharedTask<'_> {
    fn run(&mut self, inbox: &Receiver<Incoming>, is_done_here: &dyn Fn() -> bool) {
        while !(is_done_here() || self.is_over()) {
            self.deal();
            self.recall();
            self.listen(inbox);
        }
        // Step 4.
        for &rank in self.members.keys() {
            self.coordinator.mailbox.say(rank, &RankCommand::Close { task: self.number });
        }
        while !is_done_here() {
            self.listen(inbox);
        }
        // A rank confirms that it has closed the task, and is then no longer a member.
        let done_here = Instant::now();
        // After a cancelled search, the user should not wait long.
        let may_wait =
            || !self.task.stop.load(Ordering::Relaxed) || done_here.elapsed() <= FAREWELL;
        while !self.members.is_empty() && may_wait() {
            self.listen(inbox);
        }
    }

    /// Returns whether no more items are dealt, although this rank may still search.
    fn is_over(&self) -> bool {
        self.failure.is_some() || self.source.is_over() || self.task.stop.load(Ordering::Relaxed)
    }

    /// Handles arrived messages, and waits for a moment if there are none.
    fn listen(&mut self, inbox: &Receiver<Incoming>) {
        let mut next = inbox.recv_timeout(TICK).ok();
        while let Some(entry) = next {
            self.take(entry);
            next = inbox.try_recv().ok();
        }
    }

    fn take(&mut self, entry: Incoming) {
        match entry {
            Incoming::Lost(rank) => self.leave_out(rank, "is lost"),
            Incoming::Words(rank, words) => match read(&words) {
                Some(news) => self.hear(rank, news),
                None => self.distrust(rank, "has sent a malformed message"),
            },
        }
    }

    fn hear(&mut self, rank: usize, news: Reply) {
        let task = self.number;
        let mailbox = &self.coordinator.mailbox;
        let Some(member) = self.members.get_mut(&rank) else { return };
        match news {
            Reply::Opened { task: of, tables } if of == task => {
                let own = self.task.engine.identity().1;
                if tables == own {
                    member.is_ready = true;
                    member.pace.restart();
                } else {
                    let other = tables.iter().zip(&own).find(|(a, b)| a != b);
                    let said = other.map_or("other tables".to_owned(), |((file, a), (_, b))| {
                        format!("{file} with the digest {a}, where rank 0 has {b}")
                    });
                    let name = mailbox.name(rank);
                    self.fail(format!("{name} has {said}: give all ranks the same tables"));
                }
            }
            Reply::Refused { task: of, problem } if of == task => {
                if member.is_ready {
                    self.left.push(rank);
                    self.leave_out(rank, &format!("leaves: {problem}"));
                } else {
                    let name = mailbox.name(rank);
                    self.members.remove(&rank);
                    self.fail(format!("{name} cannot take part: {problem}"));
                }
            }
            Reply::Results { task: of, found, returned, effort } if of == task => {
                member.pace.count(found.len());
                member.pace.note_waited(effort.waited_seconds);
                member.effort = effort;
                if found.is_empty() {
                    // The answer to a recall.
                    member.is_recalled = false;
                    member.has_nothing = returned.is_empty();
                }
                let held = |ticket: u64| Some((ticket, member.held.remove(&ticket)?));
                self.queue.put_back(returned.into_iter().filter_map(held));
                for (ticket, found) in found {
                    let Some(item) = member.held.remove(&ticket) else { continue };
                    if matches!(found, ItemResult::Repeat) {
                        self.queue.keep(ticket, item);
                        continue;
                    }
                    match self.source.found(ticket, found) {
                        Ok(()) => self.queue.done(),
                        Err(problem) => {
                            member.held.insert(ticket, item);
                            self.distrust(rank, &format!("has sent {problem}"));
                            return;
                        }
                    }
                }
            }
            Reply::Closed { task: of, left, effort } if of == task => {
                if left.generated > 0 {
                    self.source.left(left);
                }
                let member = self.members.remove(&rank).expect("it was looked up");
                self.efforts.insert(rank, effort);
                // A task may end early with unfinished packets, which no rank needs, but never with
                // boards.
                self.queue.put_back(member.held);
            }
            _ => (),
        }
    }

    /// Excludes a rank (step 3).
    fn leave_out(&mut self, rank: usize, why: &str) {
        let Some(member) = self.members.remove(&rank) else { return };
        let count = member.held.len();
        self.efforts.insert(rank, member.effort);
        self.queue.put_back(member.held);
        let name = self.coordinator.mailbox.name(rank);
        self.coordinator
            .note(format_args!("{name} {why}; {count} pieces of its work are done by others"));
    }

    /// Excludes a rank that has sent an invalid message.
    fn distrust(&mut self, rank: usize, why: &str) {
        self.coordinator.mailbox.exclude(rank);
        self.leave_out(rank, why);
    }

    fn fail(&mut self, problem: String) {
        self.failure.get_or_insert(problem);
        self.queue.give_up();
        self.task.fail();
    }

    /// Deals items (step 2). At the end, a rank receives only part of the rest, because ranks
    /// search at different speeds.
    fn deal(&mut self) {
        let ranks = self.members.len() + 1;
        for (&rank, member) in self.members.iter_mut().filter(|(_, member)| member.is_ready) {
            let ahead = member.pace.ahead().min(self.queue.rest() / (2 * ranks));
            let busy = member.pace.busy();
            if member.held.len() > busy + ahead / 2 {
                continue;
            }
            let target = busy + ahead;
            let mut items = Vec::new();
            while member.held.len() < target
                && let Some((ticket, item)) = self.queue.take()
            {
                member.held.insert(ticket, item.clone());
                items.push((ticket, item));
            }
            if !items.is_empty() {
                member.has_nothing = false;
                self.coordinator.mailbox.say(rank, &RankCommand::Deal { task: self.number, items });
            }
        }
    }

    fn recall(&mut self) {
        let is_hungry =
            |member: &Worker| member.is_ready && member.pace.is_hungry(member.held.len());
        let is_any_hungry = || self.members.values().any(is_hungry);
        let wants = self.queue.is_dry() && (self.queue.is_hungry_here() || is_any_hungry());
        if !wants || self.members.values().any(|member| member.is_recalled) {
            return;
        }
        let surplus = |member: &Worker| member.held.len().saturating_sub(member.pace.busy());
        let askable = self.members.iter_mut().filter(|(_, member)| !member.has_nothing);
        let Some((&rank, member)) = askable.max_by_key(|(_, member)| surplus(member)) else {
            return;
        };
        let count = surplus(member).div_ceil(2);
        if count > 0 {
            member.is_recalled = true;
            self.coordinator.mailbox.say(rank, &RankCommand::Recall { task: self.number, count });
        }
    }
}

impl Crew for Coordinator {
    fn state(&self) -> CrewState {
        let mailbox = &self.mailbox;
        let Traffic { sent_bytes, received_bytes, .. } = mailbox.traffic();
        let lost = (0..mailbox.count()).filter(|&rank| mailbox.is_excluded(rank)).count();
        CrewState { ranks: mailbox.count(), lost, bytes: sent_bytes + received_bytes }
    }

    fn boards_at_once(&self) -> usize {
        let threads: usize = self.state.lock().threads.values().sum();
        // The boards of a second: an answer waits for those of earlier boards, which another rank
        // may have.
        threads * 2048
    }

    fn solve_boards(
        &self,
        task: &CrewTask<'_>,
        boards: &dyn Boards,
        search: &(dyn Fn(&dyn Boards) + Sync),
    ) -> Result<(), Error> {
        let source = BoardSource::new(boards, *task.engine.goal());
        let name = format!("boards, {}", task.engine.name());
        let open = open(task, None);
        self.share((name, &open), task, &source, &|queue| search(&LocalBoards(queue, &source)))
    }

    fn solve_packets(
        &self,
        task: &CrewTask<'_>,
        subject: &Subject,
        deals: &dyn Deals,
        search: &(dyn Fn(&dyn Dealer) + Sync),
    ) -> Result<(), Error> {
        if deals.packet_count() < PACKETS_MIN {
            search(deals);
            return Ok(());
        }
        let source = PacketSource::new(deals, self.mailbox.active_peers().next().is_some());
        let name = format!("packets of {}, {}", subject.board, task.engine.name());
        let open = open(task, Some(subject));
        self.share((name, &open), task, &source, &|queue| search(&LocalPackets(queue, &source)))?;
        source.end();
        Ok(())
    }

    fn build_table(
        &self,
        key: &PatternKey,
        build: &Build<'_>,
        memory_bytes: Option<u64>,
    ) -> Option<Result<BuildReport, GenError>> {
        let table = TableKey::Pattern(*key);
        let ranks = self.mailbox.active_peers().count() + 1;
        let is_quicker_alone = |estimate: Estimate| estimate.entry_count < ENTRIES_MIN;
        let wants = self.settings.share_builds || !estimate(&table).is_ok_and(is_quicker_alone);
        if ranks == 1 || !wants {
            return None;
        }
        let mut state = self.state.lock();
        let state = &mut *state;
        let begun = state.begin(&self.mailbox, self.mailbox.active_peers().collect(), false);
        let number = begun.number;
        self.mailbox.rounds.begin(number);
        let request = BuildRequest::new(key, build, memory_bytes);
        for &rank in begun.members() {
            let build = Box::new(request.clone());
            self.mailbox.say(rank, &RankCommand::Build { task: number, build });
        }
        let budget = self.settings.budget(memory_bytes);
        let built = build.by_team(key, &budget, &JobTeam(&self.mailbox));
        let mut waiting: Vec<_> = begun.members().copied().collect();
        waiting.retain(|&rank| !self.mailbox.is_excluded(rank));
        while !waiting.is_empty() {
            match state.inbox.recv() {
                Ok(Incoming::Lost(rank)) => waiting.retain(|&other| other != rank),
                Ok(Incoming::Words(rank, words)) => {
                    if let Some(Reply::BuildEnded { task, .. }) = read(&words)
                        && task == number
                    {
                        waiting.retain(|&other| other != rank);
                    }
                }
                Err(_) => break,
            }
        }
        let levels = built.as_ref().map_or(Vec::new(), |built| built.levels.clone());
        let name = format!("build {}", table.file_name());
        state.end(&self.mailbox, begun, name, &BTreeMap::new(), levels);
        Some(built.map(|built| built.build))
    }
}

/// Returns the request of a task for other ranks.
fn open(task: &CrewTask<'_>, subject: Option<&Subject>) -> TaskRequest {
    let CrewTask { engine, choice, folder, residence, trusts_tables, limits, .. } = *task;
    let spec = match choice {
        SpecChoice::Spec(spec) if !pdb_spec::builtin_names().contains(&&*spec.name) => {
            Some(spec.toml.clone())
        }
        _ => None,
    };
    TaskRequest {
        heuristic: engine.name().to_owned(),
        spec,
        goal: engine.goal().board().to_string(),
        metric: engine.metric().name().to_owned(),
        folder: folder.to_owned(),
        residence: format!("{residence:?}"),
        trusts_tables,
        board: subject.map(|subject| subject.board.to_string()),
        dual: subject.and_then(|subject| Some(subject.dual?.to_string())),
        search: task.search.map(|name| name.to_string()),
        boards_at_once: task.sharing.boards_at_once,
        time: limits.time,
        nodes: limits.nodes,
        memory_bytes: limits.memory,
    }
}

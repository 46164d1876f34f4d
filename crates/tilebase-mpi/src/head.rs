//! Rank 0: it has work done, here and by all other ranks.
//!
//! 1. A task is opened everywhere. Who is ready, with the same tables, gets work; this rank searches
//!    meanwhile.
//! 2. Who has less than half of what it should have gets more ([`Pace`]). When there is nothing left to
//!    deal, and somebody has nothing to do, who has most gives back what it has not begun.
//! 3. Who is lost, or finds its tables damaged, is left out, and its work is dealt again.
//! 4. When all is done, or a solution is found, the task is closed everywhere.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::Receiver;
use pdb_core::{Board, PatternKey, TableKey};
use pdb_search::Boards;
use pdb_search::packets::{Dealer, Deals};
use tilebase::pdb_gen::{
    BuildReport, Estimate, GenError, Monitor, SharedLevel, build_shared, estimate,
};
use tilebase::{Crew, CrewState, Error, SpecChoice, Task, pdb_spec};

use crate::desk::{Desk, Traffic, read};
use crate::message::{Build, Effort, Found, Item, News, Open, Order, RESIDENCES, name_of};
use crate::pile::{BoardsHere, OfBoards, OfPackets, Pace, PacketsHere, Pile, Source};
use crate::post::Letter;
use crate::report::{Phase, PhaseOfRank, Report};
use crate::team::Mates;
use crate::{Settings, VERSION};

/// How often it is looked at what else there is to deal.
const TICK: Duration = Duration::from_millis(5);
/// Bounds of so few packets are over before others have heard of them.
const PACKETS_MIN: usize = 64;
/// A table of fewer entries takes one core no second: it is built here.
const ENTRIES_MIN: u64 = 200_000_000;
/// So long ranks are waited for that should leave a search which was told to stop.
const FAREWELL: Duration = Duration::from_millis(300);
/// How often a line is told for each rank, where that is wished.
const LINES: Duration = Duration::from_secs(10);

/// All ranks of a job, as rank 0 sees them.
pub(crate) struct Head {
    desk: Arc<Desk>,
    settings: Settings,
    /// One task at a time.
    state: Mutex<State>,
}

struct State {
    inbox: Receiver<Letter>,
    task_count: u64,
    /// Threads of each rank that has said hello.
    threads: BTreeMap<usize, usize>,
    /// Ranks that had to leave a task: their tables are damaged, or worse.
    left: BTreeSet<usize>,
    report: Report,
}

/// A task that has begun.
struct Begun {
    number: u64,
    when: Instant,
    /// What each rank that takes part had exchanged with this one before.
    traffic: Vec<(usize, Traffic)>,
    is_batch: bool,
}

impl Begun {
    /// The ranks that take part, but this one.
    fn others(&self) -> impl Iterator<Item = &usize> {
        self.traffic.iter().map(|(rank, _)| rank)
    }
}

impl State {
    /// Begins a task with some other ranks.
    fn begin(&mut self, desk: &Desk, others: Vec<usize>, is_batch: bool) -> Begun {
        let number = self.task_count;
        self.task_count += 1;
        let traffic = others.into_iter().map(|rank| (rank, desk.traffic_with(rank))).collect();
        Begun { number, when: Instant::now(), traffic, is_batch }
    }

    /// Reports a task that is over.
    fn end(
        &mut self,
        desk: &Desk,
        begun: Begun,
        name: String,
        efforts: &BTreeMap<usize, Effort>,
        levels: Vec<SharedLevel>,
    ) {
        let phase_of = |(rank, before): (usize, Traffic)| {
            let effort = efforts.get(&rank).copied().unwrap_or_default();
            PhaseOfRank::new(rank, effort, desk.traffic_with(rank).since(before))
        };
        let Begun { when, traffic, is_batch, .. } = begun;
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

/// Another rank, as far as the present task goes.
struct Member {
    is_ready: bool,
    pace: Pace,
    held: BTreeMap<u64, Item>,
    is_recalled: bool,
    /// It has given nothing back, so that it is not asked again before it gets more.
    has_nothing: bool,
    effort: Effort,
}

impl fmt::Debug for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Head").field("ranks", &self.desk.count()).finish_non_exhaustive()
    }
}

impl Head {
    /// Waits until all ranks have said hello.
    ///
    /// # Errors
    /// The ranks that say nothing, or run another version.
    pub(crate) fn meet(
        desk: Arc<Desk>,
        inbox: Receiver<Letter>,
        settings: Settings,
    ) -> Result<Self, String> {
        let mut threads = BTreeMap::new();
        let mut problems = Vec::new();
        while threads.len() + problems.len() + 1 < desk.count() {
            let Ok(letter) = inbox.recv() else { break };
            match letter {
                Letter::Lost(rank) => problems.push(format!("rank {rank} has said nothing")),
                Letter::Words(rank, words) => match read(&words) {
                    Some(News::Hello { version, host, threads: count }) => {
                        desk.name_host(rank, &host);
                        if version == VERSION {
                            threads.insert(rank, count);
                        } else {
                            let name = desk.name(rank);
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
                desk.host(0),
                problems.join("; ")
            ));
        }
        let report = Report::new(&desk, &threads, settings.thread_count);
        let left = BTreeSet::new();
        let state = State { inbox, task_count: 0, threads, left, report };
        Ok(Self { desk, settings, state: Mutex::new(state) })
    }

    /// Lets all ranks go, and gives the report of the job.
    pub(crate) fn dismiss(&self, exit_code: u8) -> Report {
        let mut state = self.inner();
        self.desk.there().for_each(|rank| self.desk.say(rank, &Order::Leave));
        state.report.end(&self.desk, exit_code);
        self.desk.end();
        state.report.clone()
    }

    fn inner(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, text: impl fmt::Display) {
        if !self.settings.quiet {
            // Nothing can be done when that fails.
            let _ = writeln!(std::io::stderr(), "note: {text}");
        }
    }

    /// Has the work of a source done.
    fn share(
        &self,
        (name, open): (String, &Open),
        task: &Task<'_>,
        source: &dyn Source,
        search: &(dyn Fn(&Pile<'_>) + Sync),
    ) -> Result<(), Error> {
        let mut state = self.inner();
        let state = &mut *state;
        let others = self.desk.others().filter(|rank| !state.left.contains(rank)).collect();
        let begun = state.begin(&self.desk, others, open.board.is_none());
        let pile = Pile::new(source, self.settings.thread_count);
        for &rank in begun.others() {
            let open = Box::new(open.clone());
            self.desk.say(rank, &Order::Open { task: begun.number, open });
        }
        let member = |&rank: &usize| {
            let pace = Pace::new(state.threads[&rank], source.is_even());
            let (held, effort) = (BTreeMap::new(), Effort::default());
            let [is_ready, is_recalled, has_nothing] = [false; 3];
            (rank, Member { is_ready, pace, held, is_recalled, has_nothing, effort })
        };
        let members: BTreeMap<_, _> = begun.others().map(member).collect();
        let inbox = &state.inbox;
        let mut dealing = Dealing {
            head: self,
            number: begun.number,
            task,
            source,
            pile: &pile,
            members,
            efforts: BTreeMap::new(),
            left: Vec::new(),
            failure: None,
        };
        thread::scope(|scope| {
            let here = thread::Builder::new().spawn_scoped(scope, || search(&pile));
            let here = here.map_err(|source| Error::Threads { source })?;
            dealing.run(inbox, &|| here.is_finished());
            Ok::<_, Error>(())
        })?;
        let Dealing { efforts, left, failure, .. } = dealing;
        state.left.extend(left);
        state.end(&self.desk, begun, name, &efforts, Vec::new());
        failure.map_or(Ok(()), |problem| Err(Error::Crew { problem }))
    }
}

/// A task under way.
struct Dealing<'a> {
    head: &'a Head,
    number: u64,
    task: &'a Task<'a>,
    source: &'a dyn Source,
    pile: &'a Pile<'a>,
    /// Those who take part.
    members: BTreeMap<usize, Member>,
    /// What those did who took part.
    efforts: BTreeMap<usize, Effort>,
    /// Those who had to leave.
    left: Vec<usize>,
    failure: Option<String>,
}

impl Dealing<'_> {
    fn run(&mut self, inbox: &Receiver<Letter>, is_done_here: &dyn Fn() -> bool) {
        let mut lines = Instant::now();
        while !(is_done_here() || self.is_over()) {
            self.deal();
            self.recall();
            if self.head.settings.lines && lines.elapsed() >= LINES {
                lines = Instant::now();
                self.tell();
            }
            self.listen(inbox);
        }
        // Step 4.
        for &rank in self.members.keys() {
            self.head.desk.say(rank, &Order::Close { task: self.number });
        }
        while !is_done_here() {
            self.listen(inbox);
        }
        // Each says when it has closed the task, and is no member then.
        let done_here = Instant::now();
        // Who told the search to stop may not wait long.
        let may_wait =
            || !self.task.stop.load(Ordering::Relaxed) || done_here.elapsed() <= FAREWELL;
        while !self.members.is_empty() && may_wait() {
            self.listen(inbox);
        }
    }

    /// Whether nothing more is to be dealt, though this rank still searches.
    fn is_over(&self) -> bool {
        self.failure.is_some() || self.source.is_over() || self.task.stop.load(Ordering::Relaxed)
    }

    /// Takes what has arrived, and waits a moment where nothing has.
    fn listen(&mut self, inbox: &Receiver<Letter>) {
        let mut next = inbox.recv_timeout(TICK).ok();
        while let Some(letter) = next {
            self.take(letter);
            next = inbox.try_recv().ok();
        }
    }

    fn take(&mut self, letter: Letter) {
        match letter {
            Letter::Lost(rank) => self.leave_out(rank, "is lost"),
            Letter::Words(rank, words) => match read(&words) {
                Some(news) => self.hear(rank, news),
                None => self.distrust(rank, "says what nobody understands"),
            },
        }
    }

    fn hear(&mut self, rank: usize, news: News) {
        let task = self.number;
        let desk = &self.head.desk;
        let Some(member) = self.members.get_mut(&rank) else { return };
        match news {
            News::Opened { task: of, tables } if of == task => {
                let own = self.task.engine.identity().1;
                if tables == own {
                    member.is_ready = true;
                    member.pace.restart();
                } else {
                    let other = tables.iter().zip(&own).find(|(a, b)| a != b);
                    let said = other.map_or("other tables".to_owned(), |((file, a), (_, b))| {
                        format!("{file} with the digest {a}, where rank 0 has {b}")
                    });
                    let name = desk.name(rank);
                    self.fail(format!("{name} has {said}: give all ranks the same tables"));
                }
            }
            News::Refused { task: of, problem } if of == task => {
                if member.is_ready {
                    self.left.push(rank);
                    self.leave_out(rank, &format!("leaves: {problem}"));
                } else {
                    let name = desk.name(rank);
                    self.members.remove(&rank);
                    self.fail(format!("{name} cannot take part: {problem}"));
                }
            }
            News::Found { task: of, found, returned, effort } if of == task => {
                member.pace.count(found.len());
                member.effort = effort;
                if found.is_empty() {
                    // What was asked for by a recall.
                    member.is_recalled = false;
                    member.has_nothing = returned.is_empty();
                }
                let mut returned_items = Vec::new();
                for ticket in returned {
                    if let Some(item) = member.held.remove(&ticket) {
                        returned_items.push((ticket, item));
                    }
                }
                self.pile.put_back(returned_items);
                for (ticket, found) in found {
                    let Some(item) = member.held.remove(&ticket) else { continue };
                    if matches!(found, Found::Error) {
                        self.pile.keep(ticket, item);
                        continue;
                    }
                    match self.source.found(ticket, found) {
                        Ok(()) => self.pile.done(),
                        Err(problem) => {
                            member.held.insert(ticket, item);
                            self.distrust(rank, &format!("has sent {problem}"));
                            return;
                        }
                    }
                }
            }
            News::Closed { task: of, left: (generated, expanded), effort } if of == task => {
                if generated > 0 {
                    self.source.left(generated, expanded);
                }
                let member = self.members.remove(&rank).expect("it was looked up");
                self.efforts.insert(rank, effort);
                // A task ends early with packets left, which nobody searches any more, but never with boards.
                self.pile.put_back(member.held);
            }
            _ => (),
        }
    }

    /// Step 3.
    fn leave_out(&mut self, rank: usize, why: &str) {
        let Some(member) = self.members.remove(&rank) else { return };
        let count = member.held.len();
        self.efforts.insert(rank, member.effort);
        self.pile.put_back(member.held);
        let name = self.head.desk.name(rank);
        self.head.note(format_args!("{name} {why}; {count} pieces of its work are done by others"));
    }

    /// Nothing that this rank says is believed any more.
    fn distrust(&mut self, rank: usize, why: &str) {
        self.head.desk.lose(rank);
        self.leave_out(rank, why);
    }

    fn fail(&mut self, problem: String) {
        self.failure.get_or_insert(problem);
        self.pile.give_up();
        self.task.fail();
    }

    /// Step 2.
    fn deal(&mut self) {
        for (&rank, member) in self.members.iter_mut().filter(|(_, member)| member.is_ready) {
            let wish = member.pace.wish();
            if member.held.len() > wish / 2 {
                continue;
            }
            let mut items = Vec::new();
            while member.held.len() < wish
                && let Some((ticket, item)) = self.pile.take()
            {
                member.held.insert(ticket, item.clone());
                items.push((ticket, item));
            }
            if !items.is_empty() {
                member.has_nothing = false;
                self.head.desk.say(rank, &Order::Deal { task: self.number, items });
            }
        }
    }

    fn recall(&mut self) {
        let is_idle = |member: &Member| member.is_ready && member.held.is_empty();
        let wants =
            self.pile.is_dry() && (self.pile.here() == 0 || self.members.values().any(is_idle));
        if !wants || self.members.values().any(|member| member.is_recalled) {
            return;
        }
        let surplus = |member: &Member| member.held.len().saturating_sub(member.pace.busy());
        let askable = self.members.iter_mut().filter(|(_, member)| !member.has_nothing);
        let Some((&rank, member)) = askable.max_by_key(|(_, member)| surplus(member)) else {
            return;
        };
        let count = surplus(member).div_ceil(2);
        if count > 0 {
            member.is_recalled = true;
            self.head.desk.say(rank, &Order::Recall { task: self.number, count });
        }
    }

    fn tell(&self) {
        for (&rank, member) in &self.members {
            let Effort { generated, items, waited_seconds } = member.effort;
            let traffic = self.head.desk.traffic_with(rank);
            let bytes = traffic.sent_bytes + traffic.received_bytes;
            self.head.note(format_args!(
                "{}: {items} done, {} at hand, {generated} nodes generated, {bytes} bytes exchanged, \
                 waited {waited_seconds:.1} s",
                self.head.desk.name(rank),
                member.held.len(),
            ));
        }
    }
}

impl Crew for Head {
    fn state(&self) -> CrewState {
        let desk = &self.desk;
        let Traffic { sent_bytes, received_bytes, .. } = desk.traffic();
        let lost = (0..desk.count()).filter(|&rank| desk.is_lost(rank)).count();
        CrewState { ranks: desk.count(), lost, bytes: sent_bytes + received_bytes }
    }

    fn boards_at_once(&self) -> usize {
        let threads: usize = self.inner().threads.values().sum();
        // As many as they do in a second: answers wait for those of the boards before, which another rank may
        // have ahead of it.
        threads * 2048
    }

    fn solve_boards(
        &self,
        task: &Task<'_>,
        boards: &dyn Boards,
        search: &(dyn Fn(&dyn Boards) + Sync),
    ) -> Result<(), Error> {
        let source = OfBoards::new(boards, *task.engine.goal());
        let name = format!("boards, {}", task.engine.name());
        let open = open(task, None);
        self.share((name, &open), task, &source, &|pile| search(&BoardsHere(pile, &source)))
    }

    fn solve_packets(
        &self,
        task: &Task<'_>,
        board: &Board,
        deals: &dyn Deals,
        search: &(dyn Fn(&dyn Dealer) + Sync),
    ) -> Result<(), Error> {
        if deals.packet_count() < PACKETS_MIN {
            search(deals);
            return Ok(());
        }
        let source = OfPackets(deals);
        let name = format!("packets of {board}, {}", task.engine.name());
        let open = open(task, Some(board));
        self.share((name, &open), task, &source, &|pile| search(&PacketsHere(pile, deals)))
    }

    fn build_table(
        &self,
        key: &PatternKey,
        folder: &Path,
        memory_bytes: Option<u64>,
        thread_count: usize,
        replace: bool,
        monitor: &Monitor<'_>,
    ) -> Option<Result<BuildReport, GenError>> {
        let table = TableKey::Pattern(*key);
        let ranks = self.desk.others().count() + 1;
        let is_quicker_alone = |estimate: Estimate| estimate.entry_count < ENTRIES_MIN;
        let wants = self.settings.share_builds || !estimate(&table).is_ok_and(is_quicker_alone);
        if ranks == 1 || !wants {
            return None;
        }
        let mut state = self.inner();
        let state = &mut *state;
        let begun = state.begin(&self.desk, self.desk.others().collect(), false);
        let number = begun.number;
        self.desk.counter.begin(number);
        let build = Build::new(key, folder, memory_bytes, replace);
        for &rank in begun.others() {
            self.desk.say(rank, &Order::Build { task: number, build: Box::new(build.clone()) });
        }
        let budget = self.settings.budget(memory_bytes);
        let mates = Mates(&self.desk);
        let built = build_shared(key, folder, &budget, thread_count, replace, monitor, &mates);
        let mut waiting: Vec<_> = begun.others().copied().collect();
        waiting.retain(|&rank| !self.desk.is_lost(rank));
        while !waiting.is_empty() {
            match state.inbox.recv() {
                Ok(Letter::Lost(rank)) => waiting.retain(|&other| other != rank),
                Ok(Letter::Words(rank, words)) => {
                    if let Some(News::BuildEnded { task, .. }) = read(&words)
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
        state.end(&self.desk, begun, name, &BTreeMap::new(), levels);
        Some(built.map(|built| built.build))
    }
}

/// What another rank has to know of a task.
fn open(task: &Task<'_>, board: Option<&Board>) -> Open {
    let Task { engine, choice, folder, residence, trusts_tables, limits, .. } = *task;
    let spec = match choice {
        SpecChoice::Spec(spec) if !pdb_spec::builtin_names().contains(&&*spec.name) => {
            Some(spec.to_toml())
        }
        _ => None,
    };
    Open {
        heuristic: engine.name().to_owned(),
        spec,
        goal: engine.goal().board().to_string(),
        folder: folder.to_owned(),
        residence: name_of(RESIDENCES, residence),
        trusts_tables,
        board: board.map(ToString::to_string),
        search: task.search.map(|name| name.to_string()),
        boards_at_once: task.sharing.boards_at_once,
        time: limits.time,
        nodes: limits.nodes,
        memory_bytes: limits.memory,
    }
}

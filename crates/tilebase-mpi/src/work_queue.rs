//! Queue of work that several ranks share, and the sources of the work.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use pdb_core::{Board, Goal};
use pdb_search::packets::{Counts, Deal, Dealer, Deals, Done, Finding};
use pdb_search::{Boards, BoundCount, Next, Outcome, SearchError};

use crate::message::{Item, ItemResult};

/// Time per board above which boards are dealt one by one.
const LONG: Duration = Duration::from_millis(200);
/// Largest number of subtrees that a thread searches concurrently.
const LANES: usize = 8;
/// Time for which a rank should have waiting items, at first and at most. It is doubled when the
/// rank had nothing to search, so it adapts to the network.
const AHEAD: Duration = Duration::from_millis(50);
const AHEAD_MAX: Duration = Duration::from_secs(5);
/// Largest number of items that wait on a rank.
const ITEMS_MAX: usize = 4096;
/// Time without items in which a rank counts as waiting, in seconds.
const WAIT_MIN: f64 = 0.001;

/// The next item of work, if there is one now.
pub(crate) enum NextItem {
    Work(u64, Item),
    Later,
    End,
}

impl NextItem {
    /// Returns the item of a task of boards.
    pub(crate) fn board(self) -> Next {
        match self {
            Self::Work(ticket, Item::Board(board)) => Next::Board(board, ticket),
            Self::Later => Next::Later,
            Self::Work(..) | Self::End => Next::End,
        }
    }

    /// Returns the item of a task of packets.
    pub(crate) fn packet(self) -> Deal {
        match self {
            Self::Work(ticket, Item::Packet(bound, moves)) => {
                Deal::Packet { number: ticket as usize, bound, moves }
            }
            Self::Later => Deal::Later,
            Self::Work(..) | Self::End => Deal::End,
        }
    }
}

/// Source of work, which also receives the results of other ranks.
pub(crate) trait WorkSource: Sync {
    fn next(&self) -> NextItem;

    /// Receives a result of another rank.
    ///
    /// # Errors
    /// The reason why the result cannot be right.
    fn found(&self, ticket: u64, found: ItemResult) -> Result<(), String>;

    /// Counts the nodes of packets that another rank did not finish.
    fn left(&self, _counts: Counts) {}

    /// Returns whether the work is decided, possibly by a limit, so that items in progress no
    /// longer count.
    fn is_over(&self) -> bool {
        false
    }

    /// Returns whether all items are small and of about the same size.
    fn is_even(&self) -> bool {
        false
    }

    /// Returns the number of items that were not taken, or a large number if it is not known.
    fn rest(&self) -> usize {
        usize::MAX
    }
}

/// Speed of a rank, and the number of items that it should have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    begun: Instant,
    done: u64,
    threads: usize,
    is_even: bool,
    ahead: Duration,
    /// Time without items before the last result, in seconds.
    waited_seconds: Option<f64>,
}

impl Pace {
    pub(crate) fn new(threads: usize, is_even: bool) -> Self {
        let (begun, ahead, waited_seconds) = (Instant::now(), AHEAD, None);
        Self { begun, done: 0, threads, is_even, ahead, waited_seconds }
    }

    /// Restarts the clock.
    pub(crate) fn restart(&mut self) {
        (self.begun, self.done) = (Instant::now(), 0);
    }

    /// Notes the time that the rank has had no items so far. Increases its supply if it had to wait
    /// after its first item.
    pub(crate) fn note_waited(&mut self, seconds: f64) {
        let before = self.waited_seconds.replace(seconds);
        if before.is_some_and(|before| seconds - before > WAIT_MIN) {
            self.ahead = (2 * self.ahead).min(AHEAD_MAX);
        }
    }

    pub(crate) fn count(&mut self, done: usize) {
        self.done += done as u64;
    }

    /// Returns the number of items that the rank searches at once.
    pub(crate) fn busy(&self) -> usize {
        let mean = self.begun.elapsed().checked_div(u32::try_from(self.done).unwrap_or(u32::MAX));
        // Time of an item on one thread.
        let is_long = mean.is_none_or(|mean| mean * self.threads as u32 > LONG);
        if is_long && !self.is_even { self.threads + 1 } else { LANES * self.threads }
    }

    /// Returns the number of items that should wait on the rank.
    pub(crate) fn ahead(&self) -> usize {
        let rate = self.done as f64 / self.begun.elapsed().as_secs_f64().max(1e-3);
        ((rate * self.ahead.as_secs_f64()) as usize).min(ITEMS_MAX)
    }

    /// Returns whether so few items are searched that the rank soon has none.
    pub(crate) fn is_hungry(&self, held: usize) -> bool {
        held <= self.threads
    }
}

/// The queue from which this rank and others take work.
pub(crate) struct WorkQueue<'a> {
    source: &'a dyn WorkSource,
    state: Mutex<QueueState>,
}

struct QueueState {
    /// Items that other ranks returned.
    returned: VecDeque<(u64, Item)>,
    /// Items that only this rank may search.
    kept: VecDeque<(u64, Item)>,
    /// Number of items that other ranks have.
    elsewhere: usize,
    /// Number of items that this rank searches.
    here: usize,
    pace: Pace,
    has_ended: bool,
    is_given_up: bool,
}

impl<'a> WorkQueue<'a> {
    pub(crate) fn new(source: &'a dyn WorkSource, threads: usize) -> Self {
        let pace = Pace::new(threads, source.is_even());
        let state = QueueState {
            returned: VecDeque::new(),
            kept: VecDeque::new(),
            elsewhere: 0,
            here: 0,
            pace,
            has_ended: false,
            is_given_up: false,
        };
        Self { source, state: Mutex::new(state) }
    }

    /// Stops giving out items.
    pub(crate) fn give_up(&self) {
        self.state.lock().is_given_up = true;
    }

    /// Takes an item for another rank, if there is one now.
    pub(crate) fn take(&self) -> Option<(u64, Item)> {
        let mut state = self.state.lock();
        let item = self.pop(&mut state);
        state.elsewhere += usize::from(item.is_some());
        item
    }

    /// Returns whether the source has ended and no returned item waits.
    pub(crate) fn is_dry(&self) -> bool {
        let state = self.state.lock();
        state.has_ended && state.returned.is_empty()
    }

    /// Returns whether this rank soon has nothing to search.
    pub(crate) fn is_hungry_here(&self) -> bool {
        let state = self.state.lock();
        state.pace.is_hungry(state.here)
    }

    /// Returns the number of items that no rank has taken, or a large number if it is not known.
    pub(crate) fn rest(&self) -> usize {
        let state = self.state.lock();
        let new = if state.has_ended { 0 } else { self.source.rest() };
        state.returned.len().saturating_add(new)
    }

    /// Notes that another rank has finished an item.
    pub(crate) fn done(&self) {
        self.state.lock().elsewhere -= 1;
    }

    /// Takes back items of another rank.
    pub(crate) fn put_back(&self, items: impl IntoIterator<Item = (u64, Item)>) {
        let mut state = self.state.lock();
        for item in items {
            state.elsewhere -= 1;
            state.returned.push_back(item);
        }
    }

    /// Takes back an item of another rank, for this rank only.
    pub(crate) fn keep(&self, ticket: u64, item: Item) {
        let mut state = self.state.lock();
        state.elsewhere -= 1;
        state.kept.push_back((ticket, item));
    }

    fn pop(&self, state: &mut QueueState) -> Option<(u64, Item)> {
        if state.is_given_up {
            return None;
        }
        if let Some(item) = state.returned.pop_front() {
            return Some(item);
        }
        if state.has_ended {
            return None;
        }
        match self.source.next() {
            NextItem::Work(ticket, item) => Some((ticket, item)),
            NextItem::Later => None,
            NextItem::End => {
                state.has_ended = true;
                None
            }
        }
    }

    /// Takes the next item for this rank.
    fn next_here(&self) -> NextItem {
        let mut state = self.state.lock();
        if state.is_given_up {
            return NextItem::End;
        }
        if state.here >= state.pace.busy() {
            return NextItem::Later;
        }
        let item = state.kept.pop_front().or_else(|| self.pop(&mut state));
        match item {
            Some((ticket, item)) => {
                state.here += 1;
                NextItem::Work(ticket, item)
            }
            // Other ranks may return items.
            None if state.has_ended && state.elsewhere == 0 => NextItem::End,
            None => NextItem::Later,
        }
    }

    fn done_here(&self) {
        let mut state = self.state.lock();
        state.here -= 1;
        state.pace.count(1);
    }
}

/// Boards that several ranks solve.
pub(crate) struct BoardSource<'a> {
    boards: &'a dyn Boards,
    goal: Goal,
    open: Mutex<BTreeMap<u64, Board>>,
}

impl<'a> BoardSource<'a> {
    pub(crate) fn new(boards: &'a dyn Boards, goal: Goal) -> Self {
        Self { boards, goal, open: Mutex::default() }
    }
}

impl WorkSource for BoardSource<'_> {
    fn next(&self) -> NextItem {
        match self.boards.next() {
            Next::Board(board, ticket) => {
                self.open.lock().insert(ticket, board);
                NextItem::Work(ticket, Item::Board(board))
            }
            Next::Later => NextItem::Later,
            Next::End => NextItem::End,
        }
    }

    fn found(&self, ticket: u64, found: ItemResult) -> Result<(), String> {
        let board = *self.open.lock().get(&ticket).ok_or("an answer to no open board")?;
        let ItemResult::Board(outcome) = found else {
            return Err("a packet for an answer".to_owned());
        };
        if outcome
            .status
            .moves()
            .is_some_and(|moves| board.after(moves).as_ref() != Ok(self.goal.board()))
        {
            return Err(format!("moves that do not solve {board}"));
        }
        self.open.lock().remove(&ticket);
        // Reports all bounds of another rank's board together.
        let done = outcome.bounds.len().saturating_sub(1);
        for count in 1..=done {
            self.boards.bound_done(ticket, &outcome.bounds[..count], outcome.elapsed);
        }
        self.boards.answer(ticket, Ok(outcome));
        Ok(())
    }
}

/// Packets of one bound that several ranks search. Large packets are dealt in parts, so that ranks
/// share the packets that are nearest to the goal, and none is busy for long when others have
/// ended.
pub(crate) struct PacketSource<'a> {
    deals: &'a dyn Deals,
    /// Whether there are other ranks.
    is_shared: bool,
    state: Mutex<PacketState>,
}

#[derive(Default)]
struct PacketState {
    /// The packet of each dealt item, by its ticket.
    packets: Vec<usize>,
    /// The packet that was taken last, and its parts.
    packet: usize,
    parts: VecDeque<Item>,
    /// Packets that were dealt in parts: the number of unfinished parts, and the result of the
    /// others.
    open: BTreeMap<usize, (usize, Done)>,
}

impl<'a> PacketSource<'a> {
    pub(crate) fn new(deals: &'a dyn Deals, is_shared: bool) -> Self {
        Self { deals, is_shared, state: Mutex::default() }
    }

    /// Reports the finding of an item.
    fn report(&self, ticket: usize, finding: Finding) {
        let mut state = self.state.lock();
        let number = state.packets[ticket];
        let (Some((missing, sum)), Finding::Done(Done { counts, nearest })) =
            (state.open.get_mut(&number), &finding)
        else {
            drop(state);
            return self.deals.report(number, finding);
        };
        *missing -= 1;
        sum.counts = sum.counts.plus(*counts);
        sum.nearest = sum.nearest.min(*nearest);
        if *missing == 0 {
            let (_, done) = state.open.remove(&number).expect("it was found");
            drop(state);
            self.deals.report(number, Finding::Done(done));
        }
    }

    /// Reports packets that are unfinished at the end, although some of their parts were searched.
    pub(crate) fn end(self) {
        for (number, (_, done)) in self.state.into_inner().open {
            self.deals.report(number, Finding::Left(None, done.counts));
        }
    }
}

impl WorkSource for PacketSource<'_> {
    fn next(&self) -> NextItem {
        let mut state = self.state.lock();
        let state = &mut *state;
        if state.parts.is_empty() {
            match self.deals.next() {
                Deal::Packet { number, bound, moves } => {
                    let parts = if self.is_shared { self.deals.parts(number) } else { None };
                    if let Some((done, parts)) = parts {
                        state.open.insert(number, (parts.len(), done));
                        state
                            .parts
                            .extend(parts.into_iter().map(|moves| Item::Packet(bound, moves)));
                    } else {
                        state.parts.push_back(Item::Packet(bound, moves));
                    }
                    state.packet = number;
                }
                Deal::Later => return NextItem::Later,
                Deal::End => return NextItem::End,
            }
        }
        let item = state.parts.pop_front().expect("a packet has a part");
        let ticket = state.packets.len() as u64;
        state.packets.push(state.packet);
        NextItem::Work(ticket, item)
    }

    fn found(&self, ticket: u64, found: ItemResult) -> Result<(), String> {
        let (finding, counts) = match found {
            ItemResult::Packet(counts, nearest) => {
                (Finding::Done(Done { counts, nearest }), counts)
            }
            ItemResult::Goal(moves, counts) => (Finding::Goal(moves, counts), counts),
            ItemResult::Board(_) | ItemResult::Repeat => {
                return Err("the answer of a board for a packet".to_owned());
            }
        };
        self.deals.count(counts.generated);
        self.report(ticket as usize, finding);
        Ok(())
    }

    fn left(&self, counts: Counts) {
        self.deals.count(counts.generated);
        self.deals.report(0, Finding::Left(None, counts));
    }

    fn is_over(&self) -> bool {
        self.deals.count(0);
        self.deals.is_over()
    }

    fn is_even(&self) -> bool {
        true
    }

    fn rest(&self) -> usize {
        self.state.lock().parts.len() + self.deals.rest()
    }
}

/// The queue as a source for the search of boards on this rank.
pub(crate) struct LocalBoards<'a>(pub(crate) &'a WorkQueue<'a>, pub(crate) &'a BoardSource<'a>);

impl Boards for LocalBoards<'_> {
    fn next(&self) -> Next {
        self.0.next_here().board()
    }

    fn answer(&self, ticket: u64, answer: Result<Outcome, SearchError>) {
        self.1.open.lock().remove(&ticket);
        self.1.boards.answer(ticket, answer);
        self.0.done_here();
    }

    fn bound_done(&self, ticket: u64, bounds: &[BoundCount], elapsed: Duration) {
        self.1.boards.bound_done(ticket, bounds, elapsed);
    }
}

/// The queue as a source for the search of packets on this rank.
pub(crate) struct LocalPackets<'a>(pub(crate) &'a WorkQueue<'a>, pub(crate) &'a PacketSource<'a>);

impl Dealer for LocalPackets<'_> {
    fn next(&self) -> Deal {
        self.0.next_here().packet()
    }

    fn report(&self, ticket: usize, finding: Finding) {
        self.1.report(ticket, finding);
        self.0.done_here();
    }
}

//! Messages over MPI. Only this module calls MPI.
//!
//! The safe interface of the `mpi` crate waits until a message is handed over, and a message to a
//! killed rank never is. So this module sends without waiting, and keeps the messages in transit. A
//! single thread does this: the one that initialised MPI, as `MPI_THREAD_FUNNELED` requires.
#![allow(unsafe_code, reason = "it calls MPI")]

use std::collections::BTreeMap;
use std::mem::MaybeUninit;
use std::os::raw::{c_int, c_void};

use mpi::Threading;
use mpi::environment::{Universe, processor_name};
use mpi::ffi::{
    MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_Comm, MPI_Comm_set_errhandler, MPI_Get_count, MPI_Improbe,
    MPI_Imrecv, MPI_Isend, MPI_Message, MPI_Request, MPI_SUCCESS, MPI_Status, MPI_Test,
    RSMPI_ERRORS_RETURN, RSMPI_REQUEST_NULL, RSMPI_STATUS_IGNORE, RSMPI_UINT8_T,
};
use mpi::raw::AsRaw;
use mpi::topology::Communicator;

use crate::Peers;

/// Minimum thread support for a job: one of several threads calls MPI.
const THREADING: Threading = Threading::Funneled;
/// Tag of a message, or of its last piece.
const LAST: c_int = 1;
/// Tag of a piece that is followed by another one.
const MORE: c_int = 2;
/// Size of the pieces of long messages, in bytes: MPI counts bytes in an int.
const PIECE_BYTES: usize = 1 << 30;

/// Largest number of buffers of sent messages that are kept for received ones: allocating memory
/// costs as much as a copy.
const SPARE_MAX: usize = 32;
/// Sizes of messages whose buffers are kept.
const SPARE_BYTES: std::ops::Range<usize> = 1 << 16..4 << 20;

/// The ranks of an MPI job, for use by the thread that initialised MPI.
pub struct Comm {
    universe: Universe,
    world: MPI_Comm,
    rank: usize,
    count: usize,
    /// Messages in transit, with their receivers. The bytes do not move while MPI reads them,
    /// because nothing accesses them.
    sending: Vec<(usize, MPI_Request, Vec<u8>)>,
    /// Buffers of sent messages.
    spare: Vec<Vec<u8>>,
    receiving: Vec<Receiving>,
    /// First pieces of messages whose last piece has not arrived, by sender.
    pieces: BTreeMap<usize, Vec<u8>>,
}

/// A message in transit to this rank. The bytes do not move while MPI writes them, because nothing
/// accesses them.
struct Receiving {
    from: usize,
    tag: c_int,
    request: MPI_Request,
    bytes: Vec<u8>,
}

impl Comm {
    /// Initialises MPI.
    ///
    /// # Errors
    /// When MPI is already initialised, or allows no other threads than the calling one.
    pub fn new() -> Result<Self, String> {
        let (universe, threading) = mpi::initialize_with_threading(THREADING)
            .ok_or("MPI was initialised before, which it can be once in a process")?;
        if threading < THREADING {
            return Err(
                "this MPI library allows no threads beside the one that calls it: take one \
                        with MPI_THREAD_FUNNELED"
                    .to_owned(),
            );
        }
        let all = universe.world();
        let (rank, count) = (all.rank() as usize, all.size() as usize);
        let world = all.as_raw();
        // A rank that is lost is left out: it must not end the others.
        // SAFETY: the communicator is that of all ranks, and the handler one of MPI's own.
        unsafe { MPI_Comm_set_errhandler(world, RSMPI_ERRORS_RETURN) };
        let (sending, receiving, pieces) = (Vec::new(), Vec::new(), BTreeMap::new());
        Ok(Self { universe, world, rank, count, sending, spare: Vec::new(), receiving, pieces })
    }

    /// Ends MPI together with all other ranks, which must do so too.
    pub fn finish(self) {
        drop(self.universe);
    }

    /// Returns the state of a request.
    fn look(request: &mut MPI_Request) -> RequestState {
        let mut is_done: c_int = 0;
        // SAFETY: the request is one that MPI gave and that was not completed, and its buffer is
        // there.
        let code = unsafe { MPI_Test(request, &raw mut is_done, RSMPI_STATUS_IGNORE) };
        match (code == MPI_SUCCESS as c_int, is_done != 0) {
            (false, _) => RequestState::Failed,
            (true, true) => RequestState::Done,
            (true, false) => RequestState::Pending,
        }
    }

    /// Begins to send a message, or a piece of one.
    fn send_piece(&mut self, to: usize, tag: c_int, bytes: Vec<u8>) {
        let length = c_int::try_from(bytes.len()).expect("a piece is short");
        // SAFETY: the null request is one of MPI's constants. The bytes stay where they are until
        // the request is done, as the vector is kept with it and not touched.
        let (code, request) = unsafe {
            let mut request = RSMPI_REQUEST_NULL;
            let code = MPI_Isend(
                bytes.as_ptr().cast::<c_void>(),
                length,
                RSMPI_UINT8_T,
                to as c_int,
                tag,
                self.world,
                &raw mut request,
            );
            (code, request)
        };
        // A message that cannot be sent is dropped, because its receiver will be lost too.
        if code == MPI_SUCCESS as c_int {
            self.sending.push((to, request, bytes));
        }
    }

    /// Frees messages that were handed over or failed.
    fn release_sent(&mut self) {
        let is_over = |(_, request, _): &mut (usize, MPI_Request, Vec<u8>)| {
            Self::look(request) != RequestState::Pending
        };
        for (.., bytes) in self.sending.extract_if(.., is_over) {
            if self.spare.len() < SPARE_MAX && SPARE_BYTES.contains(&bytes.capacity()) {
                self.spare.push(bytes);
            }
        }
    }

    /// Returns a buffer of some length with any content.
    fn buffer(&mut self, length: usize) -> Vec<u8> {
        let fits = |bytes: &Vec<u8>| bytes.capacity() >= length;
        let found = self.spare.iter().rposition(fits).filter(|_| length >= SPARE_BYTES.start);
        let mut bytes = found.map_or_else(Vec::new, |at| self.spare.swap_remove(at));
        bytes.resize(length, 0);
        bytes
    }
}

/// The state of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RequestState {
    Pending,
    Done,
    Failed,
}

impl Peers for Comm {
    fn rank(&self) -> usize {
        self.rank
    }

    fn count(&self) -> usize {
        self.count
    }

    fn host(&self) -> String {
        processor_name().unwrap_or_else(|_| "a machine without a name".to_owned())
    }

    fn send(&mut self, to: usize, message: Vec<u8>) {
        if message.len() <= PIECE_BYTES {
            return self.send_piece(to, LAST, message);
        }
        let count = message.len().div_ceil(PIECE_BYTES);
        for (at, piece) in message.chunks(PIECE_BYTES).enumerate() {
            self.send_piece(to, if at + 1 < count { MORE } else { LAST }, piece.into());
        }
    }

    fn receive(&mut self) -> Option<(usize, Vec<u8>)> {
        self.release_sent();
        while let Some((from, tag, length, mut message)) = self.probe() {
            let mut bytes = self.buffer(length);
            // SAFETY: the message was matched and has this length; the vector is kept with the
            // request and not touched.
            let (code, request) = unsafe {
                let mut request = RSMPI_REQUEST_NULL;
                let code = MPI_Imrecv(
                    bytes.as_mut_ptr().cast::<c_void>(),
                    length as c_int,
                    RSMPI_UINT8_T,
                    &raw mut message,
                    &raw mut request,
                );
                (code, request)
            };
            if code == MPI_SUCCESS as c_int {
                self.receiving.push(Receiving { from, tag, request, bytes });
            }
        }
        // Takes the first message of each rank, so that messages of one rank stay in order.
        let mut waiting = Vec::new();
        let mut at = 0;
        while at < self.receiving.len() {
            let Receiving { from, request, .. } = &mut self.receiving[at];
            if waiting.contains(from) {
                at += 1;
                continue;
            }
            match Self::look(request) {
                RequestState::Pending => {
                    waiting.push(*from);
                    at += 1;
                }
                // Its sender is gone, which the message loop detects.
                RequestState::Failed => drop(self.receiving.remove(at)),
                RequestState::Done => {
                    let Receiving { from, tag, bytes, .. } = self.receiving.remove(at);
                    let pieces = self.pieces.entry(from).or_default();
                    if tag == LAST && pieces.is_empty() {
                        return Some((from, bytes));
                    }
                    pieces.extend_from_slice(&bytes);
                    if tag == LAST {
                        return Some((from, std::mem::take(pieces)));
                    }
                }
            }
        }
        None
    }

    fn unsent(&mut self, is_unreachable: &dyn Fn(usize) -> bool) -> usize {
        self.release_sent();
        self.sending.iter().filter(|(to, ..)| !is_unreachable(*to)).count()
    }
}

impl Comm {
    /// Returns a message that has arrived: sender, tag, length and handle.
    fn probe(&mut self) -> Option<(usize, c_int, usize, MPI_Message)> {
        let mut is_there: c_int = 0;
        let mut message = MaybeUninit::<MPI_Message>::uninit();
        let mut status = MaybeUninit::<MPI_Status>::uninit();
        // SAFETY: all that is pointed at is written by MPI, and read only where it says that it is
        // there.
        unsafe {
            let code = MPI_Improbe(
                MPI_ANY_SOURCE,
                MPI_ANY_TAG,
                self.world,
                &raw mut is_there,
                message.as_mut_ptr(),
                status.as_mut_ptr(),
            );
            if code != MPI_SUCCESS as c_int || is_there == 0 {
                return None;
            }
            let status = status.assume_init();
            let mut length: c_int = 0;
            MPI_Get_count(&raw const status, RSMPI_UINT8_T, &raw mut length);
            let (from, length) = (status.MPI_SOURCE as usize, usize::try_from(length).unwrap_or(0));
            Some((from, status.MPI_TAG, length, message.assume_init()))
        }
    }
}

impl std::fmt::Debug for Comm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { rank, count, .. } = self;
        f.debug_struct("Comm").field("rank", rank).field("count", count).finish_non_exhaustive()
    }
}

//! Exchanges: every rank gives a part, and all ranks take the parts of all.
//!
//! Errors travel too. A rank that cannot go on says so at the next exchange, so that no rank waits for it:
//! every rank ends there, with the name of the one that failed.

use crate::GenError;
use crate::ranks::{Team, TeamError};

/// The last byte of a message says what it is.
const GOOD: u8 = 0;
const FAILED: u8 = 1;
const CANCELLED: u8 = 2;

/// A part that was given to everybody, or why there is none.
#[derive(Debug)]
pub(super) struct Offered {
    round: Result<u64, TeamError>,
    own: Option<GenError>,
}

/// Gives a part to everybody, or the error that there is instead.
pub(super) fn offer(team: &dyn Team, mine: Result<Vec<u8>, GenError>) -> Offered {
    let (mut bytes, kind, own) = match mine {
        Ok(bytes) => (bytes, GOOD, None),
        Err(error @ (GenError::Interrupted | GenError::Paused { .. })) => {
            (Vec::new(), CANCELLED, Some(error))
        }
        Err(error) => (error.to_string().into_bytes(), FAILED, Some(error)),
    };
    bytes.push(kind);
    if own.is_some() {
        team.give_up();
    }
    Offered { round: team.give(bytes), own }
}

impl Offered {
    /// The round that it belongs to.
    pub(super) fn round(&self) -> Option<u64> {
        self.round.as_ref().ok().copied()
    }

    /// Waits for everybody's part, unless somebody has an error instead. All ranks then end with one: their
    /// own, else the first that failed, else that somebody was cancelled.
    pub(super) fn collect(self, team: &dyn Team) -> Result<Vec<Vec<u8>>, GenError> {
        let parts = self.round.and_then(|round| team.take(round));
        if let Some(error) = self.own {
            return Err(error);
        }
        let mut parts = parts.map_err(|error| error.named(team))?;
        let mut cancelled = false;
        for (rank, part) in parts.iter_mut().enumerate() {
            match part.pop() {
                Some(GOOD) => {}
                Some(CANCELLED) => cancelled = true,
                kind => {
                    let text = String::from_utf8_lossy(part).into_owned();
                    let problem = if kind == Some(FAILED) { text } else { NO_MESSAGE.to_owned() };
                    return Err(GenError::RankFailed { rank: team.name_of(rank), problem });
                }
            }
        }
        if cancelled {
            return Err(GenError::Interrupted);
        }
        assert_eq!(parts.len(), team.count(), "everybody's part comes to everybody");
        Ok(parts)
    }
}

/// Gives everybody's part to everybody, and waits for all.
pub(super) fn exchange(
    team: &dyn Team,
    mine: Result<Vec<u8>, GenError>,
) -> Result<Vec<Vec<u8>>, GenError> {
    offer(team, mine).collect(team)
}

const NO_MESSAGE: &str =
    "expected a message of a build, found other bytes: run one version on all ranks";

/// Waits for all; each keeps what it has, unless somebody has an error.
pub(super) fn together<T>(team: &dyn Team, mine: Result<T, GenError>) -> Result<T, GenError> {
    let (mine, part) = match mine {
        Ok(mine) => (Some(mine), Ok(Vec::new())),
        Err(error) => (None, Err(error)),
    };
    exchange(team, part)?;
    Ok(mine.expect("an error ends the exchange"))
}

/// The same for parts that are text in JSON.
pub(super) fn exchange_records<T: serde::Serialize + serde::de::DeserializeOwned>(
    team: &dyn Team,
    mine: Result<T, GenError>,
) -> Result<Vec<T>, GenError> {
    // A path may be no text.
    let text = |part: T| {
        serde_json::to_vec(&part).map_err(|error| GenError::RankFailed {
            rank: team.name_of(team.rank()),
            problem: format!("cannot tell its folders: {error}; use names in UTF-8"),
        })
    };
    let parts = exchange(team, mine.and_then(text))?;
    parts.iter().enumerate().map(|(rank, part)| record(team, rank, part)).collect()
}

/// A rank's part that is text in JSON.
pub(super) fn record<T: serde::de::DeserializeOwned>(
    team: &dyn Team,
    rank: usize,
    text: &[u8],
) -> Result<T, GenError> {
    serde_json::from_slice(text).map_err(|_| {
        let problem = NO_MESSAGE.to_owned();
        GenError::RankFailed { rank: team.name_of(rank), problem }
    })
}

//! Rounds: every rank sends a part, and all ranks receive the parts of all.
//!
//! A failing rank sends its error as its next part, so that no rank waits for it: every rank ends
//! there, with the name of the rank that failed.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::ranks::Team;
use crate::GenError;

/// The last byte of a part: its kind.
const GOOD: u8 = 0;
const FAILED: u8 = 1;
const CANCELLED: u8 = 2;

/// A round to which this rank has sent its part.
#[derive(Debug)]
pub(super) struct SentRound {
    number: Result<u64, GenError>,
    own_error: Option<GenError>,
}

impl SentRound {
    /// Begins a round with a part, or with an error instead.
    pub(super) fn begin(team: &dyn Team, part: Result<Vec<u8>, GenError>) -> Self {
        let (mut bytes, kind, own_error) = match part {
            Ok(bytes) => (bytes, GOOD, None),
            Err(error @ (GenError::Interrupted | GenError::Paused { .. })) => {
                (Vec::new(), CANCELLED, Some(error))
            }
            Err(error) => (error.to_string().into_bytes(), FAILED, Some(error)),
        };
        bytes.push(kind);
        if own_error.is_some() {
            team.give_up();
        }
        Self { number: team.begin_round(bytes), own_error }
    }

    pub(super) fn number(&self) -> Option<u64> {
        self.number.as_ref().ok().copied()
    }

    /// Waits for the parts of all ranks. If a rank sent an error, all ranks end with an error:
    /// their own, else that of the first rank that failed, else that a rank was cancelled.
    pub(super) fn end(self, team: &dyn Team) -> Result<Vec<Vec<u8>>, GenError> {
        let parts = self.number.and_then(|number| team.end_round(number));
        if let Some(error) = self.own_error {
            return Err(error);
        }
        let mut parts = parts?;
        let mut cancelled = false;
        for (rank, part) in parts.iter_mut().enumerate() {
            match part.pop() {
                Some(GOOD) => {}
                Some(CANCELLED) => cancelled = true,
                Some(FAILED) => {
                    let problem = String::from_utf8_lossy(part).into_owned();
                    return Err(GenError::RankFailed { rank: team.name_of(rank), problem });
                }
                _ => return Err(unexpected(team, rank)),
            }
        }
        if cancelled {
            return Err(GenError::Interrupted);
        }
        assert_eq!(parts.len(), team.count(), "every rank gives a part");
        Ok(parts)
    }
}

impl SentRound {
    /// Receives messages until `take` has counted `missing` pieces of them, then ends the round.
    /// Stops early if `goes_on` returns `false` for the parts of the round.
    pub(super) fn end_after(
        self,
        team: &dyn Team,
        mut missing: usize,
        goes_on: &dyn Fn(&[Vec<u8>]) -> bool,
        take: &mut dyn FnMut(usize, Vec<u8>) -> Result<usize, GenError>,
    ) -> Result<Vec<Vec<u8>>, GenError> {
        let number = self.number();
        let mut round = Some(self);
        let mut parts = Vec::new();
        while missing > 0 {
            let until = if round.is_some() { number } else { None };
            let message = team.receive(until)?;
            if let Some((from, message)) = message {
                let taken = take(from, message)?;
                missing = missing.checked_sub(taken).ok_or_else(|| unexpected(team, from))?;
            } else {
                // The round may carry an error, after which no message follows.
                let round = round.take().expect("a round is whole once");
                parts = round.end(team)?;
                if !goes_on(&parts) {
                    return Ok(parts);
                }
            }
        }
        round.map_or(Ok(parts), |round| round.end(team))
    }
}

/// Returns the error of a rank whose bytes belong to no build.
pub(super) fn unexpected(team: &dyn Team, rank: usize) -> GenError {
    let problem = "expected a message of a build, found other bytes: run one version on all ranks";
    GenError::RankFailed { rank: team.name_of(rank), problem: problem.to_owned() }
}

/// Waits for all ranks, and returns this rank's result, unless a rank has an error.
pub(super) fn together<T>(team: &dyn Team, own: Result<T, GenError>) -> Result<T, GenError> {
    let (own, part) = match own {
        Ok(own) => (Some(own), Ok(Vec::new())),
        Err(error) => (None, Err(error)),
    };
    SentRound::begin(team, part).end(team)?;
    Ok(own.expect("an error ends the round"))
}

/// Exchanges records as JSON.
pub(super) fn exchange<T: Serialize + DeserializeOwned>(
    team: &dyn Team,
    own: Result<T, GenError>,
) -> Result<Vec<T>, GenError> {
    // A path may not be valid UTF-8.
    let text = |part: T| {
        serde_json::to_vec(&part).map_err(|error| GenError::RankFailed {
            rank: team.name_of(team.rank()),
            problem: format!("cannot name its folders: {error}; use names in UTF-8"),
        })
    };
    let parts = SentRound::begin(team, own.and_then(text)).end(team)?;
    parts.iter().enumerate().map(|(rank, part)| parse(team, rank, part)).collect()
}

/// Reads a rank's part as a record.
pub(super) fn parse<T: DeserializeOwned>(
    team: &dyn Team,
    rank: usize,
    text: &[u8],
) -> Result<T, GenError> {
    let record = str::from_utf8(text).ok().and_then(|text| serde_json::from_str(text).ok());
    record.ok_or_else(|| unexpected(team, rank))
}

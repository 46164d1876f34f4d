//! Boards for people.

use serde::Serialize;
use tilebase::Search;
use tilebase::sets::{STEPS_MAX, SetName, Window};

use super::GoalQuery;
use crate::call::{Call, Prepared};
use crate::job::{Job, Lane, Reply};
use crate::problem::Problem;
use crate::service::Service;

/// A generated board.
#[derive(Debug, Serialize)]
struct ScrambledBoard {
    board: String,
    goal: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    metric: Option<&'static str>,
    set: String,
    seed: u64,
    length: Option<u32>,
}

pub(crate) fn scramble(service: &Service, call: &Call<'_>) -> Result<Prepared, Problem> {
    let params = call.params(&["shape", "goal", "set", "seed", "metric", "time_limit"])?;
    // JavaScript shows and reads the seed, with 53 bits.
    let seed = params.number("seed", service.catalogue.place().seed(), 0..=1 << 53)?;
    let name = read_name(params.text("set").unwrap_or("random"), seed)?;
    let query = GoalQuery::read(&service.catalogue, &params)?;
    let limits = call.client.limits;
    let (time, memory_bytes) = (Some(limits.time_of(&params)?), Some(limits.memory_bytes));
    let search = Search { time, memory_bytes, ..Search::default() };
    let is_quick = matches!(name, SetName::Random { .. } | SetName::Walk { .. });
    let lane = if is_quick { Lane::Report } else { Lane::Long };
    let work = move |search: &Search| {
        let problem = |error| query.problem(error);
        let mut made = name.make(&query.goal, &query.tables, search).map_err(problem)?;
        // The seed chooses one of the hardest boards.
        let nth =
            if name == SetName::Hardest { seed % made.board_count().max(1) as u64 } else { 0 };
        let board = made.nth(nth as usize).ok_or_else(|| Problem::bad("there is no such board"))?;
        let board = board.map_err(problem)?;
        let record = made.record(&board);
        Ok(Reply::of(&ScrambledBoard {
            board: record.board,
            goal: record.goal,
            metric: record.metric,
            set: text_of(name),
            seed,
            length: board.optimum,
        }))
    };
    Ok(Prepared::Job(Job::new(lane, search, work)))
}

fn read_name(text: &str, seed: u64) -> Result<SetName, Problem> {
    match text.split_once(':') {
        None if text == "random" => Ok(SetName::Random { count: 1, seed }),
        None if text == "hardest" => Ok(SetName::Hardest),
        Some(("walk", steps)) => match steps.parse() {
            Ok(steps) if steps <= STEPS_MAX => Ok(SetName::Walk { steps, count: 1, seed }),
            _ => Err(Problem::bad(format!(
                "walk:{steps:.40} is no walk: expected a number of moves up to {STEPS_MAX}"
            ))),
        },
        Some(("optimum", window)) => {
            Ok(SetName::Optimum { window: window.parse::<Window>()?, count: 1, seed })
        }
        _ => Err(Problem::bad(format!(
            "set is {text:.40?}: expected random, walk:50, optimum:20..25 or hardest"
        ))),
    }
}

/// Returns a set's name without count and seed.
fn text_of(name: SetName) -> String {
    match name {
        SetName::Walk { steps, .. } => format!("walk:{steps}"),
        SetName::Optimum { window, .. } => format!("optimum:{window}"),
        SetName::Random { .. } => "random".to_owned(),
        other => other.to_string(),
    }
}

//! Correct and wrong solution files.

use std::process::Command;

use pdb_core::notation::parse_letters;
use pdb_core::{Direction, Goal};

use super::super::{RunResult, SolverLimits, SolverProgress, StopReason};
use super::program::{LogState, ProgramInput};
use super::run::result;
use super::solution::{ReportedSolution, SolutionReader, SolverVerdict};
use super::*;
use crate::{BoardModel, Form, encode};

fn board_model() -> BoardModel {
    let board = "1 2/0 3".parse().expect("the test's own board");
    encode(Form::Neos, &board, &Goal::blank_last(board.shape()), 3).expect("a small model")
}

fn moves() -> Vec<Direction> {
    parse_letters("L").expect("the test's own move")
}

/// Returns the solution file that a program writes for these values, and a line of its log.
fn written(name: &str, model: &Model, values: &[i64]) -> (String, &'static str) {
    let columns = || model.variables.iter().zip(values);
    let lines = |line: &dyn Fn(usize, &str, i64) -> String| -> String {
        columns()
            .enumerate()
            .map(|(i, (variable, &value))| line(i, &variable.name, value))
            .collect()
    };
    let rows = |line: &dyn Fn(usize, &str) -> String| -> String {
        model.rows.iter().enumerate().map(|(i, row)| line(i, &row.name)).collect()
    };
    let (row_count, column_count) = (model.rows.len(), model.variables.len());
    match name {
        "cbc" => (
            format!(
                "Optimal - objective value 1.00000000\n{}{}",
                rows(&|i, name| format!("{i:>7} {name:<20} {:>10} {:>10}\n", 0, 0)),
                lines(&|i, name, value| format!("{i:>7} {name:<20} {value:>10} {:>10}\n", 0)),
            ),
            "Result - Optimal solution found",
        ),
        "glpsol" => (
            format!(
                "c Problem:    test\nc\ns mip {row_count} {column_count} o 1\n{}{}e o f\n",
                rows(&|i, _| format!("i {} 0\n", i + 1)),
                lines(&|i, _, value| format!("j {} {value}\n", i + 1)),
            ),
            "INTEGER OPTIMAL SOLUTION FOUND",
        ),
        "highs" => (
            format!(
                "Model status\nOptimal\n\n# Primal solution values\nFeasible\nObjective 1\n\
                 # Columns {column_count}\n{}# Rows {row_count}\n{}",
                lines(&|_, name, value| format!("{name} {value}\n")),
                rows(&|_, name| format!("{name} 0\n")),
            ),
            "  Status            Optimal",
        ),
        "scip" => (
            format!(
                "solution status: optimal solution found\nobjective value:      1\n{}",
                lines(&|_, name, value| match value {
                    0 => String::new(),
                    value => format!("{name:<32} {value:>20} \t(obj:0)\n"),
                }),
            ),
            "SCIP Status        : problem is solved [optimal solution found]",
        ),
        _ => (
            format!(
                "# Solution for model test\n# Objective value = 1\n{}",
                lines(&|_, name, value| format!("{name} {value}\n")),
            ),
            "Optimal solution found (tolerance 1.00e-04)",
        ),
    }
}

/// Returns the result of a log and a solution file.
fn read(
    kind: &'static SolverProgram,
    model: &Model,
    log: &str,
    file: &str,
) -> Result<RunResult, SolveError> {
    let answer = (kind.read)(SolutionReader::new(kind.name, file, model))?;
    result(kind, Some(answer), state_after(kind, log), model)
}

fn state_after(kind: &SolverProgram, log: &str) -> LogState {
    let mut state = LogState::default();
    log.lines().for_each(|line| (kind.line)(line, &mut state));
    state
}

/// Returns a small model and the values of its solution.
fn model_and_values() -> (Model, Vec<i64>) {
    let board_model = board_model();
    let values = board_model.values_of(&moves()).expect("moves of the board");
    (board_model.model, values)
}

#[test]
fn rejects_truncated_solution_files() {
    let (model, values) = &model_and_values();
    let right = RunResult::Solution { values: values.clone(), is_optimal: true };
    for kind in PROGRAMS {
        let (file, log) = written(kind.name, model, values);
        assert_eq!(read(kind, model, log, &file).expect(kind.name), right, "{}", kind.name);
        for end in 0..file.len() {
            // Text after the last value may be missing, and so may the end of a format that leaves
            // out zeros.
            if let Ok(result) = read(kind, model, log, &file[..end]) {
                assert_eq!(result, right, "{}: {end} bytes", kind.name);
                assert!(end > file.len() / 4, "{}: {end} bytes", kind.name);
            }
        }
    }
}

#[test]
fn rejects_changed_values() {
    let (model, values) = &model_and_values();
    for kind in PROGRAMS {
        for place in 0..values.len() {
            let mut wrong = values.clone();
            wrong[place] += 1;
            let (file, log) = written(kind.name, model, &wrong);
            match read(kind, model, log, &file) {
                // Other moves may solve the board, too.
                Ok(RunResult::Solution { values, .. }) => assert_eq!(model.check(&values), Ok(())),
                Err(SolveError::NoSolution { .. }) => (),
                other => panic!("{} {place}: {other:?}", kind.name),
            }
        }
    }
}

#[test]
fn rejects_values_that_are_not_whole() {
    let (model, values) = &model_and_values();
    let place = values.iter().position(|&value| value == 1).expect("something is 1");
    let name = &model.variables[place].name;
    for kind in PROGRAMS {
        let (file, log) = written(kind.name, model, values);
        let line = file
            .lines()
            .find(|line| match kind.name {
                "glpsol" => line.starts_with(&format!("j {} ", place + 1)),
                _ => line.split_whitespace().any(|word| word == name),
            })
            .expect("each variable has a line");
        let with = |value: &str| {
            // Some programs write a number before the name, and an unused column after the value.
            let begin = line.find(name).map_or(0, |at| at + name.len());
            let end =
                if kind.name == "cbc" { line.rfind(' ').expect("a value") } else { line.len() };
            let at = begin + line[begin..end].rfind(" 1").expect("a value") + 1;
            let mut changed = line.to_owned();
            changed.replace_range(at..=at, value);
            file.replace(line, &changed)
        };
        for nearly in ["0.9999999", "1.0000001", "1.0e+00"] {
            let found = read(kind, model, log, &with(nearly));
            assert!(
                matches!(found, Ok(RunResult::Solution { .. })),
                "{} {nearly}: {found:?}",
                kind.name
            );
        }
        for bad in ["0.5", "nan", "inf", "1e300", "one", "1,0", "0x1"] {
            let found = read(kind, model, log, &with(bad));
            let is_refused =
                matches!(found, Err(SolveError::NotWhole { .. } | SolveError::Solution { .. }));
            assert!(is_refused, "{} {bad}: {found:?}", kind.name);
        }
        // A variable with two values, and an unknown variable.
        for bad in [format!("{line}\n{line}\n"), line.replace(name, "unknown")] {
            if kind.name == "glpsol" && !bad.contains('\n') {
                continue;
            }
            let found = read(kind, model, log, &file.replace(line, bad.trim_end()));
            let is_refused = matches!(found, Err(SolveError::Solution { .. }));
            assert!(is_refused, "{} {bad}: {found:?}", kind.name);
        }
    }
}

#[test]
fn rejects_a_log_that_contradicts_the_file() {
    let (model, values) = &model_and_values();
    for kind in PROGRAMS {
        let (file, _) = written(kind.name, model, values);
        let infeasible = match kind.name {
            "cbc" => "Result - Problem proven infeasible",
            "glpsol" => "PROBLEM HAS NO INTEGER FEASIBLE SOLUTION",
            "highs" => "  Status            Infeasible",
            "scip" => "SCIP Status        : problem is solved [infeasible]",
            _ => "Model is infeasible",
        };
        let found = read(kind, model, infeasible, &file);
        assert!(matches!(found, Err(SolveError::Contradiction { .. })), "{}: {found:?}", kind.name);
    }
}

#[test]
fn reads_progress_from_logs() {
    let lines = [
        (
            "cbc",
            "Cbc0010I After 1200 nodes, 34 on tree, 13 best solution, best possible 11.25 (12.34 seconds)",
            [1200.0, 11.25, 13.0],
        ),
        (
            "glpsol",
            "+  4321: mip =   1.300000000e+01 >=   1.100000000e+01  15.4% (5; 17)",
            [17.0, 11.0, 13.0],
        ),
        (
            "highs",
            " T      37      12        9  12.50%   11              13                15.38%      123     45      6      7890     1.2s",
            [37.0, 11.0, 13.0],
        ),
        (
            "scip",
            "* 1.2s|    37 |    38 |  7890 |  58.1 |    LP  |  12 | 424 | 700 | 745 |  3 |  2 | 153 | 1.100000e+01 | 1.300000e+01 |  18.18%|  12.5%",
            [37.0, 11.0, 13.0],
        ),
        (
            "gurobi_cl",
            "Explored 37 nodes (7890 simplex iterations) in 1.20 seconds (0.90 work units)\n\
             Best objective 1.300000000000e+01, best bound 1.100000000000e+01, gap 15.3846%",
            [37.0, 11.0, 13.0],
        ),
    ];
    for (name, line, [nodes, bound, best]) in lines {
        let kind = PROGRAMS.into_iter().find(|kind| kind.name == name).expect("a program");
        let LogState { progress, verdict } = state_after(kind, line);
        assert_eq!(progress.nodes, Some(nodes as u64), "{name}");
        assert_eq!((progress.bound, progress.best), (Some(bound), Some(best)), "{name}");
        assert_eq!(verdict, None, "{name}");
    }
}

#[test]
fn reads_garbage_without_panic() {
    let (model, _) = &model_and_values();
    let texts = [
        "",
        "\n",
        "|||||",
        "+ >= ; ",
        "Result - ",
        "Status",
        "s mip",
        "\u{fffd}",
        "# Columns -1",
        "1 2 3 4 5 6 7 8 9% 10 11 12s",
        "SCIP Status",
        "Cbc0010I After ",
        "Explored ",
        " - objective value ",
        "Model status\nOptimal\n\n# Primal solution values\nFeasible\n",
    ];
    for kind in PROGRAMS {
        for text in texts {
            let verdict = state_after(kind, text).verdict;
            assert!(matches!(verdict, None | Some(SolverVerdict::Stopped)), "{} {text}", kind.name);
            let read = (kind.read)(SolutionReader::new(kind.name, text, model));
            assert!(
                !matches!(read, Ok(ref answer) if answer.values.is_some() && kind.name != "scip"),
                "{} {text}",
                kind.name
            );
        }
    }
}

#[test]
fn log_and_file_agree_on_the_weaker_verdict() {
    use SolverVerdict::{Feasible, Infeasible, Optimal, Stopped};
    let (model, values) = &model_and_values();
    let solution = |is_optimal| Some(RunResult::Solution { values: values.clone(), is_optimal });
    let stopped = Some(RunResult::Stopped(StopReason::Solver));
    for kind in PROGRAMS {
        let (is_glpsol, is_gurobi) = (kind.name == "glpsol", kind.name == "gurobi_cl");
        for (log, file, expected) in [
            (Some(Optimal), Optimal, solution(true)),
            // Only gurobi's file has no status.
            (Some(Optimal), Feasible, solution(is_gurobi)),
            (Some(Feasible), Optimal, solution(false)),
            (Some(Feasible), Feasible, solution(false)),
            (Some(Stopped), Feasible, solution(false)),
            (None, Feasible, solution(false)),
            (Some(Infeasible), Infeasible, Some(RunResult::Infeasible)),
            // Only the file of glpsol does not report infeasible.
            (Some(Infeasible), Stopped, is_glpsol.then_some(RunResult::Infeasible)),
            (Some(Stopped), Stopped, stopped.clone()),
            (None, Stopped, stopped.clone()),
            (Some(Infeasible), Feasible, None),
            (Some(Infeasible), Optimal, None),
            (Some(Stopped), Optimal, None),
            (Some(Stopped), Infeasible, None),
            (Some(Optimal), Infeasible, None),
            (Some(Optimal), Stopped, None),
            (None, Optimal, None),
            (None, Infeasible, None),
        ] {
            let values = file.has_solution().then(|| values.clone());
            let answer = ReportedSolution { verdict: file, values };
            let state = LogState { verdict: log, ..LogState::default() };
            let result = match result(kind, Some(answer), state, model) {
                Ok(result) => Some(result),
                Err(SolveError::Contradiction { .. }) => None,
                Err(error) => panic!("{}: {log:?} {file:?}: {error}", kind.name),
            };
            assert_eq!(result, expected, "{}: {log:?} {file:?}", kind.name);
        }
    }
}

#[test]
fn optimum_that_misses_its_bound_is_only_a_solution() {
    let (model, values) = &model_and_values();
    // One move, and the next number below is 0.
    for (bound, expected) in [
        (None, true),
        (Some(1.0), true),
        (Some(0.4), true),
        (Some(0.000_01), true),
        (Some(0.0), false),
        (Some(-3.0), false),
    ] {
        for kind in PROGRAMS {
            let answer =
                ReportedSolution { verdict: SolverVerdict::Optimal, values: Some(values.clone()) };
            let progress = SolverProgress { bound, ..SolverProgress::default() };
            let state = LogState { verdict: Some(SolverVerdict::Optimal), progress };
            let result = result(kind, Some(answer), state, model).expect("a solution");
            let RunResult::Solution { is_optimal, .. } = result else { panic!("{result:?}") };
            assert_eq!(is_optimal, expected, "{} {bound:?}", kind.name);
        }
    }
}

#[test]
fn cbc_drops_the_bound_of_the_root() {
    for (result, verdict) in [
        ("Result - Optimal solution found", SolverVerdict::Optimal),
        ("Result - Optimal solution found (within gap tolerance)", SolverVerdict::Feasible),
        ("Result - Stopped on node limit", SolverVerdict::Stopped),
    ] {
        let mut state = LogState::default();
        (cbc::PROGRAM.line)("Continuous objective value is 3.5 - 0.01 seconds", &mut state);
        assert_eq!(state.progress.bound, Some(3.5));
        (cbc::PROGRAM.line)(result, &mut state);
        assert_eq!((state.verdict, state.progress.bound), (Some(verdict), None));
        (cbc::PROGRAM.line)("Lower bound:                    10.788", &mut state);
        assert_eq!(state.progress.bound, Some(10.788));
    }
}

#[test]
fn cbc_proves_infeasibility_by_the_linear_relaxation() {
    let (model, values) = &model_and_values();
    let (optimal, _) = written("cbc", model, values);
    let with_status = |status| optimal.replacen("Optimal", status, 1);
    // The end of the log of cbc 2.10.8.
    let log = "\
Cgl0004I processed model has 658 rows, 435 columns (435 integer (435 of which binary)) and 2678 elements
Cbc0006I The LP relaxation is infeasible or too expensive
Cuts at root node changed objective from 1.79769e+308 to -1.79769e+308
ZeroHalf was tried 0 times and created 0 cuts of which 0 were active after adding rounds of cuts (0.000 seconds)

Result - Linear relaxation infeasible

No feasible solution found
Enumerated nodes:               0
Total iterations:               0
Time (CPU seconds):             0.16
Time (Wallclock seconds):       0.29
";
    let read = |file: &str| read(&cbc::PROGRAM, model, log, file);
    let infeasible = read(&with_status("Integer infeasible"));
    assert_eq!(infeasible.expect("log and file agree"), RunResult::Infeasible);
    // A file that says anything else contradicts the log.
    for status in ["Optimal", "Stopped on time", "Stopped on time (no integer solution)"] {
        let found = read(&with_status(status));
        assert!(matches!(found, Err(SolveError::Contradiction { .. })), "{status}: {found:?}");
    }
}

#[test]
fn highs_gets_a_single_file_of_options() {
    let count = |options: &[&str]| {
        let options: Vec<String> = options.iter().map(|&word| word.to_owned()).collect();
        let limits = SolverLimits { time: None, first: true };
        let job = ProgramInput { model: "model", limits, options: &options };
        let mut command = Command::new("highs");
        (highs::PROGRAM.add_arguments)(&mut command, &job);
        let words = command.get_args().filter_map(|word| word.to_str());
        words.filter(|word| word.starts_with("--options_file")).count()
    };
    for options in [
        &[][..],
        &["--presolve", "off"],
        &["--options_file", "/tmp/mine"],
        &["--options_file=/tmp/mine"],
    ] {
        assert_eq!(count(options), 1, "{options:?}");
    }
}

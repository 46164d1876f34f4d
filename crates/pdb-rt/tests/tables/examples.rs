//! The example prints what it promises.

use std::env;
use std::process::Command;

use pdb_core::{BlankMode, Goal, Plan, Shape};

#[test]
fn embed_needs_no_other_crate() {
    let source = include_str!("../../examples/embed.rs");
    let imports: Vec<_> = source.lines().filter_map(|line| line.strip_prefix("use ")).collect();
    let is_ours = |import: &&str| import.starts_with("pdb_rt::");
    assert!(imports.iter().any(is_ours));
    let is_allowed = |import: &&str| is_ours(import) || import.starts_with("std::");
    assert!(imports.iter().all(is_allowed), "{imports:?}");
}

#[test]
fn embed_maps_tables_and_solves_boards() {
    let goal = Goal::blank_last(Shape::new(3, 3).unwrap());
    let partition = vec![vec![1, 2, 3, 6], vec![4, 5, 7, 8]];
    let plan = Plan::additive(&goal, &[partition], BlankMode::Aware, true).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for key in plan.tables() {
        pdb_gen::Build::new(folder.path()).in_memory(key).unwrap();
    }
    // The build of the tests has compiled the example.
    let test = env::current_exe().unwrap();
    let name = format!("examples/embed{}", env::consts::EXE_SUFFIX);
    let output = Command::new(test.ancestors().nth(2).unwrap().join(name))
        .arg(folder.path())
        .args(["8 6 7/2 5 4/3 0 1", "1 2 3/4 5 6/8 7 0"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("31 moves: "), "{text}");
    assert!(text.contains("unsolvable: "), "{text}");
}

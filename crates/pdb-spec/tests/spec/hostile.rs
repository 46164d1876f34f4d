//! Any text is a spec or an error, and never a panic.

use pdb_core::Shape;
use pdb_spec::{Golden, Spec, builtin};
use pdb_specs::SHIPPED;
use proptest::prelude::*;

/// Returns a shipped drawing, for tests to spoil.
fn seed() -> &'static str {
    SHIPPED.iter().find(|spec| spec.name == "15/7-8").expect("it is shipped").drawing
}

/// Reads a text as a spec: a good one is its own plan, a fault is marked inside the text.
fn read(text: &str) {
    let error = match Spec::parse("hostile", text) {
        Ok(spec) => return assert_eq!(spec.for_goal(&spec.goal).as_ref(), Ok(&spec.plan)),
        Err(error) => error.to_string(),
    };
    let (_, place) = error.rsplit_once("--> hostile").expect("it has a name");
    let mut numbers = place.split([':', '\n']).skip(1);
    let mut next = || numbers.next().and_then(|number| number.parse::<usize>().ok());
    if let (Some(line), Some(column)) = (next(), next()) {
        let width = text.split('\n').nth(line - 1).map(|line| line.chars().count());
        assert!(width.is_some_and(|width| column <= width + 1), "{error}");
    }
}

#[test]
fn lists_in_lists_do_not_exhaust_the_stack() {
    read(&format!("title = {}", "[".repeat(1_000_000)));
}

proptest! {
    #[test]
    fn any_text(text in any::<String>()) {
        read(&text);
        prop_assert!(builtin(&text).is_err());
        prop_assert!(Golden::parse("hostile", &text).is_err());
    }

    #[test]
    fn a_shipped_spec_with_any_part_replaced(
        from in 0..seed().len(),
        len in 0..40usize,
        insert in any::<String>(),
    ) {
        let to = (from + len).min(seed().len());
        read(&format!("{}{insert}{}", &seed()[..from], &seed()[to..]));
    }

    #[test]
    fn any_words_drawn(
        goal in "([0-9]{1,2}|[._x\u{e9}])([ ,/;\n\r\t]([0-9]{1,2}|[._x\u{e9}])){0,12}",
        partition in "[A-Za._0\u{e9}]([ ,/;\n\r\t][A-Ca._0\u{e9}]){0,12}",
        reflect in any::<bool>(),
    ) {
        let drawn = |goal: &str, partition: &str| format!(
            "title = ''\ngoal = '''{goal}'''\npartition = '''{partition}'''\nreflect = {reflect}"
        );
        read(&drawn(&goal, &partition));
        read(&drawn("1 2/3 .", &partition));
    }

    #[test]
    fn any_partition_of_a_small_board(letters in "[A-D]{5}", reflect in any::<bool>()) {
        let cells: Vec<String> = letters.chars().map(String::from).collect();
        let partition = format!("{}/{} .", cells[..3].join(" "), cells[3..].join(" "));
        let text = format!(
            "title = ''\ngoal = '1 2 3/4 5 .'\npartition = '{partition}'\nreflect = {reflect}"
        );
        read(&text);
        let mut names = cells;
        names.sort_unstable();
        names.dedup();
        let is_gapless = names.concat() == "ABCD"[..names.len()];
        let spec = Spec::parse("small", &text);
        prop_assert_eq!(spec.is_ok(), is_gapless && !reflect);
        if let Ok(spec) = spec {
            prop_assert_eq!(spec.goal.shape(), Shape::new(2, 3).unwrap());
        }
    }
}

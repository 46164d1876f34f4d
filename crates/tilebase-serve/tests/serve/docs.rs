//! Runs the commands of `docs/server.md` and compares their output.

use std::time::{Duration, Instant};

use serde_json::Value;
use tilebase::shelf::Memory;

use crate::support::Fixture;

const PAGE: &str = include_str!("../../../../docs/server.md");

/// A command of the page with its output.
struct Example {
    words: Vec<String>,
    printed: String,
}

fn examples() -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let blocks = PAGE.split("```console\n").skip(1).map(|rest| rest.split_once("```").unwrap().0);
    for block in blocks {
        for command in block.strip_prefix("$ ").unwrap().split("\n$ ") {
            // A line that begins with > continues the command.
            let mut lines = command.lines();
            let mut words = vec![lines.next().unwrap()];
            let mut printed = Vec::new();
            for line in lines {
                match line.strip_prefix("> ") {
                    Some(more) => words.push(more),
                    None => printed.push(line),
                }
            }
            let words = split(&words.join("\n"));
            examples.push(Example { words, printed: printed.join("\n") });
        }
    }
    examples
}

/// Splits a command into words, as a shell does.
fn split(command: &str) -> Vec<String> {
    let quoted = command.split('\'').enumerate();
    let words = quoted.flat_map(|(nth, part)| match nth % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}

/// Removes times, and unifies integers with and without decimal point.
fn settled(value: Value) -> Value {
    match value {
        Value::Object(all) => {
            let settle = |(name, value): (String, Value)| {
                let value = if name == "seconds" { Value::Null } else { settled(value) };
                (name, value)
            };
            all.into_iter().map(settle).collect()
        }
        Value::Array(all) => all.into_iter().map(settled).collect(),
        Value::Number(number) => number.as_f64().into(),
        other => other,
    }
}

/// Applies the `jq` filters of the page: `.a`, `.a[]`, `{a,b}`, and pipes.
fn filtered(value: &Value, filter: &str) -> Vec<Value> {
    let (first, rest) = filter.split_once('|').unwrap_or((filter, ""));
    let found = if let Some(names) = first.strip_prefix('{') {
        let names = names.strip_suffix('}').unwrap().split(',');
        vec![names.map(|name| (name.to_owned(), value[name].clone())).collect()]
    } else {
        let name = first.strip_prefix('.').unwrap();
        match name.strip_suffix("[]") {
            Some(name) => value[name].as_array().unwrap().clone(),
            None => vec![value[name].clone()],
        }
    };
    if rest.is_empty() {
        return found;
    }
    found.iter().flat_map(|value| filtered(value, rest)).collect()
}

/// Parses JSON values, one per line.
fn values(text: &str) -> Vec<Value> {
    text.lines().map(|line| settled(serde_json::from_str(line).unwrap())).collect()
}

/// Sends the request of a command. Returns its output and the expected one.
fn ask(fixture: &Fixture, example: &Example) -> (Vec<Value>, Vec<Value>) {
    let mut words = example.words.iter().map(String::as_str);
    assert_eq!(words.next(), Some("curl"));
    let (mut headers, mut body, mut path, mut method) = (Vec::new(), "", "", "GET");
    let mut after = Vec::new();
    let mut is_stream = false;
    while let Some(word) = words.next() {
        match word {
            "-s" => (),
            "-sN" => is_stream = true,
            "-H" => headers.push(words.next().unwrap().split_once(": ").unwrap()),
            "-d" => (body, method) = (words.next().unwrap(), "POST"),
            "|" | ">" => {
                after.push(word);
                after.extend(words.by_ref());
            }
            address => path = address.strip_prefix("localhost:8015").unwrap(),
        }
    }
    if is_stream {
        assert_eq!(headers, [("Accept", "text/event-stream")], "{path}");
        let lines = example.printed.lines().filter_map(|line| line.strip_prefix("data: "));
        let printed = lines.map(|line| settled(serde_json::from_str(line).unwrap())).collect();
        let names = example.printed.lines().filter_map(|line| line.strip_prefix("event: "));
        // The number of progress events depends on the machine.
        let events = fixture.events(path).filter(|event| event.name != "progress");
        let events: Vec<_> = events.collect();
        assert!(names.eq(events.iter().map(|event| &*event.name)), "{path}");
        return (events.into_iter().map(|event| settled(event.data)).collect(), printed);
    }
    let reply = fixture.send(method, path, &headers, body.as_bytes());
    let found = match &after[..] {
        [] => vec![reply.json()],
        ["|", "jq", "-c", filter] => filtered(&reply.json(), filter),
        ["|", "grep", word] => {
            let lines = reply.text().lines().filter(|line| line.contains(word));
            let printed: Vec<Value> = example.printed.lines().map(Value::from).collect();
            return (lines.map(Value::from).collect(), printed);
        }
        [">", _] => {
            assert_eq!((reply.status, &*example.printed), (200, ""));
            return (Vec::new(), Vec::new());
        }
        other => panic!("{other:?} after a bar"),
    };
    (found.into_iter().map(settled).collect(), values(&example.printed))
}

#[test]
fn commands_of_the_page_print_what_it_shows() {
    // The examples need memory for the tables.
    let fixture = Fixture::of(&["8/whole"], |settings| settings.memory = Memory::of(2 << 30));
    let examples = examples();
    for example in &examples {
        // Waits for the end of a build or a search.
        let begun = Instant::now();
        loop {
            let (found, printed) = ask(&fixture, example);
            if found == printed {
                break;
            }
            let is_over = begun.elapsed() > Duration::from_secs(10);
            assert!(!is_over, "{:?}\n{found:#?}\n{printed:#?}", example.words);
        }
    }
    assert_eq!(examples.len(), 19);
}

//! Requests of `openapi.json`: examples are accepted, and values out of range are refused.

use serde_json::Value;

use crate::description::{description, resolved};
use crate::support::{Fixture, Reply, path};

/// An operation of the description.
struct Operation {
    path: &'static str,
    method: String,
    parameters: Vec<&'static Value>,
    body: Option<(&'static str, &'static Value)>,
}

/// Returns all operations. POST comes first, because others need its results.
fn operations() -> Vec<Operation> {
    let mut all = Vec::new();
    for (path, item) in description()["paths"].as_object().unwrap() {
        let list = |value: &'static Value| value.as_array().into_iter().flatten().map(resolved);
        for (method, operation) in
            item.as_object().unwrap().iter().filter(|(name, _)| *name != "parameters")
        {
            let parameters = list(&item["parameters"]).chain(list(&operation["parameters"]));
            let content = operation["requestBody"]["content"].as_object();
            let body = content.and_then(|content| content.iter().next());
            let body = body.map(|(kind, media)| (kind.as_str(), &media["example"]));
            let (method, parameters) = (method.to_uppercase(), parameters.collect());
            all.push(Operation { path, method, parameters, body });
        }
    }
    all.sort_by_key(|operation| operation.method != "POST");
    all
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn is_required(parameter: &Value) -> bool {
    parameter["required"] == true
}

impl Operation {
    /// Sends the request with parameters and the example of its body.
    fn send(&self, fixture: &Fixture, values: &[(&str, String)]) -> Reply {
        let mut address = self.path.to_owned();
        let mut query = Vec::new();
        for (name, value) in values {
            let place = format!("{{{name}}}");
            if address.contains(&place) {
                address = address.replace(&place, value);
            } else {
                query.push((*name, value.as_str()));
            }
        }
        let address = if query.is_empty() { address } else { path(&address, &query) };
        let accept = ("accept", "application/json");
        match self.body {
            Some((kind, example)) => {
                let headers = [accept, ("content-type", kind)];
                fixture.send(&self.method, &address, &headers, text(example).as_bytes())
            }
            None => fixture.send(&self.method, &address, &[accept], b""),
        }
    }

    /// Returns the examples of required and chosen parameters.
    fn examples(&self, is_chosen: impl Fn(&str) -> bool) -> Vec<(&'static str, String)> {
        let named = self
            .parameters
            .iter()
            .map(|parameter| (parameter["name"].as_str().unwrap(), parameter));
        let chosen = named.filter(|(name, parameter)| is_required(parameter) || is_chosen(name));
        let example = |parameter: &Value| parameter.get("example").map(text);
        chosen.filter_map(|(name, parameter)| Some((name, example(parameter)?))).collect()
    }
}

#[test]
fn accepts_all_examples() {
    let fixture = Fixture::new();
    let mut count = 0;
    let operations = operations();
    assert!(operations.len() >= 18, "{}", operations.len());
    for operation in operations {
        let Operation { path, method, parameters, body } = &operation;
        assert!(
            body.is_none_or(|(_, example)| !example.is_null()),
            "{method} {path} has no example"
        );
        let mut asked = vec![operation.examples(|_| false), operation.examples(|_| true)];
        for parameter in parameters {
            let name = parameter["name"].as_str().unwrap();
            assert!(
                !is_required(parameter) || parameter.get("example").is_some(),
                "{path}: {name}"
            );
            asked.push(operation.examples(|other| other == name));
        }
        for values in asked {
            let reply = operation.send(&fixture, &values);
            assert!((200..300).contains(&reply.status), "{method} {path} {values:?}: {reply:?}");
            count += 1;
        }
    }
    assert!(count > 60, "{count}");
}

#[test]
fn refuses_parameters_out_of_range() {
    let fixture = Fixture::new();
    let mut count = 0;
    for operation in operations() {
        let Operation { path, method, parameters, .. } = &operation;
        for parameter in parameters {
            let name = parameter["name"].as_str().unwrap();
            let schema = &parameter["schema"];
            let beyond = |word: &str, step: i128| {
                let number = schema.get(word)?;
                let whole = number.as_u64().map(|number| (i128::from(number) + step).to_string());
                whole.or_else(|| Some((number.as_f64()? + step as f64).to_string()))
            };
            let is_word = schema.get("pattern").is_some() || schema.get("enum").is_some();
            let wrong =
                [beyond("minimum", -1), beyond("maximum", 1), is_word.then(|| "~ \u{1}".into())];
            for value in wrong.into_iter().flatten() {
                let mut values = operation.examples(|_| false);
                values.retain(|(known, _)| *known != name);
                values.push((name, value));
                let reply = operation.send(&fixture, &values);
                let is_refused = (400..500).contains(&reply.status);
                assert!(is_refused, "{method} {path} {values:?}: {reply:?}");
                count += 1;
            }
        }
    }
    assert!(count > 40, "{count}");
}

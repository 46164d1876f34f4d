//! `openapi.json`, and a strict reader of it: every answer that a test gets is held against it.
//!
//! The reader knows the words of JSON Schema that the description uses, and refuses all others, so that
//! nothing is described that nobody checks. (Ready-made ones bring along dozens of crates.)

use std::sync::LazyLock;

use serde_json::Value;

use crate::support::{Event, Reply};

const TEXT: &str = include_str!("../../openapi.json");
static DESCRIPTION: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(TEXT).expect("the description is JSON"));

/// The words that say nothing about what is right.
const NOTES: [&str; 5] = ["description", "default", "example", "examples", "x-events"];

pub(crate) fn text() -> &'static str {
    TEXT
}

pub(crate) fn description() -> &'static Value {
    &DESCRIPTION
}

/// What a reference in the description stands for; what is none stands for itself.
pub(crate) fn resolved(value: &'static Value) -> &'static Value {
    match value.get("$ref") {
        Some(reference) => {
            let place = reference.as_str().and_then(|text| text.strip_prefix('#'));
            let place = place.expect("a reference stays in the description");
            DESCRIPTION.pointer(place).unwrap_or_else(|| panic!("{place} is nowhere"))
        }
        None => value,
    }
}

/// A schema by its name.
pub(crate) fn schema(name: &str) -> &'static Value {
    DESCRIPTION.pointer(&format!("/components/schemas/{name}")).expect("there is such a schema")
}

/// The description of an address: of several that fit, the one with the fewest parameters.
fn path_item(path: &str) -> Option<&'static Value> {
    let path = path.split('?').next().unwrap_or_default();
    let paths = DESCRIPTION["paths"].as_object().expect("there are paths");
    if let Some(item) = paths.get(path) {
        return Some(item);
    }
    let fits = |template: &str| {
        let parts: Vec<&str> = template.split('/').collect();
        let found: Vec<&str> = path.split('/').collect();
        parts.len() == found.len()
            && parts.iter().zip(&found).all(|(part, found)| part.starts_with('{') || part == found)
    };
    // A file of the page may be in a folder.
    let item = paths.iter().find(|(template, _)| fits(template)).map(|(_, item)| item);
    item.or_else(|| paths.get("/{file}"))
}

/// What is wrong with an answer.
///
/// # Errors
/// A sentence that says where the answer is not as it is described.
pub(crate) fn check_reply(method: &str, path: &str, reply: &Reply) -> Result<(), String> {
    // What is no HTTP, or too much of it, or one connection too many, is refused before it is looked at.
    let is_bare = reply.body.is_empty() && reply.header("content-security-policy").is_none();
    if is_bare && [400, 414, 431, 503].contains(&reply.status) {
        return Ok(());
    }
    let item = path_item(path).ok_or("the address is not described")?;
    let kind = reply.header("content-type").map(|kind| kind.split(';').next().unwrap_or(kind));
    let of_problem = || -> Result<(), String> {
        if kind != Some("application/problem+json") {
            return Err(format!("the problem is sent as {kind:?}"));
        }
        let problem = reply.json();
        check(schema("Problem"), &problem)?;
        if problem["status"] == reply.status { Ok(()) } else { Err("two statuses".to_owned()) }
    };
    let described = match method {
        "HEAD" => item.get("get"),
        _ => item.get(method.to_ascii_lowercase()),
    };
    let Some(operation) = described else {
        return if reply.status == 405 { of_problem() } else { Err("no 405".to_owned()) };
    };
    let response = operation["responses"].get(reply.status.to_string());
    let response = resolved(response.ok_or("this status is not described")?);
    if let Some(headers) = response.get("headers").and_then(Value::as_object) {
        for (name, header) in headers {
            if let Some(value) = reply.header(&name.to_ascii_lowercase()) {
                let value = value.parse::<u64>().map_or_else(|_| value.into(), Value::from);
                check(&header["schema"], &value).map_err(|error| format!("{name}: {error}"))?;
            }
        }
    }
    if method == "HEAD" {
        return if reply.body.is_empty() { Ok(()) } else { Err("a body".to_owned()) };
    }
    let Some(content) = response.get("content") else {
        return if reply.body.is_empty() { Ok(()) } else { Err("a body".to_owned()) };
    };
    let media = kind.and_then(|kind| content.get(kind));
    let media = media.ok_or_else(|| format!("{kind:?} is not described"))?;
    match (kind, media.get("schema")) {
        (Some("application/problem+json"), _) => of_problem(),
        (Some("application/json"), Some(schema)) => check(schema, &reply.json()),
        (_, Some(schema)) => check(schema, &reply.text().into()),
        // Bytes.
        (_, None) => Ok(()),
    }
}

/// What is wrong with an event.
///
/// # Errors
/// A sentence that says where the event is not as it is described.
pub(crate) fn check_event(path: &str, event: &Event) -> Result<(), String> {
    let item = path_item(path).ok_or("the address is not described")?;
    let place = "/get/responses/200/content/text~1event-stream/x-events";
    let events = item.pointer(place).ok_or("no events are described")?;
    check(events.get(&event.name).ok_or("this event is not described")?, &event.data)
}

/// Whether a value is what a schema of the description says.
///
/// # Errors
/// A sentence that says where it is not.
///
/// # Panics
/// When the schema has words that nobody checks.
pub(crate) fn check(schema: &'static Value, value: &Value) -> Result<(), String> {
    check_at(schema, value, "$")
}

fn check_at(schema: &'static Value, value: &Value, at: &str) -> Result<(), String> {
    let words = schema.as_object().unwrap_or_else(|| panic!("{schema} is no schema"));
    let fail = |what: String| Err(format!("{at}: {what}: {value:.200}"));
    for (word, wanted) in words {
        let is_right = match word.as_str() {
            note if NOTES.contains(&note) => true,
            "$ref" => return check_at(resolved(schema), value, at),
            "type" => types(wanted).iter().any(|name| is_of(name, value)),
            "const" => wanted == value,
            "enum" => list(wanted).contains(value),
            "minimum" => value.as_f64().is_none_or(|number| wanted.as_f64() <= Some(number)),
            "maximum" => value.as_f64().is_none_or(|number| wanted.as_f64() >= Some(number)),
            "minLength" => value.as_str().is_none_or(|text| count(wanted) <= text.chars().count()),
            "minItems" => value.as_array().is_none_or(|items| items.len() >= count(wanted)),
            "maxItems" => value.as_array().is_none_or(|items| items.len() <= count(wanted)),
            "anyOf" => list(wanted).iter().any(|one| check_at(one, value, at).is_ok()),
            "oneOf" => {
                let all = list(wanted).iter().map(|one| check_at(one, value, at));
                let (right, wrong): (Vec<_>, Vec<_>) = all.partition(Result::is_ok);
                if right.len() != 1 {
                    let wrong: Vec<_> = wrong.into_iter().filter_map(Result::err).collect();
                    return fail(format!("{} of oneOf fit\n{}", right.len(), wrong.join("\n")));
                }
                true
            }
            "required" => {
                let has = |name: &&Value| {
                    value.as_object().is_none_or(|all| all.contains_key(name.as_str().unwrap()))
                };
                match list(wanted).iter().find(|name| !has(name)) {
                    Some(name) => return fail(format!("{name} is missing")),
                    None => true,
                }
            }
            "properties" => {
                for (name, one) in wanted.as_object().expect("properties are an object") {
                    if let Some(value) = value.get(name) {
                        check_at(one, value, &format!("{at}.{name}"))?;
                    }
                }
                true
            }
            "additionalProperties" => {
                assert_eq!(*wanted, Value::Bool(false), "all properties are described");
                let known = words["properties"].as_object().expect("properties are an object");
                let unknown = |name: &&String| !known.contains_key(*name);
                match value.as_object().and_then(|all| all.keys().find(unknown)) {
                    Some(name) => return fail(format!("{name} is not described")),
                    None => true,
                }
            }
            "prefixItems" => {
                for (i, one) in list(wanted).iter().enumerate() {
                    if let Some(value) = value.get(i) {
                        check_at(one, value, &format!("{at}[{i}]"))?;
                    }
                }
                true
            }
            "items" => {
                let before = words.get("prefixItems").map_or(0, |prefix| list(prefix).len());
                let rest = value.as_array().into_iter().flatten().skip(before).enumerate();
                for (i, value) in rest {
                    if *wanted == Value::Bool(false) {
                        return fail(format!("more than {before} items"));
                    }
                    check_at(wanted, value, &format!("{at}[{}]", before + i))?;
                }
                true
            }
            unknown => panic!("{unknown} is a word that nobody checks"),
        };
        if !is_right {
            return fail(format!("expected {word} {wanted}"));
        }
    }
    Ok(())
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("it is a list")
}

fn count(value: &Value) -> usize {
    value.as_u64().expect("it is a number") as usize
}

fn types(wanted: &Value) -> Vec<&str> {
    match wanted {
        Value::String(name) => vec![name],
        several => list(several).iter().map(|name| name.as_str().unwrap()).collect(),
    }
}

fn is_of(name: &str, value: &Value) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        unknown => panic!("{unknown} is no type"),
    }
}

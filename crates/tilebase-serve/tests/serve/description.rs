//! A strict validator for `openapi.json`, which checks every response of the tests.
//!
//! The validator supports the keywords of JSON Schema that the description uses, and rejects all
//! others. (Ready-made validators need dozens of crates.)

use std::sync::LazyLock;

use serde_json::{Value, json};

use crate::support::{Event, Reply};

const TEXT: &str = include_str!("../../openapi.json");
static DESCRIPTION: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(TEXT).expect("the description is JSON"));

/// Keywords without effect on validity.
const NOTES: [&str; 6] =
    ["description", "default", "example", "examples", "discriminator", "format"];

pub(crate) fn text() -> &'static str {
    TEXT
}

pub(crate) fn description() -> &'static Value {
    &DESCRIPTION
}

/// Resolves a reference. Returns other values unchanged.
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

/// Returns a schema by its name.
pub(crate) fn schema(name: &str) -> &'static Value {
    DESCRIPTION.pointer(&format!("/components/schemas/{name}")).expect("there is such a schema")
}

/// Returns the description of an address: the one with the fewest parameters if several match.
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
    // Files of the page may be in folders.
    let item = paths.iter().find(|(template, _)| fits(template)).map(|(_, item)| item);
    item.or_else(|| paths.get("/{file}"))
}

/// Checks a response.
///
/// # Errors
/// The first violation of the description.
pub(crate) fn check_reply(method: &str, path: &str, reply: &Reply) -> Result<(), String> {
    // Invalid HTTP, heads that are too large, and connections beyond the limit have no body.
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
        (_, Some(schema)) if schema["format"] == "binary" => Ok(()),
        (_, Some(schema)) => check(schema, &reply.text().into()),
        (kind, None) => Err(format!("{kind:?} has no schema")),
    }
}

/// Checks an event.
///
/// # Errors
/// The first violation of the description.
pub(crate) fn check_event(path: &str, event: &Event) -> Result<(), String> {
    let item = path_item(path).ok_or("the address is not described")?;
    let place = "/get/responses/200/content/text~1event-stream/schema";
    let schema = item.pointer(place).ok_or("no events are described")?;
    check(schema, &json!({ "event": event.name, "data": event.data }))
}

/// Checks a value against a schema.
///
/// # Errors
/// The first violation.
///
/// # Panics
/// If the schema has unsupported keywords.
pub(crate) fn check(schema: &'static Value, value: &Value) -> Result<(), String> {
    check_at(schema, value, "$")
}

fn check_at(schema: &'static Value, value: &Value, at: &str) -> Result<(), String> {
    let words = schema.as_object().unwrap_or_else(|| panic!("{schema} is no schema"));
    let fail = |what: String| Err(format!("{at}: {what}: {value:.200}"));
    for (word, expected) in words {
        let is_right = match word.as_str() {
            note if NOTES.contains(&note) => true,
            "$ref" => return check_at(resolved(schema), value, at),
            "type" => types(expected).iter().any(|name| is_of(name, value)),
            "const" => expected == value,
            "enum" => list(expected).contains(value),
            "minimum" => value.as_f64().is_none_or(|number| expected.as_f64() <= Some(number)),
            "maximum" => value.as_f64().is_none_or(|number| expected.as_f64() >= Some(number)),
            "minLength" => {
                value.as_str().is_none_or(|text| count(expected) <= text.chars().count())
            }
            "minItems" => value.as_array().is_none_or(|items| items.len() >= count(expected)),
            "maxItems" => value.as_array().is_none_or(|items| items.len() <= count(expected)),
            "anyOf" => list(expected).iter().any(|one| check_at(one, value, at).is_ok()),
            "oneOf" => {
                let all = list(expected).iter().map(|one| check_at(one, value, at));
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
                match list(expected).iter().find(|name| !has(name)) {
                    Some(name) => return fail(format!("{name} is missing")),
                    None => true,
                }
            }
            "properties" => {
                for (name, one) in expected.as_object().expect("properties are an object") {
                    if let Some(value) = value.get(name) {
                        check_at(one, value, &format!("{at}.{name}"))?;
                    }
                }
                true
            }
            "additionalProperties" => {
                assert_eq!(*expected, Value::Bool(false), "all properties are described");
                let known = words["properties"].as_object().expect("properties are an object");
                let unknown = |name: &&String| !known.contains_key(*name);
                match value.as_object().and_then(|all| all.keys().find(unknown)) {
                    Some(name) => return fail(format!("{name} is not described")),
                    None => true,
                }
            }
            "prefixItems" => {
                for (i, one) in list(expected).iter().enumerate() {
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
                    if *expected == Value::Bool(false) {
                        return fail(format!("more than {before} items"));
                    }
                    check_at(expected, value, &format!("{at}[{}]", before + i))?;
                }
                true
            }
            unknown => panic!("{unknown} is an unsupported keyword"),
        };
        if !is_right {
            return fail(format!("expected {word} {expected}"));
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

fn types(expected: &Value) -> Vec<&str> {
    match expected {
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

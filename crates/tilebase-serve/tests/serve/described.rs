//! Strictness of the description: every field is described, has a type, and is required.

use serde_json::{Value, json};

use crate::description::{check, description, resolved, schema};

/// Optional fields of records.
const OPTIONAL: [&str; 14] = [
    "is_in_order",
    "metric",
    "tables_checked",
    "lower_bound",
    "limit",
    "next_time_limit",
    "advice",
    "reason",
    "solvable_with",
    "illegal",
    "legal_reversed",
    "solves_reversed",
    "exchange",
    "mirror_of",
];

/// Collects all schemas of the description, with their places.
fn schemas(value: &'static Value, at: &str, found: &mut Vec<(String, &'static Value)>) {
    match value {
        Value::Object(all) => {
            if all.get("type").is_some_and(|kind| kind.is_string() || kind.is_array()) {
                found.push((at.to_owned(), value));
            }
            all.iter().for_each(|(name, value)| schemas(value, &format!("{at}/{name}"), found));
        }
        Value::Array(all) => {
            let items = all.iter().enumerate();
            items.for_each(|(i, value)| schemas(value, &format!("{at}/{i}"), found));
        }
        _ => (),
    }
}

#[test]
fn describes_every_field_of_every_record() {
    let mut found = Vec::new();
    schemas(&description()["components"], "", &mut found);
    let objects = found.iter().filter(|(_, schema)| schema["type"] == "object");
    let mut count = 0;
    for (at, schema) in objects {
        count += 1;
        assert_eq!(schema["additionalProperties"], false, "{at}");
        let properties = schema["properties"].as_object().unwrap();
        let required = schema["required"].as_array().unwrap();
        assert!(
            required.iter().all(|name| properties.contains_key(name.as_str().unwrap())),
            "{at}"
        );
        for (name, property) in properties {
            let is_required = required.contains(&json!(name));
            let is_asked = at == "/schemas/BuildRequest";
            // The length of a solution that is not proved; elsewhere the key is always there.
            let is_unproved = at == "/schemas/Moves" && name == "length";
            let may_be_missing = is_asked || is_unproved || OPTIONAL.contains(&name.as_str());
            assert!(is_required || may_be_missing, "{at}: {name}");
            let says = property.get("description").or(property.get("$ref"));
            assert!(says.or(property.get("const")).is_some(), "{at}: {name} is not described");
            let has = |word: &&str| property.get(word).is_some();
            let kinds = ["type", "$ref", "const", "enum", "oneOf", "anyOf"];
            assert!(kinds.iter().any(has), "{at}: {name} may have any type");
        }
    }
    assert!(count > 40, "{count}");
    for (at, schema) in found.iter().filter(|(_, schema)| schema["type"] == "array") {
        let items = schema.get("items").or(schema.get("prefixItems"));
        assert!(items.is_some_and(|items| *items != json!({})), "{at} may have any items");
    }
}

/// Generators of clients read a response by its schema, and choose a member of a union by its
/// discriminator.
#[test]
fn media_types_have_schemas_and_unions_have_discriminators() {
    fn media(value: &'static Value, at: &str, found: &mut Vec<String>) {
        if let Some(content) = value.get("content").and_then(Value::as_object) {
            found.extend(content.keys().map(|kind| format!("{at} {kind}")));
            assert!(content.values().all(|media| media.get("schema").is_some()), "{at}");
        }
        match value {
            Value::Object(all) => {
                all.iter().for_each(|(name, value)| media(value, &format!("{at}/{name}"), found));
            }
            Value::Array(all) => all.iter().for_each(|value| media(value, at, found)),
            _ => (),
        }
    }
    let mut found = Vec::new();
    media(description(), "", &mut found);
    assert_eq!(found.iter().filter(|place| place.ends_with("event-stream")).count(), 2);
    let mut unions = Vec::new();
    choices(&description()["components"]["schemas"], &mut unions);
    assert_eq!(unions.len(), 2);
    for union in unions {
        let name = union["discriminator"]["propertyName"].as_str().expect("a discriminator");
        let mapping = union["discriminator"]["mapping"].as_object().expect("a mapping");
        let members = union["oneOf"].as_array().unwrap();
        assert_eq!(mapping.len(), members.len(), "{name}");
        for member in members {
            let property = &resolved(member)["properties"][name];
            assert_eq!(property["type"], "string", "{member}");
            assert_eq!(mapping[property["const"].as_str().unwrap()], member["$ref"]);
        }
    }
}

/// Collects the unions of named schemas.
fn choices(value: &'static Value, found: &mut Vec<&'static Value>) {
    let members = value.get("oneOf").and_then(Value::as_array);
    if members.is_some_and(|members| members.iter().all(|one| one.get("$ref").is_some())) {
        found.push(value);
    }
    match value {
        Value::Object(all) => all.values().for_each(|value| choices(value, found)),
        Value::Array(all) => all.iter().for_each(|value| choices(value, found)),
        _ => (),
    }
}

#[test]
fn descriptions_are_sentences_and_references_resolve() {
    fn walk(value: &'static Value, at: &str, names: &mut Vec<&'static str>) {
        match value {
            Value::Object(all) => {
                for (name, value) in all {
                    let at = format!("{at}/{name}");
                    match (name.as_str(), value) {
                        ("description", Value::String(text)) => {
                            let is_sentence = text.starts_with(|c: char| !c.is_whitespace())
                                && text.ends_with(['.', ')']);
                            assert!(is_sentence, "{at}: {text}");
                        }
                        ("$ref", Value::String(text)) => {
                            let place = text.strip_prefix('#').unwrap();
                            assert!(description().pointer(place).is_some(), "{at}: {text}");
                            names.push(place);
                        }
                        _ => walk(value, &at, names),
                    }
                }
            }
            Value::Array(all) => all.iter().for_each(|value| walk(value, at, names)),
            _ => (),
        }
    }
    let mut used = Vec::new();
    walk(description(), "", &mut used);
    for kind in ["schemas", "parameters", "responses"] {
        for name in description()["components"][kind].as_object().unwrap().keys() {
            let place = format!("/components/{kind}/{name}");
            assert!(used.contains(&place.as_str()), "nothing refers to {place}");
        }
    }
}

#[test]
fn rejects_unknown_missing_and_wrong_fields() {
    let right = json!({"status": "ok", "version": "1.2.3"});
    assert_eq!(check(schema("Health"), &right), Ok(()));
    for wrong in [
        json!({"status": "ok", "version": "1.2.3", "unknown": null}),
        json!({"status": "ok"}),
        json!({"status": "ok", "version": 7}),
        json!({"status": "other", "version": "1.2.3"}),
        json!([]),
        json!("text"),
    ] {
        assert!(check(schema("Health"), &wrong).is_err(), "{wrong}");
    }
}

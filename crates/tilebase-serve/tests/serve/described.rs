//! Strictness of the description: every field is described, has a type, and is required.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::description::{check, description, resolved, schema, text};

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

/// Returns all objects of the description, with their places.
fn objects() -> Vec<(String, &'static Value)> {
    fn add(value: &'static Value, at: &str, found: &mut Vec<(String, &'static Value)>) {
        match value {
            Value::Object(all) => {
                found.push((at.to_owned(), value));
                all.iter().for_each(|(name, value)| add(value, &format!("{at}/{name}"), found));
            }
            Value::Array(all) => {
                let items = all.iter().enumerate();
                items.for_each(|(i, value)| add(value, &format!("{at}/{i}"), found));
            }
            _ => (),
        }
    }
    let mut found = Vec::new();
    add(description(), "", &mut found);
    found
}

#[test]
fn describes_every_field_of_every_record() {
    let mut schemas = objects();
    schemas.retain(|(at, value)| at.starts_with("/components/") && value.get("type").is_some());
    let mut count = 0;
    for (at, schema) in schemas.iter().filter(|(_, schema)| schema["type"] == "object") {
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
            let is_asked = at == "/components/schemas/BuildRequest";
            // The length of a solution that is not proved; elsewhere the key is always there.
            let is_unproved = at == "/components/schemas/Moves" && name == "length";
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
    for (at, schema) in schemas.iter().filter(|(_, schema)| schema["type"] == "array") {
        let items = schema.get("items").or(schema.get("prefixItems"));
        assert!(items.is_some_and(|items| *items != json!({})), "{at} may have any items");
    }
}

/// Generators of clients read a response by its schema, and choose a member of a union by its
/// discriminator.
#[test]
fn media_types_have_schemas_and_unions_have_discriminators() {
    let objects = objects();
    let mut streams = 0;
    for (at, value) in &objects {
        let Some(content) = value.get("content").and_then(Value::as_object) else { continue };
        assert!(content.values().all(|media| media.get("schema").is_some()), "{at}");
        streams += usize::from(content.contains_key("text/event-stream"));
    }
    assert_eq!(streams, 2);
    let members = |value: &'static Value| {
        let members = value.get("oneOf").and_then(Value::as_array);
        members.filter(|members| members.iter().all(|one| one.get("$ref").is_some()))
    };
    let mut unions = 0;
    for (union, members) in objects.iter().filter_map(|(_, value)| Some((value, members(value)?))) {
        let name = union["discriminator"]["propertyName"].as_str().expect("a discriminator");
        let mapping = union["discriminator"]["mapping"].as_object().expect("a mapping");
        assert_eq!(mapping.len(), members.len(), "{name}");
        for member in members {
            let property = &resolved(member)["properties"][name];
            assert_eq!(property["type"], "string", "{member}");
            assert_eq!(mapping[property["const"].as_str().unwrap()], member["$ref"]);
        }
        unions += 1;
    }
    assert_eq!(unions, 2);
}

#[test]
fn references_are_those_of_all_components() {
    let references = text().split("\"#").skip(1).map(|rest| rest.split('"').next().unwrap());
    let used: BTreeSet<String> = references.map(str::to_owned).collect();
    let components = ["schemas", "parameters", "responses"].into_iter().flat_map(|kind| {
        let names = description()["components"][kind].as_object().unwrap().keys();
        names.map(move |name| format!("/components/{kind}/{name}"))
    });
    assert_eq!(used, components.collect());
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

//! JSON, as its documentation says.

use serde_json::Value;

use super::{Program, Sum};

/// Reads a JSON file.
pub(crate) fn json(text: &str) -> Program {
    let value: Value = serde_json::from_str(text).unwrap();
    assert_eq!((&value["format"], &value["version"]), (&"tilebase-model".into(), &1.into()));
    let string = |value: &Value| value.as_str().unwrap().to_owned();
    let number = |value: &Value| value.as_i64().unwrap();
    let place = |value: &Value| value.as_u64().unwrap() as usize;
    let list = |name: &str| value[name].as_array().unwrap();
    let names: Vec<String> = list("variables").iter().map(|v| string(&v["name"])).collect();
    let sum = |terms: &Value| -> Sum {
        let terms = terms.as_array().unwrap().iter();
        terms.map(|term| (names[place(&term[1])].clone(), number(&term[0]))).collect()
    };
    let mut program = Program { objective: sum(&value["minimise"]), ..Program::default() };
    for variable in list("variables") {
        let bounds = (number(&variable["low"]), number(&variable["high"]));
        program.add_variable(&string(&variable["name"]), bounds);
    }
    for row in list("rows") {
        let name = string(&row["name"]);
        let family = string(&list("families")[place(&row["family"])]["name"]);
        assert!(name.starts_with(&format!("{family}_")), "{name} of {family}");
        let right = number(&row["right"]);
        program.add_row(&name, (sum(&row["terms"]), string(&row["sense"]), right));
    }
    program.checked()
}

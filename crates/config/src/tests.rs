//! Tests of the macros and the trait, with a config that has a field of each kind.

use crate::{Config, ConfigError, assert_described};
use serde_json::{Value, json};

crate::choice! {
    /// Enum for the field `color`.
    pub(crate) enum Color {
        /// Variant whose JSON value is its name in lower case.
        Red = "red",
        /// Variant whose JSON value differs from its name.
        Blue = "deep-blue",
    }
}

crate::config! {
    /// Config with a field of each kind.
    #[derive(Clone)]
    pub(crate) struct Sample {
        [""]
        /// String at the top level.
        name: String = "none".into(), "Name", text(8);
        ["numbers"]
        /// A real number. Its help has
        /// two lines.
        rate: f32 = 0.1, "Rate" in "1/s", logarithmic(0.0, 1.0), live;
        /// Integer.
        count: u64 = 3, "Count", integer(1, 1 << 40);
        /// List of integers.
        sizes: Vec<u32> = vec![4, 2], "Sizes", integers(1, 9, 3);
        ["others"]
        /// Boolean.
        on: bool = true, "On", flag();
        /// Choice among words.
        color: Color = Color::Blue, "Color", choice(Color::NAMES);
    }
}

fn field(path: &str) -> crate::Field {
    Sample::default().fields().into_iter().find(|field| field.path == path).unwrap()
}

#[test]
fn a_field_is_described_by_its_declaration() {
    assert_described::<Sample>();
    let rate = field("numbers.rate");
    assert_eq!((rate.name(), rate.section()), ("rate", Some("numbers")));
    assert_eq!((rate.label, rate.unit, rate.live), ("Rate", "1/s", true));
    assert_eq!(rate.help, "A real number. Its help has two lines.");
    assert_eq!(rate.default, json!(0.1));
    assert_eq!((field("name").name(), field("name").section()), ("name", None));
}

#[test]
fn json_round_trip_with_sections() {
    let config = Sample { sizes: vec![9], color: Color::Red, ..Sample::default() };
    let json = config.to_json();
    let numbers = json!({"rate": 0.1, "count": 3, "sizes": [9]});
    assert_eq!(json, json!({"name": "none", "numbers": numbers, "others": {"on": true, "color": "red"}}));
    assert_eq!(Sample::from_json(&json), Ok(config));
    assert_eq!(Sample::from_json(&json!({"another": {"rate": 2}})), Ok(Sample::default()));
    assert!(Sample::from_json(&json!({"numbers": {"rate": "much"}})).is_err());
}

#[test]
fn valid_values_are_accepted() {
    let taken = |path: &str, value: Value| field(path).check(&value).unwrap();
    assert_eq!(taken("numbers.rate", json!(0.300_000_001)), json!(0.3));
    assert_eq!(taken("numbers.rate", json!(1)), json!(1.0));
    assert_eq!(taken("numbers.count", json!(7.0)), json!(7));
    assert_eq!(taken("numbers.sizes", json!([])), json!([]));
    assert_eq!(taken("others.color", json!("deep-blue")), json!("deep-blue"));
}

#[test]
fn invalid_values_are_rejected_with_the_allowed_ones() {
    let refused = |path: &str, value: Value| field(path).check(&value).unwrap_err();
    let error = refused("numbers.rate", json!(1.5));
    let expected = ("numbers.rate", "1.5", "it must be a number from 0 to 1");
    assert_eq!((error.field, &*error.value, &*error.allowed), expected);
    for (path, value) in [
        ("numbers.rate", json!(null)),
        ("numbers.count", json!(0)),
        ("numbers.count", json!(1.5)),
        ("numbers.count", json!("3")),
        ("numbers.sizes", json!([1, 2, 3, 4])),
        ("numbers.sizes", json!([10])),
        ("others.on", json!(1)),
        ("others.color", json!("blue")),
        ("name", json!("nine bytes")),
    ] {
        assert_eq!(refused(path, value).field, path);
    }
    let error = refused("others.color", json!("blue"));
    assert_eq!(error.to_string(), r#"others.color = "blue": it must be one of red, deep-blue"#);
}

#[test]
fn config_errors_name_the_path_of_the_field() {
    let config = Sample { rate: f32::NAN, ..Sample::default() };
    assert_eq!(config.check_fields().unwrap_err().field, "numbers.rate");
    let error = config.refused("count", "less");
    let expected = ConfigError { field: "numbers.count", value: "3".into(), allowed: "less".into() };
    assert_eq!(error, expected);
}

#[test]
fn only_live_fields_change_during_a_run() {
    let config = Sample::default();
    config.check_live(&Sample { rate: 0.5, ..config.clone() }).unwrap();
    let error = config.check_live(&Sample { color: Color::Red, ..config.clone() }).unwrap_err();
    assert_eq!((error.field, &*error.value), ("others.color", "red"));
    assert!(error.allowed.contains("deep-blue"), "{error}");
}

//! A learner's config fields in the lab's words.

use crate::info::{FieldInfo, FieldKind};
use serde_json::Value;
use vivarium_config::{Field, FieldKind as Kind, Value as Given};

/// A field of the section `section`, with its default.
pub(super) fn describe(section: &str, field: &Field, default: Option<Given>) -> FieldInfo {
    FieldInfo {
        path: format!("{section}.{}", field.name),
        label: field.label.into(),
        unit: field.unit.into(),
        help: field.help.into(),
        live: field.live,
        kind: kind(field.kind),
        default: default.map_or(Value::Null, json),
    }
}

/// A value as JSON.
pub(super) fn json(value: Given) -> Value {
    match value {
        Given::Integer(number) => number.into(),
        Given::Number(number) => number.into(),
        Given::Flag(flag) => flag.into(),
        Given::Choice(word) => word.into(),
        Given::IntegerList(list) => list.into(),
        Given::Text(text) => text.into(),
    }
}

fn kind(kind: Kind) -> FieldKind {
    let whole = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    match kind {
        Kind::Integer { min, max } => {
            FieldKind::Integer { low: whole(min), high: whole(max), logarithmic: max / min.max(1) >= 1000 }
        }
        Kind::Number { min, max, logarithmic } => FieldKind::Number { low: min, high: max, logarithmic },
        Kind::Flag => FieldKind::Flag,
        Kind::Choice(words) => FieldKind::Choice { options: words.iter().map(|&word| word.into()).collect() },
        Kind::IntegerList { min, max, max_length } => {
            FieldKind::Integers { shortest: 0, longest: max_length as u32, low: whole(min), high: whole(max) }
        }
        Kind::Text { max_length } => FieldKind::Text { longest: max_length as u32 },
    }
}

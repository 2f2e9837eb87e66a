//! Short ways to write down a config field.

use crate::info::{DimensionInfo, FieldInfo, FieldKind, PresetInfo};
use serde_json::Value;

fn field(path: &str, label: &str, unit: &str, kind: FieldKind, default: Value, help: &str) -> FieldInfo {
    FieldInfo {
        path: path.into(),
        label: label.into(),
        unit: unit.into(),
        help: help.into(),
        live: false,
        kind,
        default,
    }
}

/// A real number.
pub(super) fn number(
    path: &str,
    label: &str,
    unit: &str,
    range: [f64; 2],
    default: f64,
    help: &str,
) -> FieldInfo {
    let kind = FieldKind::Number { low: range[0], high: range[1], logarithmic: false };
    field(path, label, unit, kind, default.into(), help)
}

/// A whole number.
pub(super) fn integer(
    path: &str,
    label: &str,
    unit: &str,
    range: [i64; 2],
    default: i64,
    help: &str,
) -> FieldInfo {
    let kind = FieldKind::Integer { low: range[0], high: range[1], logarithmic: false };
    field(path, label, unit, kind, default.into(), help)
}

/// On or off.
pub(super) fn flag(path: &str, label: &str, default: bool, help: &str) -> FieldInfo {
    field(path, label, "", FieldKind::Flag, default.into(), help)
}

/// One of some words.
pub(super) fn choice(path: &str, label: &str, options: &[&str], default: &str, help: &str) -> FieldInfo {
    let options = options.iter().map(|&option| option.into()).collect();
    field(path, label, "", FieldKind::Choice { options }, default.into(), help)
}

/// A list of layer sizes.
pub(super) fn sizes(path: &str, label: &str, unit: &str, default: &[i64], help: &str) -> FieldInfo {
    let kind = FieldKind::Integers { shortest: 1, longest: 4, low: 1, high: 512 };
    field(path, label, unit, kind, default.to_vec().into(), help)
}

impl FieldInfo {
    /// May be set while the run goes on.
    pub(super) fn live(mut self) -> Self {
        self.live = true;
        self
    }

    /// A slider moves by factors.
    pub(super) fn by_factors(mut self) -> Self {
        if let FieldKind::Number { logarithmic, .. } | FieldKind::Integer { logarithmic, .. } = &mut self.kind
        {
            *logarithmic = true;
        }
        self
    }
}

/// A dimension of a world's state.
pub(super) fn dimension(name: &str, label: &str, unit: &str, range: [f64; 2]) -> DimensionInfo {
    let [low, high] = range;
    DimensionInfo { name: name.into(), label: label.into(), unit: unit.into(), low, high, angle: false }
}

/// An angle that goes round, in radians.
pub(super) fn angle(name: &str, label: &str, range: [f64; 2]) -> DimensionInfo {
    DimensionInfo { angle: true, ..dimension(name, label, "rad", range) }
}

/// A config that is known to work.
pub(super) fn preset(name: &str, label: &str, help: &str, config: Value) -> PresetInfo {
    PresetInfo { name: name.into(), label: label.into(), help: help.into(), config }
}

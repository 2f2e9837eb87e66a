//! What a front end may show about an experiment before it exists: its world, config fields, presets and metrics.

use crate::protocol::MetricInfo;
use crate::{config, former};
use serde::Serialize;
use serde_json::Value;
pub use vivarium_config::{Field, FieldKind};

/// What configs an experiment may have.
#[derive(Clone, Debug, PartialEq)]
pub struct Schema {
    /// Every config field, in the order in which to show them.
    pub fields: Vec<Field>,
    /// Configs that are known to work.
    pub presets: Vec<PresetInfo>,
}

impl Schema {
    /// The whole default config.
    #[must_use]
    pub fn defaults(&self) -> Value {
        config::defaults(&self.fields)
    }
}

/// Everything about one experiment that does not change while it runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ExperimentInfo {
    /// The registered name, such as `mountain-car`.
    pub name: String,
    /// For a person, such as "Mountain car".
    pub title: String,
    /// One or two sentences: what happens here and what is hard about it.
    pub summary: String,
    /// What is special about its kind of world, in the family's own words; an object with a `kind`, which is the family.
    #[cfg_attr(feature = "typescript", ts(type = "WorldInfo"))]
    pub world: Value,
    /// Every config field, in the order in which to show them.
    pub fields: Vec<Field>,
    /// Fields that had other paths in earlier versions, whose links, files and command lines still open.
    pub former_paths: Vec<FormerPath>,
    /// Configs that are known to work.
    pub presets: Vec<PresetInfo>,
    /// What each metric means.
    pub metrics: Vec<MetricInfo>,
    /// The whole default config.
    #[cfg_attr(feature = "typescript", ts(type = "Record<string, unknown>"))]
    pub defaults: Value,
}

impl ExperimentInfo {
    /// What there is to tell of the experiment `name`; `world` is the family's own document about it.
    ///
    /// # Panics
    /// If `world` has no form in JSON, such as a map whose keys are no strings.
    #[must_use]
    pub fn new(
        [name, title, summary]: [&str; 3],
        world: &impl Serialize,
        schema: Schema,
        metrics: Vec<MetricInfo>,
    ) -> Self {
        Self {
            name: name.into(),
            title: title.into(),
            summary: summary.into(),
            world: serde_json::to_value(world).expect("a document has a form in JSON"),
            former_paths: former::paths_of(&schema.fields),
            defaults: schema.defaults(),
            fields: schema.fields,
            presets: schema.presets,
            metrics,
        }
    }

    /// The family of learners that it belongs to, such as `control`.
    #[must_use]
    pub fn family(&self) -> &str {
        self.world["kind"].as_str().unwrap_or_default()
    }
}

/// A path that a config field had in an earlier version.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct FormerPath {
    /// The path that it had.
    pub former: String,
    /// Its path today.
    pub path: String,
}

/// A config that is known to work, and what there is to see in it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PresetInfo {
    /// As in `--set preset=…`.
    pub name: String,
    /// The name that it had in earlier versions, whose links and command lines still open.
    pub former: Option<String>,
    /// For a person.
    pub label: String,
    /// One sentence about what to see.
    pub help: String,
    /// The fields that differ from the defaults.
    #[cfg_attr(feature = "typescript", ts(type = "Record<string, unknown>"))]
    pub config: Value,
}

/// Short for writing a preset down.
#[must_use]
pub fn preset(name: &str, label: &str, help: &str, config: Value) -> PresetInfo {
    let former = former::name_of_preset(name).map(str::to_owned);
    PresetInfo { name: name.into(), former, label: label.into(), help: help.into(), config }
}

/// Short for writing a metric down.
#[must_use]
pub fn metric(name: &str, label: &str, unit: &str, help: &str) -> MetricInfo {
    MetricInfo { name: name.into(), label: label.into(), unit: unit.into(), help: help.into() }
}

//! Static descriptions of experiments: config fields, presets, metrics and readings.

use crate::checkpoint::Header;
use crate::error::LabError;
use crate::protocol::MetricInfo;
use crate::readings::Readings;
use crate::renamed_fields::{self, RENAMED_FIELDS, RENAMED_VALUES};
use crate::{config, spelling};
use serde::Serialize;
use serde_json::Value;
pub use vivarium_config::{Field, FieldKind};

/// Config schema of an experiment: fields, presets and cross-field checks.
#[derive(Clone, Debug)]
pub struct Schema {
    /// Registered name of the experiment, such as `mountain-car`.
    pub name: &'static str,
    /// All config fields of the experiment, in display order.
    pub fields: Vec<Field>,
    /// Named configs that the user can select.
    pub presets: Vec<PresetInfo>,
    /// Function that validates relations between fields. Its argument is a complete config in which every field is
    /// within its range.
    pub check: fn(&Value) -> Result<(), LabError>,
}

impl Schema {
    /// Returns the complete config of the experiment in which every field has its default value.
    #[must_use]
    pub fn defaults(&self) -> Value {
        config::defaults(&self.fields)
    }

    /// Returns the complete, validated config: the defaults, overridden by the preset `given["preset"]` (optional),
    /// overridden by the fields of `given`. Accepts former paths of renamed fields.
    ///
    /// # Errors
    /// [`LabError::Invalid`] with the field, the value and the allowed values.
    pub fn configure(&self, given: &Value) -> Result<Value, LabError> {
        let mut given = given.clone();
        renamed_fields::migrate(&mut given);
        let preset = given.as_object_mut().and_then(|fields| fields.remove("preset"));
        let mut config = self.defaults();
        if let Some(preset) = preset {
            config::merge(&mut config, &find_preset(self.name, &self.presets, &preset)?.config);
        }
        // Validate the given fields alone first, so that the error shows the user's own value.
        config::complete(&self.fields, &given)?;
        config::merge(&mut config, &given);
        let config = config::complete(&self.fields, &config)?;
        (self.check)(&config)?;
        Ok(config)
    }

    /// Returns the complete, validated config that a checkpoint's header stores.
    ///
    /// # Errors
    /// [`LabError::Checkpoint`] with the invalid field.
    pub fn config_of(&self, header: &Header) -> Result<Value, LabError> {
        self.configure(&header.config).map_err(LabError::in_checkpoint)
    }
}

/// Returns the preset of the experiment `experiment` with the current or former name `name`.
fn find_preset<'a>(
    experiment: &str,
    presets: &'a [PresetInfo],
    name: &Value,
) -> Result<&'a PresetInfo, LabError> {
    let is_named = |preset: &&PresetInfo| {
        name.as_str().is_some_and(|name| name == preset.name || Some(name) == preset.former.as_deref())
    };
    presets.iter().find(is_named).ok_or_else(|| {
        let names: Vec<&str> = presets.iter().map(|preset| preset.name.as_str()).collect();
        let given = name.as_str().map_or_else(|| name.to_string(), str::to_owned);
        let hint = spelling::nearest(&config::shorten(&given), names.iter().copied())
            .map_or(String::new(), |known| format!("; did you mean {known}?"));
        let allowed = format!("the presets of {} are {}{hint}", experiment, names.join(", "));
        LabError::invalid("preset", config::shorten(&name.to_string()), allowed)
    })
}

/// Returns the former and the current path of each field of `fields` that has been renamed.
fn renamed_fields(fields: &[Field]) -> Vec<RenamedField> {
    let of_field = |field: &Field| {
        RENAMED_FIELDS.into_iter().find_map(|(former, present)| {
            let rest = field.path.strip_prefix(present)?;
            let is_whole = rest.is_empty() || rest.starts_with('.');
            is_whole.then(|| RenamedField { former: format!("{former}{rest}"), path: field.path.into() })
        })
    };
    fields.iter().filter_map(of_field).collect()
}

/// Returns the former and the current name of each renamed value of the choice fields in `fields`.
fn renamed_values(fields: &[Field]) -> Vec<RenamedValue> {
    let of_schema =
        RENAMED_VALUES.into_iter().filter(|(path, ..)| fields.iter().any(|field| field.path == *path));
    of_schema
        .map(|(path, former, value)| RenamedValue {
            path: path.into(),
            former: former.into(),
            value: value.into(),
        })
        .collect()
}

/// Static description of an experiment: names, config fields, presets, metrics.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ExperimentInfo {
    /// Registered name of the experiment, such as `mountain-car`.
    pub name: String,
    /// Display name of the experiment, such as "MountainCar".
    pub title: String,
    /// Summary of the experiment in one or two sentences: task and difficulty.
    pub summary: String,
    /// Family-specific description of the environment: an object whose field `kind` is the name of the family.
    #[cfg_attr(feature = "typescript", ts(type = "WorldInfo"))]
    pub world: Value,
    /// All config fields of the experiment, in display order.
    pub fields: Vec<Field>,
    /// Fields with a different path in earlier versions. Links, files and command lines with the former paths stay
    /// valid.
    pub renamed_fields: Vec<RenamedField>,
    /// Choice-field values that were renamed since earlier versions. Links, files and command lines with the old
    /// values stay valid.
    pub renamed_values: Vec<RenamedValue>,
    /// Named configs that the user can select.
    pub presets: Vec<PresetInfo>,
    /// Descriptions of all metrics that the experiment reports.
    pub metrics: Vec<MetricInfo>,
    /// Measurements and charts that front ends display.
    pub readings: Readings,
    /// The complete default config of the experiment.
    #[cfg_attr(feature = "typescript", ts(type = "Record<string, unknown>"))]
    pub defaults: Value,
}

impl ExperimentInfo {
    /// Creates the description of an experiment. `world` is the family-specific description of the environment.
    ///
    /// # Panics
    /// If `world` cannot be serialized to JSON, for example a map with non-string keys.
    #[must_use]
    pub fn new(
        [title, summary]: [&str; 2],
        world: &impl Serialize,
        schema: Schema,
        metrics: Vec<MetricInfo>,
        readings: Readings,
    ) -> Self {
        Self {
            name: schema.name.into(),
            title: title.into(),
            summary: summary.into(),
            world: serde_json::to_value(world).expect("the document can be serialized to JSON"),
            renamed_fields: renamed_fields(&schema.fields),
            renamed_values: renamed_values(&schema.fields),
            defaults: schema.defaults(),
            fields: schema.fields,
            presets: schema.presets,
            metrics,
            readings,
        }
    }

    /// Returns the preset with the current or former name `name`.
    ///
    /// # Errors
    /// [`LabError::Invalid`] with the presets of the experiment if `name` is none of them.
    pub fn preset(&self, name: &Value) -> Result<&PresetInfo, LabError> {
        find_preset(&self.name, &self.presets, name)
    }

    /// Returns the name of the experiment's family, such as `control`.
    #[must_use]
    pub fn family(&self) -> &str {
        self.world["kind"].as_str().unwrap_or_default()
    }
}

/// Former and current path of a renamed config field.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RenamedField {
    /// Former path of the field, still accepted in links, files and command lines.
    pub former: String,
    /// Current path of the renamed field.
    pub path: String,
}

/// Former and current value of a choice field with a renamed value.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RenamedValue {
    /// Dotted path of the choice field, such as `task.start`.
    pub path: String,
    /// Former name of the value, still accepted in links, files and command lines.
    pub former: String,
    /// Current name of the renamed value.
    pub value: String,
}

/// Preset: a named config that the user can select.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PresetInfo {
    /// Identifier of the preset, as in `--set preset=…`.
    pub name: String,
    /// Former name of the preset, still accepted in links and on the command line; `None` if the preset was never
    /// renamed.
    pub former: Option<String>,
    /// Display name of the preset.
    pub label: String,
    /// Description of the preset in one sentence.
    pub help: String,
    /// Values of the config fields in which the preset differs from the defaults.
    #[cfg_attr(feature = "typescript", ts(type = "Record<string, unknown>"))]
    pub config: Value,
}

/// Creates a preset from its name, its display label and the config fields that differ from the defaults;
/// [`PresetInfo::with_help`] adds the help text.
#[must_use]
pub fn preset(name: &str, label: &str, config: Value) -> PresetInfo {
    let former = renamed_fields::former_preset_name(name).map(str::to_owned);
    PresetInfo { name: name.into(), former, label: label.into(), help: String::new(), config }
}

impl PresetInfo {
    /// Returns the preset with `help` as its help text.
    #[must_use]
    pub fn with_help(self, help: &str) -> Self {
        Self { help: help.into(), ..self }
    }
}

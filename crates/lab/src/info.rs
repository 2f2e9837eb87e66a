//! What a front end may show about an experiment before it exists: its world, config fields, presets and metrics.

use crate::checkpoint::Header;
use crate::error::LabError;
use crate::protocol::MetricInfo;
use crate::readings::Readings;
use crate::renamed_fields::{self, RENAMED_FIELDS};
use crate::{config, spelling};
use serde::Serialize;
use serde_json::Value;
pub use vivarium_config::{Field, FieldKind};

/// What configs an experiment may have.
#[derive(Clone, Debug)]
pub struct Schema {
    /// The registered name of the experiment.
    pub name: &'static str,
    /// Every config field, in the order in which to show them.
    pub fields: Vec<Field>,
    /// Configs that are known to work.
    pub presets: Vec<PresetInfo>,
    /// Checks what must hold between the fields of a whole config, each of which is in its range.
    pub check: fn(&Value) -> Result<(), LabError>,
}

impl Schema {
    /// The whole default config.
    #[must_use]
    pub fn defaults(&self) -> Value {
        config::defaults(&self.fields)
    }

    /// The whole config that `given` stands for: the defaults, under the preset that `given` names (`"preset": "…"`, if
    /// it does), under the fields that `given` holds; all checked.
    ///
    /// # Errors
    /// [`LabError::Invalid`] naming the field, the value and what is allowed.
    pub fn configure(&self, given: &Value) -> Result<Value, LabError> {
        let mut given = given.clone();
        renamed_fields::migrate(&mut given);
        let preset = given.as_object_mut().and_then(|fields| fields.remove("preset"));
        let mut config = self.defaults();
        if let Some(preset) = preset {
            config::merge(&mut config, &find_preset(self, &preset)?.config);
        }
        // What was given is checked by itself first, so that a message shows the person's own words.
        config::complete(&self.fields, &given)?;
        config::merge(&mut config, &given);
        let config = config::complete(&self.fields, &config)?;
        (self.check)(&config)?;
        Ok(config)
    }

    /// The whole config of a checkpoint.
    ///
    /// # Errors
    /// [`LabError::Checkpoint`] naming what is wrong with it.
    pub fn config_of(&self, header: &Header) -> Result<Value, LabError> {
        self.configure(&header.config).map_err(LabError::in_checkpoint)
    }
}

fn find_preset<'a>(schema: &'a Schema, name: &Value) -> Result<&'a PresetInfo, LabError> {
    let is_named = |preset: &&PresetInfo| {
        name.as_str().is_some_and(|name| name == preset.name || Some(name) == preset.former.as_deref())
    };
    schema.presets.iter().find(is_named).ok_or_else(|| {
        let names: Vec<&str> = schema.presets.iter().map(|preset| preset.name.as_str()).collect();
        let given = name.as_str().map_or_else(|| name.to_string(), str::to_owned);
        let hint = spelling::nearest(&config::shorten(&given), names.iter().copied())
            .map_or(String::new(), |known| format!("; did you mean {known}?"));
        let allowed = format!("the presets of {} are {}{hint}", schema.name, names.join(", "));
        LabError::invalid("preset", config::shorten(&name.to_string()), allowed)
    })
}

/// The former paths of these fields.
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
    pub renamed_fields: Vec<RenamedField>,
    /// Configs that are known to work.
    pub presets: Vec<PresetInfo>,
    /// What each metric means.
    pub metrics: Vec<MetricInfo>,
    /// The measurements that front ends show.
    pub readings: Readings,
    /// The whole default config.
    #[cfg_attr(feature = "typescript", ts(type = "Record<string, unknown>"))]
    pub defaults: Value,
}

impl ExperimentInfo {
    /// The description of an experiment; `world` is the family's own document about it.
    ///
    /// # Panics
    /// If `world` has no form in JSON, such as a map whose keys are no strings.
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
            world: serde_json::to_value(world).expect("a document has a form in JSON"),
            renamed_fields: renamed_fields(&schema.fields),
            defaults: schema.defaults(),
            fields: schema.fields,
            presets: schema.presets,
            metrics,
            readings,
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
pub struct RenamedField {
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

/// A preset that sets these fields of a config; [`PresetInfo::with_help`] adds the help text.
#[must_use]
pub fn preset(name: &str, label: &str, config: Value) -> PresetInfo {
    let former = renamed_fields::former_preset_name(name).map(str::to_owned);
    PresetInfo { name: name.into(), former, label: label.into(), help: String::new(), config }
}

impl PresetInfo {
    /// The same with a help text.
    #[must_use]
    pub fn with_help(self, help: &str) -> Self {
        Self { help: help.into(), ..self }
    }
}

//! Config fields from the command line: files of `--config`, and fields and presets of `--set`.
//!
//! The options apply in the order of the command line, and the later value of a field wins. A preset sets the fields in
//! which it differs from the defaults; a preset without such fields, such as `default`, resets all fields. Fields of a
//! preset that are overridden, and fields that a preset overrides, are reported.

use crate::error::CliError;
use crate::{run, text};
use clap::{ArgMatches, Args, Command, FromArgMatches};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use vivarium_lab::config::{self, get};
use vivarium_lab::error::LabError;
use vivarium_lab::info::{ExperimentInfo, Field};
use vivarium_lab::renamed_fields;

/// Option that sets config fields.
#[derive(Clone, Debug, PartialEq)]
pub enum SettingOption {
    /// `--config FILE`.
    File(PathBuf),
    /// `--set KEY=VALUE`.
    Assignment(String),
}

/// Values of `--config` and `--set` in the order of the command line.
#[derive(Clone, Debug, Default)]
pub struct SettingOptions(pub Vec<SettingOption>);

impl FromArgMatches for SettingOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let files = matches.get_many::<PathBuf>("config").into_iter().flatten().cloned();
        let files = files.map(SettingOption::File).zip(matches.indices_of("config").into_iter().flatten());
        let assignments = matches.get_many::<String>("set").into_iter().flatten().cloned();
        let assignments =
            assignments.map(SettingOption::Assignment).zip(matches.indices_of("set").into_iter().flatten());
        let mut options: Vec<_> = files.chain(assignments).collect();
        options.sort_by_key(|(_, index)| *index);
        Ok(Self(options.into_iter().map(|(option, _)| option).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Reads the values of options that another type defines, in their order.
impl Args for SettingOptions {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}

/// Origin of a config field: an option or a preset.
#[derive(Clone, Debug, PartialEq)]
struct SettingOrigin {
    /// Text in messages, such as `preset moon`.
    label: String,
    is_preset: bool,
    /// File of `--config`, for errors.
    file: Option<PathBuf>,
}

/// Value of a config field, and its origin as an index.
#[derive(Debug)]
struct PlacedField {
    path: String,
    value: Value,
    origin: usize,
}

/// Value that a later option or preset has replaced.
#[derive(Debug)]
struct OverriddenField {
    path: String,
    /// Replaced value and its origin.
    before: (Value, usize),
    /// New value and its origin.
    after: (Value, usize),
}

/// Config fields of the command line.
#[derive(Debug, Default)]
pub struct Settings {
    origins: Vec<SettingOrigin>,
    fields: Vec<PlacedField>,
    overridden: Vec<OverriddenField>,
    /// Names of the presets since the last reset, in the order of the command line.
    pub presets: Vec<String>,
}

impl Settings {
    /// Reads the options in their order for the experiment `info`.
    ///
    /// # Errors
    /// [`CliError`] if a file cannot be read or is not a JSON object, an assignment has no `=`, or a preset is unknown.
    pub fn read(options: &SettingOptions, info: &ExperimentInfo) -> Result<Self, CliError> {
        let mut settings = Self::default();
        for option in &options.0 {
            match option {
                SettingOption::File(path) => settings.add_file(path, info)?,
                SettingOption::Assignment(text) => {
                    let (path, value) = config::assignment(text).map_err(CliError::usage_by)?;
                    if path == "preset" {
                        settings.add_preset(&value, info).map_err(CliError::usage_by)?;
                    } else {
                        let origin = settings.origin(format!("--set {text}"), false, None);
                        settings.place(&path, &value, origin);
                    }
                }
            }
        }
        Ok(settings)
    }

    /// Returns the fields as a config, in which other fields are missing.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the path of a field is invalid.
    pub fn config(&self) -> Result<Value, LabError> {
        let mut given = Value::Object(Map::new());
        for field in &self.fields {
            // An empty section changes no field.
            let is_empty = field.value.as_object().is_some_and(Map::is_empty);
            if is_empty && get(&given, &field.path).is_some() {
                continue;
            }
            config::set(&mut given, &field.path, field.value.clone())?;
        }
        Ok(given)
    }

    /// Returns the file of `--config` that has set the field, or a field of the section, at `path`.
    pub fn file_of(&self, path: &str) -> Option<&Path> {
        let is_in = |field: &&PlacedField| {
            field.path.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.origins[self.fields.iter().find(is_in)?.origin].file.as_deref()
    }

    /// Returns the error for a field of the command line in the section `path`, which the experiment `info` does not have, with the most
    /// similar field; `None` if it has this section or field, or no similar field. `given` is the config of the command line.
    pub fn unknown_section(&self, path: &str, given: &Value, info: &ExperimentInfo) -> Option<LabError> {
        let is_known = |known: &Field| known.path == path || known.section() == Some(path);
        let is_in =
            |field: &&PlacedField| field.path.strip_prefix(path).is_some_and(|rest| rest.starts_with('.'));
        let field = self.fields.iter().find(is_in).filter(|_| !info.fields.iter().any(is_known))?;
        let similar = config::similar_field(&info.fields, given, &field.path)?;
        let allowed = format!("unknown field; did you mean {similar}?");
        Some(LabError::invalid(&field.path, text::field_value(&field.value), allowed))
    }

    /// Checks that the config `given` of the command line uses the fields of `--set`. Returns a notice for each field of a file
    /// that differs from its default and has no effect; complete files, such as `config.json`, have the fields of all learners.
    ///
    /// # Errors
    /// [`CliError::Usage`] for a field of `--set` that has no effect.
    pub fn check_used(&self, given: &Value, info: &ExperimentInfo) -> Result<Vec<String>, CliError> {
        let mut notices = Vec::new();
        for field in &self.fields {
            let origin = &self.origins[field.origin];
            let Some((learner, selected)) = config::unused_learner(&info.fields, given, &field.path) else {
                continue;
            };
            let message =
                format!("{} has no effect with learner={selected}; add --set learner={learner}", field.path);
            match &origin.file {
                _ if origin.is_preset => {}
                Some(_) if get(&info.defaults, &field.path) == Some(&field.value) => {}
                Some(_) => notices.push(format!("{}: {message}.", origin.label)),
                None => return Err(CliError::usage(message)),
            }
        }
        Ok(notices)
    }

    /// Returns a message for each preset that a later option overrides at least partly, and for each option that a
    /// later preset overrides.
    pub fn notices(&self) -> Vec<String> {
        let notice = |(index, origin): (usize, &SettingOrigin)| {
            let overridden = self.overridden.iter().filter(|field| field.before.1 == index);
            let overridden: Vec<_> = overridden.map(|field| self.replacement(field)).collect();
            let is_complete = self.fields.iter().all(|field| field.origin != index);
            let (listed, more) = overridden.split_at(overridden.len().min(4));
            let more = match more.len() {
                0 => String::new(),
                count => format!(", and {count} more"),
            };
            let how = if is_complete { "overridden" } else { "partly overridden" };
            let mut label = origin.label.clone();
            label[..1].make_ascii_uppercase();
            (!overridden.is_empty()).then(|| format!("{label} is {how}: {}{more}.", listed.join(", ")))
        };
        self.origins.iter().enumerate().filter_map(notice).collect()
    }

    /// Formats a replaced value, such as "world.gravity=3 instead of 1.62 (--set world.gravity=3)".
    fn replacement(&self, OverriddenField { path, before, after }: &OverriddenField) -> String {
        let origin = &self.origins[after.1].label;
        let [after, before] = [&after.0, &before.0].map(text::field_value);
        format!("{path}={after} instead of {before} ({origin})")
    }

    fn origin(&mut self, label: String, is_preset: bool, file: Option<PathBuf>) -> usize {
        self.origins.push(SettingOrigin { label, is_preset, file });
        self.origins.len() - 1
    }

    /// Adds the preset and the fields of the file `path`.
    fn add_file(&mut self, path: &Path, info: &ExperimentInfo) -> Result<(), CliError> {
        let mut given = read_config(path)?;
        renamed_fields::migrate(&mut given);
        let refuse = |error| CliError::usage(format!("--config {}: {error}", path.display()));
        if let Some(preset) = given.as_object_mut().and_then(|fields| fields.remove("preset")) {
            self.add_preset(&preset, info).map_err(refuse)?;
        }
        let origin = self.origin(format!("--config {}", path.display()), false, Some(path.to_owned()));
        self.place("", &given, origin);
        Ok(())
    }

    /// Adds the fields of the preset `name`. A preset without fields resets all earlier fields.
    fn add_preset(&mut self, name: &Value, info: &ExperimentInfo) -> Result<(), LabError> {
        let preset = info.preset(name)?;
        let origin = self.origin(format!("preset {}", preset.name), true, None);
        if preset.config.as_object().is_none_or(Map::is_empty) {
            for field in std::mem::take(&mut self.fields) {
                let default = get(&info.defaults, &field.path).cloned().unwrap_or(Value::Null);
                self.record_override(field, default, origin);
            }
            self.presets.clear();
        }
        self.place("", &preset.config, origin);
        self.presets.push(preset.name.clone());
        Ok(())
    }

    /// Adds the field at `path` or, if `value` is an object, the fields of the section at `path`.
    fn place(&mut self, path: &str, value: &Value, origin: usize) {
        match value {
            Value::Object(section) if !section.is_empty() => {
                for (name, value) in section {
                    let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                    self.place(&path, value, origin);
                }
            }
            Value::Object(_) if path.is_empty() => {}
            value => {
                if let Some(index) = self.fields.iter().position(|field| field.path == path) {
                    let before = self.fields.remove(index);
                    self.record_override(before, value.clone(), origin);
                }
                self.fields.push(PlacedField { path: path.to_owned(), value: value.clone(), origin });
            }
        }
    }

    /// Records that `after` replaces the field `before`, if the values differ and one of the origins is a preset.
    fn record_override(&mut self, before: PlacedField, after: Value, origin: usize) {
        let is_same =
            before.value == after || before.value.as_f64().is_some_and(|old| after.as_f64() == Some(old));
        let is_of_preset = self.origins[before.origin].is_preset || self.origins[origin].is_preset;
        if !is_same && is_of_preset {
            let before_value = (before.value, before.origin);
            self.overridden.push(OverriddenField {
                path: before.path,
                before: before_value,
                after: (after, origin),
            });
        }
    }
}

/// Reads a file of `--config`: a JSON object.
fn read_config(path: &Path) -> Result<Value, CliError> {
    let refuse = |why: String| CliError::usage(format!("--config {}: {why}", path.display()));
    let bytes = run::read_bytes(path)
        .map_err(|failure| CliError::usage(format!("--config: {}", failure.message().unwrap_or_default())))?;
    let given: Value =
        serde_json::from_slice(&bytes).map_err(|error| refuse(format!("it is not JSON: {error}")))?;
    if given.is_object() { Ok(given) } else { Err(refuse("it must contain a JSON object".into())) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_folder::TestFolder;
    use serde_json::json;

    fn read(options: &[SettingOption]) -> Settings {
        let info = vivarium_exhibits::info("cartpole").unwrap();
        Settings::read(&SettingOptions(options.to_vec()), &info).unwrap()
    }

    fn set(assignments: &[&str]) -> Settings {
        let options: Vec<_> =
            assignments.iter().map(|text| SettingOption::Assignment((*text).to_owned())).collect();
        read(&options)
    }

    #[test]
    fn the_later_of_preset_file_and_field_wins_and_overridden_presets_are_reported() {
        let folder = TestFolder::new("settings");
        let path = folder.path().join("config.json");
        std::fs::write(&path, r#"{"world": {"gravity": 9.8, "force": 8}}"#).unwrap();
        let [file, moon] =
            [SettingOption::File(path.clone()), SettingOption::Assignment("preset=moon".into())];
        let later_preset = read(&[file.clone(), moon.clone()]);
        assert_eq!(later_preset.config().unwrap(), json!({"world": {"gravity": 1.62, "force": 8}}));
        let said = later_preset.notices().join("\n");
        assert!(
            said.contains(
                "config.json is partly overridden: world.gravity=1.62 instead of 9.8 (preset moon)"
            ),
            "{said}"
        );
        assert_eq!(
            (later_preset.file_of("world.force"), later_preset.file_of("world.gravity")),
            (Some(&*path), None)
        );
        let later_file = read(&[moon, file]);
        assert_eq!(later_file.config().unwrap(), json!({"world": {"gravity": 9.8, "force": 8}}));
        let said = later_file.notices().join("\n");
        assert!(
            said.starts_with("Preset moon is overridden: world.gravity=9.8 instead of 1.62 (--config "),
            "{said}"
        );
    }

    #[test]
    fn fields_of_another_learner_are_refused_or_reported() {
        let folder = TestFolder::new("unused-settings");
        let info = vivarium_exhibits::info("cartpole").unwrap();
        let check = |settings: &Settings| settings.check_used(&settings.config().unwrap(), &info);
        let refused = check(&set(&["dqn.learning_rate=0.1"])).unwrap_err();
        assert_eq!(refused.code(), 2);
        assert_eq!(
            refused.message(),
            Some("dqn.learning_rate has no effect with learner=ppo; add --set learner=dqn")
        );
        for used in
            [&["dqn.learning_rate=0.1", "learner=dqn"][..], &["ppo.learning_rate=0.1"], &["preset=moon"]]
        {
            assert!(check(&set(used)).unwrap().is_empty());
        }
        // A complete config has the fields of both learners; only changed fields are reported.
        let path = folder.path().join("config.json");
        let mut config = info.defaults.clone();
        let read_file = |config: &Value| {
            std::fs::write(&path, config.to_string()).unwrap();
            check(&read(&[SettingOption::File(path.clone())])).unwrap()
        };
        assert!(read_file(&config).is_empty());
        config["dqn"]["n_step"] = 5.into();
        let said = read_file(&config);
        assert!(said.len() == 1 && said[0].contains("dqn.n_step has no effect with learner=ppo"), "{said:?}");
    }

    #[test]
    fn presets_are_combined_and_a_preset_without_fields_resets_all() {
        let both = set(&["preset=moon", "preset=tiny-network"]);
        assert_eq!(both.config().unwrap(), json!({"world": {"gravity": 1.62}, "ppo": {"hidden": [8]}}));
        assert!(both.notices().is_empty() && both.presets == ["moon", "tiny-network"]);
        let reset = set(&["preset=moon", "ppo.hidden=[16]", "preset=default", "world.force=8"]);
        assert_eq!(reset.config().unwrap(), json!({"world": {"force": 8}}));
        let said = reset.notices().join("\n");
        for part in [
            "Preset moon is overridden: world.gravity=9.8 instead of 1.62 (preset default).",
            "--set ppo.hidden=[16] is overridden: ppo.hidden=[64,64] instead of [16] (preset default).",
        ] {
            assert!(said.contains(part), "{said}");
        }
        assert_eq!(reset.presets, ["default"]);
    }

    #[test]
    fn fields_of_a_preset_and_of_sections_are_overridden_one_by_one() {
        let few = set(&["preset=few-environments", "ppo={\"num_envs\": 16}", "ppo.horizon=128.0"]);
        assert_eq!(few.config().unwrap()["ppo"]["num_envs"], 16);
        assert_eq!(
            few.notices(),
            [
                "Preset few-environments is partly overridden: ppo.num_envs=16 instead of 8 (--set ppo={\"num_envs\": 16})."
            ]
        );
        let empty_section = set(&["world.gravity=3", "world={}"]);
        assert_eq!(empty_section.config().unwrap(), json!({"world": {"gravity": 3}}));
        // A field that no preset has is replaced without a message.
        assert!(set(&["world.gravity=3", "world.gravity=4"]).notices().is_empty());
    }
}

//! `vivarium fields`: the config fields of an experiment.

use super::append_wrapped;
use crate::completions::{experiments, sections};
use crate::error::CliError;
use crate::{terminal, text};
use clap::Args;
use clap_complete::engine::ArgValueCandidates;
use serde_json::Value;
use vivarium_lab::config;
use vivarium_lab::info::{ExperimentInfo, Field};
use vivarium_lab::spelling;

/// Command-line arguments of `vivarium fields`.
#[derive(Args, Debug)]
#[command(
    after_help = "A field is set by --set PATH=VALUE in vivarium train. Fields marked as live can also be set when a run is resumed."
)]
pub struct FieldsArgs {
    /// Name of the experiment, such as cartpole
    #[arg(add = ArgValueCandidates::new(experiments))]
    experiment: String,
    /// Section, such as ppo, or field, such as ppo.learning_rate [default: all]
    #[arg(add = ArgValueCandidates::new(sections))]
    section: Option<String>,
    /// Print one JSON object per field
    #[arg(long)]
    json: bool,
}

/// Prints the config fields of an experiment: path, label, help, range, unit, default, and whether the field is live.
///
/// # Errors
/// [`CliError::Usage`] for an unknown experiment or section.
pub fn run(args: &FieldsArgs) -> Result<(), CliError> {
    let info = vivarium_exhibits::info(&args.experiment).map_err(CliError::usage_by)?;
    let fields = select(&info, args.section.as_deref())?;
    if args.json {
        for field in fields {
            terminal::print_line(&serde_json::json!(field).to_string());
        }
    } else {
        terminal::print_text(&listing(&fields));
    }
    Ok(())
}

/// Returns the fields in the section `section`, or the field with this path; all fields if `section` is `None`.
fn select<'a>(info: &'a ExperimentInfo, section: Option<&str>) -> Result<Vec<&'a Field>, CliError> {
    let Some(section) = section else { return Ok(info.fields.iter().collect()) };
    let is_in = |field: &&Field| field.section() == Some(section) || field.path == section;
    let fields: Vec<_> = info.fields.iter().filter(is_in).collect();
    if !fields.is_empty() {
        return Ok(fields);
    }
    let mut sections: Vec<&str> = info.fields.iter().filter_map(Field::section).collect();
    sections.dedup();
    let similar = spelling::nearest(section, sections.iter().copied())
        .or_else(|| config::similar_field(&info.fields, &info.defaults, section));
    let hint = similar.map_or(String::new(), |name| format!("; did you mean {name}?"));
    Err(CliError::usage(format!(
        "{section} is neither a section nor a field of {}; the sections are {}{hint}",
        info.name,
        sections.join(", ")
    )))
}

fn listing(fields: &[&Field]) -> String {
    let mut text = String::new();
    for field in fields {
        let live = if field.live { ", live" } else { "" };
        text += &format!("{} — {}{live}\n", field.path, field.label);
        append_wrapped(&mut text, field.help, 4);
        append_wrapped(&mut text, &format!("{}; default {}", allowed(field), shown(&field.default)), 4);
    }
    text
}

/// Formats the allowed values of a field with their unit, such as "a number from 0 to 30 m/s²".
fn allowed(field: &Field) -> String {
    let allowed = field.kind.to_string();
    let unit = if field.unit.is_empty() { String::new() } else { format!(" {}", field.unit) };
    format!("{}{unit}", allowed.strip_prefix("it must be ").unwrap_or(&allowed))
}

/// Formats the value of a field; an empty string as "empty".
pub(super) fn shown(value: &Value) -> String {
    if value == "" { "empty".to_owned() } else { text::field_value(value) }
}

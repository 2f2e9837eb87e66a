//! `vivarium presets`: the presets of an experiment.

use super::append_wrapped;
use super::fields::shown;
use crate::completions::experiments;
use crate::error::CliError;
use crate::terminal;
use clap::Args;
use clap_complete::engine::ArgValueCandidates;
use serde_json::Value;
use vivarium_lab::config::get;
use vivarium_lab::info::{ExperimentInfo, PresetInfo};

/// Command-line arguments of `vivarium presets`.
#[derive(Args, Debug)]
#[command(after_help = "A preset is selected by --set preset=NAME in vivarium train.")]
pub struct PresetsArgs {
    /// Name of the experiment, such as cartpole
    #[arg(add = ArgValueCandidates::new(experiments))]
    experiment: String,
    /// Print one JSON object per preset
    #[arg(long)]
    json: bool,
}

/// Prints the presets of an experiment: name, label, help, and the fields that the preset sets.
///
/// # Errors
/// [`CliError::Usage`] for an unknown experiment.
pub fn run(args: &PresetsArgs) -> Result<(), CliError> {
    let info = vivarium_exhibits::info(&args.experiment).map_err(CliError::usage_by)?;
    if args.json {
        for preset in &info.presets {
            terminal::print_line(&serde_json::json!(preset).to_string());
        }
    } else {
        terminal::print_text(&listing(&info));
    }
    Ok(())
}

fn listing(info: &ExperimentInfo) -> String {
    let mut text = String::new();
    for preset in &info.presets {
        text += &format!("{} — {}\n", preset.name, preset.label);
        append_wrapped(&mut text, &preset.help, 4);
        let fields = fields(info, preset);
        append_wrapped(&mut text, if fields.is_empty() { "the defaults" } else { &fields }, 4);
    }
    text
}

/// Formats the fields that a preset sets, such as "world.gravity=1.62 learner=dqn".
fn fields(info: &ExperimentInfo, preset: &PresetInfo) -> String {
    let set = |path: &str| get(&preset.config, path).map(|value: &Value| format!("{path}={}", shown(value)));
    info.fields.iter().filter_map(|field| set(field.path)).collect::<Vec<_>>().join(" ")
}

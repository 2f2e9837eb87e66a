//! `vivarium completions`: completion scripts of shells, and the candidates that the scripts request.
//!
//! A script runs the program with the environment variable [`VARIABLE`] and the words of the command line. The program
//! prints the candidates of the word at the cursor, because experiments, config fields and presets depend on the
//! earlier words.

use crate::error::CliError;
use crate::run::RunFolder;
use crate::terminal;
use clap::{Args, Command, ValueEnum};
use clap_complete::CompleteEnv;
use clap_complete::engine::CompletionCandidate;
use clap_complete::env::Shells;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;
use vivarium_exhibits::REGISTRY;
use vivarium_lab::info::{ExperimentInfo, Field, FieldKind};

/// Environment variable with the name of the shell that requests candidates.
const VARIABLE: &str = "VIVARIUM_COMPLETE";

/// Command-line arguments of `vivarium completions`.
#[derive(Args, Debug)]
#[command(after_help = "bash: eval \"$(vivarium completions bash)\" in ~/.bashrc\n\
    zsh: eval \"$(vivarium completions zsh)\" in ~/.zshrc, after compinit\n\
    fish: vivarium completions fish | source in ~/.config/fish/config.fish\n\
    PowerShell: vivarium completions powershell | Out-String | Invoke-Expression in $PROFILE")]
pub struct CompletionsArgs {
    /// Shell
    #[arg(value_enum, hide_possible_values = false)]
    shell: Shell,
}

/// Shell with a completion script.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Shell {
    Bash,
    Zsh,
    Fish,
    Powershell,
}

/// Prints the completion script of a shell.
///
/// # Errors
/// [`CliError::Failed`] if the script cannot be generated.
pub fn run(args: &CompletionsArgs) -> Result<(), CliError> {
    let name = args.shell.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
    let shells = Shells::builtins();
    let Some(shell) = shells.completer(&name) else {
        return Err(CliError::usage(format!("{name} has no completions")));
    };
    let called = std::env::args_os().next().unwrap_or_else(|| "vivarium".into());
    // A relative path would be wrong in another folder.
    let is_path = Path::new(&called).components().count() > 1;
    let program = if is_path { std::env::current_exe().map_or(called, Into::into) } else { called };
    let mut script = Vec::new();
    shell
        .write_registration(VARIABLE, "vivarium", "vivarium", &program.to_string_lossy(), &mut script)
        .map_err(CliError::failed_by)?;
    terminal::print_text(&String::from_utf8_lossy(&script));
    Ok(())
}

/// Prints the candidates and exits, if a completion script has started the program. `command_line` returns the definition
/// of the command line.
pub fn answer(command_line: fn() -> Command) {
    CompleteEnv::with_factory(command_line).var(VARIABLE).complete();
}

/// Returns the names of all experiments.
pub fn experiments() -> Vec<CompletionCandidate> {
    REGISTRY.names().map(CompletionCandidate::new).collect()
}

/// Returns the sections and the paths of the config fields of the experiment on the command line.
pub fn sections() -> Vec<CompletionCandidate> {
    let infos = infos();
    let fields = || infos.iter().flat_map(|info| &info.fields);
    let sections: BTreeSet<&str> = fields().filter_map(Field::section).collect();
    let paths: BTreeSet<&str> = fields().map(|field| field.path).collect();
    sections.into_iter().chain(paths).map(CompletionCandidate::new).collect()
}

/// Returns the candidates of the value of `--set` that begin with `current`: presets, config fields with their label as
/// help, and the values of Boolean fields and choices.
pub fn assignments(current: &OsStr) -> Vec<CompletionCandidate> {
    let current = current.to_string_lossy();
    let mut seen = BTreeSet::new();
    let mut candidates = Vec::new();
    let mut add = |text: String, help: &str| {
        if text.starts_with(&*current) && seen.insert(text.clone()) {
            candidates.push(CompletionCandidate::new(text).help(Some(help.to_owned().into())));
        }
    };
    for info in infos() {
        for preset in &info.presets {
            add(format!("preset={}", preset.name), &preset.label);
        }
        for field in &info.fields {
            let values: &[&str] = match field.kind {
                _ if !current.starts_with(&format!("{}=", field.path)) => &[""],
                FieldKind::Choice { options } => options,
                FieldKind::Flag => &["true", "false"],
                FieldKind::Number { .. }
                | FieldKind::Integer { .. }
                | FieldKind::Integers { .. }
                | FieldKind::Text { .. } => &[],
            };
            values.iter().for_each(|value| add(format!("{}={value}", field.path), field.label));
        }
    }
    candidates
}

/// Returns the description of the experiment on the command line that is completed, or of all experiments if there is
/// none.
fn infos() -> Vec<ExperimentInfo> {
    let words: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    let named = words.iter().find_map(|word| REGISTRY.names().find(|name| name == word).map(str::to_owned));
    let of_run = || {
        let folder = &words[words.iter().position(|word| word == "--resume")? + 1..].first()?;
        Some(RunFolder::open(Path::new(folder)).ok()?.1.experiment)
    };
    match named.or_else(of_run).and_then(|name| vivarium_exhibits::info(&name).ok()) {
        Some(info) => vec![info],
        None => REGISTRY.names().filter_map(|name| vivarium_exhibits::info(name).ok()).collect(),
    }
}

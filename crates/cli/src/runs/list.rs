//! `vivarium runs list`: a table of the runs in a folder.

use super::stored_run::{StoredRun, folder_or_default, run_folders};
use crate::error::CliError;
use crate::{terminal, text};
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

/// Command-line arguments of `vivarium runs list`.
#[derive(Args, Debug)]
pub struct ListArgs {
    /// Folder with run folders [default: runs]
    dir: Option<PathBuf>,
    /// Print one JSON object per run
    #[arg(long)]
    json: bool,
}

/// Lists the runs in a folder. An unreadable run is reported on standard error.
///
/// # Errors
/// [`CliError`] if the folder cannot be read.
pub fn run(args: &ListArgs) -> Result<(), CliError> {
    let folder = folder_or_default(args.dir.as_ref())?;
    let mut runs = Vec::new();
    for path in run_folders(&folder)? {
        match StoredRun::open(&path) {
            Ok(run) => runs.push(run),
            Err(failure) => {
                terminal::print_message(&format!("vivarium: {}", failure.message().unwrap_or_default()))
            }
        }
    }
    if args.json {
        runs.iter().for_each(|run| terminal::print_line(&json_line(run)));
        return Ok(());
    }
    if runs.is_empty() {
        terminal::print_line(&format!("There are no runs in {}.", folder.display()));
        return Ok(());
    }
    let heading = ["run", "experiment", "seed", "steps", "time", "best", "state"].map(str::to_owned).to_vec();
    let rows = runs.iter().map(|run| {
        vec![
            run.path.display().to_string(),
            run.metadata.experiment.clone(),
            run.metadata.seed.to_string(),
            text::whole(run.steps),
            text::duration(run.elapsed),
            run.best_score(),
            run.state.clone(),
        ]
    });
    terminal::print_line(&text::table(&std::iter::once(heading).chain(rows).collect::<Vec<_>>()));
    Ok(())
}

/// Formats a run as one line of JSON.
fn json_line(run: &StoredRun) -> String {
    json!({
        "run": run.path.display().to_string(),
        "experiment": run.metadata.experiment,
        "seed": run.metadata.seed,
        "state": run.state,
        "running": run.is_running,
        "steps": run.steps,
        "elapsed": run.elapsed,
        "started": run.metadata.started,
        "score": run.score,
        "best": run.best,
    })
    .to_string()
}

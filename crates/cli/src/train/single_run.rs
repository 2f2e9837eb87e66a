//! One run of `vivarium train`, from its start or resumption to a stop condition.

use super::args::TrainArgs;
use super::completed_run::CompletedRun;
use super::ended::ended_run;
use super::journal::RecordingOptions;
use super::limits::{StopConditions, StopReason};
use super::session::TrainingSession;
use super::{json, open, summary};
use crate::error::CliError;
use crate::run::now;
use crate::{machine, terminal};
use vivarium_graph::Cpu;

/// Starts or resumes one run and trains it until a stop condition holds; a resumed run that has reached its end is not trained. `is_last` is whether the program exits
/// afterwards, so that a GPU device need not be closed. `study` is the command that resumes the study of seeds that the run is
/// part of.
///
/// # Errors
/// [`CliError::Usage`] for an invalid command line, before any file is written; [`CliError::Failed`] for later
/// errors; [`CliError::Interrupted`] after a signal, when the run has been saved.
pub fn run(args: &TrainArgs, is_last: bool, study: Option<&str>) -> Result<CompletedRun, CliError> {
    if let Some((completed, message)) = ended_run(args) {
        // The summary of a study has the results of its runs.
        match study {
            Some(_) => terminal::print_message(&format!("{}: {message}", completed.path.display())),
            None => terminal::print_report(&message),
        }
        return Ok(completed);
    }
    let threads = threads(args);
    let (experiment, folder) = match (&args.resume, &args.from) {
        (Some(path), _) => open::resume_run(args, path, threads)?,
        (_, Some(path)) => open::fork_run(args, path, threads)?,
        _ => open::start_run(args, threads)?,
    };
    let info = vivarium_exhibits::info(experiment.name()).map_err(CliError::failed_by)?;
    let measures = vivarium_exhibits::measures(experiment.name()).map_err(CliError::failed_by)?;
    let limits = StopConditions::new(args, measures, experiment.progress().total_steps);
    let (cpu, recording) = (Cpu::new(threads), RecordingOptions::from(args));
    let mut session = TrainingSession::new(experiment, cpu, folder, (info, measures), limits, recording)?;
    terminal::print_message(&summary::start_message(&session, args.resume.is_some()));
    if args.json {
        json::print_start(&session);
    }
    let end = session.run();
    let recorded = record_end(&session, end.as_ref().map_or("failed", StopReason::name));
    // An error of the session has the same cause as that of the record.
    let end = end?;
    if let Err(failure) = recorded {
        terminal::print_error(failure.message().unwrap_or_default());
    }
    if args.json {
        json::print_end(&session, &end);
    }
    // The runs of a study have equal iterations.
    let states_rounding = is_last && !args.quiet;
    match end {
        StopReason::Interrupted(signal) => {
            terminal::print_report(&summary::interrupt_message(&session, args, study));
            session.finish();
            return Err(CliError::Interrupted(signal));
        }
        _ => {
            let message = summary::stop_message(&session, &end, args, states_rounding);
            if args.json { terminal::print_report(&message) } else { terminal::print_if_open(&message) }
        }
    }
    let last = session.evaluations.last.as_ref().filter(|_| !session.evaluations.aborted);
    let completed = CompletedRun {
        path: session.journal.folder.path().to_owned(),
        score: measures.score(),
        last: last.and_then(|evaluation| evaluation.quality()),
        best: session.best,
        steps: session.saved_steps,
        elapsed: session.journal.status.elapsed,
        missed_goal: args.until.is_some() && !matches!(end, StopReason::Reached(_)),
    };
    if is_last {
        session.finish();
    }
    Ok(completed)
}

/// Returns the number of worker threads of `--threads`, or else of cores.
pub fn threads(args: &TrainArgs) -> usize {
    args.threads.map_or_else(machine::cores, usize::from)
}

/// Records the end of the training session in `run.json`.
///
/// # Errors
/// [`CliError::Failed`] if the file cannot be read or written; the run itself is complete then.
fn record_end(session: &TrainingSession, reason: &str) -> Result<(), CliError> {
    session.journal.folder.update_metadata(|mut metadata| {
        metadata.end(reason, session.saved_steps, now());
        metadata
    })
}

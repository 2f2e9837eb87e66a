//! Messages at the start and the end of a training session, with the commands to monitor, evaluate and resume the
//! run.

use super::args::TrainArgs;
use super::evaluation::EvaluationTracker;
use super::limits::{self, StopReason};
use super::session::TrainingSession;
use crate::engine::args::EngineChoice;
use crate::signals::Signal;
use crate::text::{self, shell_quoted, shell_quoted_path};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;
use vivarium_lab::protocol::EngineInfo;
use vivarium_lab::run_metadata::{ChangedField, SessionLimits};

/// Formats the message at the start of a session: experiment, stop conditions, engine, run folder and the monitor
/// command. `is_resumed` is whether the session resumes a run.
pub fn start_message(session: &TrainingSession, is_resumed: bool) -> String {
    let unit = session.info.readings.unit;
    let until = match (&session.limits.until, session.last_step(), session.limits.minutes) {
        (None, None, None) => "until Ctrl-C".to_owned(),
        (until, steps, minutes) => {
            let parts = [
                until.as_ref().map(|goal| format!("until {goal}")),
                steps.map(|steps| format!("for a total of {}", session.info.readings.count(steps))),
                minutes.map(|minutes| format!("for {}", text::duration(minutes * 60.0))),
            ];
            parts.into_iter().flatten().collect::<Vec<_>>().join(" or ")
        }
    };
    let steps = session.experiment.progress().steps;
    let on = match session.experiment.engine() {
        EngineInfo::Cpu => String::new(),
        EngineInfo::Gpu { adapter, software: true } => format!(", on the GPU {adapter} (software)"),
        EngineInfo::Gpu { adapter, .. } => format!(", on the GPU {adapter}"),
    };
    let from = match (is_resumed, steps) {
        (false, _) => String::new(),
        (true, 0) => {
            format!(", resumed from {} 0 (no later checkpoint was saved)", unit.trim_end_matches('s'))
        }
        (true, steps) => format!(", resumed from {} {}", unit.trim_end_matches('s'), text::whole(steps)),
    };
    let data = session.text.as_deref().or_else(|| session.info.world["built_in"].as_str());
    let text = data.map_or(String::new(), |data| format!(", text {data}"));
    format!(
        "{}, seed {}{text}, {until}{on}{from}\n{}  (monitor: {} monitor {})",
        session.info.title,
        session.experiment.seed(),
        session.journal.folder.path().display(),
        program_path(),
        shell_quoted_path(session.journal.folder.path()),
    )
}

/// Formats the message that lists the config fields of a resumed run that have changed since its previous session.
pub fn changes_message(changes: &BTreeMap<String, ChangedField>) -> String {
    let one = |(path, ChangedField { from, to }): (&String, &ChangedField)| {
        format!("{path} from {} to {}", text::field_value(from), text::field_value(to))
    };
    let changes: Vec<_> = changes.iter().map(one).collect();
    format!("Changed since the previous session, as run.json records: {}.", changes.join(", "))
}

/// Formats the message after a session that ended by a stop condition: result, and the commands to evaluate and
/// resume the run.
///
/// `states_rounding` is whether the message states that training has exceeded `--steps` to complete an iteration.
pub fn stop_message(
    session: &TrainingSession,
    end: &StopReason,
    args: &TrainArgs,
    states_rounding: bool,
) -> String {
    let steps = saved_steps(session);
    let time = text::duration(session.journal.status.elapsed);
    // Time and steps include earlier sessions.
    let in_all = if session.journal.is_resumed() { " in total" } else { "" };
    let goal = session.limits.until.as_ref().map(ToString::to_string).unwrap_or_default();
    let mut lines = vec![match end {
        StopReason::Reached(value) => {
            format!("Reached {goal} ({}) after {time} and {steps}{in_all}.", text::number(*value))
        }
        _ if !goal.is_empty() => format!("Did not reach {goal} within {time} and {steps}{in_all}."),
        _ => format!("Trained for {time} and {steps}{in_all}."),
    }];
    let is_rounded = |limit: &u64| *end == StopReason::Steps && *limit < session.saved_steps;
    if let Some(limit) = args.steps.filter(|limit| states_rounding && is_rounded(limit)) {
        lines.push(format!(
            "--steps {limit}: training ended after {} {}, at the end of an iteration.",
            session.saved_steps, session.info.readings.unit
        ));
    }
    lines.extend(evaluation_lines(session));
    let text = session.text.as_ref().map_or(String::new(), |text| format!(" --text {}", shell_quoted(text)));
    lines.push(format!(
        "Evaluate:  {} eval {} --checkpoint {}{text}",
        program_path(),
        session.info.name,
        shell_quoted_path(&session.journal.folder.best_or_latest())
    ));
    let perfect = session.evaluations.last.as_ref().is_some_and(|evaluation| evaluation.perfect);
    if !matches!(end, StopReason::Reached(_)) && !perfect {
        // The suggested command has twice the step limit if the limit was reached; otherwise the same limits.
        let done = session.saved_steps;
        let is_done = session.last_step().is_some_and(|last| last <= done);
        let steps = if is_done { Some(done.saturating_mul(2)) } else { args.steps };
        lines.push(format!("Resume:    {}", resume_command(session, args, steps, session.limits.minutes)));
    }
    lines.join("\n")
}

/// Formats the evaluation of the recommended checkpoint, and of the final state if it is another state.
fn evaluation_lines(session: &TrainingSession) -> Vec<String> {
    let EvaluationTracker { last, best, aborted, at, .. } = &session.evaluations;
    let sentence = |evaluation| session.measures.report(evaluation).map(|report| report.sentence());
    let last = last.as_ref().filter(|_| !aborted);
    let mut lines = Vec::new();
    let is_final = match best {
        _ if !session.journal.folder.best().exists() => true,
        Some((steps, evaluation)) => {
            let is_final = last.is_some() && *at == Some(*steps);
            let label = format!("Best checkpoint, after {}: ", session.info.readings.count(*steps));
            lines.extend(sentence(evaluation).filter(|_| !is_final).map(|sentence| label + &sentence));
            is_final
        }
        None => {
            let score = session.best.map_or("–".into(), |best| session.measures.score().format(best));
            lines.push(format!("Best checkpoint, of an earlier version: {score}."));
            false
        }
    };
    if *aborted {
        let cause = (session.stop_request)().map_or("the time limit", Signal::name);
        lines.push(format!("The evaluation of the final state was aborted by {cause}."));
    } else if let Some(sentence) = last.and_then(sentence) {
        lines.push(if is_final { sentence } else { format!("Final state: {sentence}") });
    }
    lines
}

/// Formats the message after a session that Ctrl-C stopped: saved steps, later steps, which are trained again, and the command to resume
/// the run, or the command `study` to resume the study of seeds that the run is part of.
pub fn interrupt_message(session: &TrainingSession, args: &TrainArgs, study: Option<&str>) -> String {
    // The suggested command has the same limits, with the remaining minutes.
    let minutes =
        session.limits.minutes.map(|minutes| (minutes - session.journal.seconds() / 60.0).max(0.01));
    let what = if study.is_some() { "Resume the study" } else { "Resume" };
    let repeated = match session.experiment.progress().steps.saturating_sub(session.saved_steps) {
        0 => String::new(),
        steps => {
            let count = session.info.readings.count(steps);
            format!("; training repeats the {count} of the unfinished iteration")
        }
    };
    format!(
        "Saved after {} and {}. {what} {}{repeated}:\n{}",
        text::duration(session.journal.status.elapsed),
        saved_steps(session),
        match session.measures.unsaved_state() {
            None => "exactly from here".into(),
            Some(what) => format!("from here, with new {what}"),
        },
        study.map_or_else(|| resume_command(session, args, args.steps, minutes), str::to_owned)
    )
}

/// Formats the command that resumes the study of seeds in `folder`: the command line of this process, with `--out` if it has
/// none.
pub fn study_command(args: &TrainArgs, folder: &Path) -> String {
    let mut words = vec![program_path()];
    words.extend(text::shell_arguments());
    if args.out.is_none() {
        words.extend(["--out".into(), shell_quoted_path(folder)]);
    }
    words.join(" ")
}

/// Formats the number of training steps in the latest checkpoint, with its unit, such as "2000 steps".
fn saved_steps(session: &TrainingSession) -> String {
    session.info.readings.count(session.saved_steps)
}

/// Formats the command that resumes the run with the limits `steps` and `minutes`, and the goal, threads and engine of
/// `args`.
fn resume_command(
    session: &TrainingSession,
    args: &TrainArgs,
    steps: Option<u64>,
    minutes: Option<f64>,
) -> String {
    let mut words = vec![
        program_path(),
        "train".into(),
        "--resume".into(),
        shell_quoted_path(session.journal.folder.path()),
    ];
    words.extend(limits::options(&SessionLimits { steps, minutes, ..limits::given(args) }));
    if let Some(threads) = args.threads {
        words.extend(["--threads".into(), threads.to_string()]);
    }
    match args.engine {
        EngineChoice::Cpu => words.extend(["--engine".into(), "cpu".into()]),
        EngineChoice::Gpu => words.extend(["--engine".into(), "gpu".into()]),
        EngineChoice::Auto => {}
    }
    if args.json {
        words.push("--json".into());
    }
    if args.quiet {
        words.push("--quiet".into());
    }
    if let Some(steps) = args.evaluate_every {
        words.extend(["--evaluate-every".into(), steps.to_string()]);
    }
    if let Some(count) = args.keep_checkpoints {
        words.extend(["--keep-checkpoints".into(), count.to_string()]);
    }
    if let Some(rows) = args.metrics_rows {
        words.extend(["--metrics-rows".into(), rows.to_string()]);
    }
    if let Some(adapter) = &args.adapter {
        words.extend(["--adapter".into(), shell_quoted(adapter)]);
    }
    words.join(" ")
}

/// Returns the path by which the program was called, quoted for a shell; only its name if the shell finds the program by its name.
fn program_path() -> String {
    let called = std::env::args_os().next().unwrap_or_else(|| "vivarium".into());
    let search = std::env::var_os("PATH").unwrap_or_default();
    shell_quoted_path(shortest_path(Path::new(&called), &search))
}

/// Returns the name of the program `called` if the first program with this name in the folders `search`, the value of `PATH`, is
/// the same file; otherwise `called`.
fn shortest_path<'a>(called: &'a Path, search: &OsStr) -> &'a Path {
    let Some(name) = called.file_name() else { return called };
    let found = std::env::split_paths(search).map(|folder| folder.join(name)).find(|path| path.is_file());
    let is_same = found.is_some_and(|path| {
        path.canonicalize().ok().is_some_and(|path| called.canonicalize().is_ok_and(|called| called == path))
    });
    if is_same { Path::new(name) } else { called }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_folder::TestFolder;

    #[test]
    fn a_program_in_the_search_path_is_called_by_its_name() {
        let folder = TestFolder::new("search-path");
        let [first, second] = ["first", "second"].map(|name| folder.path().join(name));
        for folder in [&first, &second] {
            std::fs::create_dir(folder).unwrap();
            std::fs::write(folder.join("program"), "").unwrap();
        }
        let search = std::env::join_paths([&first, &second]).unwrap();
        assert_eq!(shortest_path(&first.join("program"), &search), Path::new("program"));
        // The shell finds the other program.
        let other = second.join("program");
        assert_eq!(shortest_path(&other, &search), other);
        assert_eq!(shortest_path(&other, OsStr::new("")), other);
        assert_eq!(shortest_path(Path::new("program"), &search), Path::new("program"));
    }
}

//! What a run says before and after it: what it is going to do, what came of it, and the exact next command.

use super::limits::End;
use super::session::Session;
use crate::command_line::{Engine, TrainArgs};
use crate::text::{self, quoted, quoted_path};
use std::path::Path;
use vivarium_lab::protocol::EngineInfo;

/// The lines before the bar.
pub fn opening(session: &Session) -> String {
    let unit = session.measures.readings.unit;
    let until = match (&session.limits.until, session.last_step(), session.limits.minutes) {
        (None, None, None) => "until Ctrl-C".to_owned(),
        (until, steps, minutes) => {
            let parts = [
                until.as_ref().map(|goal| format!("until {goal}")),
                steps.map(|steps| format!("for {} in all", session.measures.count(steps))),
                minutes.map(|minutes| format!("for {}", text::duration(minutes * 60.0))),
            ];
            parts.into_iter().flatten().collect::<Vec<_>>().join(" or ")
        }
    };
    let steps = session.experiment.progress().steps;
    let on = match session.experiment.engine() {
        EngineInfo::Cpu => String::new(),
        EngineInfo::Gpu { adapter, software: true } => format!(", on the GPU {adapter}, which is software"),
        EngineInfo::Gpu { adapter, .. } => format!(", on the GPU {adapter}"),
    };
    let from = if steps > 0 {
        format!(", going on from {} {}", unit.trim_end_matches('s'), text::whole(steps))
    } else {
        String::new()
    };
    let data = session.text.as_deref().or_else(|| session.info.world["built_in"].as_str());
    let learns = data.map_or(String::new(), |data| format!(", learns {data}"));
    format!(
        "{}, seed {}{learns}, {until}{on}{from}\n{}  (watch it: {} monitor {})",
        session.info.title,
        session.experiment.seed(),
        session.journal.folder.path().display(),
        program(),
        quoted_path(session.journal.folder.path()),
    )
}

/// The lines after a run that ended by itself.
pub fn finished(session: &Session, end: &End, args: &TrainArgs) -> String {
    let steps = done(session);
    let time = text::duration(session.journal.elapsed());
    // Time and steps are those of all sessions.
    let in_all = if session.journal.is_resumed() { " in all" } else { "" };
    let goal = session.limits.until.as_ref().map(ToString::to_string).unwrap_or_default();
    let mut lines = vec![match end {
        End::Reached(value) => {
            format!("Reached {goal} ({}) after {time} and {steps}{in_all}.", text::number(*value))
        }
        _ if !goal.is_empty() => format!("Did not reach {goal} within {time} and {steps}{in_all}."),
        _ => format!("Trained for {time} and {steps}{in_all}."),
    }];
    if session.evaluations.left {
        lines.push("Its last state was not evaluated to the end: the time was over.".into());
    } else if let Some(evaluation) = &session.evaluations.last {
        lines.push((session.measures.sentence)(evaluation));
    }
    let checkpoint = if session.journal.folder.best().exists() {
        session.journal.folder.best()
    } else {
        session.journal.folder.latest()
    };
    let text = session.text.as_ref().map_or(String::new(), |text| format!(" --text {}", quoted(text)));
    lines.push(format!(
        "Try it:    {} eval {} --checkpoint {}{text}",
        program(),
        session.info.name,
        quoted_path(&checkpoint)
    ));
    let perfect = session.evaluations.last.as_ref().is_some_and(|evaluation| evaluation.perfect);
    if !matches!(end, End::Reached(_)) && !perfect {
        // A run that has all of its steps goes on to twice as many; one that its time ended has the same ones before it.
        let done = session.saved_steps;
        let is_done = session.last_step().is_some_and(|last| last <= done);
        let further = TrainArgs {
            steps: if is_done { Some(done.saturating_mul(2)) } else { args.steps },
            minutes: session.limits.minutes,
            until: args.until.clone(),
            threads: args.threads,
            engine: args.engine,
            adapter: args.adapter.clone(),
            ..TrainArgs::default()
        };
        lines.push(format!("Go on:     {}", resume_command(session, &further)));
    }
    lines.join("\n")
}

/// The lines after Ctrl-C.
pub fn interrupted(session: &Session, args: &TrainArgs) -> String {
    let left = TrainArgs {
        // The same again, for the time that is left of what was asked for.
        minutes: session.limits.minutes.map(|minutes| (minutes - session.journal.seconds() / 60.0).max(0.01)),
        steps: args.steps,
        until: args.until.clone(),
        threads: args.threads,
        engine: args.engine,
        adapter: args.adapter.clone(),
        ..TrainArgs::default()
    };
    format!(
        "Saved after {} and {}. Go on {}:\n{}",
        text::duration(session.journal.elapsed()),
        done(session),
        match session.measures.unsaved_state {
            None => "exactly from here".into(),
            Some(what) => format!("from here ({what} begin anew)"),
        },
        resume_command(session, &left)
    )
}

/// How many steps or epochs are done, as the checkpoint has them.
fn done(session: &Session) -> String {
    session.measures.count(session.saved_steps)
}

/// The command that goes on with the run under the limits in `args`.
fn resume_command(session: &Session, args: &TrainArgs) -> String {
    let mut words =
        vec![program(), "train".into(), "--resume".into(), quoted_path(session.journal.folder.path())];
    if let Some(goal) = &args.until {
        words.extend(["--until".into(), quoted(&goal.to_string())]);
    }
    if let Some(steps) = args.steps {
        words.extend(["--steps".into(), steps.to_string()]);
    }
    if let Some(minutes) = args.minutes {
        words.extend(["--minutes".into(), shown_minutes(minutes)]);
    }
    if let Some(threads) = args.threads {
        words.extend(["--threads".into(), threads.to_string()]);
    }
    match args.engine {
        Engine::Cpu => words.extend(["--engine".into(), "cpu".into()]),
        Engine::Gpu => words.extend(["--engine".into(), "gpu".into()]),
        Engine::Auto => {}
    }
    if let Some(adapter) = &args.adapter {
        words.extend(["--adapter".into(), quoted(adapter)]);
    }
    words.join(" ")
}

/// Minutes to type: two digits are enough, except of what they would round to nothing.
fn shown_minutes(minutes: f64) -> String {
    let rounded = (minutes * 100.0).round() / 100.0;
    if rounded > 0.0 { rounded.to_string() } else { minutes.to_string() }
}

/// The program as it was called, so that the command works from the same place.
fn program() -> String {
    quoted_path(Path::new(&std::env::args_os().next().unwrap_or_else(|| "vivarium".into())))
}

#[cfg(test)]
mod tests {
    use super::shown_minutes;

    #[test]
    fn suggested_minutes_are_never_zero() {
        assert_eq!(shown_minutes(1.0 / 3.0), "0.33");
        assert_eq!(shown_minutes(2.0), "2");
        assert_eq!(shown_minutes(0.001), "0.001");
    }
}

//! Tests of the training loop with an experiment whose results are predetermined.

mod scripted;

use super::args::TrainArgs;
use super::journal::RecordingOptions;
use super::limits::{StopConditions, StopReason};
use super::session::TrainingSession;
use super::summary::{interrupt_message, stop_message};
use crate::error::CliError;
use crate::run::monitor_file::{self, MonitorStatus, RunState};
use crate::run::rows::RowTail;
use crate::run::{DEFAULT_ROWS, RunFolder, example_metadata};
use crate::signals::Signal;
use crate::test_folder::TestFolder;
use scripted::Scripted;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use vivarium_exhibit_logic_ca::protocol::LogicEvaluation;
use vivarium_exhibits::{REGISTRY, info, measures};
use vivarium_graph::Cpu;
use vivarium_lab::checkpoint;
use vivarium_lab::goal::Goal;
use vivarium_lab::protocol::Evaluation;
use vivarium_lab::recorded_row::RecordedRow;

/// Returns the number of training steps in the checkpoint `name` of the run folder `path`.
fn steps(path: &Path, name: &str) -> u64 {
    let bytes = std::fs::read(path.join(format!("{name}.safetensors"))).unwrap();
    checkpoint::read_header(&bytes).unwrap().steps
}

/// Returns the status in the monitor file of the run folder `path`.
fn status(path: &Path) -> MonitorStatus {
    monitor_file::read(path).unwrap().0
}

fn until(steps: u64) -> TrainArgs {
    TrainArgs { steps: Some(steps), ..TrainArgs::default() }
}

/// Returns the training steps and the mean return of every evaluation in the metrics file of a run folder.
fn evaluations(path: &Path) -> Vec<(u64, f64)> {
    rows(path).iter().filter_map(|row| Some((row.steps, row.get("eval_return_mean")?))).collect()
}

fn rows(path: &Path) -> Vec<RecordedRow> {
    let mut rows = Vec::new();
    RowTail::new(path.join("metrics.jsonl")).read(|row| rows.push(row)).unwrap();
    rows
}

#[test]
fn a_run_stops_at_its_step_limit_and_writes_all_files() {
    let folder = TestFolder::new("session-steps");
    let args = until(1000);
    let (outcome, path) = Scripted::new().run(&folder, &args);
    outcome.unwrap();
    assert_eq!(steps(&path, "latest"), 1000);
    assert_eq!(steps(&path, "best"), 1000);
    let rows = rows(&path);
    let learners: Vec<u64> =
        rows.iter().filter(|row| row.get("entropy").is_some()).map(|row| row.steps).collect();
    assert_eq!(learners, [100, 200, 300, 400, 500, 600, 700, 800, 900, 1000]);
    let mut speeds = rows.iter().filter_map(|row| row.get("steps_per_second"));
    assert!(speeds.all(|speed| speed > 0.0), "the speed is known from the first row on");
    assert_eq!(rows.last().unwrap().get("eval_return_mean"), Some(1.0));
    let (status, newest) = monitor_file::read(&path).unwrap();
    assert_eq!(newest.as_ref(), rows.last());
    assert_eq!((status.state, status.steps, status.goal_steps), (RunState::Steps, 1000, Some(1000)));
    let phases: Vec<_> = status.phases.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(phases, ["checkpoint", "rollout", "update", "evaluation"]);
    assert!(status.phases.iter().all(|(_, seconds)| *seconds > 0.0));
}

#[test]
fn the_rows_of_a_day_of_cartpole_fit_in_100_megabytes() {
    let folder = TestFolder::new("session-day");
    for learner in ["ppo", "dqn"] {
        let (path, args) = (folder.path().join(learner), until(60_000));
        let config = serde_json::json!({ "learner": learner });
        let experiment = REGISTRY.create("cartpole", &config, 1).unwrap();
        let run = RunFolder::create(Some(&path), &example_metadata(), &experiment.config()).unwrap();
        let of_cartpole = (info("cartpole").unwrap(), measures("cartpole").unwrap());
        let limits = StopConditions::new(&args, of_cartpole.1, None);
        let recording = RecordingOptions::from(&args);
        TrainingSession::new(experiment, Cpu::new(1), run, of_cartpole, limits, recording)
            .unwrap()
            .run()
            .unwrap();

        let rows = rows(&path);
        let is_of_rows = |name: &str| name == "metrics.jsonl" || name.starts_with("events.out");
        let files = std::fs::read_dir(&path).unwrap().map(|file| file.unwrap());
        let sizes = files.filter(|file| is_of_rows(file.file_name().to_str().unwrap()));
        let bytes: u64 = sizes.map(|file| file.metadata().unwrap().len()).sum();
        // A day has at most 2³⁰ gradient steps, 12,000 per second: 30 doublings.
        let a_day: u64 = (0..30).map(|doubling| u64::from(DEFAULT_ROWS).min(1 << doubling)).sum();
        let megabytes = bytes * a_day / rows.len() as u64 / 1_000_000;
        assert!(
            rows.len() >= 10 && (10..=100).contains(&megabytes),
            "{learner}: {megabytes} MB, {bytes} bytes of {} rows",
            rows.len()
        );
    }
}

#[test]
fn a_run_that_loses_its_gpu_continues_and_records_its_engine() {
    let folder = TestFolder::new("session-lost");
    let args = until(500);
    let engine = |path: &Path| RunFolder::open(path).unwrap().1;
    let (outcome, path) = Scripted { loses_gpu_at: Some(1000), ..Scripted::new() }.run(&folder, &args);
    outcome.unwrap();
    assert_eq!((engine(&path).engine, engine(&path).adapter), ("gpu".into(), Some("Imagined 9000".into())));
    std::fs::remove_dir_all(&path).unwrap();
    let (outcome, path) = Scripted { loses_gpu_at: Some(300), ..Scripted::new() }.run(&folder, &args);
    outcome.unwrap();
    assert_eq!((engine(&path).engine, engine(&path).adapter), ("cpu".into(), None));
    let notices: Vec<_> = rows(&path).into_iter().filter_map(|row| row.notice).collect();
    assert_eq!(notices, ["The GPU was lost."]);
    assert_eq!(status(&path).notice, "The GPU was lost.");
}

#[test]
fn a_goal_among_the_metrics_ends_the_run_where_it_is_met() {
    let folder = TestFolder::new("session-metric");
    let goal: Goal = "entropy<=0.2".parse().unwrap();
    let args = TrainArgs { until: Some(goal), steps: Some(1_000_000), ..TrainArgs::default() };
    let (outcome, path) = Scripted::new().run(&folder, &args);
    outcome.unwrap();
    assert_eq!(steps(&path, "latest"), 500);
}

#[test]
fn without_limits_a_run_ends_once_it_evaluates_as_solved() {
    let folder = TestFolder::new("session-solved");
    let scripted = Scripted { evaluated: |_, _| 480.0, ..Scripted::new() };
    let (outcome, path) = scripted.run(&folder, &TrainArgs::default());
    outcome.unwrap();
    let evaluated: Vec<_> = rows(&path).iter().filter_map(|row| row.get("eval_return_mean")).collect();
    assert_eq!(evaluated, [480.0]);
}

#[test]
fn the_best_checkpoint_is_kept_when_later_states_are_worse() {
    let folder = TestFolder::new("session-best");
    let falling = |steps, _| 1e6 - steps as f64;
    let scripted = Scripted { evaluated: falling, ..Scripted::new() };
    // Three evaluations, of which the first is the best.
    let (outcome, path) = scripted.run(&folder, &until(40_000));
    outcome.unwrap();
    let evaluated: Vec<_> = evaluations(&path).into_iter().map(|(steps, _)| steps).collect();
    assert_eq!(evaluated.len(), 3);
    assert_eq!((steps(&path, "best"), steps(&path, "latest")), (evaluated[0], evaluated[2]));
}

#[test]
fn the_best_checkpoint_is_kept_after_crashes_without_metrics() {
    let folder = TestFolder::new("session-crash");
    let good = Scripted { evaluated: |_, _| 500.0, ..Scripted::new() };
    let (outcome, path) = good.run(&folder, &until(1000));
    outcome.unwrap();
    // The run is killed twice after its first rows and resumed from an early checkpoint, with a worse state.
    for end in [600, 700] {
        let lines = std::fs::read_to_string(path.join("metrics.jsonl")).unwrap();
        let first: String = lines.split_inclusive('\n').take(3).collect();
        std::fs::write(path.join("metrics.jsonl"), first).unwrap();
        let worse = Scripted { steps: 500, evaluated: |_, _| 243.0, ..Scripted::new() };
        worse.resume(&path, &until(end)).unwrap();
        assert_eq!((steps(&path, "best"), steps(&path, "latest")), (1000, end));
    }
    // Without `best.safetensors`, the next evaluated state becomes the best.
    std::fs::remove_file(path.join("best.safetensors")).unwrap();
    let worse = Scripted { steps: 500, evaluated: |_, _| 200.0, ..Scripted::new() };
    worse.resume(&path, &until(600)).unwrap();
    assert_eq!(steps(&path, "best"), 600);
}

#[test]
fn the_latest_of_equal_states_becomes_the_best() {
    let folder = TestFolder::new("session-equal");
    let (outcome, path) = Scripted::new().run(&folder, &until(40_000));
    outcome.unwrap();
    assert_eq!(evaluations(&path).len(), 3);
    assert_eq!(steps(&path, "best"), 40_000);
}

#[test]
fn the_evaluation_schedule_depends_on_steps_only() {
    let folder = TestFolder::new("session-when");
    let expected: Vec<_> = [16_400, 32_800, 49_200, 60_000].map(|steps| (steps, 1.0)).into();
    // The run pauses for longer than the time between evaluations.
    let halting = |steps: u64| Duration::from_millis(if steps.is_multiple_of(20_000) { 400 } else { 0 });
    for (name, takes) in [("even", (|_| Duration::ZERO) as fn(u64) -> Duration), ("halting", halting)] {
        let path = folder.path().join(name);
        let scripted = Scripted { takes, ..Scripted::new() };
        let run = scripted.create_folder(&path);
        scripted.train(run, &until(60_000)).unwrap();
        assert_eq!(evaluations(&path), expected, "{name}");
    }
    // A run that was interrupted and resumed.
    let (outcome, path) = Scripted::new().run(&folder, &until(20_000));
    outcome.unwrap();
    Scripted { steps: 20_000, ..Scripted::new() }.resume(&path, &until(60_000)).unwrap();
    let mut with_the_first_end = expected;
    with_the_first_end.insert(1, (20_000, 1.0));
    assert_eq!(evaluations(&path), with_the_first_end);
}

#[test]
fn a_run_is_evaluated_at_the_multiples_of_evaluate_every() {
    let folder = TestFolder::new("session-every");
    let args = |steps| TrainArgs { evaluate_every: Some(250), ..until(steps) };
    // An iteration has 100 steps.
    let (outcome, path) = Scripted::new().run(&folder, &args(1_100));
    outcome.unwrap();
    let expected = [300, 500, 800, 1_000, 1_100].map(|steps| (steps, 1.0));
    assert_eq!(evaluations(&path), expected);
    Scripted { steps: 1_100, ..Scripted::new() }.resume(&path, &args(1_400)).unwrap();
    assert_eq!(evaluations(&path)[5..], [(1_300, 1.0), (1_400, 1.0)]);
}

#[test]
fn a_goal_is_reached_only_after_a_larger_confirming_evaluation() {
    let folder = TestFolder::new("session-lucky");
    // The first evaluation reaches the goal by chance; the confirming evaluation does not.
    let lucky = |steps, episodes| match (episodes, steps) {
        (..=100, _) => 480.0,
        (_, ..40_000) => 471.0,
        _ => 478.0,
    };
    let scripted = Scripted { evaluated: lucky, ..Scripted::new() };
    let (outcome, path) = scripted.run(&folder, &TrainArgs::default());
    outcome.unwrap();
    assert_eq!(evaluations(&path), [(16_400, 471.0), (32_800, 471.0), (49_200, 478.0)]);
    assert_eq!(steps(&path, "best"), 49_200);
    let notices: Vec<_> = rows(&path).into_iter().filter_map(|row| row.notice).collect();
    assert_eq!(notices.len(), 2);
    assert!(notices[0].contains("return>=475") && notices[0].contains("471"), "{notices:?}");
}

#[test]
fn an_endless_evaluation_stops_at_the_time_limit() {
    let folder = TestFolder::new("session-endless");
    let scripted = Scripted { evaluates_forever: true, ..Scripted::new() };
    let args = TrainArgs { minutes: Some(1e-3), ..TrainArgs::default() };
    let (outcome, path) = scripted.run(&folder, &args);
    outcome.unwrap();
    // The time limit may have passed before the first step.
    assert!(path.join("latest.safetensors").is_file() && !path.join("best.safetensors").exists());
    assert_eq!(status(&path).state, RunState::Minutes);
}

#[test]
fn the_latest_checkpoint_is_not_older_than_the_best() {
    let folder = TestFolder::new("session-latest");
    let (mut session, path) = session(&folder, Scripted::new(), 20_000);
    // Training ends without a final save, as if the process were killed.
    assert_eq!(session.train().unwrap(), StopReason::Steps);
    assert_eq!([steps(&path, "best"), steps(&path, "latest")], [16_400; 2]);
}

#[test]
fn a_run_is_alive_while_it_is_evaluated() {
    let folder = TestFolder::new("session-alive");
    let seen = Arc::new(AtomicBool::new(false));
    let watched = Some((folder.path().join("run"), seen.clone()));
    let args = TrainArgs { minutes: Some(1e-3), ..TrainArgs::default() };
    let (outcome, _) = Scripted { watched, ..Scripted::new() }.run(&folder, &args);
    outcome.unwrap();
    assert!(seen.load(Ordering::Relaxed), "its status stood still");
}

#[test]
fn a_file_that_cannot_be_written_does_not_end_training() {
    let folder = TestFolder::new("session-unwritten");
    let (mut session, path) = session(&folder, Scripted::new(), 300);
    // Folders at the files' paths make writes fail.
    let [latest, best] = ["latest", "best"].map(|name| path.join(format!("{name}.safetensors")));
    std::fs::remove_file(&latest).unwrap();
    for place in [&latest, &best] {
        std::fs::create_dir_all(place.join("inside")).unwrap();
    }
    assert_eq!(session.train().unwrap(), StopReason::Steps);
    session.try_save();
    session.show();
    let status = status(&path);
    assert!(
        status.notice.contains("cannot write") && status.notice.contains("training continues"),
        "{status:?}"
    );
    assert_eq!(session.journal.unwritten, std::slice::from_ref(&latest));
    std::fs::remove_dir_all(&latest).unwrap();
    session.try_save();
    assert!(session.journal.unwritten.is_empty() && session.journal.status.notice.is_empty());
    // The best checkpoint cannot be written: the run reports the error and saves the latest one.
    session.run().unwrap();
    assert_eq!(steps(&path, "latest"), 300);
    assert!(best.is_dir());
    assert_eq!(session.journal.unwritten, [best]);
}

#[test]
fn the_checkpoints_of_the_last_evaluations_are_kept() {
    let folder = TestFolder::new("session-numbered");
    let falling = |steps, _| 1e6 - steps as f64;
    let args = TrainArgs { keep_checkpoints: Some(2), ..until(40_000) };
    let (outcome, path) = Scripted { evaluated: falling, ..Scripted::new() }.run(&folder, &args);
    outcome.unwrap();
    let evaluated: Vec<_> = evaluations(&path).into_iter().map(|(steps, _)| steps).collect();
    let kept = RunFolder::open(&path).unwrap().0.numbered();
    assert_eq!((evaluated.len(), &kept[..]), (3, &evaluated[1..]));
    assert!(kept.iter().all(|at| steps(&path, &format!("checkpoint-{at}")) == *at));
    assert_eq!(steps(&path, "best"), evaluated[0]);
    // A later session without the option keeps them. A checkpoint that cannot be written does not end training.
    let blocked = path.join("checkpoint-45000.safetensors");
    std::fs::create_dir_all(blocked.join("inside")).unwrap();
    let resumed = || Scripted { steps: 40_000, evaluated: falling, ..Scripted::new() };
    resumed().resume(&path, &until(41_000)).unwrap();
    resumed().resume(&path, &TrainArgs { keep_checkpoints: Some(2), ..until(45_000) }).unwrap();
    assert!(kept.iter().all(|at| steps(&path, &format!("checkpoint-{at}")) == *at));
    assert_eq!(steps(&path, "latest"), 45_000);
}

#[test]
fn a_perfect_run_suggests_no_resumption() {
    let folder = TestFolder::new("session-perfect");
    let scripted = Scripted::new();
    let run = scripted.create_folder(&folder.path().join("run"));
    let args = until(100);
    let mut session = scripted.session("logic-ca", run, &args);
    let mut say = |wrong_bits: u64| {
        let evaluation = LogicEvaluation {
            accuracy: 1.0 - wrong_bits as f64 / 1000.0,
            wrong_bits,
            boards: 10,
            gates: 1,
            depth: 1,
            tests: Vec::new(),
        };
        session.evaluations.last = Some(Evaluation::new(&evaluation, Vec::new(), wrong_bits == 0));
        stop_message(&session, &StopReason::Steps, &args, true)
    };
    assert!(say(1).contains("Resume:"));
    let said = say(0);
    assert!(said.contains("Evaluate:") && !said.contains("Resume:"), "{said}");
}

#[test]
fn the_summary_has_the_evaluation_of_the_checkpoint_that_it_recommends() {
    let folder = TestFolder::new("session-recommended");
    let falling = |steps, _| 1e6 - steps as f64;
    let scripted = Scripted { evaluated: falling, ..Scripted::new() };
    let (mut trained, path) = session(&folder, scripted, 40_000);
    trained.run().unwrap();
    let said = stop_message(&trained, &StopReason::Steps, &until(40_000), true);
    let lines: Vec<_> = said.lines().skip(1).collect();
    assert!(lines[0].starts_with("Best checkpoint, after 16.4K steps: Return 984K "), "{said}");
    assert!(lines[1].starts_with("Final state: Return 960K "), "{said}");
    assert!(lines[2].starts_with("Evaluate: ") && lines[2].ends_with("best.safetensors"), "{said}");
    drop(trained);
    // A later session that does not improve on the best checkpoint.
    let scripted = Scripted { steps: 40_000, evaluated: falling, ..Scripted::new() };
    let run = RunFolder::open(&path).unwrap().0;
    let mut resumed = scripted.session("cartpole", run, &until(50_000));
    resumed.run().unwrap();
    let said = stop_message(&resumed, &StopReason::Steps, &until(50_000), true);
    let best = "Best checkpoint, after 16.4K steps: Return 984K ";
    assert!(said.contains(best) && said.contains("\nFinal state: Return 950K "), "{said}");
    drop(resumed);
    // The final state is the best one.
    std::fs::remove_dir_all(&path).unwrap();
    let (mut improved, _) = session(&folder, Scripted::new(), 1000);
    improved.run().unwrap();
    let said = stop_message(&improved, &StopReason::Steps, &until(1000), true);
    assert!(said.lines().nth(1).unwrap().starts_with("Return 1.00 "), "{said}");
}

#[test]
fn a_run_that_resumes_inexactly_reports_the_rebuilt_state() {
    let folder = TestFolder::new("session-rebuilt");
    for (name, exactly) in
        [("cartpole", true), ("backgammon", false), ("connect-four", false), ("cube2", true)]
    {
        let scripted = Scripted::new();
        let run = scripted.create_folder(&folder.path().join(name));
        let session = scripted.session(name, run, &until(100));
        let said = interrupt_message(&session, &until(100), None);
        assert_eq!(said.contains("Resume exactly from here:"), exactly, "{said}");
        assert_eq!(said.contains("new self-play games and replay buffer"), !exactly, "{said}");
    }
}

#[test]
fn a_diverged_run_reports_it_and_keeps_the_last_valid_checkpoint() {
    let folder = TestFolder::new("session-diverged");
    let scripted = Scripted { diverges_at: 500, ..Scripted::new() };
    let (outcome, path) = scripted.run(&folder, &TrainArgs::default());
    let failure = outcome.unwrap_err();
    assert_eq!(failure.code(), 1);
    assert!(failure.message().unwrap().contains("the loss is not finite"));
    assert_eq!(steps(&path, "latest"), 0);
    assert_eq!(status(&path).state, RunState::Failed);
    // Earlier rows are in the file.
    assert_eq!(rows(&path).len(), 4);
}

/// Creates a training session of the scripted experiment, which stops after `last` steps. Returns the session and the
/// path of its run folder.
fn session(folder: &TestFolder, scripted: Scripted, last: u64) -> (TrainingSession, PathBuf) {
    let path = folder.path().join("run");
    let run = scripted.create_folder(&path);
    (scripted.session("cartpole", run, &until(last)), path)
}

#[test]
fn the_first_checkpoint_takes_precedence_over_the_monitor_file() {
    let folder = TestFolder::new("session-first");
    let (mut session, path) = session(&folder, Scripted::new(), 300);
    let monitor = path.join(monitor_file::FILE);
    assert!(path.join("latest.safetensors").is_file() && !monitor.exists());
    session.show();
    assert!(std::fs::metadata(monitor).unwrap().len() <= 1 << 13);
}

#[test]
fn a_failed_final_save_reports_the_last_saved_checkpoint() {
    let folder = TestFolder::new("session-unsaved");
    let (mut session, path) = session(&folder, Scripted::new(), 300);
    let latest = path.join("latest.safetensors");
    let message = |error: CliError| error.message().unwrap().to_owned();
    let disk_full = CliError::file("write", &latest, std::io::ErrorKind::StorageFull);
    let kept = message(session.final_save_error(&disk_full));
    assert!(kept.contains("cannot write") && kept.contains("after 0 steps, is intact"), "{kept}");
    let mut damaged = std::fs::read(&latest).unwrap();
    *damaged.last_mut().unwrap() ^= 1;
    std::fs::write(&latest, damaged).unwrap();
    let lost = message(session.final_save_error(&disk_full));
    assert!(lost.contains("no intact earlier checkpoint") && !lost.contains("is intact"), "{lost}");
    std::fs::remove_dir_all(&path).unwrap();
    let lost = message(session.run().unwrap_err());
    assert!(lost.contains("cannot write") && lost.contains("the folder was moved or deleted"), "{lost}");
}

#[test]
fn saving_does_not_slow_down_the_steps_beside_it() {
    let folder = TestFolder::new("session-speed");
    let scripted = Scripted { takes: |_| Duration::from_millis(1), ..Scripted::new() };
    let (mut session, _) = session(&folder, scripted, 2000);
    session.train().unwrap();
    session.show();
    let before = session.journal.status.speed;
    // Simulates a write that takes longer than the averaging window of the speed.
    let begun = session.journal.seconds();
    std::thread::sleep(Duration::from_millis(3500));
    session.journal.add_pause("checkpoint", begun);
    session.show();
    let after = session.journal.status.speed;
    assert!(before > 0.0 && after > before / 2.0, "{before} {after}");
}

#[test]
fn an_iteration_beyond_the_step_limit_has_no_remaining_time() {
    let folder = TestFolder::new("session-beyond");
    let (session, _) = session(&folder, Scripted::new(), 300);
    for (steps, to_go) in [(200, Some(1.0)), (300, None), (400, None)] {
        assert_eq!(session.share_and_remaining_time(steps, 100.0).1, to_go, "{steps}");
    }
}

#[test]
fn a_signal_after_the_last_step_does_not_interrupt_the_run() {
    static LAST_STEP: AtomicBool = AtomicBool::new(false);
    static EARLIER_STEP: AtomicBool = AtomicBool::new(false);
    static EVALUATION: AtomicBool = AtomicBool::new(false);
    fn signal(flag: &AtomicBool) -> Option<Signal> {
        flag.load(Ordering::Relaxed).then_some(Signal::Interrupt)
    }
    fn no_time_and_signal_if(flag: &AtomicBool, is_now: bool) -> Duration {
        flag.fetch_or(is_now, Ordering::Relaxed);
        Duration::ZERO
    }
    let folder = TestFolder::new("session-signal");
    let session = |name: &str, scripted: Scripted, args: &TrainArgs, stop_request: fn() -> Option<Signal>| {
        let run = scripted.create_folder(&folder.path().join(name));
        let mut session = scripted.session("cartpole", run, args);
        session.stop_request = stop_request;
        let end = session.run().unwrap();
        (end, status(&folder.path().join(name)).state, session)
    };

    // During the last step; the evaluation of the final state is aborted.
    let takes = |steps| no_time_and_signal_if(&LAST_STEP, steps == 1000);
    let scripted = Scripted { takes, evaluates_forever: true, ..Scripted::new() };
    let (end, state, last) = session("last-step", scripted, &until(1000), || signal(&LAST_STEP));
    assert_eq!((&end, state), (&StopReason::Steps, RunState::Steps));
    let message = stop_message(&last, &end, &until(1000), true);
    assert!(message.contains("The evaluation of the final state was aborted by SIGINT."), "{message}");
    // During an earlier step.
    let takes = |steps| no_time_and_signal_if(&EARLIER_STEP, steps == 990);
    let scripted = Scripted { takes, ..Scripted::new() };
    let (end, state, _) = session("earlier-step", scripted, &until(1000), || signal(&EARLIER_STEP));
    assert_eq!((end, state), (StopReason::Interrupted(Signal::Interrupt), RunState::Interrupted));

    // During the evaluation of the final state, which is completed.
    let evaluated = |_, _| {
        EVALUATION.store(true, Ordering::Relaxed);
        1.0
    };
    let scripted = || Scripted { evaluated, ..Scripted::new() };
    let (end, state, _) = session("evaluation", scripted(), &until(1000), || signal(&EVALUATION));
    assert_eq!((end, state), (StopReason::Steps, RunState::Steps));
    EVALUATION.store(false, Ordering::Relaxed);
    let goal = TrainArgs { until: Some("return>=1".parse().unwrap()), ..until(1000) };
    let (end, state, _) = session("goal", scripted(), &goal, || signal(&EVALUATION));
    assert_eq!((end, state), (StopReason::Reached(1.0), RunState::Reached));
}

//! Tests of the dashboard on an in-memory terminal.

use super::*;
use crate::run::monitor_file::{self, MonitorStatus, RunState};
use crate::run::{DEFAULT_ROWS, MetricsRecorder, RunFolder, example_metadata, now};
use crate::test_folder::TestFolder;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::Color;
use vivarium_lab::recorded_row::RecordedRow;
use vivarium_lab::run_metadata::RunMetadata;

fn recorded(folder: &TestFolder, state: RunState) -> RunMonitor {
    recorded_as(folder, "run", state, 9.0)
}

/// Records a run in the folder `name` whose mean return rises by `slope` per row.
fn recorded_as(folder: &TestFolder, name: &str, state: RunState, slope: f64) -> RunMonitor {
    let path = folder.path().join(name);
    let run = RunFolder::create(Some(&path), &example_metadata(), &serde_json::json!({})).unwrap();
    let (mut recorder, _) = MetricsRecorder::open(&run, 0, 0, "eval_return_mean", DEFAULT_ROWS).unwrap();
    for i in 1..=50u64 {
        let mut values = vec![
            ("return_mean".to_owned(), i as f64 * slope),
            ("entropy".to_owned(), 0.7 - i as f64 * 0.01),
            ("policy_loss".to_owned(), -0.01),
            ("steps_per_second".to_owned(), 800_000.0 + i as f64),
        ];
        if i % 10 == 0 {
            values.push(("eval_return_mean".into(), i as f64 * 9.5));
        }
        recorder
            .record(&RecordedRow { steps: i * 4096, updates: i, elapsed: i as f64, values, notice: None })
            .unwrap();
    }
    recorder.set_status(&MonitorStatus {
        state,
        started: now(),
        heartbeat: now(),
        elapsed: 65.0,
        steps: 50 * 4096,
        updates: 800,
        episodes: 3210,
        goal_steps: Some(409_600),
        speed: 842_000.0,
        phases: vec![("update".into(), 30.0), ("rollout".into(), 60.0), ("evaluation".into(), 10.0)],
        notice: "rolled back to the best checkpoint".into(),
    });
    recorder.flush().unwrap();
    let (run, metadata) = RunFolder::open(&path).unwrap();
    RunMonitor::new(run, metadata).unwrap()
}

fn drawn(monitor: &RunMonitor, selection: &ChartSelection, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| dashboard(frame, monitor, &[], selection)).unwrap();
    terminal.backend().to_string()
}

#[test]
fn a_wide_terminal_shows_everything() {
    let folder = TestFolder::new("draw-wide");
    let monitor = recorded(&folder, RunState::Running);
    let screen = drawn(&monitor, &ChartSelection::default(), 120, 36);
    for part in [
        "cartpole, seed 7  training",
        "Mean return 450 reward per episode (1/5)",
        "evaluated",
        "205K",
        "steps     205K",
        "episodes  3210",
        "1 min 05 s",
        "50 %, 0.2 s left",
        "Speed 842K steps/s",
        "rollout     ███████████ ",
        "60 %",
        "› Mean return",
        "  Entropy                   0.200",
        "rolled back to the best checkpoint",
        "q quit",
    ] {
        assert!(screen.contains(part), "'{part}' is missing in\n{screen}");
    }
    assert!(screen.contains("┌ Entropy 0.200 ─"), "no small curve in\n{screen}");
    assert!(screen.chars().any(|c| ('\u{2801}'..='\u{28FF}').contains(&c)), "no curve in\n{screen}");
    assert!(screen.contains('▇') || screen.contains('█'), "no speed in\n{screen}");
}

#[test]
fn another_curve_and_the_log_scale() {
    let folder = TestFolder::new("draw-log");
    let monitor = recorded(&folder, RunState::Running);
    let name = |index: usize| monitor.curves[index].name.as_str();
    assert_eq!(
        [name(0), name(1), name(2), name(3)],
        ["return_mean", "eval_return_mean", "policy_loss", "entropy"]
    );
    let screen = drawn(&monitor, &ChartSelection { curve: 3, logarithmic: true }, 120, 36);
    assert!(screen.contains("Entropy 0.200 nat (4/5, log scale)"), "{screen}");
    // A negative loss has no logarithm: the chart shows a message.
    let screen = drawn(&monitor, &ChartSelection { curve: 2, logarithmic: true }, 120, 36);
    assert!(screen.contains("no positive value"), "{screen}");
}

#[test]
fn a_narrow_terminal_stacks_and_a_tiny_one_does_not_fail() {
    let folder = TestFolder::new("draw-narrow");
    let monitor = recorded(&folder, RunState::Minutes);
    let screen = drawn(&monitor, &ChartSelection::default(), 50, 40);
    for part in ["time limit reached", "Mean return", "Time profile", "steps     205K", "50 %"] {
        assert!(screen.contains(part), "'{part}' is missing in\n{screen}");
    }
    assert!(!screen.contains(" left"), "{screen}");
    for (width, height) in [(1, 1), (10, 3), (20, 8), (200, 5), (91, 2)] {
        drawn(&monitor, &ChartSelection { curve: 99, logarithmic: true }, width, height);
        drawn(&monitor, &ChartSelection::default(), width, height);
    }
}

#[test]
fn the_stop_reason_is_reported() {
    let folder = TestFolder::new("draw-ended");
    let mut monitor = recorded(&folder, RunState::Reached);
    assert_eq!(monitor.state(), "finished: goal reached");
    monitor.status.state = RunState::Steps;
    assert_eq!(monitor.state(), "finished: all 205K steps done");
    monitor.status.state = RunState::Minutes;
    assert_eq!(monitor.state(), "time limit reached");
}

#[test]
fn metrics_are_read_from_the_log_if_the_monitor_file_is_damaged() {
    let folder = TestFolder::new("draw-unwatched");
    let whole = recorded(&folder, RunState::Running);
    std::fs::write(folder.path().join("run").join(monitor_file::FILE), [7; 20_000]).unwrap();
    let (run, metadata) = RunFolder::open(&folder.path().join("run")).unwrap();
    let mut monitor = RunMonitor::new(run, metadata).unwrap();
    assert!(!monitor.is_running() && monitor.state() == "status from metrics.jsonl", "{}", monitor.state());
    let points = |monitor: &RunMonitor| monitor.curve("return_mean").map(|curve| curve.points().to_vec());
    assert_eq!(points(&monitor), points(&whole));
    let screen = drawn(&monitor, &ChartSelection::default(), 120, 36);
    for part in
        ["not a monitor file", "metrics.jsonl is read instead", "steps     205K", "Speed 800K steps/s"]
    {
        assert!(screen.contains(part), "'{part}' is missing in\n{screen}");
    }
    // New rows are read, and a monitor file that becomes invalid is dropped.
    monitor.poll().unwrap();
    let (run, metadata) = RunFolder::open(&folder.path().join("run")).unwrap();
    // A resumed run locks its folder.
    let (mut resumed, _) = RunFolder::open(run.path()).unwrap();
    resumed.lock().unwrap();
    let (mut recorder, _) =
        MetricsRecorder::open(&resumed, 50 * 4096, 50, "eval_return_mean", DEFAULT_ROWS).unwrap();
    let status = MonitorStatus { heartbeat: now(), ..MonitorStatus::default() };
    recorder.set_status(&status);
    let mut monitor = RunMonitor::new(run, metadata).unwrap();
    assert!(monitor.is_running());
    let file = std::fs::File::options().write(true).open(folder.path().join("run").join(monitor_file::FILE));
    file.unwrap().set_len(9).unwrap();
    monitor.poll().unwrap();
    assert!(!monitor.is_running());
    assert!(monitor.status.notice.contains("metrics.jsonl is read instead"), "{}", monitor.status.notice);
    assert_eq!(points(&monitor), points(&whole));
    // The next status makes the file valid again.
    recorder.set_status(&status);
    monitor.poll().unwrap();
    assert!(monitor.is_running() && monitor.status.notice.is_empty());
}

#[test]
fn the_newest_values_come_before_their_line_and_a_resumed_run_is_read_anew() {
    let folder = TestFolder::new("draw-newest");
    let mut monitor = recorded(&folder, RunState::Running);
    let (run, _) = RunFolder::open(&folder.path().join("run")).unwrap();
    // The run was resumed from an earlier checkpoint.
    let (mut recorder, _) =
        MetricsRecorder::open(&run, 10 * 4096, 10, "eval_return_mean", DEFAULT_ROWS).unwrap();
    let values = vec![("return_mean".to_owned(), 7.0), ("new".to_owned(), 8.0)];
    let row = RecordedRow { steps: 11 * 4096, updates: 11, elapsed: 11.0, values, notice: None };
    recorder.record(&row).unwrap();
    recorder.set_status(&MonitorStatus { started: now() + 1.0, ..MonitorStatus::default() });
    monitor.poll().unwrap();
    let read =
        |monitor: &RunMonitor, name| monitor.curve(name).map(|curve| (curve.points().len(), curve.last()));
    assert_eq!(read(&monitor, "return_mean"), Some((10, 7.0)));
    assert_eq!(read(&monitor, "new"), Some((0, 8.0)));
    recorder.flush().unwrap();
    monitor.poll().unwrap();
    assert_eq!(read(&monitor, "return_mean"), Some((11, 7.0)));
    assert_eq!(read(&monitor, "new"), Some((1, 8.0)));
}

#[test]
fn a_language_model_is_shown_by_its_loss_in_training_and_on_held_out_text() {
    let folder = TestFolder::new("draw-language");
    let metadata =
        RunMetadata { experiment: "language".into(), ..recorded(&folder, RunState::Running).metadata };
    let path = folder.path().join("language");
    let run = RunFolder::create(Some(&path), &metadata, &serde_json::json!({})).unwrap();
    let (mut recorder, _) = MetricsRecorder::open(&run, 0, 0, "eval_likelihood", DEFAULT_ROWS).unwrap();
    for i in 1..=20u64 {
        let values =
            [("loss", 4.0), ("eval_likelihood", -3.5), ("eval_loss", 3.5), ("steps_per_second", 9e3)];
        let values = values.map(|(name, value)| (name.to_owned(), value)).to_vec();
        recorder
            .record(&RecordedRow { steps: i * 64, updates: i, elapsed: i as f64, values, notice: None })
            .unwrap();
    }
    recorder.flush().unwrap();
    let monitor = RunMonitor::new(run, metadata).unwrap();
    let screen = drawn(&monitor, &ChartSelection::default(), 120, 36);
    let summary = crate::monitor::plain::summary(&monitor);
    for text in [&screen, &summary] {
        assert!(text.contains("Evaluated loss") && !text.contains("likelihood"), "{text}");
        assert!(!text.contains("-3.5"), "{text}");
    }
    assert!(screen.contains("evaluated"), "no evaluated loss in the chart\n{screen}");
    assert_eq!(summary.matches("tokens/s").count(), 1, "{summary}");
}

#[test]
fn the_small_curves_are_those_of_the_learner_in_the_config() {
    let folder = TestFolder::new("draw-learner");
    let metadata = recorded(&folder, RunState::Running).metadata;
    for (learner, second) in [("ppo", "policy_loss"), ("dqn", "loss")] {
        let path = folder.path().join(learner);
        let run =
            RunFolder::create(Some(&path), &metadata, &serde_json::json!({ "learner": learner })).unwrap();
        drop(MetricsRecorder::open(&run, 0, 0, "eval_return_mean", DEFAULT_ROWS).unwrap());
        let monitor = RunMonitor::new(run, metadata.clone()).unwrap();
        assert_eq!(monitor.charted_metrics[..2], ["return_mean", second]);
    }
}

#[test]
fn run_names_are_escaped_in_the_terminal() {
    let folder = TestFolder::new("draw-escapes");
    let mut monitor = recorded(&folder, RunState::Running);
    monitor.metadata.experiment = "cart\u{1b}[31mpole".into();
    monitor.metadata.adapter = Some("GPU\u{9b}1m\u{7}".into());
    monitor.status.notice = "rolled\u{1b}]0;back\u{202e}".into();
    monitor.status.phases[0].0 = "up\u{1b}date".into();
    let mut terminal = Terminal::new(TestBackend::new(120, 36)).unwrap();
    terminal.draw(|frame| dashboard(frame, &monitor, &[], &ChartSelection::default())).unwrap();
    let cells: Vec<_> = terminal.backend().buffer().content.iter().map(|cell| cell.symbol()).collect();
    let odd: Vec<_> =
        cells.iter().filter(|symbol| symbol.contains(|c: char| c.is_control() || c == '\u{202e}')).collect();
    assert!(odd.is_empty(), "{odd:?}");
    assert!(cells.concat().contains("rolled"), "{cells:?}");
}

#[test]
fn any_number_can_be_drawn() {
    let folder = TestFolder::new("draw-odd");
    let mut monitor = recorded(&folder, RunState::Running);
    let odd = [f64::MAX, f64::MIN, f64::MIN_POSITIVE, 0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    for value in odd {
        for curve in &mut monitor.curves {
            curve.curve.push(u64::MAX, value);
        }
        monitor.status = MonitorStatus {
            speed: value,
            elapsed: value,
            heartbeat: value,
            steps: u64::MAX,
            phases: vec![("rollout".into(), value), ("update".into(), -1.0)],
            ..monitor.status
        };
        for logarithmic in [false, true] {
            drawn(&monitor, &ChartSelection { curve: 0, logarithmic }, 120, 36);
            drawn(&monitor, &ChartSelection { curve: 4, logarithmic }, 40, 30);
        }
        crate::monitor::plain::summary(&monitor);
    }
}

#[test]
fn the_monitor_follows_a_run_and_reports_when_it_has_died() {
    let folder = TestFolder::new("draw-dead");
    let mut monitor = recorded(&folder, RunState::Running);
    assert!(monitor.is_running());
    monitor.status.heartbeat -= 100.0;
    assert!(
        !monitor.is_running() && monitor.state().starts_with("no heartbeat for 1 min 4"),
        "{}",
        monitor.state()
    );
    monitor.curves[0].label = "A label of more than twenty-two characters".into();
    let text = crate::monitor::plain::summary(&monitor);
    // Values are aligned for any label length.
    let column = |value: &str| {
        let line = text.lines().find(|line| line.contains(value)).unwrap_or_else(|| panic!("{text}"));
        line.find(value)
    };
    assert_eq!(column("60 % of the time"), column("450"), "{text}");
}

#[test]
fn the_speed_of_a_run_that_has_ended_is_the_same_on_a_terminal_and_in_a_pipe() {
    let folder = TestFolder::new("draw-speed");
    for (state, speed) in [(RunState::Running, "842K steps/s"), (RunState::Minutes, "800K steps/s")] {
        let monitor = recorded(&folder, state);
        let screen = drawn(&monitor, &ChartSelection::default(), 120, 36);
        let plain = crate::monitor::plain::summary(&monitor);
        assert!(screen.contains(&format!("Speed {speed}")), "{screen}");
        assert!(plain.lines().any(|line| line.starts_with("  speed ") && line.ends_with(speed)), "{plain}");
        std::fs::remove_dir_all(folder.path().join("run")).unwrap();
    }
}

/// Returns the colors of the braille characters (curves) on the screen.
fn curve_colors(monitor: &RunMonitor, compared: &[ComparedRun], selection: &ChartSelection) -> Vec<Color> {
    let mut terminal = Terminal::new(TestBackend::new(120, 36)).unwrap();
    terminal.draw(|frame| dashboard(frame, monitor, compared, selection)).unwrap();
    let cells = terminal.backend().buffer().content.iter();
    let is_curve = |symbol: &str| symbol.chars().any(|c| ('\u{2801}'..='\u{28FF}').contains(&c));
    let mut colors: Vec<_> = cells.filter(|cell| is_curve(cell.symbol())).map(|cell| cell.fg).collect();
    colors.dedup();
    colors
}

#[test]
fn compared_runs_are_drawn_with_a_legend_and_share_the_axes() {
    let folder = TestFolder::new("draw-compared");
    let monitor = recorded(&folder, RunState::Running);
    let compared = [("slow", 3.0), ("a/path/that/is/too/long/for/the/legend/fast", 18.0)];
    let compared = compared.map(|(name, slope)| ComparedRun {
        name: name.to_owned(),
        monitor: recorded_as(&folder, &slope.to_string(), RunState::Steps, slope),
    });
    let selection = ChartSelection::default();
    let mut terminal = Terminal::new(TestBackend::new(120, 36)).unwrap();
    terminal.draw(|frame| dashboard(frame, &monitor, &compared, &selection)).unwrap();
    let screen = terminal.backend().to_string();
    for part in
        ["│this run                │", "slow", "│…ong/for/the/legend/fast│", "evaluated", "Mean return 450"]
    {
        assert!(screen.contains(part), "'{part}' is missing in\n{screen}");
    }
    // The axis includes the values of the compared runs, up to 900.
    assert!(screen.contains("945") && !drawn(&monitor, &selection, 120, 36).contains("945"), "{screen}");
    let colors = curve_colors(&monitor, &compared, &selection);
    let alone = curve_colors(&monitor, &[], &selection);
    for color in [Color::Magenta, Color::Green] {
        assert!(colors.contains(&color) && !alone.contains(&color), "{color} in {colors:?}, {alone:?}");
    }
    // A study may have more runs than there are colors.
    let seeds = ["s1", "s2", "s3", "s4", "s5", "s6", "s7"].map(|name| ComparedRun {
        name: name.into(),
        monitor: recorded_as(&folder, name, RunState::Steps, 3.0),
    });
    terminal.draw(|frame| dashboard(frame, &monitor, &seeds, &selection)).unwrap();
    let screen = terminal.backend().to_string();
    assert!(seeds.iter().all(|run| screen.contains(&run.name)), "{screen}");
    // A run without positive values is not in the legend of a logarithmic chart.
    let of_other =
        ComparedRun { name: "other".into(), monitor: recorded_as(&folder, "other", RunState::Steps, -1.0) };
    let logarithmic = ChartSelection { logarithmic: true, ..ChartSelection::default() };
    terminal.draw(|frame| dashboard(frame, &monitor, &[of_other], &logarithmic)).unwrap();
    let screen = terminal.backend().to_string();
    assert!(!screen.contains("other"), "{screen}");
}

//! The dashboard as it is drawn.

use super::charts;
use super::plain::phase_shares;
use super::watch::Watch;
use crate::text;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Gauge, Paragraph, Sparkline};

/// What the person looks at.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Index of the curve.
    pub curve: usize,
    /// Whether values are drawn by their logarithm.
    pub logarithmic: bool,
}

pub(super) const ACCENT: Style = Style::new().fg(Color::Cyan);
pub(super) const QUIET: Style = Style::new().fg(Color::DarkGray);
const STRONG: Style = Style::new().add_modifier(Modifier::BOLD);

/// Terminals at least this wide have the numbers beside the chart, others below it.
const WIDE: u16 = 90;

/// Draws everything. Ratatui leaves out control characters of what files and other programs have named.
pub fn dashboard(frame: &mut Frame, watch: &Watch, choice: &Choice) {
    let notice = u16::from(!watch.status.notice.is_empty());
    let [head, body, told, keys] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Min(0),
        Constraint::Length(notice),
        Constraint::Length(1),
    ])
    .areas(frame.area());
    frame.render_widget(title(watch), head);
    frame.render_widget(Paragraph::new(Span::styled(watch.status.notice.as_str(), STRONG)), told);
    frame.render_widget(Paragraph::new(Span::styled("q quit · tab ← → curve · l log scale", QUIET)), keys);

    let phases = watch.status.phases.len() as u16 + 2;
    if body.width >= WIDE {
        let [chart, side] = Layout::horizontal([Constraint::Min(40), Constraint::Length(38)]).areas(body);
        let [progress, throughput, time, values] = Layout::vertical([
            Constraint::Length(6),
            Constraint::Length(5),
            Constraint::Length(phases),
            Constraint::Min(0),
        ])
        .areas(side);
        charts::curves(frame, chart, watch, choice);
        run(frame, progress, watch);
        speed(frame, throughput, watch);
        time_shares(frame, time, watch);
        newest(frame, values, watch, choice);
    } else {
        let room = body.height.saturating_sub(10);
        let [chart, progress, throughput, time] = Layout::vertical([
            Constraint::Min(10),
            Constraint::Length(if room >= 6 { 6 } else { 0 }),
            Constraint::Length(if room >= 11 { 5 } else { 0 }),
            Constraint::Length(if room >= 11 + phases { phases } else { 0 }),
        ])
        .areas(body);
        charts::curve(frame, chart, watch, choice);
        run(frame, progress, watch);
        speed(frame, throughput, watch);
        time_shares(frame, time, watch);
    }
}

fn title(watch: &Watch) -> Paragraph<'static> {
    let state = if watch.is_alive() { ACCENT } else { STRONG };
    Paragraph::new(Line::from(vec![
        Span::styled("vivarium ", QUIET),
        Span::styled(watch.about.experiment.clone(), STRONG),
        Span::raw(format!(", seed {}  ", watch.about.seed)),
        Span::styled(watch.state(), state),
    ]))
}

pub(super) fn panel(title: String) -> Block<'static> {
    Block::bordered().border_style(QUIET).title(Span::styled(title, STRONG))
}

/// How far it is: a gauge where there is an end in sight.
fn run(frame: &mut Frame, area: Rect, watch: &Watch) {
    let status = &watch.status;
    let block = panel(" Run ".into());
    let inside = block.inner(area);
    frame.render_widget(block, area);
    let [lines, gauge] = Layout::vertical([Constraint::Min(0), Constraint::Length(1)]).areas(inside);
    let mut numbers = vec![Line::raw(format!("{:<10}{}", watch.measures.unit, text::whole(status.steps)))];
    if watch.measures.has_episodes {
        numbers.push(Line::raw(format!("{:<10}{}", "episodes", text::whole(status.episodes))));
    }
    numbers.push(Line::raw(format!("{:<10}{}", "time", text::duration(status.elapsed))));
    frame.render_widget(Paragraph::new(numbers), lines);
    if let Some(goal) = status.goal_steps.filter(|goal| *goal > 0) {
        let ratio = (status.steps as f64 / goal as f64).clamp(0.0, 1.0);
        let left = goal.saturating_sub(status.steps) as f64 / status.speed;
        let to_go =
            if watch.is_alive() { format!(", {} to go", text::duration(left)) } else { String::new() };
        let label = format!("{:.0} %{to_go}", ratio * 100.0);
        frame.render_widget(Gauge::default().gauge_style(ACCENT).ratio(ratio).label(label), gauge);
    } else {
        frame.render_widget(
            Paragraph::new(format!("{:<10}{}", "updates", text::whole(status.updates))),
            gauge,
        );
    }
}

/// Steps or epochs a second over the whole run.
fn speed(frame: &mut Frame, area: Rect, watch: &Watch) {
    let shown = if watch.is_alive() {
        watch.status.speed
    } else {
        watch.curve("steps_per_second").map_or(0.0, super::curve::Curve::last)
    };
    let block = panel(format!(" Throughput {} {}/s ", text::number(shown), watch.measures.unit));
    let width = usize::from(block.inner(area).width);
    let data: Vec<u64> = watch
        .curve("steps_per_second")
        .map(|curve| curve.binned(width).into_iter().map(|speed| speed.clamp(0.0, 1e15) as u64).collect())
        .unwrap_or_default();
    frame.render_widget(Sparkline::default().style(ACCENT).data(data).block(block), area);
}

/// Where the time goes.
fn time_shares(frame: &mut Frame, area: Rect, watch: &Watch) {
    let block = panel(" Where the time goes ".into());
    let room = usize::from(block.inner(area).width).saturating_sub(12 + 6);
    let lines: Vec<Line> = phase_shares(watch)
        .into_iter()
        .map(|(name, share)| {
            let filled = (share / 100.0 * room as f64).round() as usize;
            Line::from(vec![
                Span::raw(format!("{name:<12}")),
                Span::styled(format!("{:<room$}", "█".repeat(filled.min(room))), ACCENT),
                Span::raw(format!("{share:>4.0} %")),
            ])
        })
        .collect();
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

/// The newest value of every curve: also the list of what there is to choose.
fn newest(frame: &mut Frame, area: Rect, watch: &Watch, choice: &Choice) {
    let block = panel(" Newest ".into());
    let room = usize::from(block.inner(area).height).max(1);
    // The chosen one stays in sight where there are more than fit.
    let first = (choice.curve + 1).saturating_sub(room);
    let lines: Vec<Line> = watch
        .curves
        .iter()
        .enumerate()
        .skip(first)
        .map(|(i, known)| {
            let style = if i == choice.curve { ACCENT.add_modifier(Modifier::BOLD) } else { Style::new() };
            let mark = if i == choice.curve { "›" } else { " " };
            Line::styled(format!("{mark} {:<22}{:>9}", known.label, text::number(known.curve.last())), style)
        })
        .collect();
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::ring::{State, Status};
    use crate::run::rows::Row;
    use crate::run::{About, Recorder, RunFolder, now};
    use crate::test_folder::TestFolder;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    fn recorded(folder: &TestFolder, state: State) -> Watch {
        let about = About {
            experiment: "cartpole".into(),
            seed: 7,
            engine: "cpu".into(),
            adapter: None,
            threads: 2,
            started: 0.0,
            program: String::new(),
        };
        let path = folder.path().join("run");
        let run = RunFolder::create(Some(&path), &about, &serde_json::json!({})).unwrap();
        let (mut recorder, _) = Recorder::open(&run, 0, 0, "eval_return_mean").unwrap();
        for i in 1..=50u64 {
            let mut values = vec![
                ("return_mean".to_owned(), i as f64 * 9.0),
                ("entropy".to_owned(), 0.7 - i as f64 * 0.01),
                ("policy_loss".to_owned(), -0.01),
                ("steps_per_second".to_owned(), 800_000.0 + i as f64),
            ];
            if i % 10 == 0 {
                values.push(("eval_return_mean".into(), i as f64 * 9.5));
            }
            recorder
                .record(&Row { steps: i * 4096, updates: i, elapsed: i as f64, values, notice: None })
                .unwrap();
        }
        recorder.set_status(&Status {
            state,
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
        let (run, about) = RunFolder::open(&path).unwrap();
        Watch::new(run, about).unwrap()
    }

    fn drawn(watch: &Watch, choice: &Choice, width: u16, height: u16) -> String {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| dashboard(frame, watch, choice)).unwrap();
        terminal.backend().to_string()
    }

    #[test]
    fn a_wide_terminal_shows_everything() {
        let folder = TestFolder::new("draw-wide");
        let watch = recorded(&folder, State::Running);
        let screen = drawn(&watch, &Choice::default(), 120, 36);
        for part in [
            "cartpole, seed 7  training",
            "Mean return 450 reward per episode (1/5)",
            "evaluated",
            "205K",
            "steps     205K",
            "episodes  3210",
            "1 min 05 s",
            "50 %, 0.2 s to go",
            "Throughput 842K steps/s",
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
        assert!(screen.contains('▇') || screen.contains('█'), "no throughput in\n{screen}");
    }

    #[test]
    fn another_curve_and_the_log_scale() {
        let folder = TestFolder::new("draw-log");
        let watch = recorded(&folder, State::Running);
        let name = |index: usize| watch.curves[index].name.as_str();
        assert_eq!(
            [name(0), name(1), name(2), name(3)],
            ["return_mean", "eval_return_mean", "policy_loss", "entropy"]
        );
        let screen = drawn(&watch, &Choice { curve: 3, logarithmic: true }, 120, 36);
        assert!(screen.contains("Entropy 0.200 nat (4/5, log scale)"), "{screen}");
        // A negative loss has no logarithm: the chart says so instead of failing.
        let screen = drawn(&watch, &Choice { curve: 2, logarithmic: true }, 120, 36);
        assert!(screen.contains("no value above zero"), "{screen}");
    }

    #[test]
    fn a_narrow_terminal_stacks_and_a_tiny_one_does_not_fail() {
        let folder = TestFolder::new("draw-narrow");
        let watch = recorded(&folder, State::Finished);
        let screen = drawn(&watch, &Choice::default(), 50, 40);
        for part in ["finished", "Mean return", "Where the time goes", "steps     205K", "50 %"] {
            assert!(screen.contains(part), "'{part}' is missing in\n{screen}");
        }
        assert!(!screen.contains("to go"), "{screen}");
        for (width, height) in [(1, 1), (10, 3), (20, 8), (200, 5), (91, 2)] {
            drawn(&watch, &Choice { curve: 99, logarithmic: true }, width, height);
            drawn(&watch, &Choice::default(), width, height);
        }
    }

    #[test]
    fn what_a_run_is_called_does_not_command_the_terminal() {
        let folder = TestFolder::new("draw-escapes");
        let mut watch = recorded(&folder, State::Running);
        watch.about.experiment = "cart\u{1b}[31mpole".into();
        watch.about.adapter = Some("GPU\u{9b}1m\u{7}".into());
        watch.status.notice = "rolled\u{1b}]0;back\u{202e}".into();
        watch.status.phases[0].0 = "up\u{1b}date".into();
        let mut terminal = Terminal::new(TestBackend::new(120, 36)).unwrap();
        terminal.draw(|frame| dashboard(frame, &watch, &Choice::default())).unwrap();
        let cells: Vec<_> = terminal.backend().buffer().content.iter().map(|cell| cell.symbol()).collect();
        let odd: Vec<_> = cells
            .iter()
            .filter(|symbol| symbol.contains(|c: char| c.is_control() || c == '\u{202e}'))
            .collect();
        assert!(odd.is_empty(), "{odd:?}");
        assert!(cells.concat().contains("rolled"), "{cells:?}");
    }

    #[test]
    fn no_number_is_too_odd_to_draw() {
        let folder = TestFolder::new("draw-odd");
        let mut watch = recorded(&folder, State::Running);
        let odd =
            [f64::MAX, f64::MIN, f64::MIN_POSITIVE, 0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
        for value in odd {
            for curve in &mut watch.curves {
                curve.curve.push(u64::MAX, value);
            }
            watch.status = Status {
                speed: value,
                elapsed: value,
                heartbeat: value,
                steps: u64::MAX,
                phases: vec![("rollout".into(), value), ("update".into(), -1.0)],
                ..watch.status
            };
            for logarithmic in [false, true] {
                drawn(&watch, &Choice { curve: 0, logarithmic }, 120, 36);
                drawn(&watch, &Choice { curve: 4, logarithmic }, 40, 30);
            }
            super::super::plain::summary(&watch);
        }
    }

    #[test]
    fn a_watcher_follows_and_tells_when_a_run_dies() {
        let folder = TestFolder::new("draw-dead");
        let mut watch = recorded(&folder, State::Running);
        assert!(watch.is_alive());
        watch.status.heartbeat -= 100.0;
        assert!(
            !watch.is_alive() && watch.state().starts_with("no sign of life for 1 min 4"),
            "{}",
            watch.state()
        );
        watch.curves[0].label = "A label of more than twenty-two characters".into();
        let text = super::super::plain::summary(&watch);
        // The values stand below each other, whatever the longest label.
        let column = |value: &str| {
            let line = text.lines().find(|line| line.contains(value)).unwrap_or_else(|| panic!("{text}"));
            line.find(value)
        };
        assert_eq!(column("60 % of the time"), column("450"), "{text}");
    }
}

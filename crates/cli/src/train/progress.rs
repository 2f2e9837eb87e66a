//! Progress display of a run: a progress bar on a terminal, otherwise log lines at growing intervals.

use crate::terminal::Verbosity;
use crate::{terminal, text};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;

/// Progress of a run, as shown by the progress bar.
#[derive(Clone, Debug, Default)]
pub struct ProgressSnapshot {
    /// Completed share of the run, 0 to 1; `None` if the share cannot be estimated.
    pub done: Option<f64>,
    /// Training time of the run in seconds, over all sessions.
    pub elapsed: f64,
    /// Unit of the training steps, such as "steps" or "tokens".
    pub unit: &'static str,
    /// Number of training steps so far.
    pub steps: u64,
    /// Number of training steps at which the run stops; `None` without a step limit.
    pub goal_steps: Option<u64>,
    /// Training speed in steps per second; 0 before the first measurement.
    pub speed: f64,
    /// Short texts about the state of the learner, such as "return 312", most important first.
    pub status: Vec<String>,
    /// Remaining time in seconds; `None` if the time cannot be estimated.
    pub to_go: Option<f64>,
    /// Name of the GPU adapter; `None` on the CPU.
    pub adapter: Option<String>,
}

impl ProgressSnapshot {
    /// Returns the snapshot with the progress of an evaluation instead of the learner's state. `share` is the
    /// completed share of the evaluation, 0 to 1.
    pub fn during_evaluation(&self, share: f64, elapsed: f64) -> Self {
        let status = vec![format!("evaluating: {:.0} %", 100.0 * share)];
        Self { status, elapsed, to_go: None, ..self.clone() }
    }

    /// Formats steps, speed, status and remaining time as one line of at most `width` columns. Parts that do not fit
    /// are omitted; more important parts take precedence.
    fn format_line(&self, width: usize) -> String {
        let unit = self.unit;
        let goal = self.goal_steps.map_or(String::new(), |goal| format!("/{}", text::whole(goal)));
        let mut parts = vec![format!("{}{goal} {unit}", text::whole(self.steps))];
        // The speed is 0 before the first measurement.
        if self.speed > 0.0 {
            parts.push(format!("{} {unit}/s", text::number(self.speed)));
        }
        parts.extend_from_slice(&self.status);
        parts.push(match self.to_go {
            Some(seconds) => format!("{} left", text::duration(seconds)),
            None => text::duration(self.elapsed),
        });
        parts.extend(self.adapter.as_ref().map(|adapter| format!("on {adapter}")));
        let mut line = String::new();
        for part in parts {
            let gap = if line.is_empty() { "" } else { " · " };
            if line.chars().count() + gap.len() + part.chars().count() <= width {
                line = line + gap + &part;
            }
        }
        line
    }
}

/// Layout of the progress bar, which depends on the terminal width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BarLayout {
    /// The bar has not been drawn yet.
    None,
    /// Progress text without a bar, for less than 50 columns.
    Narrow,
    /// Short bar and progress text, for 50 to 89 columns.
    Middle,
    /// Bar, percentage and progress text, for at least 90 columns.
    Wide,
}

/// Display of progress on standard error.
pub enum ProgressDisplay {
    /// A progress bar, for a terminal.
    Bar {
        /// Progress bar that is drawn on standard error.
        bar: ProgressBar,
        /// Layout in which the progress bar was drawn last.
        layout: BarLayout,
    },
    /// Lines at growing intervals, for a file or pipe.
    Lines {
        /// Training time in seconds at which the next line is printed; `None` before the first update.
        next: Option<f64>,
    },
}

impl ProgressDisplay {
    /// Creates a progress bar if standard error is a terminal and shows messages, otherwise a display that prints lines.
    pub fn new() -> Self {
        if terminal::verbosity() == Verbosity::Quiet || !std::io::stderr().is_terminal() {
            return Self::Lines { next: None };
        }
        let bar = ProgressBar::with_draw_target(Some(1000), ProgressDrawTarget::stderr_with_hz(10));
        Self::Bar { bar, layout: BarLayout::None }
    }

    /// Updates the progress bar. Without a terminal, prints a line if the next line is due.
    pub fn show(&mut self, snapshot: &ProgressSnapshot) {
        match self {
            Self::Bar { bar, layout } => {
                // The terminal may have been resized.
                let width = console_width();
                let (wanted, template, room) = match width {
                    0..50 => (BarLayout::Narrow, "{msg}", width),
                    50..90 => (BarLayout::Middle, "{bar:12} {msg}", width - 14),
                    _ => (BarLayout::Wide, "{bar:24} {percent:>3} %  {msg}", width - 34),
                };
                if *layout != wanted
                    && let Ok(style) = ProgressStyle::with_template(template)
                {
                    bar.set_style(style.progress_chars("━╸─"));
                    *layout = wanted;
                }
                bar.set_position((snapshot.done.unwrap_or(0.0).clamp(0.0, 1.0) * 1000.0) as u64);
                bar.set_message(snapshot.format_line(room));
            }
            Self::Lines { next } => {
                let due = *next.get_or_insert(snapshot.elapsed + 2.0);
                if snapshot.elapsed >= due {
                    terminal::print_message(&snapshot.format_line(usize::MAX));
                    // At most one minute between two lines.
                    *next = Some(snapshot.elapsed + (snapshot.elapsed / 2.0).clamp(2.0, 60.0));
                }
            }
        }
    }

    /// Calls `print` while the progress bar is hidden.
    pub fn suspend(&self, print: impl FnOnce()) {
        match self {
            Self::Bar { bar, .. } => bar.suspend(print),
            Self::Lines { .. } => print(),
        }
    }

    /// Removes the progress bar from the terminal.
    pub fn end(&self) {
        if let Self::Bar { bar, .. } = self {
            bar.finish_and_clear();
        }
    }
}

/// Returns the width of the terminal in columns; 80 if the width cannot be determined.
fn console_width() -> usize {
    ratatui::crossterm::terminal::size().map_or(80, |(columns, _)| usize::from(columns))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_line_keeps_the_most_important_parts() {
        let snapshot = ProgressSnapshot {
            done: Some(0.5),
            elapsed: 12.0,
            unit: "steps",
            steps: 1_200_000,
            goal_steps: Some(2_000_000),
            speed: 842_000.0,
            status: vec!["return 312".into(), "from 280".into()],
            to_go: Some(75.0),
            adapter: None,
        };
        assert_eq!(
            snapshot.format_line(100),
            "1.20M/2.00M steps · 842K steps/s · return 312 · from 280 · 1 min 15 s left"
        );
        assert_eq!(snapshot.format_line(34), "1.20M/2.00M steps · 842K steps/s");
        assert_eq!(snapshot.format_line(3), "");
        let early = ProgressSnapshot {
            goal_steps: None,
            status: Vec::new(),
            to_go: None,
            unit: "epochs",
            ..snapshot
        };
        assert_eq!(early.format_line(100), "1.20M epochs · 842K epochs/s · 12 s");
        assert_eq!(
            early.during_evaluation(0.354, 42.0).format_line(100),
            "1.20M epochs · 842K epochs/s · evaluating: 35 % · 42 s"
        );
        assert_eq!(ProgressSnapshot { speed: 0.0, ..early.clone() }.format_line(100), "1.20M epochs · 12 s");
        let on_gpu = ProgressSnapshot { adapter: Some("NVIDIA H200".into()), ..early };
        assert_eq!(on_gpu.format_line(100), "1.20M epochs · 842K epochs/s · 12 s · on NVIDIA H200");
    }
}

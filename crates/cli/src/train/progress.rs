//! What a person sees of a run in the terminal: a bar where there is one, a line now and then where there is none.

use crate::{terminal, text};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;

/// How far a run is, for a person.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// Share of what was asked for that is done, from 0 to 1; nothing where nobody can know.
    pub done: Option<f64>,
    /// Seconds of training.
    pub elapsed: f64,
    /// What steps are called.
    pub unit: &'static str,
    /// Steps.
    pub steps: u64,
    /// Steps at which it ends.
    pub goal_steps: Option<u64>,
    /// Steps a second.
    pub speed: f64,
    /// How the learner stands, the most telling part first.
    pub status: Vec<String>,
    /// Seconds to go; nothing where nobody can know.
    pub to_go: Option<f64>,
    /// The GPU that it trains on, if it does.
    pub adapter: Option<String>,
}

impl Snapshot {
    /// The same while it is evaluated: `share` of that is done, after so many seconds of training in all.
    pub fn evaluating(&self, share: f64, elapsed: f64) -> Self {
        let status = vec![format!("evaluating: {:.0} %", 100.0 * share)];
        Self { status, elapsed, to_go: None, ..self.clone() }
    }

    /// What is done, how fast, how long to go: as many of the parts, the most telling first, as fit into `width`.
    fn line(&self, width: usize) -> String {
        let unit = self.unit;
        let goal = self.goal_steps.map_or(String::new(), |goal| format!("/{}", text::whole(goal)));
        let mut parts = vec![format!("{}{goal} {unit}", text::whole(self.steps))];
        // Before anything is known of the speed it is 0.
        if self.speed > 0.0 {
            parts.push(format!("{} {unit}/s", text::number(self.speed)));
        }
        parts.extend_from_slice(&self.status);
        parts.push(match self.to_go {
            Some(seconds) => format!("{} to go", text::duration(seconds)),
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

/// How much of the bar fits the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Not drawn yet.
    None,
    /// Words alone.
    Narrow,
    /// A short bar before the words.
    Middle,
    /// A bar and its percentage before the words.
    Wide,
}

/// Shows progress on standard error.
pub enum Display {
    /// A bar that is drawn over.
    Bar {
        /// The bar.
        bar: ProgressBar,
        /// How it is laid out at this moment.
        layout: Layout,
    },
    /// Lines, further and further apart: for a file or a pipe.
    Lines {
        /// Seconds of training at which the next is due, known from the first look on.
        next: Option<f64>,
    },
}

impl Display {
    /// What suits where standard error goes.
    pub fn new() -> Self {
        if !std::io::stderr().is_terminal() {
            return Self::Lines { next: None };
        }
        let bar = ProgressBar::with_draw_target(Some(1000), ProgressDrawTarget::stderr_with_hz(10));
        Self::Bar { bar, layout: Layout::None }
    }

    /// Shows how far it is.
    pub fn show(&mut self, snapshot: &Snapshot) {
        match self {
            Self::Bar { bar, layout } => {
                // The window may have been resized since.
                let width = console_width();
                let (wanted, template, room) = match width {
                    0..50 => (Layout::Narrow, "{msg}", width),
                    50..90 => (Layout::Middle, "{bar:12} {msg}", width - 14),
                    _ => (Layout::Wide, "{bar:24} {percent:>3} %  {msg}", width - 34),
                };
                if *layout != wanted
                    && let Ok(style) = ProgressStyle::with_template(template)
                {
                    bar.set_style(style.progress_chars("━╸─"));
                    *layout = wanted;
                }
                bar.set_position((snapshot.done.unwrap_or(0.0).clamp(0.0, 1.0) * 1000.0) as u64);
                bar.set_message(snapshot.line(room));
            }
            Self::Lines { next } => {
                let due = *next.get_or_insert(snapshot.elapsed + 2.0);
                if snapshot.elapsed >= due {
                    terminal::aside(&snapshot.line(usize::MAX));
                    // A long run in a log file: a line every minute at last.
                    *next = Some(snapshot.elapsed + (snapshot.elapsed / 2.0).clamp(2.0, 60.0));
                }
            }
        }
    }

    /// Says something above the bar.
    pub fn say(&self, line: &str) {
        match self {
            Self::Bar { bar, .. } => bar.suspend(|| terminal::aside(line)),
            Self::Lines { .. } => terminal::aside(line),
        }
    }

    /// Takes the bar away.
    pub fn end(&self) {
        if let Self::Bar { bar, .. } = self {
            bar.finish_and_clear();
        }
    }
}

/// Columns of the terminal; 80 where that cannot be known.
fn console_width() -> usize {
    ratatui::crossterm::terminal::size().map_or(80, |(columns, _)| usize::from(columns))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_line_keeps_what_matters_most() {
        let snapshot = Snapshot {
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
            snapshot.line(100),
            "1.20M/2.00M steps · 842K steps/s · return 312 · from 280 · 1 min 15 s to go"
        );
        assert_eq!(snapshot.line(34), "1.20M/2.00M steps · 842K steps/s");
        assert_eq!(snapshot.line(3), "");
        let early =
            Snapshot { goal_steps: None, status: Vec::new(), to_go: None, unit: "epochs", ..snapshot };
        assert_eq!(early.line(100), "1.20M epochs · 842K epochs/s · 12 s");
        assert_eq!(
            early.evaluating(0.354, 42.0).line(100),
            "1.20M epochs · 842K epochs/s · evaluating: 35 % · 42 s"
        );
        assert_eq!(Snapshot { speed: 0.0, ..early.clone() }.line(100), "1.20M epochs · 12 s");
        let on_gpu = Snapshot { adapter: Some("NVIDIA H200".into()), ..early };
        assert_eq!(on_gpu.line(100), "1.20M epochs · 842K epochs/s · 12 s · on NVIDIA H200");
    }
}

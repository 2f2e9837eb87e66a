//! Equity losses of the human player in a session.

use crate::text::{self, fixed};
use std::path::Path;
use vivarium_exhibit_games::match_analysis::{MARKS, PlayerTotal};

/// Sums over the plays and doubling decisions of the human player.
#[derive(Default)]
pub struct SessionErrors {
    total: PlayerTotal,
    /// Number of errors of each mark, in the order of [`MARKS`].
    marks: [u32; MARKS.len()],
}

impl SessionErrors {
    /// Adds a play with a choice, which loses `error`.
    pub fn add_play(&mut self, error: f64) {
        self.total.plays += 1;
        self.total.play_error += error;
        self.count_mark(error);
    }

    /// Adds a doubling decision, which loses `error`.
    pub fn add_doubling(&mut self, error: f64) {
        self.total.doubling_decisions += 1;
        self.total.doubling_error += error;
        self.count_mark(error);
    }

    fn count_mark(&mut self, error: f64) {
        if let Some(mark) = MARKS.iter().position(|(least, _)| error >= *least) {
            self.marks[mark] += 1;
        }
    }

    /// Formats the summary of the session, and how to analyze it. `recorded`: file of the recorded games. Returns `None` without
    /// decisions.
    pub fn text(&self, recorded: Option<&Path>) -> Option<String> {
        let PlayerTotal { plays, play_error, doubling_decisions, doubling_error, .. } = self.total;
        let (rate, rating) = self.total.error_rate().zip(self.total.performance_rating())?;
        let marks = MARKS.iter().zip(self.marks).map(|((_, mark), count)| format!("{mark} {count}"));
        let analysis = recorded.map_or(
            "record the games by --record games.sgf, then enter vivarium analyze games.sgf".to_owned(),
            |path| format!("vivarium analyze {}", path.display()),
        );
        Some(format!(
            "Your {} with a choice lost {}, your {} {}. Errors by mark: {}. Mean equity loss per decision {}, performance rating (PR) {}, \
             by the evaluations of hint.\nAnalysis of both players, with luck: {analysis}",
            text::count(plays.into(), "play"),
            fixed(play_error, 3),
            text::count(doubling_decisions.into(), "doubling decision"),
            fixed(doubling_error, 3),
            marks.collect::<Vec<_>>().join(", "),
            fixed(rate, 3),
            fixed(rating, 1)
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_has_the_performance_rating_of_the_analysis() {
        let mut errors = SessionErrors::default();
        assert_eq!(errors.text(None), None);
        [0.0, 0.2, 0.07].into_iter().for_each(|error| errors.add_play(error));
        errors.add_doubling(0.03);
        let text = errors.text(Some(Path::new("my.mat"))).unwrap();
        for words in [
            "3 plays with a choice lost 0.270, your 1 doubling decision 0.030.",
            "Errors by mark: ?? 1, ? 1, ?! 1.",
            "Mean equity loss per decision 0.075, performance rating (PR) 37.5",
            "vivarium analyze my.mat",
        ] {
            assert!(text.contains(words), "{words:?} is missing in {text}");
        }
        assert!(errors.text(None).unwrap().contains("--record games.sgf"));
    }
}

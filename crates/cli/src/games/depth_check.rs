//! Comparison of a doubling decision at the default search depth with a deeper search: a large difference is a sign of an
//! inaccurate evaluation.

use super::doubling_text::{DoublingAdvice, decide};
use super::equity_table::EquityTable;
use crate::text::fixed;
use serde_json::{Value, json};
use vivarium_envs::backgammon::doubling::DoublingMethod;
use vivarium_envs::backgammon::{Match, Position};
use vivarium_exhibit_games::advice::race::RaceMethod;
use vivarium_exhibit_games::advice::{Expectimax, MAX_PLIES, plies_text};

/// Difference of the winning probabilities from which two evaluations are reported as different.
///
/// Of the 300 positions in `crates/envs/tests/fixtures/gnubg_doubling.txt`, 10 % exceed it or have another best action. Their winning
/// probabilities at 1 ply differ from those of GNU Backgammon by 5.1 percentage points on average, those of the other positions by
/// 2.4. With 2 percentage points, 20 % are reported (4.1 against 2.3); with 4, 6 % (5.5 against 2.5).
const WIN_DIFFERENCE: f32 = 0.03;

/// Doubling decisions of one position at two search depths.
pub struct DepthCheck {
    /// Winning probabilities at the default depth, and at [`MAX_PLIES`].
    wins: [f32; 2],
    /// Best actions in the same order; `None` without a doubling decision.
    best: [Option<String>; 2],
    probabilities: [f32; 5],
    equity: f64,
}

impl DepthCheck {
    /// Evaluates a position with contact before the roll at [`MAX_PLIES`]. Returns `None` for races and bear-offs, which are evaluated
    /// without a search. `advice`: the decision at the default depth.
    ///
    /// # Errors
    /// A message if the evaluation fails.
    pub fn new(
        advice: &DoublingAdvice,
        position: &Position,
        state: &Match,
        deepest: &mut Expectimax,
        equity_table: &EquityTable,
    ) -> Result<Option<Self>, String> {
        let is_exact = advice.decided.is_ok_and(|decided| decided.method != DoublingMethod::Janowski);
        if is_exact || RaceMethod::of(position).is_some() {
            return Ok(None);
        }
        let deep = decide(position, state, deepest, equity_table)?;
        let best = |advice: &DoublingAdvice| Some(advice.decided.ok()?.best(state.doubled));
        Ok(Some(Self {
            wins: [advice.probabilities[0], deep.probabilities[0]],
            best: [best(advice), best(&deep)],
            probabilities: deep.probabilities,
            equity: deep.equity,
        }))
    }

    /// Returns whether the best action differs, or the winning probability by more than 3 percentage points.
    fn differs(&self) -> bool {
        let [win, deep_win] = self.wins;
        self.best[0] != self.best[1] || (win - deep_win).abs() > WIN_DIFFERENCE
    }

    /// Formats a difference as a sentence, which recommends the command `rollout`. Returns `None` without a difference.
    pub fn text(&self, rollout: &str) -> Option<String> {
        let result = |at: usize| {
            let best = self.best[at].as_ref().map_or(String::new(), |best| format!(" ({best})"));
            format!("{} %{best}", fixed(100.0 * f64::from(self.wins[at]), 1))
        };
        self.differs().then(|| {
            format!(
                "The evaluation depends on the search depth: win {} at {}, {} at {}. Check the decision by hint --plies {MAX_PLIES} and by \
                 {rollout}",
                result(0),
                plies_text(1),
                result(1),
                plies_text(MAX_PLIES)
            )
        })
    }

    /// Returns the deeper evaluation as JSON.
    pub fn json(&self) -> Value {
        json!({
            "plies": MAX_PLIES,
            "probabilities": self.probabilities,
            "equity": self.equity,
            "best": self.best[1],
            "differs": self.differs(),
        })
    }
}

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
/// probabilities at 1 ply differ from GNU Backgammon by 5.1 percentage points on average, the probabilities of the other positions by
/// 2.4. With 2 percentage points, 20 % are reported (4.1 against 2.3); with 4, 6 % (5.5 against 2.5). The command
/// `cargo test --release -p vivarium-cli --bins depth_check -- --ignored --nocapture` prints these figures.
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

#[cfg(test)]
mod tests {
    use super::super::adviser_args::AdviserArgs;
    use super::*;
    use clap::Parser;
    use vivarium_envs::backgammon::Xgid;
    use vivarium_exhibit_games::advice::StopSignal;

    const RECORD: &str = include_str!("../../../envs/tests/fixtures/gnubg_doubling.txt");

    #[derive(Parser)]
    struct Defaults {
        #[command(flatten)]
        adviser: AdviserArgs,
    }

    #[test]
    #[ignore = "takes a minute; prints the figures of the threshold"]
    fn reported_decisions_differ_more_from_gnu_backgammon() {
        let args = Defaults::parse_from(["hint"]).adviser;
        let network = args.evaluator().unwrap();
        let mut adviser = args.adviser(network.clone(), 1, StopSignal::default()).unwrap();
        let mut deepest = args.deepest_adviser(network).unwrap().unwrap();
        let equity_table = EquityTable::computed();
        // Of each decision: difference of the depths, whether the best actions differ, and difference to GNU Backgammon.
        let decisions: Vec<(f32, bool, f32)> = RECORD
            .lines()
            .map(|line| {
                let words: Vec<_> = line.split(' ').collect();
                let Xgid { position, state, .. } = Xgid::parse(words[0]).unwrap();
                let advice = decide(&position, &state, adviser.as_mut(), &equity_table).unwrap();
                let error = (advice.probabilities[0] - words[3].parse::<f32>().unwrap()).abs();
                let check = DepthCheck::new(&advice, &position, &state, &mut deepest, &equity_table).unwrap();
                let difference =
                    check.map_or((0.0, false), |DepthCheck { wins: [win, deep_win], best, .. }| {
                        ((win - deep_win).abs(), best[0] != best[1])
                    });
                (difference.0, difference.1, error)
            })
            .collect();
        for threshold in [0.02, WIN_DIFFERENCE, 0.04] {
            let (reported, others): (Vec<_>, Vec<_>) =
                decisions.iter().partition(|(difference, is_other, _)| *is_other || *difference > threshold);
            let mean = |part: &[&(f32, bool, f32)]| {
                100.0 * part.iter().map(|(.., error)| error).sum::<f32>() / part.len() as f32
            };
            let large = others.iter().filter(|(.., error): &&&(f32, bool, f32)| *error > 0.05).count();
            println!(
                "from {threshold}: {} of {} reported; mean difference to GNU Backgammon {:.1}, of the others {:.1} percentage points; \
                 {large} of the others differ by more than 5",
                reported.len(),
                decisions.len(),
                mean(&reported),
                mean(&others)
            );
            assert!(mean(&reported) > 1.5 * mean(&others), "{threshold}");
        }
    }
}

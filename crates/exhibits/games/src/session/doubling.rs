//! Doubling decisions at the table: evaluation by a network, and the decisions of computers.
//!
//! The networks are cubeless and know no match score. The equities with the doubling cube follow from their cubeless
//! probabilities by Janowski's formula, in a match with a match equity table; bear-offs use a recursion
//! over all rolls, plays and doubles ([`vivarium_envs::backgammon::doubling`]).

use super::GameSession;
use super::doubling_evaluation::{DoublingEvaluation, DoublingSubject};
use crate::advice::DoublingLosses;
use crate::player_pool::PlayerPool;
use crate::protocol::{DoublingChoice, DoublingReport, GamePlayer, GameStage};
use crate::rules::TableGame;
use vivarium_agents::alphazero::MAX_HEADS;
use vivarium_agents::players::NetworkPlayer;
use vivarium_envs::backgammon::Match;
use vivarium_envs::backgammon::doubling::{DoublingAction, DoublingContext, DoublingDecision};

impl<G: TableGame> GameSession<G> {
    /// Evaluates the doubling decision that is due, and makes the decision of a computer. `refresh` copies the newest
    /// weights into the player pool.
    pub(super) fn pass_doubling(
        &mut self,
        pool: &mut PlayerPool<G>,
        refresh: &mut dyn FnMut(&mut PlayerPool<G>),
    ) {
        let Some(about) = self.doubling_subject(pool) else { return };
        if self.doubling.as_ref().is_none_or(|known| known.about != about) {
            refresh(pool);
            self.evaluate_doubling(pool);
            self.changes = self.changes.wrapping_add(1);
        }
        if self.table.is_doubling_due() {
            self.decide_for_computer(pool);
        }
    }

    /// Makes the doubling decision that is due, to double or not, to take or to drop, if a computer decides.
    pub(super) fn decide_for_computer(&mut self, pool: &PlayerPool<G>) {
        if self.table.seats[usize::from(self.table.decider())] == GamePlayer::Person {
            return;
        }
        let Some(report) = self.doubling_report(pool, None) else { return };
        let decided = match report.best {
            DoublingChoice::NoDouble => {
                self.table.decline_double();
                Ok(())
            }
            DoublingChoice::Double => self.table.double(),
            DoublingChoice::Take => self.table.answer_double(true),
            DoublingChoice::Drop => self.table.answer_double(false),
        };
        if decided.is_ok() {
            self.last_doubling = Some(DoublingReport { chosen: Some(report.best), ..report });
            self.changes = self.changes.wrapping_add(1);
        }
    }

    /// Returns the report of the doubling decision that is due, as far as it has been evaluated.
    pub(super) fn pending_doubling(&self) -> Option<DoublingReport> {
        self.table.is_doubling_decision().then(|| self.report(None)).flatten()
    }

    /// Returns the report of the doubling decision that is due, with the decision `chosen`, and evaluates the position
    /// if necessary; `None` if no decision is due.
    pub(super) fn doubling_report(
        &mut self,
        pool: &PlayerPool<G>,
        chosen: Option<DoublingChoice>,
    ) -> Option<DoublingReport> {
        self.evaluate_doubling(pool)?;
        self.report(chosen)
    }

    /// Returns the subject of the doubling decision that is due; `None` if no decision is due. The network of the
    /// seat that decides evaluates the position; for human and reference players, the analyst.
    fn doubling_subject(&self, pool: &PlayerPool<G>) -> Option<DoublingSubject> {
        if !G::HAS_DOUBLING_CUBE || !self.table.is_doubling_decision() {
            return None;
        }
        let decider = self.table.seats[usize::from(self.table.decider())];
        let player = if pool.network(decider).is_some() { decider } else { self.analyst };
        let state = self.table.match_state()?;
        let before = Match { doubled: false, to_decide: state.on_roll, ..state };
        Some((self.table.game(), self.table.turns(), before, player))
    }

    /// Evaluates the doubling decision that is due, unless its evaluation is known. Returns `None` if no decision is
    /// due.
    fn evaluate_doubling(&mut self, pool: &PlayerPool<G>) -> Option<()> {
        let about = self.doubling_subject(pool)?;
        if self.doubling.as_ref().is_some_and(|known| known.about == about) {
            return Some(());
        }
        let (_, _, before, player) = about;
        let context = DoublingContext::new(&before).ok()?;
        // The newest network replaces a network that the pool has dropped, as in a search.
        let network = pool.network(player).unwrap_or(&pool.newest).network.clone();
        let probabilities: [f32; MAX_HEADS] =
            NetworkPlayer::new(network, 0).ok()?.heads_before_roll(&self.table.state());
        let probabilities = self.table.state().probabilities_before_roll(probabilities);
        let decision = self.table.state().doubling_decision(probabilities, &context);
        self.doubling = Some(DoublingEvaluation { about, probabilities, decision });
        Some(())
    }

    fn report(&self, chosen: Option<DoublingChoice>) -> Option<DoublingReport> {
        let DoublingEvaluation { about: (_, _, _, player), probabilities, decision } =
            self.doubling.as_ref()?;
        let action = decision.action();
        let doubles = matches!(action, DoublingAction::DoubleTake | DoublingAction::DoublePass);
        let best = match (self.table.stage() == GameStage::Doubled, doubles, decision.is_take()) {
            (true, _, true) => DoublingChoice::Take,
            (true, _, false) => DoublingChoice::Drop,
            (false, true, _) => DoublingChoice::Double,
            (false, false, _) => DoublingChoice::NoDouble,
        };
        let DoublingDecision { no_double, double_take, double_pass } = *decision;
        let losses = DoublingLosses::of(decision);
        let costs = [losses.no_double, losses.double, losses.take, losses.pass];
        Some(DoublingReport {
            seat: self.table.decider(),
            chosen,
            best,
            too_good: action == DoublingAction::TooGood,
            player: *player,
            probabilities: *probabilities,
            equities: [no_double, double_take, double_pass].map(|equity| equity as f32),
            costs: costs.map(|cost| cost as f32),
        })
    }
}

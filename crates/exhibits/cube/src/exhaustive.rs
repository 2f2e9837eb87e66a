//! Exhaustive evaluations beside training: of a network in all states of the cube of 2×2×2.

use super::background_evaluator::BackgroundEvaluator;
use super::cube2::{Cube2Policy, Cube2Training};
use super::engines::CubeEngines;
use super::networks::{CubeNetworkSnapshot, CubeNetworks};
use super::score::{cycles, depths};
use super::state_map::Cube2StateMap;
use crate::entries::cube2::EVALUATION;
use crate::protocol::{CubeEvaluationRow, CubeExhaustiveEvaluation, CubePlayer, CubeRun};
use crate::training::CubeTraining;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use vivarium_agents::cube2::NetworkEvaluation;
use vivarium_agents::dqn::CubeProblem;
use vivarium_envs::cube::Cube2;
use vivarium_lab::error::LabError;
use vivarium_lab::protocol::{FrameArray, MetricRow};
use vivarium_lab::train::SliceError;

/// Evaluations that are remembered.
const MOST_ROWS: usize = 4096;

/// Evaluations one after another, while they are wanted.
pub(crate) struct ExhaustiveEvaluator {
    on: bool,
    /// The one under way, or the last.
    series: Option<Box<ExhaustiveRun>>,
    finished: Vec<CubeEvaluationRow>,
    map: Cube2StateMap,
    version: u32,
}

/// The evaluation of one network.
struct ExhaustiveRun {
    evaluation: NetworkEvaluation,
    known: CubeNetworkSnapshot<Cube2Policy>,
    player: CubePlayer,
    over: bool,
}

impl ExhaustiveEvaluator {
    /// Whether the evaluation that there is is not one of the network that looks at the table by now.
    fn is_stale(&self, networks: &CubeNetworks<Cube2Training>, learner: &Cube2Training) -> bool {
        self.series.as_ref().is_none_or(|series| match networks.player() {
            player if player != series.player => true,
            // One of another time is brought to its end first.
            CubePlayer::Newest => series.over && series.known.updates != learner.progress().updates,
            CubePlayer::Opened => !Arc::ptr_eq(&series.known.network, &networks.present().network),
        })
    }

    fn begin(&mut self, known: CubeNetworkSnapshot<Cube2Policy>, player: CubePlayer) {
        let evaluation = NetworkEvaluation::new(CubeProblem::distances());
        if self.series.as_ref().is_none_or(|series| series.player != player) {
            self.map.forget();
        }
        self.series = Some(Box::new(ExhaustiveRun { evaluation, known, player, over: false }));
    }

    /// Books the evaluation that is over.
    fn end(&mut self) -> Option<MetricRow> {
        let series = self.series.as_ref().filter(|series| series.player == CubePlayer::Newest)?;
        let (score, known) = (series.evaluation.policy().score(), &series.known);
        let row = CubeEvaluationRow {
            samples: known.samples,
            updates: known.updates,
            solved: score.total().solved_share().unwrap_or(0.0),
            mean_excess: score.mean_excess(),
        };
        let measured = MetricRow::of(row.samples, EVALUATION, &row);
        if self.finished.len() == MOST_ROWS {
            self.finished.remove(0);
        }
        self.finished.push(row);
        Some(measured)
    }
}

impl BackgroundEvaluator<Cube2Training> for ExhaustiveEvaluator {
    fn new(_: &Value) -> Self {
        Self { on: false, series: None, finished: Vec::new(), map: Cube2StateMap::new(), version: 0 }
    }

    fn set_config(&mut self, _: &Value) {}

    fn is_due(&self, networks: &CubeNetworks<Cube2Training>, learner: &Cube2Training) -> bool {
        let under_way = self.series.as_ref().is_some_and(|series| !series.over);
        self.on && (under_way || self.is_stale(networks, learner))
    }

    fn advance(
        &mut self,
        engines: &CubeEngines<'_>,
        networks: &mut CubeNetworks<Cube2Training>,
        learner: &Cube2Training,
    ) -> Result<Option<MetricRow>, SliceError> {
        self.version = self.version.wrapping_add(1);
        if self.is_stale(networks, learner) {
            let known = networks.refreshed(learner)?;
            self.begin(known, networks.player());
            return Ok(None);
        }
        let Some(series) = &mut self.series else { return Ok(None) };
        series.over = series.evaluation.advance(engines.cpu, series.known.network.greedy());
        Ok(if series.over { self.end() } else { None })
    }

    fn version(&self) -> u32 {
        self.version
    }

    fn phase(&self) -> &'static str {
        "evaluation"
    }

    fn describe(&self, _: &mut CubeRun) {}

    fn document(&self) -> Option<CubeExhaustiveEvaluation> {
        let series = self.series.as_ref()?;
        let score = series.evaluation.policy().score();
        let total = score.total();
        Some(CubeExhaustiveEvaluation {
            running: self.on && !series.over,
            player: series.player,
            updates: series.known.updates,
            samples: series.known.samples,
            done: total.known as f64 / total.states.max(1) as f64,
            solved: total.solved_share(),
            mean_excess: score.mean_excess(),
            depths: depths(score),
            cycles: cycles(score),
            finished: self.finished.clone(),
        })
    }

    fn map(&mut self, history: &[Cube2], ahead: &[Cube2], anew: bool) -> Vec<FrameArray> {
        let evaluation = self.series.as_ref().map(|series| (series.evaluation.policy(), self.version));
        self.map.picture(evaluation, history, ahead, anew)
    }

    fn switch(&mut self, on: bool) -> Result<(), LabError> {
        self.on = on;
        self.version = self.version.wrapping_add(1);
        Ok(())
    }

    fn save(&self) -> Value {
        json!(self.finished)
    }

    fn recall(&mut self, saved: &Value) -> Result<(), LabError> {
        let rows = Vec::<CubeEvaluationRow>::deserialize(saved)
            .map_err(|error| LabError::checkpoint(format!("its evaluations cannot be read: {error}")))?;
        let sound = |row: &CubeEvaluationRow| {
            (0.0..=1.0).contains(&row.solved) && row.mean_excess.is_none_or(|excess| excess >= 0.0)
        };
        if rows.len() > MOST_ROWS || !rows.iter().all(sound) {
            return Err(LabError::checkpoint("its evaluations hold numbers that make no sense"));
        }
        self.finished = rows;
        Ok(())
    }
}

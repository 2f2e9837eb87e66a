//! Evaluation of a policy from every state of the 2×2×2 cube, in the background while training continues.

use super::background_evaluator::BackgroundEvaluator;
use super::cube2::{Cube2Learner, Cube2Policy};
use super::engines::CubeEngines;
use super::networks::{CubeNetworkSnapshot, CubeNetworks};
use super::score::{cycles, depths};
use super::state_map::Cube2StateMap;
use crate::entries::cube2::EVALUATION;
use crate::protocol::{CubeEvaluationRow, CubeExhaustiveEvaluation, CubePlayer, CubeRun};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use vivarium_agents::Learner;
use vivarium_agents::cube2::NetworkEvaluation;
use vivarium_agents::dqn::CubeProblem;
use vivarium_envs::cube::Cube2;
use vivarium_lab::error::LabError;
use vivarium_lab::protocol::{FrameArray, MetricRow};
use vivarium_lab::train::SliceError;

/// Maximum number of completed evaluations whose results are stored; the oldest result is dropped first.
const MAX_ROWS: usize = 4096;

/// Background evaluator of the 2×2×2 cube: evaluates the network that the user selected on all states. While the user
/// has switched evaluations on, starts a new evaluation when the network has newer weights.
pub(crate) struct ExhaustiveEvaluator {
    on: bool,
    /// The evaluation in progress, or else the last completed evaluation.
    current: Option<Box<ExhaustiveRun>>,
    /// The completed evaluation of the same network with earlier weights. Document and map show this evaluation while
    /// [`current`](Self::current) is in progress, so that all displayed results are of one evaluation.
    last: Option<Box<ExhaustiveRun>>,
    finished: Vec<CubeEvaluationRow>,
    map: Cube2StateMap,
    version: u32,
}

/// Exhaustive evaluation of one network, from every state of the 2×2×2 cube; in progress or complete.
struct ExhaustiveRun {
    evaluation: NetworkEvaluation,
    snapshot: CubeNetworkSnapshot<Cube2Policy>,
    player: CubePlayer,
    complete: bool,
    /// Version of the results, for the map.
    version: u32,
}

impl ExhaustiveEvaluator {
    /// Returns whether a new evaluation should start: the selected network has not been evaluated with its current
    /// weights, and the evaluation in progress, if any, is of another network.
    fn is_stale(&self, networks: &CubeNetworks<Cube2Learner>, learner: &Cube2Learner) -> bool {
        self.current.as_ref().is_none_or(|current| match networks.player() {
            player if player != current.player => true,
            // An evaluation in progress is completed, even if the learner has newer weights.
            CubePlayer::Newest => current.complete && current.snapshot.updates != learner.progress().updates,
            CubePlayer::Opened => !Arc::ptr_eq(&current.snapshot.network, &networks.selected().network),
        })
    }

    fn start(&mut self, snapshot: CubeNetworkSnapshot<Cube2Policy>, player: CubePlayer) {
        let evaluation = NetworkEvaluation::new(CubeProblem::distances());
        let previous = self.current.take().filter(|previous| previous.player == player);
        if previous.is_none() {
            self.map.clear_solved();
        }
        self.last = previous.filter(|previous| previous.complete);
        let version = self.version;
        self.current =
            Some(Box::new(ExhaustiveRun { evaluation, snapshot, player, complete: false, version }));
    }

    /// Returns the evaluation that is displayed: the last completed one, or else the evaluation in progress.
    fn displayed(&self) -> Option<&ExhaustiveRun> {
        self.last.as_deref().or(self.current.as_deref())
    }

    /// Stores the result of the completed evaluation and returns the metrics of the result. Returns `None`, and stores
    /// nothing, if the evaluated network was loaded from a file, because metrics describe the network in training.
    fn finish(&mut self) -> Option<MetricRow> {
        let current = self.current.as_ref().filter(|current| current.player == CubePlayer::Newest)?;
        let (score, snapshot) = (current.evaluation.policy().score(), &current.snapshot);
        let row = CubeEvaluationRow {
            samples: snapshot.samples,
            updates: snapshot.updates,
            solved: score.total().solved_share().unwrap_or(0.0),
            mean_excess: score.mean_excess(),
        };
        let measured = MetricRow::of(row.samples, EVALUATION, &row);
        if self.finished.len() == MAX_ROWS {
            self.finished.remove(0);
        }
        self.finished.push(row);
        Some(measured)
    }
}

impl BackgroundEvaluator<Cube2Learner> for ExhaustiveEvaluator {
    fn new(_: &Value) -> Self {
        Self {
            on: false,
            current: None,
            last: None,
            finished: Vec::new(),
            map: Cube2StateMap::new(),
            version: 0,
        }
    }

    fn set_config(&mut self, _: &Value) {}

    fn is_due(&self, networks: &CubeNetworks<Cube2Learner>, learner: &Cube2Learner) -> bool {
        let in_progress = self.current.as_ref().is_some_and(|current| !current.complete);
        self.on && (in_progress || self.is_stale(networks, learner))
    }

    fn advance(
        &mut self,
        engines: &CubeEngines<'_>,
        networks: &mut CubeNetworks<Cube2Learner>,
        learner: &Cube2Learner,
    ) -> Result<Option<MetricRow>, SliceError> {
        self.version = self.version.wrapping_add(1);
        if self.is_stale(networks, learner) {
            let snapshot = networks.refresh(learner)?;
            self.start(snapshot, networks.player());
            return Ok(None);
        }
        let Some(current) = &mut self.current else { return Ok(None) };
        current.version = self.version;
        current.complete = current.evaluation.advance(engines.cpu, current.snapshot.network.greedy());
        if !current.complete {
            return Ok(None);
        }
        self.last = None;
        Ok(self.finish())
    }

    fn version(&self) -> u32 {
        self.version
    }

    fn phase(&self) -> &'static str {
        "evaluation"
    }

    fn describe(&self, _: &mut CubeRun) {}

    fn document(&self) -> Option<CubeExhaustiveEvaluation> {
        let (current, displayed) = (self.current.as_ref()?, self.displayed()?);
        let in_progress = current.evaluation.policy().score().total();
        let score = displayed.evaluation.policy().score();
        Some(CubeExhaustiveEvaluation {
            running: self.on && !current.complete,
            player: displayed.player,
            complete: displayed.complete,
            updates: displayed.snapshot.updates,
            samples: displayed.snapshot.samples,
            done: in_progress.known as f64 / in_progress.states.max(1) as f64,
            solved: score.total().solved_share(),
            mean_excess: score.mean_excess(),
            depths: depths(score),
            cycles: cycles(score),
            finished: self.finished.clone(),
        })
    }

    fn map(&mut self, history: &[Cube2], ahead: &[Cube2], resend: bool) -> Vec<FrameArray> {
        // Not `displayed`, which would borrow the map as well.
        let displayed = self.last.as_deref().or(self.current.as_deref());
        let evaluation = displayed.map(|run| (run.evaluation.policy(), run.version));
        self.map.arrays(evaluation, history, ahead, resend)
    }

    fn switch(&mut self, on: bool) -> Result<(), LabError> {
        self.on = on;
        self.version = self.version.wrapping_add(1);
        Ok(())
    }

    fn save(&self) -> Value {
        json!(self.finished)
    }

    fn restore_metadata(&mut self, saved: &Value) -> Result<(), LabError> {
        let rows = Vec::<CubeEvaluationRow>::deserialize(saved).map_err(|error| {
            LabError::checkpoint(format!("its evaluation results cannot be read: {error}"))
        })?;
        let sound = |row: &CubeEvaluationRow| {
            (0.0..=1.0).contains(&row.solved) && row.mean_excess.is_none_or(|excess| excess >= 0.0)
        };
        if rows.len() > MAX_ROWS || !rows.iter().all(sound) {
            return Err(LabError::checkpoint("its evaluation results contain invalid numbers"));
        }
        self.finished = rows;
        Ok(())
    }
}

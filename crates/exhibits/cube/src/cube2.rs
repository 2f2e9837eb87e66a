//! The 2×2×2 cube, trained by double DQN with dueling heads (see [`vivarium_agents::dqn`]).

use super::engines::CubeEngines;
use super::learner::CubeLearner;
use super::policy::{CubePolicy, SearchProgress};
use super::score::{cycles, depths};
use crate::entries::cube2 as entry;
use crate::protocol::CubeEvaluation;
use crate::protocol::CubeInfo;
use crate::protocol::{CubeLevel, CubeRun};
use crate::readings;
use serde_json::Value;
use std::convert::Infallible;
use vivarium_agents::Learner;
use vivarium_agents::cube2::{GreedyPolicy, NetworkEvaluation};
use vivarium_agents::dqn::{self, CubeParams, CubeProblem, Dqn, DqnConfig, DqnReport, DqnWork};
use vivarium_envs::cube::{Cube2, CubePuzzle, FaceTurn, TurnMetric};
use vivarium_graph::{Cpu, Tensor};
use vivarium_lab::InferenceNetwork;
use vivarium_lab::episodes::Episodes;
use vivarium_lab::error::LabError;
use vivarium_lab::info::{ExperimentInfo, Schema};
use vivarium_lab::protocol::MetricRow;
use vivarium_lab::train::SliceError;

/// Turn metric in which distances and solution lengths are counted: quarter turns.
const METRIC: TurnMetric = TurnMetric::Quarter;

/// Summary of the 2×2×2 experiment in two sentences, displayed on the experiment's page.
const SUMMARY: &str = "Double DQN learns to solve the 2×2×2 cube from any of its 3,674,160 states, at most 14 quarter \
    turns from solved, and is evaluated on all of them. Random play hardly ever solves the cube, so a curriculum \
    lengthens the scrambles.";

/// Learner of the 2×2×2 cube experiment: double DQN with dueling heads.
pub(crate) type Cube2Learner = Dqn<CubeProblem>;

/// DQN network of the 2×2×2 cube, and the settings by which a cube state is converted to network inputs: reduction by
/// symmetry, and choice of features.
pub(crate) struct Cube2Policy {
    pub(crate) network: dqn::Network,
    pub(crate) params: CubeParams,
}

impl Cube2Policy {
    /// Returns the greedy policy of the network, which an exhaustive evaluation follows from every state.
    pub(crate) fn greedy(&self) -> GreedyPolicy<'_> {
        GreedyPolicy { network: &self.network, params: self.params }
    }
}

impl CubeLearner for Cube2Learner {
    type Cube = Cube2;
    type Policy = Cube2Policy;

    const NAME: &'static str = CubeProblem::NAME;
    const TITLE: &'static str = "Cube 2×2×2";
    const LEARNING_RATES: [&'static str; 2] = entry::LEARNING_RATES;
    #[cfg(feature = "gpu")]
    const BATCH: &'static str = "dqn.minibatch";
    const ROLLBACK_INTERVAL: u64 = 2_000;
    const EXHAUSTIVE: bool = true;

    fn info() -> CubeInfo {
        let written = |turns: &[FaceTurn]| turns.iter().map(FaceTurn::to_string).collect();
        CubeInfo {
            size: 2,
            turns: written(METRIC.turns(Cube2::SIZE)),
            all_turns: written(TurnMetric::Half.turns(Cube2::SIZE)),
            value_label: "Value".into(),
            value_unit: "reward".into(),
            value_help: "Expected return of this move and greedy moves after it. Each move costs 0.1 until the cube is solved."
                .into(),
            largest_scramble: 30,
            max_thumbnails: Self::MAX_THUMBNAILS,
            exhaustive: Self::EXHAUSTIVE,
            states: STATES.into(),
            beams: Vec::new(),
            literature: "No state needs more than 14 quarter turns (11 in the half-turn metric); the mean is 10.7 quarter \
                turns."
                .into(),
        }
    }

    fn schema() -> Schema {
        entry::schema()
    }

    fn experiment() -> ExperimentInfo {
        let words = [Self::TITLE, SUMMARY];
        ExperimentInfo::new(words, &Self::info(), entry::schema(), entry::metrics(), readings::cube2())
    }

    fn parse(config: &Value) -> Result<DqnConfig, LabError> {
        Ok(entry::parse(config)?.0)
    }

    fn create(config: &Value, seed: u64) -> Result<Self, LabError> {
        let (config, params) = entry::parse(config)?;
        Ok(Self::new(config, params, seed)?)
    }

    fn open(config: &Value, seed: u64, tensors: &[Tensor]) -> Result<Self, LabError> {
        if !tensors.iter().all(|tensor| tensor.name.starts_with("weights/")) {
            let (config, params) = entry::parse(config)?;
            return Ok(Self::restore(config, params, seed, tensors)?);
        }
        let mut learner = Self::create(config, seed)?;
        learner.adopt(tensors)?;
        Ok(learner)
    }

    fn row(report: &DqnReport) -> MetricRow {
        entry::row(report)
    }

    fn phase(&self) -> &'static str {
        match self.next_work() {
            DqnWork::Pretrain => "pretraining",
            DqnWork::Act => "moves",
            DqnWork::Learn => "update",
        }
    }

    fn describe(&self, last: Option<&DqnReport>, run: &mut CubeRun) {
        run.demonstrations = [self.counters().demonstrations, self.config().demonstrations];
        let Some(report) = last else { return };
        run.open_level = report.open_level;
        run.epsilon = Some(report.epsilon);
        let levels = (1..).zip(&report.levels).map(|(level, tally)| CubeLevel {
            level,
            episodes: tally.episodes,
            successes: tally.successes,
            kept: tally.kept,
        });
        run.levels = levels.collect();
    }

    fn network(&self) -> Result<Cube2Policy, LabError> {
        Ok(Cube2Policy { network: Dqn::network(self).clone(), params: *self.params() })
    }

    fn training_states(&self, most: usize) -> Vec<Cube2> {
        self.states().iter().take(most).copied().collect()
    }

    /// Evaluates the network on all states of the cube. The requested number of episodes is ignored.
    fn evaluate(
        engines: &CubeEngines<'_>,
        network: &Cube2Policy,
        episodes: Episodes<'_>,
    ) -> Result<Option<CubeEvaluation>, SliceError> {
        let mut evaluation = NetworkEvaluation::new(CubeProblem::distances());
        while !evaluation.advance(engines.cpu, network.greedy()) {
            if episodes.is_stopped(evaluation.policy().score().total().known as f64 / Cube2::STATES as f64) {
                return Ok(None);
            }
        }
        let score = evaluation.policy().score();
        let total = score.total();
        let fewest: u64 = (0..).zip(&score.depths).map(|(distance, depth)| distance * depth.solved).sum();
        let moves = (fewest + total.excess) as f64 / total.solved.max(1) as f64;
        Ok(Some(CubeEvaluation {
            cubes: total.known,
            solved: total.solved_share().unwrap_or(0.0),
            mean_length: (total.solved > 0).then_some(moves),
            mean_excess: score.mean_excess(),
            width: None,
            depths: depths(score),
            cycles: cycles(score),
        }))
    }
}

/// Number of states at each distance 0 to 14 from the solved state, in the quarter-turn metric.
const STATES: [u64; 15] =
    [1, 6, 27, 120, 534, 2_256, 8_969, 33_058, 114_149, 360_508, 930_588, 1_350_852, 782_536, 90_280, 276];

impl CubePolicy for Cube2Policy {
    type Cube = Cube2;
    type Search = Infallible;

    fn restore(config: &Value, tensors: &[Tensor]) -> Result<Self, LabError> {
        let (config, params) = entry::parse(config)?;
        let network = dqn::restore_network::<CubeProblem>(&config, &params, tensors)?;
        Ok(Self { network, params })
    }

    fn save(&self) -> Vec<Tensor> {
        dqn::save_network(&self.network)
    }

    fn inference_network(&self, config: &Value) -> Result<InferenceNetwork, LabError> {
        let (config, params) = entry::parse(config)?;
        Ok(dqn::inference_network::<CubeProblem>(&config, &params, &self.network)?)
    }

    fn turns(&self) -> &'static [FaceTurn] {
        METRIC.turns(Cube2::SIZE)
    }

    fn values(&self, cpu: &Cpu, cube: Cube2) -> Vec<f32> {
        let (mut seen, mut values) = ([0.0; CubeProblem::ACTIONS], vec![0.0; CubeProblem::ACTIONS]);
        dqn::values::<CubeProblem>(
            cpu,
            &self.network,
            &self.params,
            &[self.params.canonical(cube)],
            &mut seen,
        );
        for (action, value) in (0..).zip(seen) {
            values[usize::from(self.params.original_action(cube, action))] = value;
        }
        values
    }

    fn search(&self, _: Cube2, _: u32) -> Option<Infallible> {
        None
    }

    fn advance_search(
        &self,
        _: &CubeEngines<'_>,
        search: &mut Infallible,
    ) -> Result<SearchProgress, SliceError> {
        match *search {}
    }

    fn beam(search: &Infallible, _: usize) -> Vec<Cube2> {
        match *search {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state_counts_match_the_distance_table() {
        let counts: Vec<u64> = CubeProblem::distances().counts().iter().map(|&count| count.into()).collect();
        assert_eq!(counts, STATES);
        let turns: u64 = (0..).zip(STATES).map(|(distance, states)| distance * states).sum();
        let mean = turns as f64 / Cube2::STATES as f64;
        assert!(Cube2Learner::info().literature.contains(&format!("{mean:.1} quarter turns")), "{mean}");
    }
}

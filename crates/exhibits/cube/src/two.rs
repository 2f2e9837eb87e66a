//! The cube of 2×2×2, learned by deep Q-learning.

use super::engines::Engines;
use super::learner::Learner;
use super::network::{Network, Sought};
use super::puzzle::Puzzle;
use super::score::{cycles, depths};
use crate::entries::two;
use crate::protocol::CubeEvaluation;
use crate::protocol::CubeInfo;
use crate::protocol::{CubeLevel, CubeRun};
use crate::readings;
use serde_json::Value;
use std::convert::Infallible;
use vivarium_agents::cube2::{Greedy, NetworkEvaluation};
#[cfg(feature = "gpu")]
use vivarium_agents::dqn::gpu_trainer::{Advance, GpuTrainer};
use vivarium_agents::dqn::{self, CubeParams, Cubes, Dqn, Problem, Report, Work};
use vivarium_envs::cube::{Cube2, Metric, Turn};
#[cfg(feature = "gpu")]
use vivarium_gpu::Gpu;
use vivarium_graph::{Cpu, Tensor};
use vivarium_lab::episodes::Episodes;
use vivarium_lab::error::LabError;
use vivarium_lab::info::{ExperimentInfo, Schema};
use vivarium_lab::protocol::{MetricRow, Progress};
#[cfg(feature = "gpu")]
use vivarium_lab::train::Slice;
use vivarium_lab::train::Stopped;

/// What counts as one move.
const METRIC: Metric = Metric::Quarter;

/// What happens here and what is hard about it.
const SUMMARY: &str = "Deep Q-learning finds out by trying how to solve the small cube from any of its 3,674,160 \
    states, none of them further than 14 quarter turns away, and is evaluated in all of them. Hardly any random walk ever \
    comes upon the solved state, so scrambles begin short and grow.";

/// Deep Q-learning, and what its last iteration measured.
pub(crate) struct Two {
    learner: Dqn<Cubes>,
    last: Option<Report>,
}

/// Its network, and which states that sees.
pub(crate) struct TwoNetwork {
    pub(crate) network: dqn::Network,
    pub(crate) params: CubeParams,
}

impl TwoNetwork {
    /// As an evaluation asks it.
    pub(crate) fn greedy(&self) -> Greedy<'_> {
        Greedy { network: &self.network, params: self.params }
    }
}

impl Two {
    /// Keeps what an iteration measured. Returns it as a row.
    fn keep(&mut self, report: Report) -> MetricRow {
        let row = two::row(&report);
        self.last = Some(report);
        row
    }
}

impl Learner for Two {
    type Cube = Cube2;
    type Network = TwoNetwork;

    const NAME: &'static str = Cubes::NAME;
    const TITLE: &'static str = "Cube 2×2×2";
    const LEARNING_RATES: [&'static str; 2] = two::LEARNING_RATES;
    #[cfg(feature = "gpu")]
    const BATCH: &'static str = "dqn.minibatch";
    const GOOD_AFTER: u64 = 2_000;
    const EXHAUSTIVE: bool = true;

    fn info() -> CubeInfo {
        let written = |turns: &[Turn]| turns.iter().map(Turn::to_string).collect();
        CubeInfo {
            size: 2,
            turns: written(METRIC.turns(Cube2::SIZE)),
            all_turns: written(Metric::Half.turns(Cube2::SIZE)),
            value_label: "Value".into(),
            value_unit: "reward".into(),
            value_help: "What the network expects to earn after this move: each costs 0.1 until the cube is solved, so \
                a tenth of it is about a move."
                .into(),
            largest_scramble: 30,
            largest_wall: Self::LARGEST_WALL,
            exhaustive: Self::EXHAUSTIVE,
            states: STATES.into(),
            beams: Vec::new(),
            literature: "No state needs more than 14 quarter turns, or 11 turns where half turns count as one; on average \
                they need 10.7 quarter turns."
                .into(),
        }
    }

    fn schema() -> Schema {
        two::schema()
    }

    fn experiment() -> ExperimentInfo {
        let words = [Self::TITLE, SUMMARY];
        ExperimentInfo::new(words, &Self::info(), two::schema(), two::metrics(), readings::two())
    }

    fn new(config: &Value, seed: u64) -> Result<Self, LabError> {
        let (config, params) = two::read(config)?;
        Ok(Self { learner: Dqn::new(config, params, seed)?, last: None })
    }

    fn restore(config: &Value, seed: u64, tensors: &[Tensor]) -> Result<Self, LabError> {
        let (config, params) = two::read(config)?;
        let alone = tensors.iter().all(|tensor| tensor.name.starts_with("weights/"));
        let learner = if alone {
            let mut learner = Dqn::new(config, params, seed)?;
            learner.adopt(tensors)?;
            learner
        } else {
            Dqn::restore(config, params, seed, tensors)?
        };
        Ok(Self { learner, last: None })
    }

    fn save(&self) -> Vec<Tensor> {
        self.learner.save()
    }

    fn set_config(&mut self, config: &Value) -> Result<(), LabError> {
        Ok(self.learner.set_config(two::read(config)?.0)?)
    }

    fn seed(&self) -> u64 {
        self.learner.seed()
    }

    fn progress(&self) -> Progress {
        let counters = self.learner.counters();
        Progress {
            steps: counters.samples,
            updates: counters.updates,
            episodes: counters.episodes,
            total_steps: None,
        }
    }

    fn phase(&self) -> &'static str {
        match self.learner.next_work() {
            Work::Pretrain => "pretraining",
            Work::Act => "moves",
            Work::Learn => "update",
        }
    }

    fn advance(&mut self, cpu: &Cpu) -> Result<Option<MetricRow>, Stopped> {
        let slice = self.learner.advance(cpu)?;
        Ok(slice.report.map(|report| self.keep(report)))
    }

    #[cfg(feature = "gpu")]
    type GpuTrainer = GpuTrainer;

    #[cfg(feature = "gpu")]
    fn gpu_trainer(&self, gpu: &Gpu) -> Result<GpuTrainer, Stopped> {
        Ok(GpuTrainer::new(gpu, &self.learner)?)
    }

    #[cfg(feature = "gpu")]
    fn advance_on_gpu(&mut self, cpu: &Cpu, trainer: &mut GpuTrainer) -> Result<Slice<MetricRow>, Stopped> {
        Ok(match trainer.advance(cpu, &mut self.learner)? {
            Advance::Waiting => Slice::Waiting,
            Advance::Done(_) => Slice::Unfinished,
            Advance::Finished(report) => Slice::Finished(self.keep(*report)),
        })
    }

    fn describe(&self, run: &mut CubeRun) {
        run.demonstrations = [self.learner.counters().demonstrations, self.learner.config().demonstrations];
        let Some(report) = &self.last else { return };
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

    fn network(&self) -> Result<TwoNetwork, LabError> {
        Ok(TwoNetwork { network: self.learner.network().clone(), params: *self.learner.params() })
    }

    fn lanes(&self, most: usize) -> Vec<Cube2> {
        self.learner.states().iter().take(most).copied().collect()
    }

    /// In all states, whatever the number of episodes.
    fn evaluate(
        engines: &Engines<'_>,
        network: &TwoNetwork,
        episodes: Episodes<'_>,
    ) -> Result<Option<CubeEvaluation>, Stopped> {
        let mut evaluation = NetworkEvaluation::new(Cubes::distances());
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

/// States at each distance.
const STATES: [u64; 15] =
    [1, 6, 27, 120, 534, 2_256, 8_969, 33_058, 114_149, 360_508, 930_588, 1_350_852, 782_536, 90_280, 276];

impl Network for TwoNetwork {
    type Cube = Cube2;
    type Search = Infallible;

    fn restore(config: &Value, tensors: &[Tensor]) -> Result<Self, LabError> {
        let (config, params) = two::read(config)?;
        let network = dqn::restore_network::<Cubes>(&config, &params, tensors)?;
        Ok(Self { network, params })
    }

    fn save(&self) -> Vec<Tensor> {
        dqn::save_network(&self.network)
    }

    fn turns(&self) -> &'static [Turn] {
        METRIC.turns(Cube2::SIZE)
    }

    fn values(&self, cpu: &Cpu, cube: Cube2) -> Vec<f32> {
        let (mut seen, mut values) = ([0.0; Cubes::ACTIONS], vec![0.0; Cubes::ACTIONS]);
        dqn::values::<Cubes>(cpu, &self.network, &self.params, &[self.params.seen(cube)], &mut seen);
        for (action, value) in (0..).zip(seen) {
            values[usize::from(self.params.unseen(cube, action))] = value;
        }
        values
    }

    fn search(&self, _: Cube2, _: u32) -> Option<Infallible> {
        None
    }

    fn seek(&self, _: &Engines<'_>, search: &mut Infallible) -> Result<Sought, Stopped> {
        match *search {}
    }

    fn ways(search: &Infallible, _: usize) -> Vec<Cube2> {
        match *search {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counts_of_states_are_those_of_all_distances() {
        let counts: Vec<u64> = Cubes::distances().counts().iter().map(|&count| count.into()).collect();
        assert_eq!(counts, STATES);
        let turns: u64 = (0..).zip(STATES).map(|(distance, states)| distance * states).sum();
        let mean = turns as f64 / Cube2::STATES as f64;
        assert!(Two::info().literature.contains(&format!("{mean:.1} quarter turns")), "{mean}");
    }
}

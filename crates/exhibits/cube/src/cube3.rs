//! The 3×3×3 cube, trained by EfficientCube and solved by beam search (see [`vivarium_agents::cube3`]).

use super::cube3_policy::Cube3Policy;
use super::engines::CubeEngines;
use super::learner::CubeLearner;
use super::policy::{CubePolicy, SearchProgress};
use super::search_queue::{BeamSearchEngine, SearchQueue};
use crate::entries::cube3 as entry;
use crate::protocol::CubeEvaluation;
use crate::protocol::CubeInfo;
use crate::protocol::CubeRun;
use crate::readings;
use serde_json::Value;
use vivarium_agents::Learner;
pub(crate) use vivarium_agents::cube3::Cube3Learner;
use vivarium_agents::cube3::{self, BeamSearch, Cube3Config, Cube3NetworkDefinition, Report, SearchStatus};
use vivarium_envs::cube::{Cube3, CubePuzzle, FaceTurn, TurnMetric};
use vivarium_graph::{Cpu, Tensor, Workspace};
use vivarium_kernels::rng::Stream;
use vivarium_lab::InferenceNetwork;
use vivarium_lab::checkpoint::check_min_values;
use vivarium_lab::episodes::Episodes;
use vivarium_lab::error::LabError;
use vivarium_lab::info::{ExperimentInfo, Schema};
use vivarium_lab::protocol::MetricRow;
use vivarium_lab::train::SliceError;

/// Beam width of the searches in an evaluation that the user requests.
const EVALUATED: u32 = 1024;

/// Beam widths that the user can choose for the interactive cube.
const BEAMS: [u32; 6] = [1, 16, 128, 1024, 4096, 16_384];

/// Summary of the 3×3×3 experiment in two sentences, displayed on the experiment's page.
const SUMMARY: &str = "A network learns to predict the last turn of random scrambles (EfficientCube), and beam search \
    follows the inverse turns to the solved state. Training covers only a tiny fraction of the 43 quintillion states.";

/// Beam search that solves the interactive cube, with its engine (CPU or GPU).
pub(crate) struct CubeTableSearch {
    search: BeamSearch,
    engine: BeamSearchEngine,
}

impl CubeLearner for Cube3Learner {
    type Cube = Cube3;
    type Policy = Cube3Policy;

    const NAME: &'static str = entry::NAME;
    const TITLE: &'static str = "Cube 3×3×3";
    const LEARNING_RATES: [&'static str; 2] = entry::LEARNING_RATES;
    #[cfg(feature = "gpu")]
    const BATCH: &'static str = "learner.scrambles";
    const ROLLBACK_INTERVAL: u64 = 200;
    const EXHAUSTIVE: bool = false;

    fn info() -> CubeInfo {
        let written = |turns: &[FaceTurn]| turns.iter().map(FaceTurn::to_string).collect();
        CubeInfo {
            size: 3,
            turns: written(TurnMetric::Quarter.turns(Cube3::SIZE)),
            all_turns: written(TurnMetric::Half.turns(Cube3::SIZE)),
            value_label: "Probability".into(),
            value_unit: "nat".into(),
            value_help: "Predicted probability that this move undoes the last turn of a scramble.".into(),
            largest_scramble: 100,
            max_thumbnails: Self::MAX_THUMBNAILS,
            exhaustive: Self::EXHAUSTIVE,
            states: Vec::new(),
            beams: BEAMS.into(),
            literature:
                "No state needs more than 26 quarter turns (20 in the half-turn metric, with a mean of 17.7)."
                    .into(),
        }
    }

    fn schema() -> Schema {
        entry::schema()
    }

    fn experiment() -> ExperimentInfo {
        let words = [Self::TITLE, SUMMARY];
        ExperimentInfo::new(words, &Self::info(), entry::schema(), entry::metrics(), readings::cube3())
    }

    fn parse(config: &Value) -> Result<Cube3Config, LabError> {
        Ok(entry::parse(config)?.0)
    }

    fn create(config: &Value, seed: u64) -> Result<Self, LabError> {
        Ok(Self::new(Self::parse(config)?, seed)?)
    }

    fn open(config: &Value, seed: u64, tensors: &[Tensor]) -> Result<Self, LabError> {
        let config = Self::parse(config)?;
        check_min_values(tensors, config.least_parameters())?;
        if !tensors.iter().all(|tensor| tensor.name.starts_with("average/")) {
            return Ok(Self::restore(config, seed, tensors)?);
        }
        let mut learner = Self::new(config, seed)?;
        learner.adopt(tensors)?;
        Ok(learner)
    }

    fn row(report: &Report) -> MetricRow {
        entry::row(report)
    }

    fn phase(&self) -> &'static str {
        "update"
    }

    fn describe(&self, last: Option<&Report>, run: &mut CubeRun) {
        if let Some(report) = last {
            run.accuracy_by_depth.clone_from(&report.accuracy_by_depth);
        }
    }

    fn network(&self) -> Result<Cube3Policy, LabError> {
        Ok(Cube3Policy { network: self.averaged_network()?, metric: self.config().metric })
    }

    fn training_states(&self, _: usize) -> Vec<Cube3> {
        Vec::new()
    }

    fn evaluate(
        engines: &CubeEngines<'_>,
        network: &Cube3Policy,
        episodes: Episodes<'_>,
    ) -> Result<Option<CubeEvaluation>, SliceError> {
        let Episodes { count, seed, .. } = episodes;
        let mut next = (0..count).map(|trial| network.beam_search(random_cube(seed, trial), EVALUATED));
        let (mut series, mut outcome) = (SearchQueue::default(), Cube3EvaluationTotals::default());
        while outcome.cubes < count {
            if episodes.is_stopped(f64::from(outcome.cubes) / f64::from(count)) {
                return Ok(None);
            }
            series.advance(engines, network, &mut next, |search| outcome.count(search))?;
        }
        Ok(Some(outcome.report()))
    }
}

/// Returns the random cube to solve in evaluation episode `trial`, counted from 0.
fn random_cube(seed: u64, trial: u32) -> Cube3 {
    Cube3::random(&mut Stream::new(seed, trial))
}

/// Totals over the completed beam searches of an evaluation: number of solved cubes, and number of moves in their
/// solutions.
#[derive(Clone, Copy, Debug, Default)]
struct Cube3EvaluationTotals {
    cubes: u32,
    solved: u32,
    /// Total number of moves in the solutions of all solved cubes.
    moves: usize,
}

impl Cube3EvaluationTotals {
    fn count(&mut self, search: &BeamSearch) {
        self.cubes += 1;
        if search.status() == SearchStatus::Solved {
            self.solved += 1;
            self.moves += search.moves();
        }
    }

    fn report(self) -> CubeEvaluation {
        let Self { cubes, solved, moves } = self;
        CubeEvaluation {
            cubes: cubes.into(),
            solved: f64::from(solved) / f64::from(cubes.max(1)),
            mean_length: (solved > 0).then(|| moves as f64 / f64::from(solved)),
            mean_excess: None,
            width: Some(EVALUATED),
            depths: Vec::new(),
            cycles: Vec::new(),
        }
    }
}

impl CubePolicy for Cube3Policy {
    type Cube = Cube3;
    type Search = CubeTableSearch;

    fn restore(config: &Value, tensors: &[Tensor]) -> Result<Self, LabError> {
        let (config, _) = entry::parse(config)?;
        check_min_values(tensors, config.least_parameters())?;
        let network = cube3::Cube3Network::restore(&config, tensors)?;
        Ok(Self { network, metric: config.metric })
    }

    fn save(&self) -> Vec<Tensor> {
        self.network.save()
    }

    fn inference_network(&self, config: &Value) -> Result<InferenceNetwork, LabError> {
        let definition = Cube3NetworkDefinition::new(&entry::parse(config)?.0);
        Ok(self.network.inference_network(&definition)?)
    }

    fn turns(&self) -> &'static [FaceTurn] {
        self.metric.turns(Cube3::SIZE)
    }

    fn values(&self, _: &Cpu, cube: Cube3) -> Vec<f32> {
        let (mut state, mut log_probabilities) = (vec![0.0; Cube3::INPUTS], vec![0.0; self.turns().len()]);
        let (shown, view) = self.network.canonicalize(&cube);
        shown.encode(&mut state);
        self.network.log_probabilities(&mut Workspace::default(), 1, &state, &mut log_probabilities);
        self.turns().iter().map(|&turn| log_probabilities[self.metric.action(view.turn(turn))]).collect()
    }

    fn search(&self, cube: Cube3, width: u32) -> Option<CubeTableSearch> {
        Some(CubeTableSearch { search: self.beam_search(cube, width), engine: BeamSearchEngine::default() })
    }

    fn advance_search(
        &self,
        engines: &CubeEngines<'_>,
        CubeTableSearch { search, engine }: &mut CubeTableSearch,
    ) -> Result<SearchProgress, SliceError> {
        let evaluated = search.evaluated();
        engine.advance(engines, self, std::slice::from_mut(search))?;
        let end = match search.status() {
            SearchStatus::Searching => None,
            SearchStatus::Solved => Some(search.solution().map(<[FaceTurn]>::to_vec)),
            SearchStatus::GivenUp => Some(None),
        };
        Ok(SearchProgress { evaluated: search.evaluated() - evaluated, ahead: search.moves() as u32, end })
    }

    fn beam(CubeTableSearch { search, .. }: &CubeTableSearch, most: usize) -> Vec<Cube3> {
        search.beam().take(most).map(|(cube, _)| cube).collect()
    }
}

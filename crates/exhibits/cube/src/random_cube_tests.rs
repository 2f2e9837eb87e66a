//! Tests of the 3×3×3 network during training: beam searches solve a fixed set of random cubes, with several beam
//! widths.

use super::background_evaluator::BackgroundEvaluator;
use super::cube3::Cube3Learner;
use super::cube3_policy::Cube3Policy;
use super::engines::CubeEngines;
use super::learner::CubeLearner;
use super::networks::{CubeNetworkSnapshot, CubeNetworks};
use super::search_queue::SearchQueue;
use crate::entries::cube3::{TEST_WIDTHS, TestsConfig, length_name, parse, solved_name};
use crate::protocol::{CubeRun, CubeTest};
use serde::Deserialize;
use serde_json::{Value, json};
use vivarium_agents::Learner;
use vivarium_envs::cube::{Cube3, CubePuzzle as _};
use vivarium_kernels::rng::{self, Stream};
use vivarium_lab::error::LabError;
use vivarium_lab::protocol::MetricRow;
use vivarium_lab::train::SliceError;

/// Number of the pseudorandom stream from which the random cubes of the tests are drawn.
const TESTS: u32 = 160;

/// Number of searches per test cube: one for each beam width.
const WIDTHS: u32 = TEST_WIDTHS.len() as u32;

/// Maximum number of stored test results. A result describes one test at one beam width.
const MAX_ROWS: usize = 4096;

/// Background evaluator of the 3×3×3 cube. After a fixed number of training samples, tests whether the network solves a
/// fixed set of random cubes.
pub(crate) struct RandomCubeTests {
    config: TestsConfig,
    /// Number of samples that the network had been trained on at the start of the last test.
    last: u64,
    current: Option<Box<RandomCubeTest>>,
    rows: Vec<CubeTest>,
    version: u32,
}

/// Test in progress: solves each cube of a fixed set of random cubes with each beam width.
struct RandomCubeTest {
    snapshot: CubeNetworkSnapshot<Cube3Policy>,
    cubes: u32,
    searches: SearchQueue,
    /// Number of beam searches started. A cube is searched with all beam widths before the next cube.
    started: u32,
    /// Number of beam searches of the test that have been completed so far.
    completed: u32,
    /// Number of cubes solved so far in the test, for each beam width.
    solved: [u32; TEST_WIDTHS.len()],
    /// Number of moves, summed over all solutions found so far, for each beam width.
    moves: [u64; TEST_WIDTHS.len()],
}

impl RandomCubeTest {
    fn new(snapshot: CubeNetworkSnapshot<Cube3Policy>, cubes: u32) -> Self {
        let searches = SearchQueue::default();
        Self {
            snapshot,
            cubes,
            searches,
            started: 0,
            completed: 0,
            solved: Default::default(),
            moves: Default::default(),
        }
    }

    /// Advances the test's beam searches by a bounded amount of work. Returns whether all searches are complete.
    fn advance(&mut self, engines: &CubeEngines<'_>, seed: u64) -> Result<bool, SliceError> {
        let Self { snapshot, cubes, searches, started, completed, solved, moves } = self;
        let (network, all) = (&snapshot.network, *cubes * WIDTHS);
        let next = std::iter::from_fn(|| {
            let (number, width) = (*started / WIDTHS, TEST_WIDTHS[(*started % WIDTHS) as usize]);
            *started += u32::from(*started < all);
            (number < *cubes).then(|| network.beam_search(test_cube(seed, number), width))
        });
        searches.advance(engines, network, next, |search| {
            *completed += 1;
            let is_width = |&width: &u32| width as usize == search.settings().width;
            if let (Some(solution), Some(at)) = (search.solution(), TEST_WIDTHS.iter().position(is_width)) {
                solved[at] += 1;
                moves[at] += solution.len() as u64;
            }
        })?;
        Ok(*completed == all)
    }
}

/// Returns the test cube with index `number`, counted from 0. All tests of a run with the seed `seed` have the same
/// cubes.
fn test_cube(seed: u64, number: u32) -> Cube3 {
    Cube3::random_state(&mut Stream::new(rng::derive(seed, TESTS), number))
}

impl BackgroundEvaluator<Cube3Learner> for RandomCubeTests {
    fn new(config: &Value) -> Self {
        let mut tests = Self {
            config: TestsConfig { every: 0, cubes: 1 },
            last: 0,
            current: None,
            rows: Vec::new(),
            version: 0,
        };
        tests.set_config(config);
        tests
    }

    fn set_config(&mut self, config: &Value) {
        // The config is valid, so parsing succeeds.
        if let Ok((_, config)) = parse(config) {
            self.config = config;
        }
    }

    fn is_due(&self, _: &CubeNetworks<Cube3Learner>, learner: &Cube3Learner) -> bool {
        let samples = learner.progress().steps;
        self.current.is_some()
            || (self.config.every > 0 && samples >= self.last.saturating_add(self.config.every))
    }

    fn advance(
        &mut self,
        engines: &CubeEngines<'_>,
        _: &mut CubeNetworks<Cube3Learner>,
        learner: &Cube3Learner,
    ) -> Result<Option<MetricRow>, SliceError> {
        let Some(test) = &mut self.current else {
            let progress = learner.progress();
            let network = learner.network()?.into();
            let snapshot =
                CubeNetworkSnapshot { network, updates: progress.updates, samples: progress.steps };
            self.last = progress.steps;
            self.current = Some(Box::new(RandomCubeTest::new(snapshot, self.config.cubes)));
            self.version = self.version.wrapping_add(1);
            return Ok(None);
        };
        let before = test.completed;
        let is_complete = test.advance(engines, learner.seed())?;
        self.version = self.version.wrapping_add(u32::from(test.completed > before));
        Ok(if is_complete { self.finish() } else { None })
    }

    fn version(&self) -> u32 {
        self.version
    }

    fn phase(&self) -> &'static str {
        "test"
    }

    fn describe(&self, run: &mut CubeRun) {
        run.tests.clone_from(&self.rows);
        if let Some(test) = &self.current {
            run.testing = [test.completed / WIDTHS, test.cubes];
        }
    }

    fn switch(&mut self, _: bool) -> Result<(), LabError> {
        let allowed = "only the 2×2×2 cube has exhaustive evaluations";
        Err(LabError::invalid("command", "set_evaluation", allowed))
    }

    fn save(&self) -> Value {
        json!({ "last": self.last, "rows": self.rows })
    }

    fn restore_metadata(&mut self, saved: &Value) -> Result<(), LabError> {
        let invalid = || LabError::checkpoint("its test results contain invalid numbers");
        let rows = Vec::<CubeTest>::deserialize(&saved["rows"])
            .map_err(|error| LabError::checkpoint(format!("its test results cannot be read: {error}")))?;
        let sound = |row: &CubeTest| {
            row.solved <= row.cubes && row.mean_length.is_none_or(|length| length >= 0.0) && row.width > 0
        };
        if rows.len() > MAX_ROWS || !rows.iter().all(sound) {
            return Err(invalid());
        }
        self.last = saved["last"].as_u64().ok_or_else(invalid)?;
        self.rows = rows;
        Ok(())
    }
}

impl RandomCubeTests {
    /// Stores the result of a completed test and returns its metrics.
    fn finish(&mut self) -> Option<MetricRow> {
        let test = self.current.take()?;
        let samples = test.snapshot.samples;
        let mut values = Vec::new();
        for ((&width, &solved), &moves) in TEST_WIDTHS.iter().zip(&test.solved).zip(&test.moves) {
            let mean_length = (solved > 0).then(|| moves as f64 / f64::from(solved));
            values.push((solved_name(width), Some(f64::from(solved) / f64::from(test.cubes.max(1)))));
            values.push((length_name(width), mean_length));
            self.rows.push(CubeTest { samples, width, cubes: test.cubes, solved, mean_length });
        }
        self.rows.drain(..self.rows.len().saturating_sub(MAX_ROWS));
        Some(MetricRow::new(samples, values))
    }
}

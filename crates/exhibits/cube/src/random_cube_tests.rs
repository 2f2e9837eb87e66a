//! RandomCubeTests of a network that learns the cube of 3×3×3: random cubes, always the same ones, with searches of several widths.

use super::background_evaluator::BackgroundEvaluator;
use super::cube3::Cube3Training;
use super::cube3_policy::Cube3Policy;
use super::engines::CubeEngines;
use super::networks::{CubeNetworkSnapshot, CubeNetworks};
use super::puzzle::CubePuzzle as _;
use super::search_queue::SearchQueue;
use super::training::CubeTraining;
use crate::entries::cube3::{TEST_WIDTHS, TestsConfig, length_name, read, solved_name};
use crate::protocol::{CubeRun, CubeTest};
use serde::Deserialize;
use serde_json::{Value, json};
use vivarium_envs::cube::Cube3;
use vivarium_kernels::rng::{self, Stream};
use vivarium_lab::error::LabError;
use vivarium_lab::protocol::MetricRow;
use vivarium_lab::train::SliceError;

/// What the cubes of tests are drawn for.
const TESTS: u32 = 160;

/// Searches of each cube.
const WIDTHS: u32 = TEST_WIDTHS.len() as u32;

/// RandomCubeTests that are remembered.
const MOST_ROWS: usize = 4096;

/// RandomCubeTests now and then.
pub(crate) struct RandomCubeTests {
    config: TestsConfig,
    /// Samples at which the last one began.
    last: u64,
    under_way: Option<Box<RandomCubeTest>>,
    rows: Vec<CubeTest>,
    version: u32,
}

/// A test under way: every cube with every width.
struct RandomCubeTest {
    known: CubeNetworkSnapshot<Cube3Policy>,
    cubes: u32,
    searches: SearchQueue,
    /// Searches that have begun, width by width of each cube, and those that are over.
    begun: u32,
    over: u32,
    /// Cubes solved with each width, and the moves that took.
    solved: [u32; TEST_WIDTHS.len()],
    moves: [u64; TEST_WIDTHS.len()],
}

impl RandomCubeTest {
    fn new(known: CubeNetworkSnapshot<Cube3Policy>, cubes: u32) -> Self {
        let searches = SearchQueue::default();
        Self {
            known,
            cubes,
            searches,
            begun: 0,
            over: 0,
            solved: Default::default(),
            moves: Default::default(),
        }
    }

    /// Does one slice of work. Returns whether all searches are over.
    fn advance(&mut self, engines: &CubeEngines<'_>, seed: u64) -> Result<bool, SliceError> {
        let Self { known, cubes, searches, begun, over, solved, moves } = self;
        let (network, all) = (&known.network, *cubes * WIDTHS);
        let next = std::iter::from_fn(|| {
            let (number, width) = (*begun / WIDTHS, TEST_WIDTHS[(*begun % WIDTHS) as usize]);
            *begun += u32::from(*begun < all);
            (number < *cubes).then(|| network.searching(cube(seed, number), width))
        });
        searches.advance(engines, network, next, |search| {
            *over += 1;
            let is_width = |&width: &u32| width as usize == search.settings().width;
            if let (Some(solution), Some(at)) = (search.solution(), TEST_WIDTHS.iter().position(is_width)) {
                solved[at] += 1;
                moves[at] += solution.len() as u64;
            }
        })?;
        Ok(*over == all)
    }
}

/// The random cube of this number.
fn cube(seed: u64, number: u32) -> Cube3 {
    Cube3::any(&mut Stream::new(rng::derive(seed, TESTS), number))
}

impl BackgroundEvaluator<Cube3Training> for RandomCubeTests {
    fn new(config: &Value) -> Self {
        let mut tests = Self {
            config: TestsConfig { every: 0, cubes: 1 },
            last: 0,
            under_way: None,
            rows: Vec::new(),
            version: 0,
        };
        tests.set_config(config);
        tests
    }

    fn set_config(&mut self, config: &Value) {
        // The learner has judged it.
        if let Ok((_, config)) = read(config) {
            self.config = config;
        }
    }

    fn is_due(&self, _: &CubeNetworks<Cube3Training>, learner: &Cube3Training) -> bool {
        let samples = learner.progress().steps;
        self.under_way.is_some()
            || (self.config.every > 0 && samples >= self.last.saturating_add(self.config.every))
    }

    fn advance(
        &mut self,
        engines: &CubeEngines<'_>,
        _: &mut CubeNetworks<Cube3Training>,
        learner: &Cube3Training,
    ) -> Result<Option<MetricRow>, SliceError> {
        let Some(test) = &mut self.under_way else {
            let progress = learner.progress();
            let network = learner.network()?.into();
            let known = CubeNetworkSnapshot { network, updates: progress.updates, samples: progress.steps };
            self.last = progress.steps;
            self.under_way = Some(Box::new(RandomCubeTest::new(known, self.config.cubes)));
            self.version = self.version.wrapping_add(1);
            return Ok(None);
        };
        let before = test.over;
        let is_over = test.advance(engines, learner.seed())?;
        self.version = self.version.wrapping_add(u32::from(test.over > before));
        Ok(if is_over { self.end() } else { None })
    }

    fn version(&self) -> u32 {
        self.version
    }

    fn phase(&self) -> &'static str {
        "test"
    }

    fn describe(&self, run: &mut CubeRun) {
        run.tests.clone_from(&self.rows);
        if let Some(test) = &self.under_way {
            run.testing = [test.over / WIDTHS, test.cubes];
        }
    }

    fn switch(&mut self, _: bool) -> Result<(), LabError> {
        let allowed = "the cube of 2×2×2 alone is evaluated in all of its states; this one has too many";
        Err(LabError::invalid("command", "set_evaluation", allowed))
    }

    fn save(&self) -> Value {
        json!({ "last": self.last, "rows": self.rows })
    }

    fn recall(&mut self, saved: &Value) -> Result<(), LabError> {
        let nonsense = || LabError::checkpoint("its tests hold numbers that make no sense");
        let rows = Vec::<CubeTest>::deserialize(&saved["rows"])
            .map_err(|error| LabError::checkpoint(format!("its tests cannot be read: {error}")))?;
        let sound = |row: &CubeTest| {
            row.solved <= row.cubes && row.mean_length.is_none_or(|length| length >= 0.0) && row.width > 0
        };
        if rows.len() > MOST_ROWS || !rows.iter().all(sound) {
            return Err(nonsense());
        }
        self.last = saved["last"].as_u64().ok_or_else(nonsense)?;
        self.rows = rows;
        Ok(())
    }
}

impl RandomCubeTests {
    /// Books the test that is over.
    fn end(&mut self) -> Option<MetricRow> {
        let test = self.under_way.take()?;
        let samples = test.known.samples;
        let mut values = Vec::new();
        for ((&width, &solved), &moves) in TEST_WIDTHS.iter().zip(&test.solved).zip(&test.moves) {
            let mean_length = (solved > 0).then(|| moves as f64 / f64::from(solved));
            values.push((solved_name(width), Some(f64::from(solved) / f64::from(test.cubes.max(1)))));
            values.push((length_name(width), mean_length));
            self.rows.push(CubeTest { samples, width, cubes: test.cubes, solved, mean_length });
        }
        self.rows.drain(..self.rows.len().saturating_sub(MOST_ROWS));
        Some(MetricRow::new(samples, values))
    }
}

//! Tests of a network that learns the cube of 3×3×3: random cubes, always the same ones, with searches of several widths.

use super::evaluator::Evaluator;
use super::learner::Learner;
use super::network::{Network, Sought};
use super::networks::{NetworkSnapshot, Networks};
use super::puzzle::Puzzle as _;
use super::three::{Three, ThreeNetwork};
use crate::entries::three::{TEST_WIDTHS, TestsConfig, length_name, read, solved_name};
use crate::protocol::{CubeRun, CubeTest};
use serde::Deserialize;
use serde_json::{Value, json};
use vivarium_agents::cube3::Search;
use vivarium_envs::cube::Cube3;
use vivarium_graph::Cpu;
use vivarium_kernels::rng::{self, Stream};
use vivarium_lab::error::LabError;
use vivarium_lab::protocol::MetricRow;

/// What the cubes of tests are drawn for.
const TESTS: u32 = 160;

/// Tests that are remembered.
const MOST_ROWS: usize = 4096;

/// Tests now and then.
pub(crate) struct Tests {
    config: TestsConfig,
    /// Samples at which the last one began.
    last: u64,
    under_way: Option<Box<Series>>,
    rows: Vec<CubeTest>,
    version: u32,
}

/// A test under way: every cube with every width.
struct Series {
    known: NetworkSnapshot<ThreeNetwork>,
    cubes: u32,
    /// Searches that are over, width by width of each cube.
    over: u32,
    search: Search,
    /// Cubes solved with each width, and the moves that took.
    solved: [u32; TEST_WIDTHS.len()],
    moves: [u64; TEST_WIDTHS.len()],
}

impl Series {
    fn new(known: NetworkSnapshot<ThreeNetwork>, cubes: u32, seed: u64) -> Self {
        let search = known.network.searching(cube(seed, 0), TEST_WIDTHS[0]);
        Self { known, cubes, over: 0, search, solved: Default::default(), moves: Default::default() }
    }
}

/// The random cube of this number.
fn cube(seed: u64, number: u32) -> Cube3 {
    Cube3::any(&mut Stream::new(rng::derive(seed, TESTS), number))
}

impl Evaluator<Three> for Tests {
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

    fn is_due(&self, _: &Networks<Three>, learner: &Three) -> bool {
        let samples = learner.progress().steps;
        self.under_way.is_some()
            || (self.config.every > 0 && samples >= self.last.saturating_add(self.config.every))
    }

    fn advance(
        &mut self,
        cpu: &Cpu,
        _: &mut Networks<Three>,
        learner: &Three,
    ) -> Result<Option<MetricRow>, LabError> {
        let seed = learner.seed();
        let Some(series) = &mut self.under_way else {
            let progress = learner.progress();
            let network = learner.network()?.into();
            let known = NetworkSnapshot { network, updates: progress.updates, samples: progress.steps };
            self.last = progress.steps;
            self.under_way = Some(Box::new(Series::new(known, self.config.cubes, seed)));
            self.version = self.version.wrapping_add(1);
            return Ok(None);
        };
        let Sought { end: Some(found), .. } = series.known.network.seek(cpu, &mut series.search) else {
            return Ok(None);
        };
        let width = series.over as usize % TEST_WIDTHS.len();
        if let Some(solution) = found {
            series.solved[width] += 1;
            series.moves[width] += solution.len() as u64;
        }
        series.over += 1;
        self.version = self.version.wrapping_add(1);
        let (number, width) =
            (series.over / TEST_WIDTHS.len() as u32, series.over as usize % TEST_WIDTHS.len());
        if number < series.cubes {
            series.search = series.known.network.searching(cube(seed, number), TEST_WIDTHS[width]);
            return Ok(None);
        }
        Ok(self.end())
    }

    fn version(&self) -> u32 {
        self.version
    }

    fn phase(&self) -> &'static str {
        "test"
    }

    fn describe(&self, run: &mut CubeRun) {
        run.tests.clone_from(&self.rows);
        if let Some(series) = &self.under_way {
            run.testing = [series.over / TEST_WIDTHS.len() as u32, series.cubes];
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

impl Tests {
    /// Books the test that is over.
    fn end(&mut self) -> Option<MetricRow> {
        let series = self.under_way.take()?;
        let samples = series.known.samples;
        let mut values = Vec::new();
        for ((&width, &solved), &moves) in TEST_WIDTHS.iter().zip(&series.solved).zip(&series.moves) {
            let mean_length = (solved > 0).then(|| moves as f64 / f64::from(solved));
            values.push((solved_name(width), Some(f64::from(solved) / f64::from(series.cubes.max(1)))));
            values.push((length_name(width), mean_length));
            self.rows.push(CubeTest { samples, width, cubes: series.cubes, solved, mean_length });
        }
        self.rows.drain(..self.rows.len().saturating_sub(MOST_ROWS));
        Some(MetricRow::new(samples, values))
    }
}

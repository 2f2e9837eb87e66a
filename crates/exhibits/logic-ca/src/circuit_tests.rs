//! Generalization tests of a hard circuit: larger boards, damage (regeneration), other update modes.

use super::initial_state::set_initial_state;
use super::patterns;
use super::simplified_circuit::SimplifiedCircuit;
use crate::protocol::LogicTest;
use vivarium_graph::Cpu;
use vivarium_kernels::rng;
use vivarium_logic_ca::config::InitialState;
use vivarium_logic_ca::hard::{Boards, UpdateMask, life};
use vivarium_logic_ca::{Border, Grid, LogicConfig, TargetKind, TargetPattern, target};

/// Side lengths in cells of the boards on which the growth of the checkerboard is tested. Lengths that do not exceed
/// the training boards are skipped.
const LARGER: [usize; 2] = [64, 1024];

/// Maximum work of a generalization test in gates × cells × automaton steps: some seconds on one thread. Tests with
/// more work are skipped.
const MAX_WORK: u64 = 1 << 39;

/// Cost of sampling whether one cell is updated in an automaton step, expressed in gate evaluations.
const MASK_WORK: u64 = 512;

/// Fire rate (probability that a cell is updated in a step) in the test of asynchronous updates.
const FIRE_RATE: f32 = 0.6;

/// Maximum number of boards over which a test with random initial states or updates averages the accuracy.
const BOARDS: u32 = 50;

/// Number of automaton steps of the generalization test with Game of Life patterns.
const LIFE_STEPS: usize = 64;

/// Side, in cells, of the board of the generalization test with Game of Life patterns.
const LIFE_SIDE: usize = 64;

/// Number of the random stream from which the seeds of initial states are derived.
const INITIAL_STATE: u32 = 120;
/// Number of the random stream from which the seeds of update masks are derived.
const UPDATE_MASK: u32 = 121;

/// Runner of the generalization tests of a hard circuit (each gate computes its most probable function).
#[derive(Clone, Copy)]
pub(super) struct CircuitTests<'a> {
    pub(super) config: &'a LogicConfig,
    pub(super) simplified: &'a SimplifiedCircuit,
    pub(super) cpu: &'a Cpu,
    pub(super) seed: u64,
    /// Callback that receives the completed fraction, 0 to 1, and returns whether to abort the tests. The caller
    /// discards the results of aborted tests.
    pub(super) stop: &'a dyn Fn(f64) -> bool,
}

impl CircuitTests<'_> {
    /// Runs all generalization tests that are defined for the training target, and returns their results.
    pub(super) fn all(&self) -> Vec<LogicTest> {
        let target = self.config.target();
        match &target {
            None => vec![self.neighborhoods(), self.life_patterns()],
            Some(target) => {
                let longest = self.config.width.max(self.config.height) as usize;
                let sides = LARGER.iter().filter(|&&side| side > longest);
                let larger = match self.config.target {
                    TargetKind::Checkerboard => {
                        sides.map(|&side| self.larger_checkerboard(side, longest)).collect()
                    }
                    TargetKind::Life | TargetKind::Lizard | TargetKind::Letter | TargetKind::Drawn => {
                        match self.config.start {
                            InitialState::Seed => vec![self.larger_board(target)],
                            InitialState::Random | InitialState::Zeros | InitialState::Neighborhoods => {
                                Vec::new()
                            }
                        }
                    }
                };
                [larger, vec![self.damage(target), self.other_update_mode(target)]].concat()
            }
        }
    }

    /// Compares the circuit with the rule of the Game of Life on all 512 neighborhoods (3×3 bits). The accuracy is the
    /// fraction of neighborhoods with a correct next bit.
    fn neighborhoods(&self) -> LogicTest {
        let wrong = life::mistakes(&self.simplified.circuit).len() as f64;
        LogicTest {
            name: "neighborhoods".into(),
            label: "All 512 neighborhoods".into(),
            accuracy: Some(1.0 - wrong / f64::from(life::CASES)),
            help: "Share of the 512 neighborhoods for which the next cell follows the rule.".into(),
        }
    }

    /// Compares the circuit with the rule of the Game of Life over [`LIFE_STEPS`] automaton steps from each of the
    /// [known patterns](patterns). The accuracy is the fraction of patterns without a wrong bit.
    fn life_patterns(&self) -> LogicTest {
        let grid = Grid { boards: 1, height: LIFE_SIDE, width: LIFE_SIDE, border: Border::Periodic };
        let all = patterns::known();
        let right = all.iter().filter(|pattern| {
            let mut cells = vec![false; grid.cells()];
            for (row, line) in pattern.rows.iter().enumerate() {
                for (column, cell) in line.bytes().enumerate() {
                    cells[(16 + row) * grid.width + 12 + column] = cell == b'#';
                }
            }
            let Ok(mut boards) = Boards::new(grid, self.simplified.circuit.channels()) else { return false };
            boards.set_channel(0, cells.iter().copied());
            let (mut compiled, mut next) = (self.simplified.compile(), cells.clone());
            (0..LIFE_STEPS).all(|step| {
                target::life(&grid, &cells, &mut next);
                std::mem::swap(&mut cells, &mut next);
                compiled.step(self.cpu, &mut boards, None, step as u32);
                boards.channel(0).eq(cells.iter().copied())
            })
        });
        LogicTest {
            name: "patterns".into(),
            label: "Classic patterns".into(),
            accuracy: Some(right.count() as f64 / all.len() as f64),
            help: format!(
                "Share of the classic patterns for which every cell follows the rule in each of {LIFE_STEPS} steps."
            ),
        }
    }

    /// Tests the growth of the checkerboard on a board of `side` × `side` cells. `longest` is the longer side of a
    /// training board; the number of automaton steps in training is scaled by `side` / `longest`.
    fn larger_checkerboard(&self, side: usize, longest: usize) -> LogicTest {
        let steps = (self.config.steps as usize * side).div_ceil(longest);
        let grid = Grid { boards: 1, height: side, width: side, border: self.config.border };
        let boards = self.roll_out(grid, steps, self.config.fire_rate);
        let what = format!("correct on a board of {side}×{side} cells after {steps} steps");
        test(
            &format!("generalization_{side}"),
            format!("On {side}×{side}"),
            boards.map(|boards| checkerboard_accuracy(&boards)),
            &format!("{what}, for the best shift of the pattern"),
        )
    }

    /// Tests the growth of the pattern from its seed on a board that is twice as wide and twice as high as a training
    /// board.
    fn larger_board(&self, target: &TargetPattern) -> LogicTest {
        let Grid { height, width, border, .. } = self.config.grid();
        let grid = Grid { boards: 1, height: 2 * height, width: 2 * width, border };
        let boards = self.roll_out(grid, self.config.steps as usize, self.config.fire_rate);
        let size = format!("{}×{}", grid.width, grid.height);
        test(
            "generalization",
            format!("On {size}"),
            boards.map(|boards| pattern_accuracy(&boards, target)),
            &format!("correct on a board of {size} cells, with a wider margin around the pattern"),
        )
    }

    /// Tests regeneration: sets the middle ninth of the board to 0 after the pattern has grown, and repeats the
    /// automaton steps of training.
    fn damage(&self, target: &TargetPattern) -> LogicTest {
        let grid = Grid { boards: 1, ..self.config.grid() };
        let (steps, rate) = (self.config.steps as usize, self.config.fire_rate);
        let (healed, on) = self.mean_accuracy((grid, steps, rate), |test, mut boards| {
            let hole = |at: usize, len: usize| (len / 3..len - len / 3).contains(&at);
            for lane in 0..grid.cells() {
                if hole(lane / grid.width, grid.height) && hole(lane % grid.width, grid.width) {
                    (0..boards.channels()).for_each(|channel| boards.set(channel, lane, false));
                }
            }
            test.step(&mut boards, steps..2 * steps, rate);
            test.right(&boards, target)
        });
        let when = format!("{steps} steps after the middle ninth of the board was erased");
        test("damage", "After damage".into(), healed, &format!("correct {when}, {on}"))
    }

    /// Tests the update mode that was not used in training: synchronous if training was asynchronous, and vice versa.
    fn other_update_mode(&self, target: &TargetPattern) -> LogicTest {
        let grid = Grid { boards: 1, ..self.config.grid() };
        let together = self.config.fire_rate < 1.0;
        let (name, label, rate) = if together {
            ("synchronous", "Synchronous updates", 1.0)
        } else {
            ("asynchronous", "Asynchronous updates", FIRE_RATE)
        };
        // The number of steps gives each cell the same expected number of updates as in training.
        let steps = (self.config.steps as f32 * self.config.fire_rate / rate).ceil() as usize;
        let (right, on) = self.mean_accuracy((grid, steps, rate), |test, boards| test.right(&boards, target));
        let how = if together { "with synchronous updates".into() } else { format!("with fire rate {rate}") };
        test(name, label.into(), right, &format!("correct after {steps} steps {how}, {on}"))
    }

    /// Returns the mean accuracy over several boards, and a phrase with their number such as "on 50 boards". On each
    /// board of geometry `grid` the circuit runs `steps` automaton steps with fire rate `rate`; `accuracy` evaluates
    /// the final board. The mean is `None` if a single board exceeds [`MAX_WORK`].
    fn mean_accuracy(
        &self,
        (grid, steps, rate): (Grid, usize, f32),
        accuracy: impl Fn(&Self, Boards) -> f64,
    ) -> (Option<f64>, String) {
        // Without random bits or random updates all boards are equal, so one is enough.
        let is_random = rate < 1.0 || self.config.start != InitialState::Seed;
        let most = (MAX_WORK / self.work(grid, steps, rate).max(1)).min(BOARDS.into()) as u32;
        let count = if is_random { most.max(1) } else { 1 };
        let accuracies = (0..count).map(|board| {
            let test = Self { seed: rng::derive(self.seed, board), ..*self };
            test.roll_out(grid, steps, rate).map(|boards| accuracy(&test, boards))
        });
        let sum: Option<f64> = accuracies.sum();
        let on = if count == 1 { "on 1 board".into() } else { format!("on {count} boards") };
        (sum.map(|sum| sum / f64::from(count)), on)
    }

    /// Returns the work of `steps` automaton steps on one board in gates × cells × automaton steps. `rate` is the fire
    /// rate.
    fn work(&self, grid: Grid, steps: usize, rate: f32) -> u64 {
        let circuit = &self.simplified.circuit;
        let fire = if rate < 1.0 { MASK_WORK } else { 0 };
        let of_cell = (circuit.gates().len() + 4 * circuit.channels()) as u64 + fire;
        grid.lanes() as u64 * steps as u64 * of_cell
    }

    /// Returns the fraction of a board's cells that match the training target `target`. The board has the size of a
    /// training board.
    fn right(&self, boards: &Boards, target: &TargetPattern) -> f64 {
        if self.config.target == TargetKind::Checkerboard {
            checkerboard_accuracy(boards)
        } else {
            pattern_accuracy(boards, target)
        }
    }

    /// Runs `steps` automaton steps with fire rate `rate` from the initial state of training, and returns the board in
    /// its final state. Returns `None` if the rollout exceeds [`MAX_WORK`] or the board needs too much memory.
    fn roll_out(&self, grid: Grid, steps: usize, rate: f32) -> Option<Boards> {
        if self.work(grid, steps, rate) > MAX_WORK {
            return None;
        }
        let mut boards = Boards::new(grid, self.simplified.circuit.channels()).ok()?;
        set_initial_state(&mut boards, self.config.start, rng::derive(self.seed, INITIAL_STATE));
        self.step(&mut boards, 0..steps, rate);
        Some(boards)
    }

    fn step(&self, boards: &mut Boards, steps: std::ops::Range<usize>, rate: f32) {
        let mut compiled = self.simplified.compile();
        let fire = (rate < 1.0).then(|| UpdateMask { rate, seed: rng::derive(self.seed, UPDATE_MASK) });
        for step in steps.take_while(|_| !(self.stop)(0.0)) {
            compiled.step(self.cpu, boards, fire, step as u32);
        }
    }
}

/// Creates the result of a generalization test. `accuracy` is `None` if the test was skipped; `what` is the condition
/// for a correct cell, as a phrase for the description.
fn test(name: &str, label: String, accuracy: Option<f64>, what: &str) -> LogicTest {
    let left_out = if accuracy.is_none() { " Skipped: it would take too long." } else { "" };
    LogicTest {
        name: name.into(),
        label,
        accuracy,
        help: format!("Share of cells that are {what}.{left_out}"),
    }
}

/// Returns the fraction of the cells that match the target pattern, which is centered on the board.
fn pattern_accuracy(boards: &Boards, target: &TargetPattern) -> f64 {
    let grid = boards.grid();
    let right = |&lane: &usize| {
        (0..target.channels).all(|channel| boards.get(channel, lane) == target.on(&grid, channel, lane))
    };
    (0..grid.cells()).filter(right).count() as f64 / grid.cells() as f64
}

/// Returns the fraction of the cells that match the checkerboard, for the translation of the checkerboard that matches
/// most cells.
fn checkerboard_accuracy(boards: &Boards) -> f64 {
    let grid = boards.grid();
    // Number of cells with bit 1, and of all cells, by row and column modulo 4 (the period of the checkerboard).
    let (mut ones, mut all) = ([[0_u64; 4]; 4], [[0_u64; 4]; 4]);
    for (lane, bit) in boards.channel(0).enumerate() {
        let (row, column) = (lane / grid.width % 4, lane % grid.width % 4);
        ones[row][column] += u64::from(bit);
        all[row][column] += 1;
    }
    let right = |down: usize, across: usize| -> u64 {
        let of_place = |(row, column): (usize, usize)| {
            let one = ((row + down) % 4 / 2 + (column + across) % 4 / 2) % 2 == 1;
            if one { ones[row][column] } else { all[row][column] - ones[row][column] }
        };
        (0..16).map(|place| of_place((place / 4, place % 4))).sum()
    };
    let shifts = (0..16).map(|shift| right(shift / 4, shift % 4));
    shifts.max().unwrap_or(0) as f64 / grid.cells() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_logic_ca::LogicPreset;

    #[test]
    fn shifted_checkerboards_are_recognized() {
        let grid = Grid { boards: 1, height: 12, width: 16, border: Border::Fixed };
        let whole = TargetPattern::checkerboard(24, 24);
        for (down, across) in [(0, 0), (1, 0), (2, 3), (3, 2)] {
            let mut boards = Boards::new(grid, 2).unwrap();
            let bit = |lane: usize| whole.bit(0, lane / grid.width + down, lane % grid.width + across);
            boards.set_channel(0, (0..grid.cells()).map(bit));
            assert_eq!(checkerboard_accuracy(&boards), 1.0);
            boards.set(0, 5, !boards.get(0, 5));
            assert_eq!(checkerboard_accuracy(&boards), 1.0 - 1.0 / grid.cells() as f64);
        }
        // An empty board matches half of the cells.
        assert_eq!(checkerboard_accuracy(&Boards::new(grid, 2).unwrap()), 0.5);
    }

    #[test]
    fn a_correct_life_circuit_passes_and_the_identity_fails() {
        let config = LogicConfig::of(LogicPreset::Life);
        let cpu = Cpu::new(1);
        let simplified = SimplifiedCircuit::from_file(&life::circuit());
        let tests =
            CircuitTests { config: &config, simplified: &simplified, cpu: &cpu, seed: 1, stop: &|_| false };
        let marks =
            |tests: &CircuitTests| tests.all().iter().map(|test| test.accuracy.unwrap()).collect::<Vec<_>>();
        assert_eq!(marks(&tests), [1.0, 1.0]);
        let blind = vivarium_logic_ca::hard::Circuit::new(1, Vec::new(), vec![4]).unwrap();
        let simplified = SimplifiedCircuit::from_file(&blind);
        let tests = CircuitTests { simplified: &simplified, ..tests };
        // The identity circuit is correct for one known pattern only, the block.
        let of_patterns = 1.0 / patterns::known().len() as f64;
        let all = marks(&tests);
        assert!(all[0] > 0.5 && all[0] < 0.9 && all[1] == of_patterns, "{all:?}");
    }
}

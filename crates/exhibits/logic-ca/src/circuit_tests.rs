//! Harder tests of a hard circuit than the one that it was trained for.

use super::initial_state::begin;
use super::patterns;
use super::simplified_circuit::SimplifiedCircuit;
use crate::protocol::LogicTest;
use vivarium_graph::Cpu;
use vivarium_kernels::rng;
use vivarium_logic_ca::config::InitialState;
use vivarium_logic_ca::hard::{Boards, UpdateMask, life};
use vivarium_logic_ca::{Border, Grid, LogicConfig, TargetKind, TargetPattern, target};

/// Sides of the larger boards on which a checkerboard must stand as well.
const LARGER: [usize; 2] = [64, 1024];

/// Gates times cells times steps of a test, some seconds of one thread; longer ones are left out, and say so.
const MAX_WORK: u64 = 1 << 39;

/// To draw whether a cell fires takes as long as so many gates.
const FIRE_WORK: u64 = 512;

/// The chance to fire in the test of asynchronous updates.
const FIRE_RATE: f32 = 0.6;

/// Boards of the trained size that tests with random numbers take, or fewer where that takes too long.
const BOARDS: u32 = 50;

/// Steps for which a pattern of Life must be right.
const LIFE_STEPS: usize = 64;

/// The board on which it is put.
const LIFE_SIDE: usize = 64;

/// Purposes of random numbers, apart from all others.
const START: u32 = 120;
const FIRES: u32 = 121;

/// Tests of a circuit.
#[derive(Clone, Copy)]
pub(super) struct CircuitTests<'a> {
    pub(super) config: &'a LogicConfig,
    pub(super) running: &'a SimplifiedCircuit,
    pub(super) cpu: &'a Cpu,
    pub(super) seed: u64,
    /// Whether to leave it: nothing is worth anything then.
    pub(super) stop: &'a dyn Fn(f64) -> bool,
}

impl CircuitTests<'_> {
    /// All tests that make sense for what is learned.
    pub(super) fn all(&self) -> Vec<LogicTest> {
        let target = self.config.target();
        match &target {
            None => vec![self.neighborhoods(), self.classics()],
            Some(target) => {
                let longest = self.config.width.max(self.config.height) as usize;
                let sides = LARGER.iter().filter(|&&side| side > longest);
                let larger = match self.config.target {
                    TargetKind::Checkerboard => {
                        sides.map(|&side| self.larger_checkerboard(side, longest)).collect()
                    }
                    _ if self.config.start == InitialState::Seed => vec![self.larger_board(target)],
                    _ => Vec::new(),
                };
                [larger, vec![self.damage(target), self.other_firing(target)]].concat()
            }
        }
    }

    /// Life: every neighborhood.
    fn neighborhoods(&self) -> LogicTest {
        let wrong = life::mistakes(&self.running.circuit).len() as f64;
        LogicTest {
            name: "neighborhoods".into(),
            label: "All 512 neighborhoods".into(),
            accuracy: Some(1.0 - wrong / f64::from(life::CASES)),
            help: "The share of all neighborhoods after which the cell is what the rule says.".into(),
        }
    }

    /// Life: patterns that everybody knows, against the true rule.
    fn classics(&self) -> LogicTest {
        let grid = Grid { boards: 1, height: LIFE_SIDE, width: LIFE_SIDE, border: Border::Periodic };
        let all = patterns::known();
        let right = all.iter().filter(|pattern| {
            let mut cells = vec![false; grid.cells()];
            for (row, line) in pattern.rows.iter().enumerate() {
                for (column, cell) in line.bytes().enumerate() {
                    cells[(16 + row) * grid.width + 12 + column] = cell == b'#';
                }
            }
            let Ok(mut boards) = Boards::new(grid, self.running.circuit.channels()) else { return false };
            boards.set_channel(0, cells.iter().copied());
            let (mut code, mut next) = (self.running.code(), cells.clone());
            (0..LIFE_STEPS).all(|step| {
                target::life(&grid, &cells, &mut next);
                std::mem::swap(&mut cells, &mut next);
                code.step(self.cpu, &mut boards, None, step as u32);
                boards.channel(0).eq(cells.iter().copied())
            })
        });
        LogicTest {
            name: "patterns".into(),
            label: "Classic patterns".into(),
            accuracy: Some(right.count() as f64 / all.len() as f64),
            help: format!(
                "The share of the classic patterns that live for {LIFE_STEPS} steps as the rule says, every cell in every step."
            ),
        }
    }

    /// A checkerboard on a larger board, after as many more steps as it is larger.
    fn larger_checkerboard(&self, side: usize, longest: usize) -> LogicTest {
        let steps = (self.config.steps as usize * side).div_ceil(longest);
        let grid = Grid { boards: 1, height: side, width: side, border: self.config.border };
        let boards = self.rolled_out(grid, steps, self.config.fire_rate);
        let what = format!("right on a board of {side}×{side} cells after {steps} steps");
        test(
            &format!("generalization_{side}"),
            format!("On {side}×{side}"),
            boards.map(|boards| checkered(&boards)),
            &format!("{what}. The pattern may begin anywhere"),
        )
    }

    /// One seed on a board of twice the size.
    fn larger_board(&self, target: &TargetPattern) -> LogicTest {
        let Grid { height, width, border, .. } = self.config.grid();
        let grid = Grid { boards: 1, height: 2 * height, width: 2 * width, border };
        let boards = self.rolled_out(grid, self.config.steps as usize, self.config.fire_rate);
        let size = format!("{}×{}", grid.width, grid.height);
        test(
            "generalization",
            format!("On {size}"),
            boards.map(|boards| alike(&boards, target)),
            &format!("right on {size}, where more lies around the pattern"),
        )
    }

    /// A hole is cut when the pattern stands; as many steps later it should stand again.
    fn damage(&self, target: &TargetPattern) -> LogicTest {
        let grid = Grid { boards: 1, ..self.config.grid() };
        let (steps, rate) = (self.config.steps as usize, self.config.fire_rate);
        let (healed, on) = self.mean((grid, steps, rate), |test, mut boards| {
            let hole = |at: usize, len: usize| (len / 3..len - len / 3).contains(&at);
            for lane in 0..grid.cells() {
                if hole(lane / grid.width, grid.height) && hole(lane % grid.width, grid.width) {
                    (0..boards.channels()).for_each(|channel| boards.set(channel, lane, false));
                }
            }
            test.step(&mut boards, steps..2 * steps, rate);
            test.right(&boards, target)
        });
        let when = format!("{steps} steps after the middle ninth of the board was cut out of the pattern");
        test("damage", "After damage".into(), healed, &format!("right {when}, {on}"))
    }

    /// Cells that fire at random where they were taught to fire together, and the other way round.
    fn other_firing(&self, target: &TargetPattern) -> LogicTest {
        let grid = Grid { boards: 1, ..self.config.grid() };
        let together = self.config.fire_rate < 1.0;
        let (name, label, rate) = if together {
            ("synchronous", "All cells together", 1.0)
        } else {
            ("asynchronous", "Cells at random times", FIRE_RATE)
        };
        // As many updates of each cell as it was taught for.
        let steps = (self.config.steps as f32 * self.config.fire_rate / rate).ceil() as usize;
        let (right, on) = self.mean((grid, steps, rate), |test, boards| test.right(&boards, target));
        let how = if together {
            "all cells fire in every step".into()
        } else {
            format!("a cell fires with a chance of {rate} in a step")
        };
        test(name, label.into(), right, &format!("right after {steps} steps in which {how}, {on}"))
    }

    /// The mean of what `mark` says of boards that were rolled out (a grid, steps, and how often a cell fires), each from
    /// random numbers of its own, and on how many that is. `None` where one alone takes too long.
    fn mean(
        &self,
        (grid, steps, rate): (Grid, usize, f32),
        mark: impl Fn(&Self, Boards) -> f64,
    ) -> (Option<f64>, String) {
        // Without random numbers all boards are alike.
        let is_random = rate < 1.0 || self.config.start != InitialState::Seed;
        let most = (MAX_WORK / self.work(grid, steps, rate).max(1)).min(BOARDS.into()) as u32;
        let count = if is_random { most.max(1) } else { 1 };
        let marks = (0..count).map(|board| {
            let test = Self { seed: rng::derive(self.seed, board), ..*self };
            test.rolled_out(grid, steps, rate).map(|boards| mark(&test, boards))
        });
        let sum: Option<f64> = marks.sum();
        let on = if count == 1 { "on a board".into() } else { format!("on {count} boards") };
        (sum.map(|sum| sum / f64::from(count)), on)
    }

    /// Gates times cells times steps of a board.
    fn work(&self, grid: Grid, steps: usize, rate: f32) -> u64 {
        let circuit = &self.running.circuit;
        let fire = if rate < 1.0 { FIRE_WORK } else { 0 };
        let of_cell = (circuit.gates().len() + 4 * circuit.channels()) as u64 + fire;
        grid.lanes() as u64 * steps as u64 * of_cell
    }

    /// The share of cells of a trained size that are right.
    fn right(&self, boards: &Boards, target: &TargetPattern) -> f64 {
        if self.config.target == TargetKind::Checkerboard { checkered(boards) } else { alike(boards, target) }
    }

    /// A board after so many steps; `None` where that takes too long.
    fn rolled_out(&self, grid: Grid, steps: usize, rate: f32) -> Option<Boards> {
        if self.work(grid, steps, rate) > MAX_WORK {
            return None;
        }
        let mut boards = Boards::new(grid, self.running.circuit.channels()).ok()?;
        begin(&mut boards, self.config.start, rng::derive(self.seed, START));
        self.step(&mut boards, 0..steps, rate);
        Some(boards)
    }

    fn step(&self, boards: &mut Boards, steps: std::ops::Range<usize>, rate: f32) {
        let mut code = self.running.code();
        let fire = (rate < 1.0).then(|| UpdateMask { rate, seed: rng::derive(self.seed, FIRES) });
        for step in steps.take_while(|_| !(self.stop)(0.0)) {
            code.step(self.cpu, boards, fire, step as u32);
        }
    }
}

/// A test of how many cells are right, which says so where it was left out.
fn test(name: &str, label: String, accuracy: Option<f64>, what: &str) -> LogicTest {
    let left_out = if accuracy.is_none() { " Left out, for it would take too long." } else { "" };
    LogicTest {
        name: name.into(),
        label,
        accuracy,
        help: format!("The share of cells that are {what}.{left_out}"),
    }
}

/// The share of cells that are as in a pattern which stands in the middle.
fn alike(boards: &Boards, target: &TargetPattern) -> f64 {
    let grid = boards.grid();
    let right = |&lane: &usize| {
        (0..target.channels).all(|channel| boards.get(channel, lane) == target.on(&grid, channel, lane))
    };
    (0..grid.cells()).filter(right).count() as f64 / grid.cells() as f64
}

/// The share of cells that belong to one checkerboard, whichever of the eight that there are most belong to.
fn checkered(boards: &Boards) -> f64 {
    let grid = boards.grid();
    // How many cells of each place in squares of four by four are 1.
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
    fn a_checkerboard_is_known_wherever_it_begins() {
        let grid = Grid { boards: 1, height: 12, width: 16, border: Border::Fixed };
        let whole = TargetPattern::checkerboard(24, 24);
        for (down, across) in [(0, 0), (1, 0), (2, 3), (3, 2)] {
            let mut boards = Boards::new(grid, 2).unwrap();
            let bit = |lane: usize| whole.bit(0, lane / grid.width + down, lane % grid.width + across);
            boards.set_channel(0, (0..grid.cells()).map(bit));
            assert_eq!(checkered(&boards), 1.0);
            boards.set(0, 5, !boards.get(0, 5));
            assert_eq!(checkered(&boards), 1.0 - 1.0 / grid.cells() as f64);
        }
        // Nothing is half right.
        assert_eq!(checkered(&Boards::new(grid, 2).unwrap()), 0.5);
    }

    #[test]
    fn a_perfect_circuit_of_life_passes_and_a_blind_one_does_not() {
        let config = LogicConfig::of(LogicPreset::Life);
        let cpu = Cpu::new(1);
        let running = SimplifiedCircuit::opened(&life::circuit());
        let tests = CircuitTests { config: &config, running: &running, cpu: &cpu, seed: 1, stop: &|_| false };
        let marks =
            |tests: &CircuitTests| tests.all().iter().map(|test| test.accuracy.unwrap()).collect::<Vec<_>>();
        assert_eq!(marks(&tests), [1.0, 1.0]);
        let blind = vivarium_logic_ca::hard::Circuit::new(1, Vec::new(), vec![4]).unwrap();
        let running = SimplifiedCircuit::opened(&blind);
        let tests = CircuitTests { running: &running, ..tests };
        // What never changes is right about the block alone.
        let of_patterns = 1.0 / patterns::known().len() as f64;
        let all = marks(&tests);
        assert!(all[0] > 0.5 && all[0] < 0.9 && all[1] == of_patterns, "{all:?}");
    }
}

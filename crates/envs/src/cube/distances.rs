//! How far every state of the cube of 2×2×2 is from the solved one.

use super::turn::{Metric, Turn};
use super::two::Cube2;

/// The fewest moves that solve each state, found from the solved state outwards.
#[derive(Clone, Debug)]
pub struct Distances {
    metric: Metric,
    /// By rank.
    of: Vec<u8>,
    counts: Vec<u32>,
}

impl Distances {
    /// The distances of all states. Takes a fraction of a second.
    pub fn new(metric: Metric) -> Self {
        const UNKNOWN: u8 = u8::MAX;
        let turns = Cube2::turns(metric);
        let mut of = vec![UNKNOWN; Cube2::STATES];
        of[Cube2::SOLVED.rank() as usize] = 0;
        let (mut layer, mut next) = (vec![Cube2::SOLVED], Vec::new());
        let mut counts = Vec::new();
        let mut after = [Cube2::SOLVED; Turn::COUNT];
        while !layer.is_empty() {
            counts.push(layer.len() as u32);
            for cube in layer.drain(..) {
                cube.after_each(turns, &mut after);
                for &cube in &after[..turns.len()] {
                    let distance = &mut of[cube.rank() as usize];
                    if *distance == UNKNOWN {
                        *distance = counts.len() as u8;
                        next.push(cube);
                    }
                }
            }
            std::mem::swap(&mut layer, &mut next);
        }
        Self { metric, of, counts }
    }

    /// What counts as one move.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The distances of all states by rank.
    pub fn all(&self) -> &[u8] {
        &self.of
    }

    /// How many states there are at each distance.
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// The distance of a state.
    #[inline]
    pub fn of(&self, cube: Cube2) -> u8 {
        self.of[cube.rank() as usize]
    }

    /// The moves that bring a state nearer to the solved one: bit i is set for the i-th of
    /// [`Cube2::turns`]. The solved state has none.
    #[inline]
    pub fn optimal(&self, cube: Cube2) -> u16 {
        let turns = Cube2::turns(self.metric);
        let mut after = [Cube2::SOLVED; Turn::COUNT];
        cube.after_each(turns, &mut after);
        let nearer = |after: &Cube2| self.of(*after) < self.of(cube);
        (0..turns.len()).filter(|&turn| nearer(&after[turn])).fold(0, |mask, turn| mask | 1 << turn)
    }

    /// A shortest solution: of several, the one whose turns come first.
    pub fn solution(&self, mut cube: Cube2) -> Vec<Turn> {
        let mut solution = Vec::with_capacity(self.of(cube).into());
        while !cube.is_solved() {
            let turn = Cube2::turns(self.metric)[self.optimal(cube).trailing_zeros() as usize];
            cube = cube.turned(turn);
            solution.push(turn);
        }
        solution
    }
}

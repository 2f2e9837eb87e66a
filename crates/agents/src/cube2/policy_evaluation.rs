//! The moves that a policy makes in every state, and where they lead.

use super::score::{DepthScore, Score};
use std::sync::Arc;
use vivarium_envs::cube::{Cube2, Distances, Turn};

/// What becomes of a state in the hands of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is solved, in so many moves.
    Solved(u32),
    /// It ends in a cycle of so many moves.
    Lost(u32),
}

/// The evaluation of a policy in all states of the cube of 2×2×2.
///
/// It asks about the states nearest to the solved one first, and follows what it can at once, so that a chart by depth
/// fills up from there while it goes on. It all goes in bounded slices, each of which returns promptly.
#[derive(Clone, Debug)]
pub struct PolicyEvaluation {
    distances: Arc<Distances>,
    /// By rank, the move as its place among the [turns](Cube2::turns); [`UNASKED`] before it is known.
    moves: Vec<u8>,
    /// By rank: what [`Outcome`] is packed into, [`UNKNOWN`] or [`ON_PATH`].
    outcomes: Vec<u32>,
    /// The distance that is asked about, and the rank to look at next for states that are so far away.
    depth: u8,
    next: usize,
    /// The rank from which on states are followed once more, when all moves are known.
    settled: usize,
    /// Ranks on the way from a state, kept for their room.
    path: Vec<u32>,
    score: Score,
}

const UNASKED: u8 = u8::MAX;
/// Nothing is known yet.
const UNKNOWN: u32 = u32::MAX;
/// On the way that is being followed.
const ON_PATH: u32 = u32::MAX - 1;
/// A length of a cycle has this bit, a number of moves has not.
const LOST: u32 = 1 << 31;

/// States that a slice follows once all moves are known.
const SLICE: usize = 1 << 15;
/// Moves that are followed before all are known: what is not over then waits until they are, so that nobody walks a long
/// way in vain again and again.
const PATIENCE: usize = 64;

impl PolicyEvaluation {
    /// An evaluation that has not asked for any move.
    pub fn new(distances: Arc<Distances>) -> Self {
        let depth = |&states: &u32| DepthScore { states: states.into(), ..DepthScore::default() };
        let mut evaluation = Self {
            moves: vec![UNASKED; Cube2::STATES],
            outcomes: vec![UNKNOWN; Cube2::STATES],
            depth: 1,
            next: 0,
            settled: 0,
            path: Vec::new(),
            score: Score { depths: distances.counts().iter().map(depth).collect(), ..Score::default() },
            distances,
        };
        evaluation.book(Cube2::SOLVED.rank(), Outcome::Solved(0));
        evaluation
    }

    /// Writes the next states to ask about to the front of `cubes`, the nearest first, and returns how many; 0 when all
    /// have been asked about.
    pub fn ask(&mut self, cubes: &mut [Cube2]) -> usize {
        let mut count = 0;
        while count < cubes.len() && usize::from(self.depth) < self.score.depths.len() {
            let rest = &self.distances.all()[self.next..];
            match rest.iter().position(|&distance| distance == self.depth) {
                Some(skipped) => {
                    self.next += skipped + 1;
                    cubes[count] = Cube2::from_rank(self.next as u32 - 1).unwrap_or_default();
                    count += 1;
                }
                None => {
                    self.depth += 1;
                    self.next = 0;
                }
            }
        }
        count
    }

    /// Takes the policy's moves in some states, as their places among the [turns](Cube2::turns), and follows them.
    ///
    /// # Panics
    /// If there are not as many moves as states, or one is none.
    pub fn answer(&mut self, cubes: &[Cube2], moves: &[u8]) {
        assert_eq!(cubes.len(), moves.len(), "a move for each state");
        let turns = Cube2::turns(self.distances.metric()).len();
        for (cube, &answer) in cubes.iter().zip(moves) {
            assert!(usize::from(answer) < turns, "move {answer} of {turns}");
            self.moves[cube.rank() as usize] = answer;
        }
        for cube in cubes {
            self.follow(*cube, PATIENCE);
        }
    }

    /// When all moves are known, follows what is still open, a slice at a time; returns whether nothing is.
    pub fn settle(&mut self) -> bool {
        let end = Cube2::STATES.min(self.settled + SLICE);
        for rank in self.settled..end {
            if self.outcomes[rank] == UNKNOWN {
                self.follow(Cube2::from_rank(rank as u32).unwrap_or_default(), usize::MAX);
            }
        }
        self.settled = end;
        end == Cube2::STATES
    }

    /// What is known so far.
    pub fn score(&self) -> &Score {
        &self.score
    }

    /// What becomes of a state, as far as it is known.
    pub fn outcome(&self, cube: Cube2) -> Option<Outcome> {
        let packed = self.outcomes[cube.rank() as usize];
        (packed != UNKNOWN).then(|| unpack(packed))
    }

    /// The move in a state, if it is known.
    pub fn turn(&self, cube: Cube2) -> Option<Turn> {
        let turns = Cube2::turns(self.distances.metric());
        turns.get(usize::from(self.moves[cube.rank() as usize])).copied()
    }

    /// The same as its place among the [turns](Cube2::turns); beyond them all before it is known.
    pub(super) fn number(&self, cube: Cube2) -> u8 {
        self.moves[cube.rank() as usize]
    }

    /// Follows a state to an end that is known, if there is one within so many moves, and books all states on the way.
    fn follow(&mut self, mut cube: Cube2, patience: usize) {
        let mut path = std::mem::take(&mut self.path);
        path.clear();
        let end = loop {
            let rank = cube.rank();
            match self.outcomes[rank as usize] {
                UNKNOWN => {}
                ON_PATH => break Some(self.close(&mut path, rank)),
                packed => break Some(unpack(packed)),
            }
            let (Some(turn), true) = (self.turn(cube), path.len() < patience) else { break None };
            self.outcomes[rank as usize] = ON_PATH;
            path.push(rank);
            cube = cube.turned(turn);
        };
        let mut end = end;
        for &rank in path.iter().rev() {
            if let Some(Outcome::Solved(moves)) = &mut end {
                *moves += 1;
            }
            match end {
                Some(end) => self.book(rank, end),
                None => self.outcomes[rank as usize] = UNKNOWN,
            }
        }
        self.path = path;
    }

    /// Books the cycle that a path ends with, from its first state on, and takes it off the path.
    fn close(&mut self, path: &mut Vec<u32>, first: u32) -> Outcome {
        let length = path.iter().rev().take_while(|&&rank| rank != first).count() + 1;
        let outcome = Outcome::Lost(length as u32);
        for rank in path.drain(path.len() - length..) {
            self.book(rank, outcome);
        }
        self.score.cycles.entry(length as u32).or_default().count += 1;
        outcome
    }

    /// Notes what becomes of a state.
    fn book(&mut self, rank: u32, outcome: Outcome) {
        let distance = self.distances.all()[rank as usize];
        let depth = &mut self.score.depths[usize::from(distance)];
        depth.known += 1;
        self.outcomes[rank as usize] = match outcome {
            Outcome::Solved(moves) => {
                depth.solved += 1;
                depth.excess += u64::from(moves) - u64::from(distance);
                moves
            }
            Outcome::Lost(length) => {
                self.score.cycles.entry(length).or_default().states += 1;
                LOST | length
            }
        };
    }
}

fn unpack(packed: u32) -> Outcome {
    if packed & LOST == 0 { Outcome::Solved(packed) } else { Outcome::Lost(packed & !LOST) }
}

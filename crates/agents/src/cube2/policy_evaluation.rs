//! Outcome of every state under a deterministic policy.

use super::score::{DepthScore, PolicyScore};
use std::sync::Arc;
use vivarium_envs::cube::{Cube2, DistanceTable, FaceTurn};

/// Outcome of a state under a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyOutcome {
    /// The policy solves the state in this number of moves.
    Solved(u32),
    /// The policy never solves the state: it ends in a cycle of this number of moves.
    Cycle(u32),
}

/// Exhaustive evaluation of a deterministic policy on the 2×2×2 cube.
///
/// States are requested in order of distance from the solved state, and paths are followed as soon as their moves are
/// available, so that partial scores by distance are available early. Each call does a bounded amount of work.
#[derive(Clone, Debug)]
pub struct PolicyEvaluation {
    distances: Arc<DistanceTable>,
    /// The policy's action in each state, indexed by the state's rank; [`NO_ACTION`] before the action is set.
    moves: Vec<u8>,
    /// Outcome of each state, indexed by the state's rank: a packed [`PolicyOutcome`], [`UNKNOWN`] or [`ON_PATH`].
    outcomes: Vec<u32>,
    /// Distance from the solved state, in moves, of the states that are requested next.
    depth: u8,
    /// Rank (index of a state) at which [`next_states`](Self::next_states) continues its scan for states at distance
    /// `depth`.
    next: usize,
    /// Rank (index of a state) at which [`finish`](Self::finish) continues.
    finished: usize,
    /// Ranks of the states on the path of moves that is being followed (reused buffer).
    path: Vec<u32>,
    score: PolicyScore,
}

const NO_ACTION: u8 = u8::MAX;
/// Packed outcome of a state before its outcome has been computed.
const UNKNOWN: u32 = u32::MAX;
/// Packed outcome of a state on the path that is being followed.
const ON_PATH: u32 = u32::MAX - 1;
/// Flag bit of a packed outcome. If the flag is set, the remaining bits are a cycle length, otherwise a number of
/// moves.
const CYCLE: u32 = 1 << 31;

/// Number of states that one call of [`PolicyEvaluation::finish`] processes.
const SLICE: usize = 1 << 15;
/// Maximum path length before the actions of all states are set. Longer paths are left to [`PolicyEvaluation::finish`],
/// to avoid following them repeatedly.
const MAX_PATH: usize = 64;

impl PolicyEvaluation {
    /// Creates an evaluation in which no action is set.
    pub fn new(distances: Arc<DistanceTable>) -> Self {
        let depth = |&states: &u32| DepthScore { states: states.into(), ..DepthScore::default() };
        let mut evaluation = Self {
            moves: vec![NO_ACTION; Cube2::STATES],
            outcomes: vec![UNKNOWN; Cube2::STATES],
            depth: 1,
            next: 0,
            finished: 0,
            path: Vec::new(),
            score: PolicyScore {
                depths: distances.counts().iter().map(depth).collect(),
                ..PolicyScore::default()
            },
            distances,
        };
        evaluation.record(Cube2::SOLVED.rank(), PolicyOutcome::Solved(0));
        evaluation
    }

    /// Writes the next states to `cubes`, nearest first, and returns their number; 0 if all states have been
    /// requested.
    pub fn next_states(&mut self, cubes: &mut [Cube2]) -> usize {
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

    /// Stores the policy's action in each of `cubes` (indices into [`Cube2::turns`]) and follows the policy from these
    /// states.
    ///
    /// # Panics
    /// If the lengths differ or an action is out of range.
    pub fn set_actions(&mut self, cubes: &[Cube2], moves: &[u8]) {
        assert_eq!(cubes.len(), moves.len(), "one action per state");
        let turns = Cube2::turns(self.distances.metric()).len();
        for (cube, &action) in cubes.iter().zip(moves) {
            assert!(usize::from(action) < turns, "action {action} of {turns}");
            self.moves[cube.rank() as usize] = action;
        }
        for cube in cubes {
            self.follow(*cube, MAX_PATH);
        }
    }

    /// Final pass: follows the policy from a bounded number of states without an outcome. Returns whether the
    /// evaluation is complete. The actions of all states must have been set.
    pub fn finish(&mut self) -> bool {
        let end = Cube2::STATES.min(self.finished + SLICE);
        for rank in self.finished..end {
            if self.outcomes[rank] == UNKNOWN {
                self.follow(Cube2::from_rank(rank as u32).unwrap_or_default(), usize::MAX);
            }
        }
        self.finished = end;
        end == Cube2::STATES
    }

    /// Returns the score of the states whose outcome has been computed.
    pub fn score(&self) -> &PolicyScore {
        &self.score
    }

    /// Returns the outcome of a state, or `None` before it has been computed.
    pub fn outcome(&self, cube: Cube2) -> Option<PolicyOutcome> {
        let packed = self.outcomes[cube.rank() as usize];
        (packed != UNKNOWN).then(|| unpack(packed))
    }

    /// Returns the policy's turn in a state, or `None` before its action has been set.
    pub fn turn(&self, cube: Cube2) -> Option<FaceTurn> {
        let turns = Cube2::turns(self.distances.metric());
        turns.get(usize::from(self.moves[cube.rank() as usize])).copied()
    }

    /// Returns the policy's action in a state, or [`NO_ACTION`] before it has been set.
    pub(super) fn action(&self, cube: Cube2) -> u8 {
        self.moves[cube.rank() as usize]
    }

    /// Follows the policy from a state for at most `max_steps` moves. If the path reaches a cycle or a state with an
    /// outcome, records the outcome of all states on the path.
    fn follow(&mut self, mut cube: Cube2, max_steps: usize) {
        let mut path = std::mem::take(&mut self.path);
        path.clear();
        let end = loop {
            let rank = cube.rank();
            match self.outcomes[rank as usize] {
                UNKNOWN => {}
                ON_PATH => break Some(self.record_cycle(&mut path, rank)),
                packed => break Some(unpack(packed)),
            }
            let (Some(turn), true) = (self.turn(cube), path.len() < max_steps) else { break None };
            self.outcomes[rank as usize] = ON_PATH;
            path.push(rank);
            cube = cube.turned(turn);
        };
        let mut end = end;
        for &rank in path.iter().rev() {
            if let Some(PolicyOutcome::Solved(moves)) = &mut end {
                *moves += 1;
            }
            match end {
                Some(end) => self.record(rank, end),
                None => self.outcomes[rank as usize] = UNKNOWN,
            }
        }
        self.path = path;
    }

    /// Records the outcome of all states of the cycle at the end of `path`; the cycle starts at the state of rank
    /// `first`. Removes these states from `path`.
    fn record_cycle(&mut self, path: &mut Vec<u32>, first: u32) -> PolicyOutcome {
        let length = path.iter().rev().take_while(|&&rank| rank != first).count() + 1;
        let outcome = PolicyOutcome::Cycle(length as u32);
        for rank in path.drain(path.len() - length..) {
            self.record(rank, outcome);
        }
        self.score.cycles.entry(length as u32).or_default().count += 1;
        outcome
    }

    /// Records the outcome of a state and updates the score.
    fn record(&mut self, rank: u32, outcome: PolicyOutcome) {
        let distance = self.distances.all()[rank as usize];
        let depth = &mut self.score.depths[usize::from(distance)];
        depth.known += 1;
        self.outcomes[rank as usize] = match outcome {
            PolicyOutcome::Solved(moves) => {
                depth.solved += 1;
                depth.excess += u64::from(moves) - u64::from(distance);
                moves
            }
            PolicyOutcome::Cycle(length) => {
                self.score.cycles.entry(length).or_default().states += 1;
                CYCLE | length
            }
        };
    }
}

fn unpack(packed: u32) -> PolicyOutcome {
    if packed & CYCLE == 0 { PolicyOutcome::Solved(packed) } else { PolicyOutcome::Cycle(packed & !CYCLE) }
}

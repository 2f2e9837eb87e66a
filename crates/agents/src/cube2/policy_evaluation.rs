//! Outcome of every state of the 2×2×2 cube under a deterministic policy: solved, or a cycle of states.

use super::score::{DepthScore, PolicyScore};
use std::sync::Arc;
use vivarium_envs::cube::{Cube2, DistanceTable, FaceTurn};

/// Outcome when the policy is followed from a state of the cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyOutcome {
    /// The policy solves the cube from the state in this number of moves.
    Solved(u32),
    /// The policy never solves the cube: from the state it reaches a cycle, a sequence of this number of moves that
    /// repeats forever.
    Cycle(u32),
}

/// Exhaustive evaluation of a deterministic policy on the 2×2×2 cube, in progress. The caller provides the action of
/// the policy in each state.
///
/// [`next_states`](Self::next_states) returns states in order of their distance from the solved state. The evaluation
/// follows the policy as soon as actions are known, so that partial scores by distance are available early. Each call
/// does a bounded amount of work.
#[derive(Clone, Debug)]
pub struct PolicyEvaluation {
    distances: Arc<DistanceTable>,
    /// Action index of the policy in each state, indexed by the state's rank; [`NO_ACTION`] before the action is set.
    moves: Vec<u8>,
    /// Outcome of each state, indexed by the state's rank: a packed [`PolicyOutcome`], or one of the marks
    /// [`UNKNOWN`] and [`ON_PATH`].
    outcomes: Vec<u32>,
    /// Distance from the solved state, in moves, of the states that [`next_states`](Self::next_states) currently
    /// returns.
    depth: u8,
    /// Rank (index among all states) at which [`next_states`](Self::next_states) continues to search for states at
    /// distance `depth`.
    next: usize,
    /// Rank (index among all states) at which the next call of [`finish`](Self::finish) continues.
    finished: usize,
    /// Ranks (indices among all states) of the states on the path that [`follow`](Self::follow) currently traces, first
    /// to last. The buffer is reused.
    path: Vec<u32>,
    score: PolicyScore,
}

const NO_ACTION: u8 = u8::MAX;
/// Mark in `outcomes` of a state whose outcome has not been computed.
const UNKNOWN: u32 = u32::MAX;
/// Mark in `outcomes` of a state on the path that is currently followed. Reaching such a state again closes a cycle.
const ON_PATH: u32 = u32::MAX - 1;
/// Flag bit of a packed [`PolicyOutcome`]. If the bit is set, the other bits are the length of a cycle in moves,
/// otherwise the number of moves of a solution.
const CYCLE: u32 = 1 << 31;

/// Number of states that one call of [`PolicyEvaluation::finish`] examines.
const SLICE: usize = 1 << 15;
/// Maximum number of moves for which [`PolicyEvaluation::set_actions`] follows a path. Longer paths are left to
/// [`PolicyEvaluation::finish`], so that no long path is followed repeatedly.
const MAX_PATH: usize = 64;

impl PolicyEvaluation {
    /// Creates an evaluation in which no action is set. `distances` holds the distance of every state from the solved
    /// state.
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

    /// Writes to `cubes` the next states whose actions are required, in order of their distance from the solved state.
    /// Returns the number of states written; 0 if all states have been written by previous calls.
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

    /// Stores the policy's action in each of the states `cubes`. Then follows the policy from each of these states for
    /// a limited number of moves, which may determine outcomes early. Element i of `moves` is the action in state i, an
    /// index into [`Cube2::turns`].
    ///
    /// # Panics
    /// If the lengths of `cubes` and `moves` differ, or an action is out of range.
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

    /// Follows the policy from some of the states whose outcome has not been computed. Returns whether all outcomes
    /// have been computed. The actions of all states must have been set.
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

    /// Returns the score of the policy over the states whose outcome has been computed.
    pub fn score(&self) -> &PolicyScore {
        &self.score
    }

    /// Returns the outcome of the state `cube` under the policy, or `None` if the outcome has not been computed.
    pub fn outcome(&self, cube: Cube2) -> Option<PolicyOutcome> {
        let packed = self.outcomes[cube.rank() as usize];
        (packed != UNKNOWN).then(|| unpack(packed))
    }

    /// Returns the turn that the policy selects in the state `cube`, or `None` if its action has not been set.
    pub fn turn(&self, cube: Cube2) -> Option<FaceTurn> {
        let turns = Cube2::turns(self.distances.metric());
        turns.get(usize::from(self.moves[cube.rank() as usize])).copied()
    }

    /// Returns the action index that the policy selects in the state `cube`, or [`NO_ACTION`] if the action has not
    /// been set.
    pub(super) fn action(&self, cube: Cube2) -> u8 {
        self.moves[cube.rank() as usize]
    }

    /// Follows the policy from the state `cube` for at most `max_steps` moves. If the path closes a cycle, or reaches
    /// a state whose outcome is known, records the outcome of all states on the path.
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

    /// Records the outcome of the states of a cycle, and removes these states from `path`. The states are the last
    /// elements of `path`, from rank `first` on. Returns the recorded outcome.
    fn record_cycle(&mut self, path: &mut Vec<u32>, first: u32) -> PolicyOutcome {
        let length = path.iter().rev().take_while(|&&rank| rank != first).count() + 1;
        let outcome = PolicyOutcome::Cycle(length as u32);
        for rank in path.drain(path.len() - length..) {
            self.record(rank, outcome);
        }
        self.score.cycles.entry(length as u32).or_default().count += 1;
        outcome
    }

    /// Stores the outcome of the state with rank `rank`, and adds the outcome to the score.
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

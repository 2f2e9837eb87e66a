//! Beam search for a solution of the 3×3×3 cube, guided by the move probabilities of a policy network.

use super::batch_evaluator::BatchEvaluator;
use super::network::Cube3Network;
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use vivarium_envs::cube::{Cube3, FaceTurn, TurnMetric};
use vivarium_graph::Cpu;

/// Settings of a beam search: turn metric, beam width, maximum number of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BeamSearchSettings {
    /// Turn metric (the set of moves) with which the network was trained.
    pub metric: TurnMetric,
    /// Beam width: number of states that are kept after each move. A wider beam solves more cubes with shorter
    /// solutions. Time and memory are proportional to the width.
    pub width: usize,
    /// Maximum number of moves of a solution, after which the search ends without a solution.
    pub max_moves: usize,
}

impl Default for BeamSearchSettings {
    /// Returns beam width 1,024, and at most 52 moves, which is twice God's number in the quarter-turn metric.
    fn default() -> Self {
        Self { metric: TurnMetric::Quarter, width: 1024, max_moves: 52 }
    }
}

/// Status of a beam search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchStatus {
    /// The beam search is in progress.
    Searching,
    /// The search found a [solution](BeamSearch::solution).
    Solved,
    /// The search ended without a solution, because the maximum number of moves was reached or the beam is empty.
    GivenUp,
}

/// Entry of the beam: a state of the cube, and the move sequence that leads to it.
#[derive(Clone, Copy, Debug)]
struct BeamEntry {
    cube: Cube3,
    /// Log-probability of the entry's move sequence: the sum of the log-probabilities of its moves.
    log_probability: f32,
    /// Index in [`BeamSearch::nodes`] of the last move of the entry's sequence. 0 is the root node, the empty
    /// sequence.
    node: u32,
}

/// Node in the tree of move sequences. `action` is the last move of the sequence, `parent` the node of the sequence
/// without that move.
#[derive(Clone, Copy, Debug)]
struct PathNode {
    parent: u32,
    action: u8,
}

/// Value of [`PathNode::action`] in the root node, the empty move sequence.
const NO_MOVE: u8 = u8::MAX;

/// Minimum number of spare candidates: candidates that are sorted beyond the number that the next beam has room for. A
/// spare candidate replaces a candidate whose state was visited before.
const CANDIDATE_MARGIN: usize = 64;

/// Candidate for the next beam: a move in the state of a beam entry. Log-probability and index are packed in one
/// integer, so that the order of integers is the order of log-probabilities. Ties go to the lower index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct BeamCandidate(u64);

impl BeamCandidate {
    /// Creates a candidate. `log_probability` is the log-probability of its whole move sequence; `index` is (index of
    /// the beam entry) · (number of moves) + action.
    #[inline]
    fn new(log_probability: f32, index: usize) -> Self {
        // The bit patterns of positive floating-point numbers have the order of the numbers; the bit
        // patterns of negative numbers have the reversed order.
        let bits = log_probability.to_bits();
        let rank = if bits >> 31 == 0 { bits | 1 << 31 } else { !bits };
        Self(u64::from(rank) << 32 | u64::from(!(index as u32)))
    }

    #[inline]
    fn index(self) -> usize {
        !(self.0 as u32) as usize
    }
}

/// Set of the hashes of all states that a search has visited.
type SeenStates = HashSet<u64, BuildHasherDefault<IdentityHasher>>;

/// Hasher for keys that are hashes: returns the key itself.
#[derive(Clone, Copy, Debug, Default)]
struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |hash, &byte| hash.rotate_left(8) ^ u64::from(byte));
    }
}

/// Beam search for a solution of one cube. Each call of [`advance`](Self::advance) does a bounded amount of work.
///
/// After each move the beam keeps the `width` most likely distinct states that were not visited before.
#[derive(Clone, Debug)]
pub struct BeamSearch {
    settings: BeamSearchSettings,
    start: Cube3,
    status: SearchStatus,
    entries: Vec<BeamEntry>,
    /// Number of entries of the current beam that the network has evaluated.
    evaluated_entries: usize,
    /// Log-probability of each move in the states of the evaluated beam entries, `[evaluated_entries, moves]`.
    log_probabilities: Vec<f32>,
    next: Vec<BeamEntry>,
    nodes: Vec<PathNode>,
    candidates: Vec<BeamCandidate>,
    /// Hashes of all states visited so far. A state that recurs is dropped, because its move sequence is not shorter
    /// than the sequence of its first visit.
    seen: SeenStates,
    moves: usize,
    evaluated: u64,
    solution: Vec<FaceTurn>,
    evaluator: BatchEvaluator,
}

impl BeamSearch {
    /// Creates a search that starts from `cube`. A beam width of 0 is treated as 1.
    pub fn new(settings: BeamSearchSettings, cube: Cube3) -> Self {
        let mut search = Self {
            settings: BeamSearchSettings { width: settings.width.max(1), ..settings },
            start: cube,
            status: SearchStatus::Searching,
            entries: Vec::new(),
            evaluated_entries: 0,
            log_probabilities: Vec::new(),
            next: Vec::new(),
            nodes: Vec::new(),
            candidates: Vec::new(),
            seen: SeenStates::default(),
            moves: 0,
            evaluated: 0,
            solution: Vec::new(),
            evaluator: BatchEvaluator::default(),
        };
        search.restart(cube);
        search
    }

    /// Starts a new search from `cube` with the settings of this search, and reuses the buffers.
    pub fn restart(&mut self, cube: Cube3) {
        self.start = cube;
        self.status = if cube.is_solved() { SearchStatus::Solved } else { SearchStatus::Searching };
        self.entries.clear();
        self.entries.push(BeamEntry { cube, log_probability: 0.0, node: 0 });
        self.evaluated_entries = 0;
        self.log_probabilities.clear();
        self.nodes.clear();
        self.nodes.push(PathNode { parent: 0, action: NO_MOVE });
        self.seen.clear();
        self.seen.insert(cube.hash());
        self.moves = 0;
        self.evaluated = 0;
        self.solution.clear();
    }

    /// Returns the settings of the search: turn metric, beam width and maximum number of moves.
    pub fn settings(&self) -> BeamSearchSettings {
        self.settings
    }

    /// Returns whether the search is in progress, has found a solution, or has ended without a solution.
    pub fn status(&self) -> SearchStatus {
        self.status
    }

    /// Returns the number of states that the network has evaluated since the start of the search.
    pub fn evaluated(&self) -> u64 {
        self.evaluated
    }

    /// Returns the length, in moves, of the move sequences in the current beam. All sequences have equal length.
    pub fn moves(&self) -> usize {
        self.moves
    }

    /// Returns the state of each entry of the current beam, with the log-probability of the move sequence that leads
    /// to the state. The most likely entry comes first.
    pub fn beam(&self) -> impl Iterator<Item = (Cube3, f32)> {
        self.entries.iter().map(|entry| (entry.cube, entry.log_probability))
    }

    /// Returns the turns that solve the start cube, or `None` if no solution has been found. The search has verified
    /// the solution by applying its turns.
    pub fn solution(&self) -> Option<&[FaceTurn]> {
        (self.status == SearchStatus::Solved).then_some(&self.solution)
    }

    /// Evaluates one batch of states per thread with `network`. Expands the beam by one move when all its entries have
    /// been evaluated.
    ///
    /// # Panics
    /// If the network was trained with a turn metric other than the metric of the search.
    pub fn advance(&mut self, cpu: &Cpu, network: &Cube3Network) -> SearchStatus {
        if self.update_status() {
            let Self { settings, entries, evaluated_entries, log_probabilities, evaluator, .. } = self;
            let states = entries[*evaluated_entries..].iter().map(|entry| entry.cube);
            let count = evaluator.evaluate(cpu, network, settings.metric, states, log_probabilities);
            self.count_evaluated(count);
        }
        self.status
    }

    /// Calls [`advance`](Self::advance) until the search ends. Returns the final status.
    ///
    /// # Panics
    /// If the network was trained with a turn metric other than the metric of the search.
    pub fn run(&mut self, cpu: &Cpu, network: &Cube3Network) -> SearchStatus {
        while self.advance(cpu, network) == SearchStatus::Searching {}
        self.status
    }

    /// Ends the search if the maximum number of moves is reached or the beam is empty. Returns whether the search is
    /// still in progress.
    pub(super) fn update_status(&mut self) -> bool {
        if self.status == SearchStatus::Searching
            && (self.moves >= self.settings.max_moves || self.entries.is_empty())
        {
            self.status = SearchStatus::GivenUp;
        }
        self.status == SearchStatus::Searching
    }

    /// Returns the states of the beam entries that the network has not evaluated, most likely first.
    #[cfg(feature = "gpu")]
    pub(super) fn pending_states(&self) -> impl ExactSizeIterator<Item = Cube3> {
        self.entries[self.evaluated_entries..].iter().map(|entry| entry.cube)
    }

    /// Stores the network's output for the first [pending states](Self::pending_states): `log_probabilities`,
    /// `[states, moves]`. Expands the beam when all entries have been evaluated.
    #[cfg(feature = "gpu")]
    pub(super) fn provide(&mut self, log_probabilities: &[f32]) {
        self.log_probabilities.extend_from_slice(log_probabilities);
        self.count_evaluated(log_probabilities.len() / Cube3::turns(self.settings.metric).len());
    }

    /// Marks `count` more beam entries as evaluated. Expands the beam when all entries have been evaluated.
    fn count_evaluated(&mut self, count: usize) {
        self.evaluated_entries += count;
        self.evaluated += count as u64;
        if self.evaluated_entries == self.entries.len() {
            self.expand_beam();
        }
    }

    /// Replaces the beam by the most likely move sequences that are one move longer than the current sequences.
    fn expand_beam(&mut self) {
        self.moves += 1;
        self.list_candidates();
        self.next.clear();
        let mut candidates = std::mem::take(&mut self.candidates);
        let mut rest = &mut candidates[..];
        while !rest.is_empty()
            && self.next.len() < self.settings.width
            && self.status == SearchStatus::Searching
        {
            // Candidates whose states were visited are dropped, so further candidates may be needed.
            let missing = self.settings.width - self.next.len();
            let (likeliest, others) = split_likeliest(rest, missing + missing / 4 + CANDIDATE_MARGIN);
            likeliest.iter().for_each(|&candidate| self.keep(candidate));
            rest = others;
        }
        self.candidates = candidates;
        std::mem::swap(&mut self.entries, &mut self.next);
        self.evaluated_entries = 0;
        self.log_probabilities.clear();
    }

    /// Collects the candidates for the next beam: all moves in the states of the current beam, except moves that are
    /// redundant after the last move of the entry.
    fn list_candidates(&mut self) {
        let metric = self.settings.metric;
        let moves = Cube3::turns(metric).len();
        self.candidates.clear();
        for (index, (entry, log_probabilities)) in
            self.entries.iter().zip(self.log_probabilities.chunks_exact(moves)).enumerate()
        {
            let last = self.nodes[entry.node as usize].action;
            let redundant = if last == NO_MOVE { 0..0 } else { metric.redundant_after(last.into()) };
            let candidates = log_probabilities.iter().enumerate().map(|(action, guess)| {
                (action, BeamCandidate::new(entry.log_probability + guess, index * moves + action))
            });
            let useful = candidates.filter(|(action, _)| !redundant.contains(action));
            self.candidates.extend(useful.map(|(_, candidate)| candidate));
        }
    }

    /// Adds a candidate to the next beam, unless the candidate's state was visited or the next beam is full. Ends the
    /// search if the candidate's state is solved.
    fn keep(&mut self, candidate: BeamCandidate) {
        if self.next.len() == self.settings.width || self.status == SearchStatus::Solved {
            return;
        }
        let turns = Cube3::turns(self.settings.metric);
        let (index, action) = (candidate.index(), candidate.index() % turns.len());
        let BeamEntry { cube, log_probability, node: parent } = self.entries[index / turns.len()];
        let cube = cube.turned(turns[action]);
        if !self.seen.insert(cube.hash()) {
            return;
        }
        let node = self.nodes.len() as u32;
        self.nodes.push(PathNode { parent, action: action as u8 });
        let log_probability = log_probability + self.log_probabilities[index];
        self.next.push(BeamEntry { cube, log_probability, node });
        if cube.is_solved() {
            self.finish(node);
        }
    }

    /// Reconstructs the move sequence that ends at `node`, and applies the sequence to the start cube. If the result is
    /// the solved cube, stores the sequence as the solution and sets the status.
    fn finish(&mut self, mut node: u32) {
        let turns = Cube3::turns(self.settings.metric);
        self.solution.clear();
        while let PathNode { parent, action } = self.nodes[node as usize]
            && action != NO_MOVE
        {
            self.solution.push(turns[usize::from(action)]);
            node = parent;
        }
        self.solution.reverse();
        let end = self.solution.iter().fold(self.start, |cube, &turn| cube.turned(turn));
        if end.is_solved() {
            self.status = SearchStatus::Solved;
        }
    }
}

/// Moves the `count` most likely candidates to the front of `candidates`, and sorts them, most likely first. Returns
/// the sorted candidates and the remaining candidates.
fn split_likeliest(
    candidates: &mut [BeamCandidate],
    count: usize,
) -> (&mut [BeamCandidate], &mut [BeamCandidate]) {
    let count = count.min(candidates.len());
    if count < candidates.len() {
        candidates.select_nth_unstable_by(count, |a, b| b.cmp(a));
    }
    let (likeliest, others) = candidates.split_at_mut(count);
    likeliest.sort_unstable_by(|a, b| b.cmp(a));
    (likeliest, others)
}

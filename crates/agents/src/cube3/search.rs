//! Solving by beam search: step by step the likeliest ways back, as many as the beam is wide.

use super::front::Front;
use super::network::Network;
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use vivarium_envs::cube::{Cube3, Metric, Turn};
use vivarium_graph::Cpu;

/// How a search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchSettings {
    /// Which turns count as one move: those that the network was trained with.
    pub metric: Metric,
    /// Ways that are followed side by side. More find more solutions, and shorter ones, in as much more time.
    pub width: usize,
    /// Moves after which it gives up.
    pub most_moves: usize,
}

impl Default for SearchSettings {
    /// A beam of 1,024, and twice as many moves as any cube needs.
    fn default() -> Self {
        Self { metric: Metric::Quarter, width: 1024, most_moves: 52 }
    }
}

/// Where a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It goes on.
    Searching,
    /// It has found a [solution](Search::solution).
    Solved,
    /// It has made as many moves as it may.
    GivenUp,
}

/// A way: the state that it leads to.
#[derive(Clone, Copy, Debug)]
struct Way {
    cube: Cube3,
    /// ln of the probability that all of its moves undo what was done.
    log_probability: f32,
    /// Where it is among [`Search::steps`]; that of the beginning is 0.
    step: u32,
}

/// The last move of a way, and the way before it.
#[derive(Clone, Copy, Debug)]
struct Step {
    before: u32,
    action: u8,
}

/// The end of a step that leads nowhere: the beginning.
const NONE: u8 = u8::MAX;

/// Candidates that are put in order beside those that a beam lacks, so that a narrow one need not look for more of them.
const SPARE: usize = 64;

/// A move that could prolong a way, as one number: the larger it is, the likelier is the way with that move. Of equally likely
/// ones the first is the largest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate(u64);

impl Candidate {
    /// Move `index` of all moves of all ways.
    #[inline]
    fn new(log_probability: f32, index: usize) -> Self {
        // Floating-point numbers are in the order of their bits, negative ones the other way round.
        let bits = log_probability.to_bits();
        let rank = if bits >> 31 == 0 { bits | 1 << 31 } else { !bits };
        Self(u64::from(rank) << 32 | u64::from(!(index as u32)))
    }

    #[inline]
    fn index(self) -> usize {
        !(self.0 as u32) as usize
    }
}

/// Hashes of states, which need no further one.
type Seen = HashSet<u64, BuildHasherDefault<Hashed>>;

/// The hash of what is a hash already.
#[derive(Clone, Copy, Debug, Default)]
struct Hashed(u64);

impl Hasher for Hashed {
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

/// A search for a solution of one cube, one move of all ways at a time, and these in slices.
#[derive(Clone, Debug)]
pub struct Search {
    settings: SearchSettings,
    start: Cube3,
    status: Status,
    ways: Vec<Way>,
    /// How many of them have been asked about.
    asked: usize,
    /// ln of the moves' probabilities in the states of those, `[asked, moves]`.
    guesses: Vec<f32>,
    next: Vec<Way>,
    steps: Vec<Step>,
    candidates: Vec<Candidate>,
    /// Hashes of states that ways have led to. Those that come again would only be longer ways.
    seen: Seen,
    moves: usize,
    evaluated: u64,
    solution: Vec<Turn>,
    front: Front,
}

impl Search {
    /// A search that begins with a cube. A beam without width is taken as one of a single way.
    pub fn new(settings: SearchSettings, cube: Cube3) -> Self {
        let mut search = Self {
            settings: SearchSettings { width: settings.width.max(1), ..settings },
            start: cube,
            status: Status::Searching,
            ways: Vec::new(),
            asked: 0,
            guesses: Vec::new(),
            next: Vec::new(),
            steps: Vec::new(),
            candidates: Vec::new(),
            seen: Seen::default(),
            moves: 0,
            evaluated: 0,
            solution: Vec::new(),
            front: Front::default(),
        };
        search.restart(cube);
        search
    }

    /// Begins anew with another cube, in the same room.
    pub fn restart(&mut self, cube: Cube3) {
        self.start = cube;
        self.status = if cube.is_solved() { Status::Solved } else { Status::Searching };
        self.ways.clear();
        self.ways.push(Way { cube, log_probability: 0.0, step: 0 });
        self.asked = 0;
        self.guesses.clear();
        self.steps.clear();
        self.steps.push(Step { before: 0, action: NONE });
        self.seen.clear();
        self.seen.insert(cube.hash());
        self.moves = 0;
        self.evaluated = 0;
        self.solution.clear();
    }

    /// How it goes.
    pub fn settings(&self) -> SearchSettings {
        self.settings
    }

    /// Where it is.
    pub fn status(&self) -> Status {
        self.status
    }

    /// States that were evaluated so far.
    pub fn evaluated(&self) -> u64 {
        self.evaluated
    }

    /// Moves that all ways have made so far.
    pub fn moves(&self) -> usize {
        self.moves
    }

    /// The ways at present, the likeliest first: the states that they lead to, and ln of their probabilities.
    pub fn ways(&self) -> impl Iterator<Item = (Cube3, f32)> {
        self.ways.iter().map(|way| (way.cube, way.log_probability))
    }

    /// The solution, once it is found; it has been tried on the cube.
    pub fn solution(&self) -> Option<&[Turn]> {
        (self.status == Status::Solved).then_some(&self.solution)
    }

    /// Does one bounded slice of work: a few blocks of evaluations, and where they were the last of a move, that move.
    ///
    /// # Panics
    /// If the network is one for other moves.
    pub fn advance(&mut self, cpu: &Cpu, network: &Network) -> Status {
        if self.goes_on() {
            let Self { settings, ways, asked, guesses, front, .. } = self;
            let states = ways[*asked..].iter().map(|way| way.cube);
            let count = front.evaluate(cpu, network, settings.metric, states, guesses);
            self.answered(count);
        }
        self.status
    }

    /// Advances until it is over.
    ///
    /// # Panics
    /// Those of [`advance`](Self::advance).
    pub fn run(&mut self, cpu: &Cpu, network: &Network) -> Status {
        while self.advance(cpu, network) == Status::Searching {}
        self.status
    }

    /// Whether there are states to ask about: it gives up where it has made all moves that it may.
    pub(super) fn goes_on(&mut self) -> bool {
        if self.status == Status::Searching
            && (self.moves >= self.settings.most_moves || self.ways.is_empty())
        {
            self.status = Status::GivenUp;
        }
        self.status == Status::Searching
    }

    /// The states that are to be asked about next.
    #[cfg(feature = "gpu")]
    pub(super) fn questions(&self) -> impl ExactSizeIterator<Item = Cube3> {
        self.ways[self.asked..].iter().map(|way| way.cube)
    }

    /// Takes in ln of the moves' probabilities in the first of the states that were to be asked about, `[states, moves]`; where
    /// they were the last of a move, makes it.
    #[cfg(feature = "gpu")]
    pub(super) fn learn(&mut self, guesses: &[f32]) {
        self.guesses.extend_from_slice(guesses);
        self.answered(guesses.len() / Cube3::turns(self.settings.metric).len());
    }

    /// Counts states that were asked about; where they were the last of a move, makes it.
    fn answered(&mut self, count: usize) {
        self.asked += count;
        self.evaluated += count as u64;
        if self.asked == self.ways.len() {
            self.go_on();
        }
    }

    /// Prolongs the ways by one move, and keeps the likeliest.
    fn go_on(&mut self) {
        self.moves += 1;
        self.list_candidates();
        self.next.clear();
        let mut candidates = std::mem::take(&mut self.candidates);
        let mut rest = &mut candidates[..];
        while !rest.is_empty() && self.next.len() < self.settings.width && self.status == Status::Searching {
            // Some lead where others have been.
            let missing = self.settings.width - self.next.len();
            let (likeliest, others) = split_likeliest(rest, missing + missing / 4 + SPARE);
            likeliest.iter().for_each(|&candidate| self.keep(candidate));
            rest = others;
        }
        self.candidates = candidates;
        std::mem::swap(&mut self.ways, &mut self.next);
        self.asked = 0;
        self.guesses.clear();
    }

    /// All moves that could prolong ways and do not waste those before.
    fn list_candidates(&mut self) {
        let metric = self.settings.metric;
        let moves = Cube3::turns(metric).len();
        self.candidates.clear();
        for (index, (way, guesses)) in self.ways.iter().zip(self.guesses.chunks_exact(moves)).enumerate() {
            let last = self.steps[way.step as usize].action;
            let wasteful = if last == NONE { 0..0 } else { metric.wasteful_after(last.into()) };
            let candidates = guesses.iter().enumerate().map(|(action, guess)| {
                (action, Candidate::new(way.log_probability + guess, index * moves + action))
            });
            let useful = candidates.filter(|(action, _)| !wasteful.contains(action));
            self.candidates.extend(useful.map(|(_, candidate)| candidate));
        }
    }

    /// Prolongs a way, unless it leads where another has been or there are enough.
    fn keep(&mut self, candidate: Candidate) {
        if self.next.len() == self.settings.width || self.status == Status::Solved {
            return;
        }
        let turns = Cube3::turns(self.settings.metric);
        let (index, action) = (candidate.index(), candidate.index() % turns.len());
        let Way { cube, log_probability, step: before } = self.ways[index / turns.len()];
        let cube = cube.turned(turns[action]);
        if !self.seen.insert(cube.hash()) {
            return;
        }
        let step = self.steps.len() as u32;
        self.steps.push(Step { before, action: action as u8 });
        let log_probability = log_probability + self.guesses[index];
        self.next.push(Way { cube, log_probability, step });
        if cube.is_solved() {
            self.finish(step);
        }
    }

    /// Takes down the moves that led to a step, and tries them.
    fn finish(&mut self, mut step: u32) {
        let turns = Cube3::turns(self.settings.metric);
        self.solution.clear();
        while let Step { before, action } = self.steps[step as usize]
            && action != NONE
        {
            self.solution.push(turns[usize::from(action)]);
            step = before;
        }
        self.solution.reverse();
        let end = self.solution.iter().fold(self.start, |cube, &turn| cube.turned(turn));
        if end.is_solved() {
            self.status = Status::Solved;
        }
    }
}

/// The likeliest of some candidates in order, at most so many, and the others.
fn split_likeliest(candidates: &mut [Candidate], count: usize) -> (&mut [Candidate], &mut [Candidate]) {
    let count = count.min(candidates.len());
    if count < candidates.len() {
        candidates.select_nth_unstable_by(count, |a, b| b.cmp(a));
    }
    let (likeliest, others) = candidates.split_at_mut(count);
    likeliest.sort_unstable_by(|a, b| b.cmp(a));
    (likeliest, others)
}

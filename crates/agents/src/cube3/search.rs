//! Solving by beam search: step by step the likeliest ways back, as many as the beam is wide.

use super::network::Network;
use std::collections::HashSet;
use vivarium_envs::cube::{Cube3, Metric, Turn, View};
use vivarium_graph::{Cpu, Workspace};
use vivarium_kernels::AlignedVec;

/// States that a worker evaluates at a time.
const ROWS: usize = 128;

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

/// A move that could prolong a way.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    log_probability: f32,
    way: u32,
    action: u8,
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
    seen: HashSet<u64>,
    moves: usize,
    evaluated: u64,
    solution: Vec<Turn>,
    blocks: Vec<Block>,
}

/// A worker's room.
#[derive(Clone, Debug, Default)]
struct Block {
    /// What the network is shown, and how it is seen.
    cubes: Vec<Cube3>,
    views: Vec<View>,
    /// `[ROWS, INPUTS]`.
    inputs: AlignedVec<f32>,
    /// `[ROWS, moves]`.
    guesses: AlignedVec<f32>,
    workspace: Workspace,
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
            seen: HashSet::new(),
            moves: 0,
            evaluated: 0,
            solution: Vec::new(),
            blocks: Vec::new(),
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
        if self.status != Status::Searching {
            return self.status;
        }
        if self.moves >= self.settings.most_moves || self.ways.is_empty() {
            self.status = Status::GivenUp;
            return self.status;
        }
        self.evaluate(cpu, network);
        if self.asked == self.ways.len() {
            self.go_on();
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

    /// Asks the network about the next states, a block for each thread.
    fn evaluate(&mut self, cpu: &Cpu, network: &Network) {
        let moves = Cube3::turns(self.settings.metric).len();
        assert_eq!(network.moves(), moves, "a network for other moves");
        self.blocks.resize_with(cpu.threads(), Block::default);
        let mut rest = &self.ways[self.asked..];
        for block in &mut self.blocks {
            let (ways, others) = rest.split_at(rest.len().min(ROWS));
            block.take(ways, network, moves);
            rest = others;
        }
        cpu.for_each(&mut self.blocks, |_, block| block.evaluate(network));
        let turns = Cube3::turns(self.settings.metric);
        for block in &self.blocks {
            for (view, guesses) in block.views.iter().zip(block.guesses.chunks_exact(moves)) {
                let seen = |&turn: &Turn| guesses[self.settings.metric.action(view.turn(turn))];
                self.guesses.extend(turns.iter().map(seen));
            }
            self.asked += block.views.len();
            self.evaluated += block.views.len() as u64;
        }
    }

    /// Prolongs the ways by one move, and keeps the likeliest.
    fn go_on(&mut self) {
        self.moves += 1;
        self.list_candidates();
        self.next.clear();
        let candidates = std::mem::take(&mut self.candidates);
        for candidate in &candidates {
            if self.next.len() == self.settings.width || self.status == Status::Solved {
                break;
            }
            self.keep(*candidate);
        }
        self.candidates = candidates;
        std::mem::swap(&mut self.ways, &mut self.next);
        self.asked = 0;
        self.guesses.clear();
    }

    /// All moves that could prolong ways and do not waste those before, the likeliest first.
    fn list_candidates(&mut self) {
        let metric = self.settings.metric;
        let moves = Cube3::turns(metric).len();
        self.candidates.clear();
        for ((index, way), guesses) in (0..).zip(&self.ways).zip(self.guesses.chunks_exact(moves)) {
            let last = self.steps[way.step as usize].action;
            let wasteful = if last == NONE { 0..0 } else { metric.wasteful_after(last.into()) };
            for (action, guess) in guesses.iter().enumerate().filter(|(action, _)| !wasteful.contains(action))
            {
                let log_probability = way.log_probability + guess;
                self.candidates.push(Candidate { log_probability, way: index, action: action as u8 });
            }
        }
        let likelier = |a: &Candidate, b: &Candidate| b.log_probability.total_cmp(&a.log_probability);
        self.candidates.sort_by(likelier);
    }

    /// Prolongs a way, unless it leads where another has been.
    fn keep(&mut self, Candidate { log_probability, way, action }: Candidate) {
        let Way { cube, step: before, .. } = self.ways[way as usize];
        let cube = cube.turned(Cube3::turns(self.settings.metric)[usize::from(action)]);
        if !self.seen.insert(cube.hash()) {
            return;
        }
        let step = self.steps.len() as u32;
        self.steps.push(Step { before, action });
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

impl Block {
    /// Takes over states to evaluate, and makes room the first time.
    fn take(&mut self, ways: &[Way], network: &Network, moves: usize) {
        self.cubes.clear();
        self.views.clear();
        for way in ways {
            let (cube, view) = network.show(&way.cube);
            self.cubes.push(cube);
            self.views.push(view);
        }
        if self.guesses.len() != ROWS * moves {
            self.guesses = AlignedVec::zeros(ROWS * moves);
            self.inputs = AlignedVec::zeros(ROWS * Cube3::INPUTS);
        }
    }

    fn evaluate(&mut self, network: &Network) {
        Cube3::encode_all(&self.cubes, &mut self.inputs);
        network.guess(&mut self.workspace, self.cubes.len(), &self.inputs, &mut self.guesses);
    }
}

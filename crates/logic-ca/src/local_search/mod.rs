//! Learning by search, once the gradient has done what it can.
//!
//! What a soft automaton has learned is, made hard, often right but for a few cells, and no slope leads on from there. So in
//! the end it is the hard circuit itself that is changed, by an evolution strategy as Cartesian genetic programming has it
//! (Miller, "Cartesian Genetic Programming", 2011): a child differs from its parent in one to three gates, and takes its
//! place where it makes no more mistakes. That equals may follow each other matters most: it lets gates of which nothing
//! depends yet drift until a single change makes use of them. Equals that are larger follow less often, so that circuits
//! shrink meanwhile.
//!
//! Children are tried on the boards of the latest epochs in which there was something to learn, and once mistakes are rare on
//! others besides, lest mending one board spoils many. What is drawn depends on seed
//! and epoch alone, and the children of a generation are all tried before one is chosen: threads make no difference.

mod boards;
mod netlist;

use crate::circuit::purpose;
use crate::config::LogicConfig;
use crate::program::Program;
use crate::target::Target;
use boards::{Scratch, TrainingBoards};
use netlist::{Netlist, Plan};
use vivarium_graph::Cpu;
use vivarium_kernels::rng::{self, Stream};

/// Generations of an epoch, as long as there are mistakes.
pub(crate) const GENERATIONS: usize = 64;

/// Children of a generation.
const CHILDREN: usize = 4;

/// The most epochs whose boards are remembered.
pub(crate) const REMEMBERED: usize = 8;

/// Earlier epochs on whose boards a circuit is tried, too, once it is right on most.
pub(crate) const GUARDS: u64 = 56;

/// The most gates in which a child differs.
const MOST_CHANGES: usize = 3;

/// The probabilities that a child differs in one gate more, and in another one.
const MORE_CHANGES: [f32; MOST_CHANGES - 1] = [0.3, 0.1];

/// The probability that a change is to a gate on which something depends; the others drift.
const IN_USE: f32 = 0.9;

/// The probability that a larger equal takes its parent's place.
const LARGER: f32 = 0.25;

/// How good a circuit is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Fitness {
    wrong_bits: u32,
    gates: usize,
}

/// The circuit that is changed, and all that trying needs. It is made when it is first needed.
#[derive(Debug)]
pub(crate) struct LocalSearch {
    netlist: Netlist,
    boards: TrainingBoards,
    /// The parent's functions, in the [order of gates](crate::circuit).
    pub functions: Vec<u8>,
    fitness: Fitness,
    /// The gates on which something depends, in the parent.
    in_use: Vec<u32>,
    children: Vec<Child>,
    seed: u64,
}

#[derive(Debug, Default)]
struct Child {
    functions: Vec<u8>,
    plan: Plan,
    scratch: Scratch,
    fitness: Fitness,
    /// Decides whether it follows a smaller equal.
    luck: f32,
}

/// The epochs whose boards there is something to learn from: those remembered so far, and this one.
pub(crate) fn remembered(mistaken: &[u64], config: &LogicConfig, epoch: u64) -> Vec<u64> {
    let before = if config.repeats() { 0 } else { REMEMBERED - 1 };
    let latest = &mistaken[mistaken.len().saturating_sub(before)..];
    latest.iter().copied().chain([epoch]).collect()
}

/// Bytes that the boards of trying take, and the room to step them in; 0 where nothing is tried.
pub(crate) fn needed(config: &LogicConfig) -> u64 {
    if config.local_search_epochs == 0 || !LocalSearch::fits(config) {
        return 0;
    }
    let epochs = if config.repeats() { 1 } else { REMEMBERED as u64 + GUARDS };
    boards::needed(config, epochs) + CHILDREN as u64 * boards::needed_to_step(config, epochs)
}

impl LocalSearch {
    /// Room for trying; nothing is tried before [`begin`](Self::begin).
    pub fn new(program: &Program, config: &LogicConfig, seed: u64) -> Self {
        Self {
            netlist: Netlist::new(&config.architecture(), program),
            boards: TrainingBoards::new(config, seed),
            functions: Vec::new(),
            fitness: Fitness::default(),
            in_use: Vec::new(),
            children: (0..CHILDREN).map(|_| Child::default()).collect(),
            seed,
        }
    }

    /// Whether boards of these sizes can be tried.
    #[must_use]
    pub fn fits(config: &LogicConfig) -> bool {
        config.width as usize <= boards::WIDEST
    }

    /// Begins an epoch of trying: with this circuit, on the boards of these epochs.
    pub fn begin(&mut self, functions: &[u8], epochs: &[u64], target: Option<&Target>) {
        self.boards.draw(epochs, target);
        self.functions.clear();
        self.functions.extend_from_slice(functions);
        let child = &mut self.children[0];
        child.functions.clone_from(&self.functions);
        child.assess(&self.netlist, &self.boards);
        self.fitness = child.fitness;
        self.in_use.clone_from(&child.plan.in_use);
    }

    /// Whether all bits of all boards are right.
    pub fn is_right(&self) -> bool {
        self.fitness.wrong_bits == 0
    }

    /// Gates times cells that a generation is about as much work as.
    pub fn cost(&self) -> usize {
        CHILDREN * 64 * self.netlist.gates()
    }

    /// One generation, number `generation` of the epoch after `epoch` others.
    pub fn generation(&mut self, cpu: &Cpu, epoch: u64, generation: usize) {
        let seed = rng::derive(rng::derive(self.seed, purpose::TRIAL), (epoch >> 32) as u32);
        let seed = rng::derive(seed, epoch as u32);
        let Self { netlist, boards, functions, in_use, children, .. } = self;
        cpu.for_each(children, |number, child| {
            let mut stream = Stream::new(seed, (generation * CHILDREN + number) as u32);
            child.functions.clone_from(functions);
            child.change(in_use, &mut stream);
            child.assess(netlist, boards);
            child.luck = stream.uniform();
        });
        let parent = self.fitness;
        let best = self.children.iter_mut().filter(|child| child.follows(parent));
        // The first of the best ones.
        if let Some(child) = best.min_by_key(|child| child.fitness.wrong_bits) {
            std::mem::swap(&mut self.functions, &mut child.functions);
            self.in_use.clone_from(&child.plan.in_use);
            self.fitness = child.fitness;
        }
    }
}

impl Child {
    /// Gives some gates other functions.
    fn change(&mut self, in_use: &[u32], stream: &mut Stream) {
        let changes = 1 + MORE_CHANGES.iter().filter(|&&more| stream.uniform() < more).count();
        for _ in 0..changes {
            let gate = if stream.uniform() < IN_USE && !in_use.is_empty() {
                in_use[stream.below(in_use.len() as u32) as usize] as usize
            } else {
                stream.below(self.functions.len() as u32) as usize
            };
            let function = &mut self.functions[gate];
            *function = (*function + 1 + stream.below(15) as u8) % 16;
        }
    }

    fn assess(&mut self, netlist: &Netlist, boards: &TrainingBoards) {
        netlist.plan(&self.functions, boards.wanted_channels(), &mut self.plan);
        self.fitness = Fitness {
            wrong_bits: boards.wrong_bits(&self.plan, &mut self.scratch),
            gates: self.plan.gates.len(),
        };
    }

    fn follows(&self, parent: Fitness) -> bool {
        let Fitness { wrong_bits, gates } = self.fitness;
        wrong_bits < parent.wrong_bits
            || wrong_bits == parent.wrong_bits && (gates <= parent.gates || self.luck < LARGER)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::Wiring;
    use crate::hard::{Boards, Circuit, Code};
    use crate::preset::Preset;
    use crate::score::Score;
    use crate::task::Task;

    const EPOCHS: [u64; 3] = [0, 7, 1 << 33];

    fn search(config: &LogicConfig) -> (Program, LocalSearch) {
        let architecture = config.architecture();
        let program = Program::new(&architecture, &Wiring::new(&architecture, 1));
        let search = LocalSearch::new(&program, config, 1);
        (program, search)
    }

    /// Mostly gates that hand something on, so that what cells do depends on far neighbors, and some of every other kind.
    fn functions(program: &Program, stream: &mut Stream) -> Vec<u8> {
        let draw = |_| match stream.below(4) {
            0 => stream.below(16) as u8,
            choice => [3, 5, 3][choice as usize - 1],
        };
        (0..program.gates()).map(draw).collect()
    }

    #[test]
    fn counts_the_mistakes_of_the_whole_circuit() {
        let cpu = Cpu::new(1);
        let wide = LogicConfig { width: 40, height: 6, ..LogicConfig::of(Preset::CheckerboardAsync) };
        let presets = Preset::ALL.map(LogicConfig::of);
        for config in presets.into_iter().chain([wide]) {
            let (program, mut search) = search(&config);
            let (mut stream, target) = (Stream::new(2, 0), config.target());
            for _ in 0..3 {
                let functions = functions(&program, &mut stream);
                search.begin(&functions, &EPOCHS, target.as_ref());
                let mut expected = 0;
                let mut task = Task::new(&config, config.grid(), 1);
                for epoch in EPOCHS {
                    task.draw(epoch, target.as_ref());
                    let mut boards = Boards::new(task.grid, program.channels).unwrap();
                    task.begin(&mut boards);
                    let mut code = Code::new(&Circuit::of_program(&program, &functions));
                    for step in 0..task.steps {
                        code.step(&cpu, &mut boards, task.fire, step as u32);
                    }
                    expected += Score::of(&boards, &task).wrong_bits;
                }
                assert_eq!(u64::from(search.fitness.wrong_bits), expected, "{:?}", config.target);
            }
        }
    }

    #[test]
    fn generations_make_fewer_mistakes_whatever_the_threads() {
        let config = LogicConfig { steps: 6, ..LogicConfig::of(Preset::Letter) };
        let (program, mut search) = search(&config);
        let start = functions(&program, &mut Stream::new(3, 0));
        let target = config.target();
        let run = |search: &mut LocalSearch, threads, epoch| {
            search.begin(&start, &[0], target.as_ref());
            let (cpu, mut wrong_bits) = (Cpu::new(threads), vec![search.fitness.wrong_bits]);
            for generation in 0..20 {
                search.generation(&cpu, epoch, generation);
                wrong_bits.push(search.fitness.wrong_bits);
            }
            (search.functions.clone(), wrong_bits)
        };
        let (found, wrong_bits) = run(&mut search, 1, 5);
        assert!(wrong_bits.is_sorted_by(|a, b| a >= b) && wrong_bits[20] < wrong_bits[0], "{wrong_bits:?}");
        assert_eq!(run(&mut search, 3, 5), (found.clone(), wrong_bits));
        assert_ne!(run(&mut search, 1, 6).0, found);
    }

    #[test]
    fn takes_the_memory_that_was_foretold() {
        for preset in [Preset::CheckerboardAsync, Preset::Letter, Preset::Life] {
            let config = LogicConfig::of(preset);
            let (program, mut search) = search(&config);
            let epochs = if config.repeats() { 1 } else { REMEMBERED as u64 + GUARDS };
            let epochs: Vec<u64> = (0..epochs).collect();
            search.begin(&vec![6; program.gates()], &epochs, config.target().as_ref());
            search.generation(&Cpu::new(1), 0, 0);
            let scratches = search.children.iter().map(|child| child.scratch.bytes());
            let (taken, foretold) = (search.boards.bytes() + scratches.sum::<u64>(), needed(&config));
            assert!((foretold / 2..=foretold).contains(&taken), "{}: {taken}, {foretold}", preset.name());
        }
        let without = LogicConfig { local_search_epochs: 0, ..LogicConfig::of(Preset::Checkerboard) };
        assert_eq!(needed(&without), 0);
    }

    #[test]
    fn remembers_the_latest_epochs_and_one_of_those_that_are_alike() {
        let after = |preset, epochs: u64| {
            (0..epochs).fold(Vec::new(), |before, epoch| remembered(&before, &LogicConfig::of(preset), epoch))
        };
        assert_eq!(after(Preset::Checkerboard, 3), [0, 1, 2]);
        assert_eq!(after(Preset::Checkerboard, 20), (12..20).collect::<Vec<_>>());
        assert_eq!(after(Preset::Lizard, 20), [19]);
    }
}

//! Local search over single gates of the hard circuit, after gradient descent.
//!
//! A hardened circuit is often correct except for a few cells, and the soft loss gives no gradient that would correct
//! them. Then the hard circuit is optimized directly, by the (1 + λ) evolution strategy of Cartesian genetic
//! programming (Miller, "Cartesian Genetic Programming", 2011, <https://doi.org/10.1007/978-3-642-17310-3>), λ = 4. A
//! child differs from its parent in one to three gates and replaces it if it has no more wrong bits. Accepting equal
//! fitness is essential (neutral drift): gates without influence may change until a single mutation makes use of them.
//! Equally fit but larger children are accepted with probability 1/4, so circuits shrink over time.
//!
//! Fitness is measured on the boards of the latest epochs with wrong bits and, once errors are rare, on the boards of
//! earlier epochs too, so that a correction of one board does not break others. Random numbers depend only on seed and
//! epoch, and all children are evaluated before selection: the result is independent of the number of threads.

mod boards;
mod netlist;

use crate::circuit::rng_stream;
use crate::config::LogicConfig;
use crate::layered_circuit::LayeredCircuit;
use crate::target::TargetPattern;
use boards::{SearchScratch, TrainingBoards};
use netlist::{EvaluationPlan, Netlist};
use vivarium_graph::Cpu;
use vivarium_kernels::rng::{self, Stream};

/// Maximum number of generations per epoch; the search stops earlier if no bit is wrong.
pub(crate) const GENERATIONS: usize = 64;

/// Number of mutated copies (children) of the parent circuit per generation, the λ of (1 + λ).
const CHILDREN: usize = 4;

/// Maximum number of epochs with wrong bits whose boards are in the training set of the local search.
pub(crate) const MAX_FAILED_EPOCHS: usize = 8;

/// Number of epochs before the current epoch whose boards are added to the training set of the local search after
/// gradient descent has converged, when errors are rare.
pub(crate) const REGRESSION_EPOCHS: u64 = 56;

/// Maximum number of mutations with which a child (a mutated copy of the parent circuit) is created; a mutation changes
/// the function of one gate.
const MAX_CHANGES: usize = 3;

/// Probabilities that a child (a mutated copy of the parent circuit) has a second and a third mutation.
const MORE_CHANGES: [f32; MAX_CHANGES - 1] = [0.3, 0.1];

/// Probability that the mutated gate is drawn from the gates on which a target channel (compared with the target)
/// depends; otherwise the gate is drawn from all gates.
const IN_USE: f32 = 0.9;

/// Probability that a mutated circuit (child) with the fitness of the current circuit (parent) but more gates replaces
/// the current circuit.
const ACCEPT_LARGER: f32 = 0.25;

/// Fitness of a circuit: number of wrong bits on the training boards, and number of gates. Both are minimized.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Fitness {
    wrong_bits: u32,
    gates: usize,
}

/// State of the local search: current circuit (parent), its mutated copies (children), and training boards.
#[derive(Debug)]
pub(crate) struct LocalSearch {
    netlist: Netlist,
    boards: TrainingBoards,
    /// Function number of each gate of the parent (the circuit from which the next generation is mutated), in [gate
    /// order](crate::circuit).
    pub functions: Vec<u8>,
    fitness: Fitness,
    /// Indices of the gates of the parent (the circuit from which the next generation is mutated) on which a target
    /// channel (compared with the target) depends.
    in_use: Vec<u32>,
    children: Vec<Child>,
    seed: u64,
}

#[derive(Debug, Default)]
struct Child {
    functions: Vec<u8>,
    plan: EvaluationPlan,
    scratch: SearchScratch,
    fitness: Fitness,
    /// Random number, uniform in [0, 1). A child (mutated circuit) that is as fit as its parent but has more gates
    /// replaces the parent only if this number is below [`ACCEPT_LARGER`].
    acceptance: f32,
}

/// Returns the latest epochs with wrong bits: `failed_epochs` followed by the current epoch `epoch`. Returns at most
/// the latest [`MAX_FAILED_EPOCHS`] epochs, or only `epoch` if all epochs have the same boards.
pub(crate) fn recent_failed_epochs(failed_epochs: &[u64], config: &LogicConfig, epoch: u64) -> Vec<u64> {
    let before = if config.has_fixed_boards() { 0 } else { MAX_FAILED_EPOCHS - 1 };
    let latest = &failed_epochs[failed_epochs.len().saturating_sub(before)..];
    latest.iter().copied().chain([epoch]).collect()
}

/// Returns an estimate of the memory of the local search, in bytes; 0 if the config disables the local search.
pub(crate) fn needed(config: &LogicConfig) -> u64 {
    if config.local_search_epochs == 0 || !LocalSearch::fits(config) {
        return 0;
    }
    let epochs = if config.has_fixed_boards() { 1 } else { MAX_FAILED_EPOCHS as u64 + REGRESSION_EPOCHS };
    boards::needed(config, epochs) + CHILDREN as u64 * boards::needed_to_step(config, epochs)
}

impl LocalSearch {
    /// Allocates a local search for the circuits of `program`; call [`begin`](Self::begin) before the first generation
    /// of an epoch.
    pub fn new(program: &LayeredCircuit, config: &LogicConfig, seed: u64) -> Self {
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

    /// Returns whether the boards are narrow enough for the search: at most [`boards::MAX_WIDTH`] columns.
    #[must_use]
    pub fn fits(config: &LogicConfig) -> bool {
        config.width as usize <= boards::MAX_WIDTH
    }

    /// Begins an epoch of local search. The circuit with the gate functions `functions` becomes the parent, from which
    /// the first generation is mutated, and the boards of the epochs `epochs` become the training set.
    pub fn begin(&mut self, functions: &[u8], epochs: &[u64], target: Option<&TargetPattern>) {
        self.boards.draw(epochs, target);
        self.functions.clear();
        self.functions.extend_from_slice(functions);
        let child = &mut self.children[0];
        child.functions.clone_from(&self.functions);
        child.evaluate_plan(&self.netlist, &self.boards);
        self.fitness = child.fitness;
        self.in_use.clone_from(&child.plan.in_use);
    }

    /// Returns whether the parent, the circuit from which the next generation is mutated, has no wrong bit on the
    /// training boards.
    pub fn is_right(&self) -> bool {
        self.fitness.wrong_bits == 0
    }

    /// Returns the approximate cost of a generation, in evaluations of a soft gate for one cell.
    pub fn cost(&self) -> usize {
        CHILDREN * 64 * self.netlist.gates()
    }

    /// Runs the generation with index `generation` of epoch `epoch`: mutates the parent circuit to several children,
    /// evaluates the children, and selects the parent of the next generation.
    pub fn generation(&mut self, cpu: &Cpu, epoch: u64, generation: usize) {
        let seed = rng::derive(rng::derive(self.seed, rng_stream::LOCAL_SEARCH), (epoch >> 32) as u32);
        let seed = rng::derive(seed, epoch as u32);
        let Self { netlist, boards, functions, in_use, children, .. } = self;
        cpu.for_each(children, |number, child| {
            let mut stream = Stream::new(seed, (generation * CHILDREN + number) as u32);
            child.functions.clone_from(functions);
            child.mutate(in_use, &mut stream);
            child.evaluate_plan(netlist, boards);
            child.acceptance = stream.uniform();
        });
        let parent = self.fitness;
        let best = self.children.iter_mut().filter(|child| child.replaces(parent));
        // In case of ties the first child wins.
        if let Some(child) = best.min_by_key(|child| child.fitness.wrong_bits) {
            std::mem::swap(&mut self.functions, &mut child.functions);
            self.in_use.clone_from(&child.plan.in_use);
            self.fitness = child.fitness;
        }
    }
}

impl Child {
    /// Replaces the functions of one to three random gates of the child, a copy of the parent circuit. `in_use` holds
    /// the gates on which a target channel (compared with the target) depends.
    fn mutate(&mut self, in_use: &[u32], stream: &mut Stream) {
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

    fn evaluate_plan(&mut self, netlist: &Netlist, boards: &TrainingBoards) {
        netlist.plan(&self.functions, boards.target_channels(), &mut self.plan);
        self.fitness = Fitness {
            wrong_bits: boards.wrong_bits(&self.plan, &mut self.scratch),
            gates: self.plan.gates.len(),
        };
    }

    fn replaces(&self, parent: Fitness) -> bool {
        let Fitness { wrong_bits, gates } = self.fitness;
        wrong_bits < parent.wrong_bits
            || wrong_bits == parent.wrong_bits && (gates <= parent.gates || self.acceptance < ACCEPT_LARGER)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::Wiring;
    use crate::epoch_batch::{BoardScore, EpochBatch};
    use crate::hard::{Boards, Circuit, CompiledCircuit};
    use crate::preset::LogicPreset;

    const EPOCHS: [u64; 3] = [0, 7, 1 << 33];

    fn search(config: &LogicConfig) -> (LayeredCircuit, LocalSearch) {
        let architecture = config.architecture();
        let program = LayeredCircuit::new(&architecture, &Wiring::new(&architecture, 1));
        let search = LocalSearch::new(&program, config, 1);
        (program, search)
    }

    /// Returns random functions for all gates, mostly pass-throughs, so that cells depend on distant neighbors.
    fn functions(program: &LayeredCircuit, stream: &mut Stream) -> Vec<u8> {
        let draw = |_| match stream.below(4) {
            0 => stream.below(16) as u8,
            choice => [3, 5, 3][choice as usize - 1],
        };
        (0..program.gates()).map(draw).collect()
    }

    #[test]
    fn wrong_bits_match_the_full_hard_circuit() {
        let cpu = Cpu::new(1);
        let wide = LogicConfig { width: 40, height: 6, ..LogicConfig::of(LogicPreset::CheckerboardAsync) };
        let presets = LogicPreset::ALL.map(LogicConfig::of);
        for config in presets.into_iter().chain([wide]) {
            let (program, mut search) = search(&config);
            let (mut stream, target) = (Stream::new(2, 0), config.target());
            for _ in 0..3 {
                let functions = functions(&program, &mut stream);
                search.begin(&functions, &EPOCHS, target.as_ref());
                let mut expected = 0;
                let mut batch = EpochBatch::new(&config, config.grid(), 1);
                for epoch in EPOCHS {
                    batch.draw(epoch, target.as_ref());
                    let mut boards = Boards::new(batch.grid, program.channels).unwrap();
                    batch.begin(&mut boards);
                    let mut compiled = CompiledCircuit::new(&Circuit::from_layers(&program, &functions));
                    for step in 0..batch.steps {
                        compiled.step(&cpu, &mut boards, batch.update_mask, step as u32);
                    }
                    expected += BoardScore::of(&boards, &batch).wrong_bits;
                }
                assert_eq!(u64::from(search.fitness.wrong_bits), expected, "{:?}", config.target);
            }
        }
    }

    #[test]
    fn generations_reduce_wrong_bits_independently_of_threads() {
        let config = LogicConfig { steps: 6, ..LogicConfig::of(LogicPreset::Letter) };
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
    fn memory_matches_the_estimate() {
        for preset in [LogicPreset::CheckerboardAsync, LogicPreset::Letter, LogicPreset::Life] {
            let config = LogicConfig::of(preset);
            let (program, mut search) = search(&config);
            let epochs =
                if config.has_fixed_boards() { 1 } else { MAX_FAILED_EPOCHS as u64 + REGRESSION_EPOCHS };
            let epochs: Vec<u64> = (0..epochs).collect();
            search.begin(&vec![6; program.gates()], &epochs, config.target().as_ref());
            search.generation(&Cpu::new(1), 0, 0);
            let scratches = search.children.iter().map(|child| child.scratch.bytes());
            let (taken, foretold) = (search.boards.bytes() + scratches.sum::<u64>(), needed(&config));
            assert!((foretold / 2..=foretold).contains(&taken), "{}: {taken}, {foretold}", preset.name());
        }
        let without = LogicConfig { local_search_epochs: 0, ..LogicConfig::of(LogicPreset::Checkerboard) };
        assert_eq!(needed(&without), 0);
    }

    #[test]
    fn keeps_the_latest_failed_epochs_and_only_one_of_identical_epochs() {
        let after = |preset, epochs: u64| {
            (0..epochs).fold(Vec::new(), |before, epoch| {
                recent_failed_epochs(&before, &LogicConfig::of(preset), epoch)
            })
        };
        assert_eq!(after(LogicPreset::Checkerboard, 3), [0, 1, 2]);
        assert_eq!(after(LogicPreset::Checkerboard, 20), (12..20).collect::<Vec<_>>());
        assert_eq!(after(LogicPreset::Lizard, 20), [19]);
    }
}

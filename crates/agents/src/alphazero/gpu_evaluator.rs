//! The network on a GPU, for the states of many games at once.
//!
//! A state of backgammon is 731 numbers, of which some 50 are not 0. Only these go to the device, as a place and a number each:
//! 400 bytes in place of 2,924, which a kernel expands there. What comes back of a leaf are the chances and the logits of its
//! legal actions, some 20 of 676: a kernel picks them out of the product with all actions, which is a fifth of the work for a
//! trunk 256 wide. So a leaf is 160 bytes, for the places of its actions and their logits, in place of 2,704 for all logits, or
//! 1,024 for a trunk 256 wide, whose products with the actions would then be the CPU's.

use super::game::Learnable;
use super::network::{Definition, Network};
use super::sparse_input::SparseInput;
use crate::error::LearnerError;
use std::marker::PhantomData;
use std::ops::Range;
use vivarium_gpu::{Buffer, Cost, Gpu, GpuError, Recorder, Ring, floats};
use vivarium_graph::Plan;
use vivarium_kernels::gemm::SparseRows;

/// Rows of a program, which are computed whether there are so many or not. A batch takes the smallest that it fits.
const SIZES: [usize; 5] = [64, 256, 1_024, 4_096, 16_384];

/// Numbers of a state that are not 0, and legal actions, on average at most.
const USUAL_ENTRIES: usize = 96;
const USUAL_ACTIONS: usize = 32;

/// Batches under way at a time: one of each group of games.
const UNDER_WAY: usize = 2;

/// What is computed of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outputs {
    /// The logits of legal actions, and the heads.
    LogitsAndHeads,
    /// The heads alone.
    Heads,
}

/// States to be evaluated, as the device takes them.
#[derive(Default)]
pub struct GpuBatch {
    /// Place and bits of each number of a state that is not 0, one state after the other.
    entries: Vec<[u32; 2]>,
    entry_ends: Vec<usize>,
    /// The legal actions of one state after the other.
    actions: Vec<u32>,
    action_ends: Vec<usize>,
}

impl GpuBatch {
    /// Forgets all states.
    pub fn clear(&mut self) {
        let Self { entries, entry_ends, actions, action_ends } = self;
        entries.clear();
        entry_ends.clear();
        actions.clear();
        action_ends.clear();
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.entry_ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entry_ends.is_empty()
    }

    /// Adds states with their legal actions, as [`Leaves`](vivarium_mcts::Leaves) has them; no ends where actions do not
    /// matter.
    pub fn add(&mut self, states: &SparseRows, actions: &[u32], action_ends: &[usize]) {
        let [entries_before, actions_before] = [self.entries.len(), self.actions.len()];
        self.entries.extend(states.entries().iter().map(|&(place, number)| [place, number.to_bits()]));
        self.entry_ends.extend(states.ends().iter().map(|end| entries_before + end));
        self.actions.extend_from_slice(actions);
        self.action_ends.extend(action_ends.iter().map(|end| actions_before + end));
        self.action_ends.resize(self.entry_ends.len(), self.actions.len());
    }

    /// The entries of some states.
    fn entries_of(&self, rows: &Range<usize>) -> Range<usize> {
        part(&self.entry_ends, rows)
    }

    /// The actions of some states.
    fn actions_of(&self, rows: &Range<usize>) -> Range<usize> {
        part(&self.action_ends, rows)
    }
}

/// What belongs to some rows, of which each ends there.
fn part(ends: &[usize], rows: &Range<usize>) -> Range<usize> {
    let end_before = |row: usize| if row == 0 { 0 } else { ends[row - 1] };
    end_before(rows.start)..end_before(rows.end)
}

/// States that were submitted and have not come back.
pub struct UnderWay {
    program: usize,
    /// Which ones of the batch.
    pub rows: Range<usize>,
}

/// The network, ready to evaluate states on the device.
pub struct GpuEvaluator<G> {
    gpu: Gpu,
    weights: Buffer,
    /// By [`Outputs`].
    plans: [Plan; 2],
    /// Made when a batch first needs them.
    programs: Vec<Program>,
    /// What the batches so far asked of the device, and how many there were.
    cost: Cost,
    batches: u64,
    arrived: Vec<u32>,
    /// What is written of a batch.
    words: Vec<u32>,
    game: PhantomData<fn() -> G>,
}

impl<G: Learnable> GpuEvaluator<G> {
    /// One with the weights of this network, to which others can be [copied](Self::weights) on the device.
    ///
    /// # Errors
    /// [`LearnerError::Gpu`] where they do not fit there.
    pub fn new(gpu: &Gpu, network: &Network<G>) -> Result<Self, LearnerError> {
        let Definition { graph, logits, heads, .. } = network.definition();
        Ok(Self {
            gpu: gpu.clone(),
            weights: gpu.upload("the weights that play", network.weights())?,
            plans: [Plan::for_cache(graph, &[*heads, *logits])?, Plan::for_cache(graph, &[*heads])?],
            programs: Vec::new(),
            cost: Cost::default(),
            batches: 0,
            arrived: Vec::new(),
            words: Vec::new(),
            game: PhantomData,
        })
    }

    /// The weights on the device.
    pub fn weights(&self) -> &Buffer {
        &self.weights
    }

    /// What a batch asked of the device on average: kernels started, and bytes that were copied to it and back.
    pub fn cost(&self) -> [f64; 2] {
        [self.cost.dispatches, self.cost.bytes_copied].map(|sum| sum as f64 / self.batches.max(1) as f64)
    }

    /// Submits states of a batch from `first` on: all of them, if they are not too many.
    ///
    /// # Errors
    /// [`GpuError`] where the device was lost, or has no room for so many.
    pub fn submit(&mut self, batch: &GpuBatch, outputs: Outputs, first: usize) -> Result<UnderWay, GpuError> {
        let (rows, size) = fit::<G>(batch, first);
        let known = self.programs.iter().position(|of| (of.outputs, of.rows) == (outputs, size));
        let program = match known {
            Some(program) => program,
            None => {
                let plan = &self.plans[outputs as usize];
                self.programs.push(Program::new::<G>(&self.gpu, plan, &self.weights, outputs, size)?);
                self.programs.len() - 1
            }
        };
        self.cost =
            self.cost + self.programs[program].submit::<G>(&self.gpu, batch, &rows, &mut self.words)?;
        self.batches += 1;
        Ok(UnderWay { program, rows })
    }

    /// Adds the heads and the logits of states that were submitted, once they are here; returns whether they are. Natively it
    /// waits for them; in a browser it never waits. Batches come back in the order in which they were submitted.
    ///
    /// # Errors
    /// [`GpuError`] where the device was lost.
    pub fn take(
        &mut self,
        under_way: &UnderWay,
        heads: &mut Vec<f32>,
        logits: &mut Vec<f32>,
    ) -> Result<bool, GpuError> {
        let Self { programs, arrived, .. } = self;
        if !programs[under_way.program].back.arrive(arrived)? {
            return Ok(false);
        }
        let (all_heads, all_logits) = floats(arrived).split_at(under_way.rows.len() * G::HEADS);
        heads.extend_from_slice(all_heads);
        logits.extend_from_slice(all_logits);
        Ok(true)
    }
}

/// The states of a batch from `first` on that are evaluated together, and the rows of the program that does it.
fn fit<G: Learnable>(batch: &GpuBatch, first: usize) -> (Range<usize>, usize) {
    let fits = |end: usize, size: usize| {
        let rows = first..end;
        rows.len() <= size
            && batch.entries_of(&rows).len() <= entry_capacity::<G>(size)
            && batch.actions_of(&rows).len() <= action_capacity::<G>(size)
    };
    let (all, largest) = (batch.len(), SIZES[SIZES.len() - 1]);
    if let Some(size) = SIZES.into_iter().find(|&size| fits(all, size)) {
        return (first..all, size);
    }
    let mut end = first + 1;
    while fits(end + 1, largest) {
        end += 1;
    }
    (first..end, largest)
}

/// Entries that a program has room for: always enough for a state.
fn entry_capacity<G: Learnable>(rows: usize) -> usize {
    (rows - 1) * USUAL_ENTRIES.min(G::INPUTS) + G::INPUTS
}

/// Actions that a program has room for: always enough for a state.
fn action_capacity<G: Learnable>(rows: usize) -> usize {
    (rows - 1) * USUAL_ACTIONS.min(G::MOST_BRANCHES) + G::MOST_BRANCHES
}

/// What evaluates a fixed number of rows.
struct Program {
    outputs: Outputs,
    rows: usize,
    network: vivarium_gpu::Network,
    program: vivarium_gpu::Program,
    states: SparseInput,
    selection: Option<Selection>,
    back: Ring,
}

/// What picks the logits of legal actions.
struct Selection {
    /// How many there are, and where each lies among all.
    actions: Buffer,
    selected: Buffer,
}

impl Program {
    fn new<G: Learnable>(
        gpu: &Gpu,
        plan: &Plan,
        weights: &Buffer,
        outputs: Outputs,
        rows: usize,
    ) -> Result<Self, GpuError> {
        let network = vivarium_gpu::Network::new(gpu, plan, rows)?;
        let states = SparseInput::new(gpu, G::INPUTS, rows, entry_capacity::<G>(rows))?;
        let mut recorder = Recorder::new(gpu);
        states.record(&mut recorder, network.arena(), network.input(0).start)?;
        network.record(&mut recorder, weights, None)?;
        let (selection, most) = match outputs {
            Outputs::Heads => (None, 0),
            Outputs::LogitsAndHeads => {
                let most = action_capacity::<G>(rows);
                let actions = gpu.zeros("legal actions", most + 1)?;
                let selected = gpu.zeros("logits of legal actions", most)?;
                let buffers = [&actions, network.arena(), &selected];
                let first = ("first", network.output(1).start);
                recorder.for_each(
                    "select",
                    &[vivarium_gpu::shader!("select.wgsl")],
                    &buffers,
                    &[first],
                    most,
                )?;
                (Some(Selection { actions, selected }), most)
            }
        };
        Ok(Self {
            outputs,
            rows,
            program: recorder.finish()?,
            back: Ring::new(gpu, rows * G::HEADS + most, UNDER_WAY)?,
            network,
            states,
            selection,
        })
    }

    /// Submits these states of a batch, and returns what that asks of the device. `words` is scratch memory.
    fn submit<G: Learnable>(
        &mut self,
        gpu: &Gpu,
        batch: &GpuBatch,
        rows: &Range<usize>,
        words: &mut Vec<u32>,
    ) -> Result<Cost, GpuError> {
        let Self { network, program, states, selection, back, .. } = self;
        let (of_entries, count) = (batch.entries_of(rows), rows.len());
        let ends = batch.entry_ends[rows.clone()].iter().map(|end| end - of_entries.start);
        let mut written = states.write(gpu, ends, &batch.entries[of_entries.clone()], words);
        let chosen = selection.as_ref().map(|Selection { actions, selected }| {
            words.clear();
            words.push(batch.actions_of(rows).len() as u32);
            for (row, index) in rows.clone().enumerate() {
                let of_row = batch.actions_of(&(index..index + 1));
                words.extend(batch.actions[of_row].iter().map(|action| (row * G::ACTIONS) as u32 + action));
            }
            gpu.write(actions, 0, words);
            written += words.len();
            (selected, 0..words.len() - 1)
        });
        let first_head = network.output(0).start;
        let heads = (network.arena(), first_head..first_head + count * G::HEADS);
        let read =
            || std::iter::once(heads.clone()).chain(chosen.clone()).filter(|(_, part)| !part.is_empty());
        let came_back: usize = read().map(|(_, part)| part.len()).sum();
        gpu.submit(|encoder| {
            encoder.run(program);
            back.copy(encoder, read());
        })?;
        back.submitted();
        let bytes_copied = 4 * (written + came_back) as u64;
        Ok(program.cost() + Cost { dispatches: 0, bytes_copied })
    }
}

//! Evaluation of batches of game states by the policy-value network on a GPU.
//!
//! A backgammon state has 731 inputs, about 50 of which are nonzero. States are uploaded as sparse rows, 400 bytes
//! instead of 2,924, and a kernel expands them to dense rows. The device computes the logits of all 676 actions, and a
//! kernel selects the logits of the legal actions, about 20. Only these logits and the outcome probabilities are read
//! back. Action indices and logits take 160 bytes per state, all logits would take 2,704. The output of the last
//! residual block, of width 256, would take 1,024.

use super::game::SelfPlayGame;
use super::network::{AlphaZeroGraph, AlphaZeroNetwork};
use super::sparse_input::SparseInput;
use crate::error::LearnerError;
use std::marker::PhantomData;
use std::ops::Range;
use vivarium_gpu::{Buffer, Cost, Gpu, GpuError, GpuRecorder, ReadbackRing, Shader, floats};
use vivarium_graph::Plan;
use vivarium_kernels::gemm::SparseRows;

/// Batch sizes, in states, for which GPU programs are compiled. A batch is evaluated by the smallest program that has
/// room for all its states.
const SIZES: [usize; 5] = [64, 256, 1_024, 4_096, 16_384];

/// Assumed mean number of nonzero network inputs per state, an upper estimate. The estimate determines the size of the
/// upload buffers.
const TYPICAL_ENTRIES: usize = 96;
/// Assumed mean number of legal actions per state, an upper estimate. The estimate determines the size of the upload
/// and readback buffers.
const TYPICAL_ACTIONS: usize = 32;

/// Maximum number of batches that are submitted and not yet read back: one for each of the two groups of self-play
/// workers.
const MAX_IN_FLIGHT: usize = 2;

/// Network outputs that the evaluation of a batch computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outputs {
    /// Logits of the legal actions, and outcome probabilities (value heads).
    LogitsAndHeads,
    /// Outcome probabilities (value heads) only.
    Heads,
}

/// A batch of states, encoded as sparse network inputs, with their legal actions.
#[derive(Default)]
pub struct GpuBatch {
    /// Pairs of input index and `f32` bits, one for each nonzero network input, concatenated over the states.
    entries: Vec<[u32; 2]>,
    entry_ends: Vec<usize>,
    /// Indices of the legal actions of each state, concatenated over the states.
    actions: Vec<u32>,
    action_ends: Vec<usize>,
}

impl GpuBatch {
    /// Removes all states from the batch; keeps the allocated memory.
    pub fn clear(&mut self) {
        let Self { entries, entry_ends, actions, action_ends } = self;
        entries.clear();
        entry_ends.clear();
        actions.clear();
        action_ends.clear();
    }

    /// Returns the number of states in the batch.
    pub fn len(&self) -> usize {
        self.entry_ends.len()
    }

    /// Returns whether the batch is empty.
    pub fn is_empty(&self) -> bool {
        self.entry_ends.is_empty()
    }

    /// Appends `states`, encoded as sparse network inputs, to the batch. `actions` holds the legal actions of all
    /// states, concatenated, and `action_ends` the end of each state's actions. Both are empty if only the value
    /// heads are evaluated.
    pub fn add(&mut self, states: &SparseRows, actions: &[u32], action_ends: &[usize]) {
        let [entries_before, actions_before] = [self.entries.len(), self.actions.len()];
        self.entries.extend(states.entries().iter().map(|&(place, number)| [place, number.to_bits()]));
        self.entry_ends.extend(states.ends().iter().map(|end| entries_before + end));
        self.actions.extend_from_slice(actions);
        self.action_ends.extend(action_ends.iter().map(|end| actions_before + end));
        self.action_ends.resize(self.entry_ends.len(), self.actions.len());
    }

    /// Returns the range of `entries` that holds the nonzero network inputs of the states `rows` of the batch.
    fn entries_of(&self, rows: &Range<usize>) -> Range<usize> {
        part(&self.entry_ends, rows)
    }

    /// Returns the range of `actions` that holds the legal actions of the states `rows` of the batch.
    fn actions_of(&self, rows: &Range<usize>) -> Range<usize> {
        part(&self.action_ends, rows)
    }
}

/// Returns the range of the elements that belong to the states `rows`, in a list that concatenates the elements of all
/// states. `ends[i]` is the end of the elements of state i in the list.
fn part(ends: &[usize], rows: &Range<usize>) -> Range<usize> {
    let end_before = |row: usize| if row == 0 { 0 } else { ends[row - 1] };
    end_before(rows.start)..end_before(rows.end)
}

/// A batch that was submitted to the GPU, and whose results have not been read back.
pub struct PendingBatch {
    program: usize,
    /// Range of the states of the [`GpuBatch`] that this submission evaluates.
    pub rows: Range<usize>,
}

/// Policy-value network on the GPU, which evaluates batches of states.
///
/// The first batch of each kind of [`Outputs`] and each size in `SIZES` compiles a GPU program and allocates its
/// buffers; later batches of this kind and size allocate nothing. There are at most ten programs. In backgammon the
/// number of afterstates of a decision varies from 1 to several hundred, so that a new size can occur late.
pub struct GpuStateEvaluator<G> {
    gpu: Gpu,
    weights: Buffer,
    /// Inference plans (compiled forward passes) of the network, one for each kind of [`Outputs`].
    plans: [Plan; 2],
    /// GPU programs that were compiled so far, one for each kind of outputs and each batch size used.
    programs: Vec<EvaluationProgram>,
    /// Total cost of all submitted batches: number of kernel dispatches and number of copied bytes.
    cost: Cost,
    /// Number of batches submitted so far.
    batches: u64,
    arrived: Vec<u32>,
    /// Scratch memory for the 32-bit words that are uploaded.
    words: Vec<u32>,
    game: PhantomData<fn() -> G>,
}

impl<G: SelfPlayGame> GpuStateEvaluator<G> {
    /// Uploads the weights of a network. New weights can later be copied into the device buffer
    /// [`weights`](Self::weights).
    ///
    /// # Errors
    /// [`LearnerError::Gpu`] if the device has too little memory.
    pub fn new(gpu: &Gpu, network: &AlphaZeroNetwork<G>) -> Result<Self, LearnerError> {
        let AlphaZeroGraph { graph, logits, heads, .. } = network.definition();
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

    /// Returns the device buffer that holds the weights of the network.
    pub fn weights(&self) -> &Buffer {
        &self.weights
    }

    /// Returns the mean cost of a batch: kernel dispatches, and bytes copied between host and device.
    pub fn cost(&self) -> [f64; 2] {
        [self.cost.dispatches, self.cost.bytes_copied].map(|sum| sum as f64 / self.batches.max(1) as f64)
    }

    /// Submits the evaluation of the states of `batch` from index `first` on, as many as one GPU program can evaluate.
    /// The returned [`PendingBatch`] holds the range of the submitted states.
    ///
    /// # Errors
    /// [`GpuError`] if the device was lost or has too little memory.
    pub fn submit(
        &mut self,
        batch: &GpuBatch,
        outputs: Outputs,
        first: usize,
    ) -> Result<PendingBatch, GpuError> {
        let (rows, size) = fit::<G>(batch, first);
        let known = self.programs.iter().position(|of| (of.outputs, of.rows) == (outputs, size));
        let program = match known {
            Some(program) => program,
            None => {
                let plan = &self.plans[outputs as usize];
                self.programs.push(EvaluationProgram::new::<G>(
                    &self.gpu,
                    plan,
                    &self.weights,
                    outputs,
                    size,
                )?);
                self.programs.len() - 1
            }
        };
        self.cost =
            self.cost + self.programs[program].submit::<G>(&self.gpu, batch, &rows, &mut self.words)?;
        self.batches += 1;
        Ok(PendingBatch { program, rows })
    }

    /// Reads back the results of a submitted batch: appends the outcome probabilities to `heads` and the logits of the
    /// legal actions to `logits`. Returns `false` if the results are not available yet. On native targets the call
    /// blocks until the results are available; in a browser the call never blocks. Batches must be read in the order of
    /// their submission.
    ///
    /// # Errors
    /// [`GpuError`] if the device was lost.
    pub fn take(
        &mut self,
        pending: &PendingBatch,
        heads: &mut Vec<f32>,
        logits: &mut Vec<f32>,
    ) -> Result<bool, GpuError> {
        let Self { programs, arrived, .. } = self;
        if !programs[pending.program].back.poll(arrived)? {
            return Ok(false);
        }
        let (all_heads, all_logits) = floats(arrived).split_at(pending.rows.len() * G::HEADS);
        heads.extend_from_slice(all_heads);
        logits.extend_from_slice(all_logits);
        Ok(true)
    }
}

/// Returns the longest range of the batch's states from index `first` on that one GPU program can evaluate, and the
/// size of that program in states.
fn fit<G: SelfPlayGame>(batch: &GpuBatch, first: usize) -> (Range<usize>, usize) {
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

/// Returns the maximum number of nonzero network inputs, summed over all states, in a batch of the GPU program for
/// `rows` states. The maximum suffices for at least one state.
fn entry_capacity<G: SelfPlayGame>(rows: usize) -> usize {
    (rows - 1) * TYPICAL_ENTRIES.min(G::INPUTS) + G::INPUTS
}

/// Returns the maximum number of legal actions, summed over all states, in a batch of the GPU program for `rows`
/// states. The maximum suffices for at least one state.
fn action_capacity<G: SelfPlayGame>(rows: usize) -> usize {
    (rows - 1) * TYPICAL_ACTIONS.min(G::MAX_BRANCHES) + G::MAX_BRANCHES
}

/// GPU program that evaluates the network on batches of up to a fixed number of states.
struct EvaluationProgram {
    outputs: Outputs,
    rows: usize,
    network: vivarium_gpu::GpuPlan,
    program: vivarium_gpu::GpuProgram,
    states: SparseInput,
    selection: Option<LogitSelection>,
    back: ReadbackRing,
}

/// Device buffers for the kernel that selects the logits of legal actions from the logits of all actions.
struct LogitSelection {
    /// Number of legal actions in the batch, followed by the position of each legal action's logit in the network's
    /// output `[states, actions]`.
    actions: Buffer,
    selected: Buffer,
}

impl EvaluationProgram {
    fn new<G: SelfPlayGame>(
        gpu: &Gpu,
        plan: &Plan,
        weights: &Buffer,
        outputs: Outputs,
        rows: usize,
    ) -> Result<Self, GpuError> {
        let network = vivarium_gpu::GpuPlan::new(gpu, plan, rows)?;
        let states = SparseInput::new(gpu, G::INPUTS, rows, entry_capacity::<G>(rows))?;
        let mut recorder = GpuRecorder::new(gpu);
        states.record(&mut recorder, network.arena(), network.input(0).start)?;
        network.record(&mut recorder, weights, None)?;
        let (selection, most) = match outputs {
            Outputs::Heads => (None, 0),
            Outputs::LogitsAndHeads => {
                let most = action_capacity::<G>(rows);
                let actions = gpu.zeros("legal actions", most + 1)?;
                let selected = gpu.zeros("logits of legal actions", most)?;
                Shader::new("select", &[vivarium_gpu::shader!("select.wgsl")])
                    .buffers([("actions", &actions), ("arena", network.arena()), ("selected", &selected)])
                    .uniforms([("first", network.output(1).start)])
                    .record_each(&mut recorder, most)?;
                (Some(LogitSelection { actions, selected }), most)
            }
        };
        Ok(Self {
            outputs,
            rows,
            program: recorder.finish()?,
            back: ReadbackRing::new(gpu, rows * G::HEADS + most, MAX_IN_FLIGHT)?,
            network,
            states,
            selection,
        })
    }

    /// Submits the evaluation of the states `rows` of a batch. Returns the cost of the submission: dispatches and
    /// copied bytes. `words` is scratch memory.
    fn submit<G: SelfPlayGame>(
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
        let chosen = selection.as_ref().map(|LogitSelection { actions, selected }| {
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

//! Beam searches whose states are evaluated on a GPU, in one batch for all searches.
//!
//! For each state, five words are uploaded and one log-probability per move is read back: 20 and 48 bytes instead of
//! the 1,296 bytes of the network's input. A batch has up to 2¹⁸ states. The device encodes and evaluates them in
//! chunks, so that the memory for network inputs is that of one chunk. The CPU selects the beam, exactly as in
//! [`BeamSearch::advance`]; results agree with CPU evaluation up to rounding.

use super::beam_search::BeamSearch;
use super::network::Cube3Network;
use std::ops::Range;
use vivarium_envs::cube::TurnMetric;
use vivarium_gpu::worlds::{CubeKernels, CubeRows, RowOutput};
use vivarium_gpu::{Buffer, Cost, Gpu, GpuError, GpuPlan, GpuProgram, GpuRecorder, ReadbackRing, floats};
use vivarium_graph::Cpu;

/// Maximum number of states in a batch; larger beams are evaluated in several batches.
const MAX_BATCH: usize = 1 << 18;

/// Maximum number of states in a chunk, the part of a batch that is evaluated in one submission. A chunk of this size
/// keeps a large GPU busy.
const CHUNK: usize = 1 << 14;

/// Maximum number of multiplications in the evaluation of a chunk. A chunk is one submission, and the limit keeps a
/// small GPU below its driver's time limit. With the default network, a chunk of [`CHUNK`] states stays below the
/// limit.
const MAX_CHUNK_PRODUCTS: u64 = 1 << 35;

/// Network on the GPU that evaluates the states of beam searches.
pub struct GpuBeamSearch {
    gpu: Gpu,
    /// Device buffers of a chunk (the states of one submission): states `[rows, CubeKernels::WORDS]`, and
    /// log-probabilities of their moves `[rows, moves]`.
    chunk: [Buffer; 2],
    rows: usize,
    program: GpuProgram,
    /// Device buffers of the batch: states `[capacity, CubeKernels::WORDS]`, and log-probabilities of their moves
    /// `[capacity, moves]`.
    batch: [Buffer; 2],
    capacity: usize,
    moves: usize,
    back: ReadbackRing,
    /// For each search: range of its states in the batch in flight; empty if no batch is in flight.
    in_flight: Vec<Range<usize>>,
    words: Vec<u32>,
    results: Vec<u32>,
}

impl GpuBeamSearch {
    /// Uploads a network, and allocates buffers for `states` pending states, summed over all searches.
    ///
    /// # Errors
    /// [`GpuError`] if the network does not fit or the device rejects a kernel.
    ///
    /// # Panics
    /// If the network was trained with another turn metric.
    pub fn new(
        gpu: &Gpu,
        network: &Cube3Network,
        metric: TurnMetric,
        states: usize,
    ) -> Result<Self, GpuError> {
        let rows = (MAX_CHUNK_PRODUCTS / network.weights().len() as u64).min(CHUNK as u64) as usize;
        Self::with_chunk_rows(gpu, network, metric, states, rows)
    }

    /// Like [`new`](Self::new), with chunks of at most `rows` states.
    ///
    /// # Errors
    /// Like [`new`](Self::new).
    ///
    /// # Panics
    /// Like [`new`](Self::new).
    pub fn with_chunk_rows(
        gpu: &Gpu,
        network: &Cube3Network,
        metric: TurnMetric,
        states: usize,
        rows: usize,
    ) -> Result<Self, GpuError> {
        let cubes = CubeKernels::new(gpu, metric, network.uses_symmetries())?;
        let moves = cubes.moves();
        assert_eq!(network.moves(), moves, "the network was trained with another turn metric");
        let states = states.clamp(1, MAX_BATCH);
        let plan = build_chunk(gpu, network, rows.clamp(1, states))?;
        let rows = plan.rows();
        let capacity = states.next_multiple_of(rows);
        let parameters = gpu.upload("the weights of searches", network.weights())?;
        let buffers = |rows: usize| -> Result<[Buffer; 2], GpuError> {
            let states = gpu.zeros("states of searches", rows * CubeKernels::WORDS)?;
            Ok([states, gpu.buffer("log-probabilities of searches", rows * moves)?])
        };
        let (chunk, symmetries) = (buffers(rows)?, gpu.buffer("cube symmetries", rows)?);
        let mut recorder = GpuRecorder::new(gpu);
        let shown = CubeRows { states: &chunk[0], rows, input: (plan.arena(), plan.input(0).start) };
        cubes.encode(&mut recorder, shown, RowOutput::Symmetry(&symmetries))?;
        plan.record(&mut recorder, &parameters, None)?;
        let output = (plan.arena(), plan.output(0).start);
        cubes.log_probabilities(&mut recorder, rows, &symmetries, output, &chunk[1])?;
        Ok(Self {
            gpu: gpu.clone(),
            chunk,
            rows,
            program: recorder.finish()?,
            batch: buffers(capacity)?,
            capacity,
            moves,
            back: ReadbackRing::new(gpu, capacity * moves, 1)?,
            in_flight: Vec::new(),
            words: Vec::new(),
            results: Vec::new(),
        })
    }

    /// Submits the pending states of the searches, and expands their beams when the results are available. Returns
    /// whether the beams were expanded. Blocks on native targets; never blocks in a browser. The searches must not
    /// change while a batch is in flight.
    ///
    /// # Errors
    /// [`GpuError`] if the device was lost.
    ///
    /// # Panics
    /// If the number of searches changed while a batch was in flight.
    pub fn advance(&mut self, cpu: &Cpu, searches: &mut [BeamSearch]) -> Result<bool, GpuError> {
        if self.in_flight.is_empty()
            && let Err(error) = self.submit(searches)
        {
            self.in_flight.clear();
            return Err(error);
        }
        if self.back.in_flight() > 0 && !self.back.poll(&mut self.results)? {
            return Ok(false);
        }
        let Self { in_flight, results, moves, .. } = self;
        assert_eq!(in_flight.len(), searches.len(), "searches changed while a batch was in flight");
        let log_probabilities = floats(results);
        cpu.for_each(searches, |index, search| {
            let Range { start, end } = in_flight[index];
            if start < end {
                search.provide(&log_probabilities[start * *moves..end * *moves]);
            }
        });
        in_flight.clear();
        Ok(true)
    }

    /// Advances a search until it ends.
    ///
    /// # Errors
    /// [`GpuError`] if the device was lost.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn run(&mut self, cpu: &Cpu, search: &mut BeamSearch) -> Result<(), GpuError> {
        let searches = std::slice::from_mut(search);
        while searches[0].update_status() {
            self.advance(cpu, searches)?;
        }
        Ok(())
    }

    /// Submits the pending states of the searches, up to the capacity.
    fn submit(&mut self, searches: &mut [BeamSearch]) -> Result<(), GpuError> {
        let Self { gpu, chunk, rows, program, batch, capacity, moves, back, in_flight, words, .. } = self;
        let (rows, moves, mut count) = (*rows, *moves, 0);
        words.clear();
        for search in searches {
            let start = count;
            if search.update_status() {
                words.extend(search.pending_states().take(*capacity - start).flat_map(|cube| cube.words()));
                count = words.len() / CubeKernels::WORDS;
            }
            in_flight.push(start..count);
        }
        if count == 0 {
            return Ok(());
        }
        gpu.write(&batch[0], 0, words);
        // One submission per chunk: drivers may abort a long submission.
        for first in (0..count).step_by(rows) {
            gpu.submit(|encoder| {
                encoder.copy(&batch[0], first * CubeKernels::WORDS, &chunk[0], 0, rows * CubeKernels::WORDS);
                encoder.run(program);
                encoder.copy(&chunk[1], 0, &batch[1], first * moves, rows * moves);
                if first + rows >= count {
                    back.copy(encoder, [(&batch[1], 0..count * moves)]);
                }
            })?;
        }
        back.submitted();
        Ok(())
    }

    /// Returns the cost of a batch of `states` states: kernel dispatches and bytes copied.
    #[must_use]
    pub fn cost(&self, states: usize) -> Cost {
        let Self { program, rows, moves, .. } = self;
        let bytes = |states: usize| 4 * (states * (CubeKernels::WORDS + moves)) as u64;
        let chunks = states.div_ceil(*rows);
        let copied = bytes(states) + bytes(chunks * rows);
        program.cost() * chunks as u64 + Cost { dispatches: 0, bytes_copied: copied }
    }
}

/// Creates the network's forward pass on the GPU for chunks of `rows` states. Halves `rows` until all device buffers
/// fit.
fn build_chunk(gpu: &Gpu, network: &Cube3Network, rows: usize) -> Result<GpuPlan, GpuError> {
    match GpuPlan::new(gpu, network.plan(0), rows) {
        Err(GpuError::BufferTooLarge { .. } | GpuError::OutOfMemory { .. }) if rows > 1 => {
            build_chunk(gpu, network, rows / 2)
        }
        made => made,
    }
}

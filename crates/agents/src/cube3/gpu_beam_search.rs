//! Beam searches whose states are evaluated on a GPU, in one batch for all searches.
//!
//! For each state, 20 bytes are uploaded (five 32-bit words), and 48 bytes are read back (one log-probability per
//! move). The network's input of 1,296 bytes is computed on the device. A batch has up to 2¹⁸ states. The device
//! evaluates the batch in chunks, so that only one chunk of network inputs is in memory. The CPU selects the beam,
//! exactly as in [`BeamSearch::advance`]; results agree with CPU evaluation up to rounding.

use super::beam_search::BeamSearch;
use super::network::Cube3Network;
use std::ops::Range;
use vivarium_envs::cube::TurnMetric;
use vivarium_gpu::worlds::{CubeKernels, CubeRows, RowOutput};
use vivarium_gpu::{Buffer, Cost, Gpu, GpuError, GpuPlan, GpuProgram, GpuRecorder, ReadbackRing, floats};
use vivarium_graph::Cpu;

/// Maximum number of states in a batch. A beam with more states is evaluated in several batches.
const MAX_BATCH: usize = 1 << 18;

/// Maximum number of states in a chunk, the part of a batch that one submission evaluates. A chunk of this size is
/// large enough to use a large GPU fully.
const CHUNK: usize = 1 << 14;

/// Maximum number of multiplications in the evaluation of a chunk (the part of a batch that one submission evaluates),
/// so that a submission stays below the time limit of the driver on a small GPU. With the default network, chunks of
/// [`CHUNK`] states are below this maximum.
const MAX_CHUNK_PRODUCTS: u64 = 1 << 35;

/// Policy network on the GPU, which evaluates the states of beam searches that run on the CPU.
pub struct GpuBeamSearch {
    gpu: Gpu,
    /// Device buffers of a chunk, the part of a batch that one submission evaluates: packed states `[rows,
    /// CubeKernels::WORDS]`, and log-probabilities of their moves `[rows, moves]`.
    chunk: [Buffer; 2],
    rows: usize,
    program: GpuProgram,
    /// Device buffers of a batch: packed states `[capacity, CubeKernels::WORDS]`, and log-probabilities of their
    /// moves `[capacity, moves]`.
    batch: [Buffer; 2],
    capacity: usize,
    moves: usize,
    back: ReadbackRing,
    /// For each search: the range of its states in the submitted batch. Empty if no batch is submitted.
    in_flight: Vec<Range<usize>>,
    words: Vec<u32>,
    results: Vec<u32>,
}

impl GpuBeamSearch {
    /// Uploads a network, and allocates buffers for batches of up to `states` states, the states of all searches
    /// together.
    ///
    /// # Errors
    /// [`GpuError`] if the device has too little memory or rejects a kernel.
    ///
    /// # Panics
    /// If the network was trained with another turn metric than `metric`.
    pub fn new(
        gpu: &Gpu,
        network: &Cube3Network,
        metric: TurnMetric,
        states: usize,
    ) -> Result<Self, GpuError> {
        let rows = (MAX_CHUNK_PRODUCTS / network.weights().len() as u64).min(CHUNK as u64) as usize;
        Self::with_chunk_rows(gpu, network, metric, states, rows)
    }

    /// Uploads a network like [`new`](Self::new), and evaluates batches in chunks of at most `rows` states.
    ///
    /// # Errors
    /// [`GpuError`] if the device has too little memory or rejects a kernel.
    ///
    /// # Panics
    /// If the network was trained with another turn metric than `metric`.
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

    /// Submits the states of all searches that the network has not evaluated, and expands the beams when the results
    /// are available. Returns whether the beams were expanded. Blocks on native targets; never blocks in a browser.
    /// The searches must not change while a batch is submitted.
    ///
    /// # Errors
    /// [`GpuError`] if the device was lost.
    ///
    /// # Panics
    /// If the number of searches changed while a batch was submitted.
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

    /// Calls [`advance`](Self::advance) with a single search until the search ends.
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

    /// Submits one batch: the states of all searches that the network has not evaluated, up to the capacity of the
    /// batch.
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

    /// Returns the cost of a batch of `states` states: number of kernel dispatches, and number of bytes copied.
    #[must_use]
    pub fn cost(&self, states: usize) -> Cost {
        let Self { program, rows, moves, .. } = self;
        let bytes = |states: usize| 4 * (states * (CubeKernels::WORDS + moves)) as u64;
        let chunks = states.div_ceil(*rows);
        let copied = bytes(states) + bytes(chunks * rows);
        program.cost() * chunks as u64 + Cost { dispatches: 0, bytes_copied: copied }
    }
}

/// Allocates the network's forward pass on the GPU for chunks of `rows` states. Halves `rows` until the device has
/// enough memory for all buffers.
fn build_chunk(gpu: &Gpu, network: &Cube3Network, rows: usize) -> Result<GpuPlan, GpuError> {
    match GpuPlan::new(gpu, network.plan(0), rows) {
        Err(GpuError::BufferTooLarge { .. } | GpuError::OutOfMemory { .. }) if rows > 1 => {
            build_chunk(gpu, network, rows / 2)
        }
        made => made,
    }
}

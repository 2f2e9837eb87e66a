//! Beam searches whose states a GPU evaluates: those of all searches together, in one batch.
//!
//! A state goes there as five words, and what comes back of it is a number for each move: 20 and 48 bytes in place of the 1,296
//! that the network sees. What it sees is made there, for a stretch of rows after the other, so that 2¹⁸ states take no more
//! memory than a stretch of them. Which ways a beam keeps is for the CPU to say, as of states that it has evaluated itself: the
//! ways are the same but for rounding.

use super::network::Network;
use super::search::Search;
use std::ops::Range;
use vivarium_envs::cube::Metric;
use vivarium_gpu::worlds::{Cubes, RowOutput, Shown};
use vivarium_gpu::{Buffer, Cost, Gpu, GpuError, Network as Plan, Program, Recorder, Ring, floats};
use vivarium_graph::Cpu;

/// The most states of a batch; wider fronts are evaluated in several.
const MOST: usize = 1 << 18;

/// The most states of a stretch, if they fit into a buffer: enough to keep a large GPU busy.
const STRETCH: usize = 1 << 14;

/// The most products of a stretch, which is a submission: a small GPU does them in the time that its driver allows. The default
/// network has fewer with [`STRETCH`] states.
const WORK: u64 = 1 << 35;

/// A network on the device, asked about the states of searches; see the [module](self).
pub struct GpuSearches {
    gpu: Gpu,
    /// Where a stretch is evaluated: `[rows, Cubes::WORDS]`, `[rows, moves]`.
    stretch: [Buffer; 2],
    rows: usize,
    program: Program,
    /// The whole batch: `[most, Cubes::WORDS]`, `[most, moves]`.
    batch: [Buffer; 2],
    most: usize,
    moves: usize,
    back: Ring,
    /// Which states of the batch under way are each search's; empty where none is under way.
    asked: Vec<Range<usize>>,
    written: Vec<u32>,
    arrived: Vec<u32>,
}

impl GpuSearches {
    /// A network for searches by moves of this metric that ask about `states` states at a time, in a batch or several.
    ///
    /// # Errors
    /// [`GpuError`] where it does not fit there, or a kernel is refused.
    ///
    /// # Panics
    /// If the network is one for other moves.
    pub fn new(gpu: &Gpu, network: &Network, metric: Metric, states: usize) -> Result<Self, GpuError> {
        let rows = (WORK / network.weights().len() as u64).min(STRETCH as u64) as usize;
        Self::in_stretches(gpu, network, metric, states, rows)
    }

    /// The same in stretches of at most so many states.
    ///
    /// # Errors
    /// Those of [`new`](Self::new).
    ///
    /// # Panics
    /// Those of [`new`](Self::new).
    pub fn in_stretches(
        gpu: &Gpu,
        network: &Network,
        metric: Metric,
        states: usize,
        rows: usize,
    ) -> Result<Self, GpuError> {
        let cubes = Cubes::new(gpu, metric, network.sees_symmetries())?;
        let moves = cubes.moves();
        assert_eq!(network.moves(), moves, "a network for other moves");
        let states = states.clamp(1, MOST);
        let plan = stretch(gpu, network, rows.clamp(1, states))?;
        let rows = plan.rows();
        let most = states.next_multiple_of(rows);
        let parameters = gpu.upload("the weights of searches", network.weights())?;
        let buffers = |rows: usize| -> Result<[Buffer; 2], GpuError> {
            let states = gpu.zeros("states of searches", rows * Cubes::WORDS)?;
            Ok([states, gpu.buffer("guesses of searches", rows * moves)?])
        };
        let (stretch, views) = (buffers(rows)?, gpu.buffer("how cubes are seen", rows)?);
        let mut recorder = Recorder::new(gpu);
        let shown = Shown { states: &stretch[0], rows, input: (plan.arena(), plan.input(0).start) };
        cubes.show(&mut recorder, shown, RowOutput::View(&views))?;
        plan.record(&mut recorder, &parameters, None)?;
        let output = (plan.arena(), plan.output(0).start);
        cubes.guesses(&mut recorder, rows, &views, output, &stretch[1])?;
        Ok(Self {
            gpu: gpu.clone(),
            stretch,
            rows,
            program: recorder.finish()?,
            batch: buffers(most)?,
            most,
            moves,
            back: Ring::new(gpu, most * moves, 1)?,
            asked: Vec::new(),
            written: Vec::new(),
            arrived: Vec::new(),
        })
    }

    /// Keeps the device busy with the states that these searches ask about, and has them go on where the answers have come;
    /// returns whether they have. Natively it waits for them; in a browser it never waits. Until they have come, the searches
    /// must stay the same.
    ///
    /// # Errors
    /// [`GpuError`] where the device was lost.
    ///
    /// # Panics
    /// If the searches are others than those under way.
    pub fn advance(&mut self, cpu: &Cpu, searches: &mut [Search]) -> Result<bool, GpuError> {
        if self.asked.is_empty()
            && let Err(error) = self.ask(searches)
        {
            self.asked.clear();
            return Err(error);
        }
        if self.back.in_flight() > 0 && !self.back.arrive(&mut self.arrived)? {
            return Ok(false);
        }
        let Self { asked, arrived, moves, .. } = self;
        assert_eq!(asked.len(), searches.len(), "other searches than those under way");
        let guesses = floats(arrived);
        cpu.for_each(searches, |index, search| {
            let Range { start, end } = asked[index];
            if start < end {
                search.learn(&guesses[start * *moves..end * *moves]);
            }
        });
        asked.clear();
        Ok(true)
    }

    /// Advances a search until it is over.
    ///
    /// # Errors
    /// [`GpuError`] where the device was lost.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn run(&mut self, cpu: &Cpu, search: &mut Search) -> Result<(), GpuError> {
        let searches = std::slice::from_mut(search);
        while searches[0].goes_on() {
            self.advance(cpu, searches)?;
        }
        Ok(())
    }

    /// Submits the states that the searches ask about, as many as there is room for.
    fn ask(&mut self, searches: &mut [Search]) -> Result<(), GpuError> {
        let Self { gpu, stretch, rows, program, batch, most, moves, back, asked, written, .. } = self;
        let (rows, moves, mut count) = (*rows, *moves, 0);
        written.clear();
        for search in searches {
            let start = count;
            if search.goes_on() {
                written.extend(search.questions().take(*most - start).flat_map(|cube| cube.words()));
                count = written.len() / Cubes::WORDS;
            }
            asked.push(start..count);
        }
        if count == 0 {
            return Ok(());
        }
        gpu.write(&batch[0], 0, written);
        // A submission each: a driver may take a long one for a fault.
        for first in (0..count).step_by(rows) {
            gpu.submit(|encoder| {
                encoder.copy(&batch[0], first * Cubes::WORDS, &stretch[0], 0, rows * Cubes::WORDS);
                encoder.run(program);
                encoder.copy(&stretch[1], 0, &batch[1], first * moves, rows * moves);
                if first + rows >= count {
                    back.copy(encoder, [(&batch[1], 0..count * moves)]);
                }
            })?;
        }
        back.submitted();
        Ok(())
    }

    /// What a batch of so many states asks of the device: kernels started, and bytes that are copied to it, on it and back.
    #[must_use]
    pub fn cost(&self, states: usize) -> Cost {
        let Self { program, rows, moves, .. } = self;
        let bytes = |states: usize| 4 * (states * (Cubes::WORDS + moves)) as u64;
        let stretches = states.div_ceil(*rows);
        let copied = bytes(states) + bytes(stretches * rows);
        program.cost() * stretches as u64 + Cost { dispatches: 0, bytes_copied: copied }
    }
}

/// The network for `rows` rows, or half as many, and so on, where a buffer cannot be so large.
fn stretch(gpu: &Gpu, network: &Network, rows: usize) -> Result<Plan, GpuError> {
    match Plan::new(gpu, network.plan(0), rows) {
        Err(GpuError::BufferTooLarge { .. } | GpuError::OutOfMemory { .. }) if rows > 1 => {
            stretch(gpu, network, rows / 2)
        }
        made => made,
    }
}

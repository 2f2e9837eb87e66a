//! Partition of the soft automaton into workgroups, and buffer layout; shared by host and kernels.

use crate::circuit::NEIGHBORHOOD;
use crate::config::LogicConfig;
use crate::grid::Grid;
use crate::layered_circuit::LayeredCircuit;
use vivarium_config::{Config, ConfigError};
use vivarium_gpu::ShaderPart;

/// Size in bytes of the workgroup memory that WebGPU guarantees on every adapter.
const WORKGROUP_BYTES: usize = 16_384;

/// Maximum number of invocations per workgroup that WebGPU guarantees.
const MAX_THREADS: usize = 256;

/// Memory limit of the private arrays of an invocation, in bytes. WGSL allows 8 KiB of private variables in total.
const PRIVATE_BYTES: usize = 6144;

/// Maximum number of gates of a perceive kernel (a small circuit over the 3×3 neighborhood of one channel). The shader
/// source contains an expression for each of these gates.
const MAX_KERNEL_GATES: usize = 96;

/// Maximum number of workgroups per automaton step. Each workgroup stores its own partial gradient sums for every gate.
const MAX_GROUPS: usize = 256;

/// Number of chunks (groups of 1 to 4 cells). If a board has at most this many chunks, a single workgroup evaluates the
/// whole board, whatever the number of boards.
const FEW_CHUNKS: usize = 4;

/// Minimum number of boards for which one workgroup per board makes full use of a large GPU.
const MANY_BOARDS: usize = 64;

/// Maximum number of chunks (groups of 1 to 4 cells) of a board that a single workgroup evaluates, if there are at
/// least [`MANY_BOARDS`] boards. The workgroup then runs several automaton steps per dispatch.
const MAX_CHUNKS: usize = 64;

/// Maximum number of automaton steps per dispatch. A dispatch of this length takes a few milliseconds on a slow GPU.
const MAX_STEPS: usize = 32;

/// Maximum size of a recording (states of the first board after every step) that is read back: 2²⁰ 32-bit words (4 MiB)
/// for each of the two automata (soft gates, hard gates).
const MAX_RECORDING_WORDS: usize = 1 << 20;

/// Number of gradient planes per channel that a backward step writes: one per neighborhood position, and one for the
/// gradient that flows directly to the cell itself.
pub(super) const GRADIENT_PLANES: usize = NEIGHBORHOOD + 1;

/// Entry in the table of neighbor indices for a neighbor beyond a fixed border.
pub(super) const NO_NEIGHBOR: u32 = u32::MAX;

/// Number of words per update layer in the layer table: number of gates, index of the first gate, number of inputs, and
/// offset of the reader lists (for each input, the gates that read it).
pub(super) const LAYER_WORDS: usize = 4;

/// Partition and buffer layout of the soft automaton (differentiable gates) on the GPU.
///
/// The cells of a board are padded to whole *chunks* of 1, 2 or 4 lanes (cells). A workgroup keeps the values of one
/// layer for one chunk in its memory, and its invocations divide the gates of the layer among them. Each workgroup has
/// a fixed range of chunks. A workgroup that owns whole boards is independent of all others and runs several steps per
/// dispatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LogicGpuLayout {
    pub grid: Grid,
    pub steps: usize,
    pub channels: usize,
    pub kernels: usize,
    /// Number of gates of all perceive kernels (small circuits over the 3×3 neighborhood) together. The channels share
    /// these gates; a shared gate counts once.
    pub perceive_gates: usize,
    /// Number of gates of the update circuit.
    pub update_gates: usize,
    /// Number of layers of the update circuit.
    pub layers: usize,
    /// Maximum, over the layers of the update circuit, of the number of values per cell that a layer reads or writes.
    pub widest: usize,
    /// Number of gates of the widest layer of the update circuit.
    pub widest_layer: usize,
    /// Number of lanes (cells) per chunk, the group of cells that a workgroup evaluates together: 1, 2 or 4.
    pub lanes: usize,
    /// Number of invocations in a workgroup of the kernels that evaluate the soft automaton (differentiable gates).
    pub threads: usize,
    /// Number of chunks (groups of `lanes` cells) per board.
    pub board_chunks: usize,
    /// Number of workgroups that evaluate one step of the soft automaton (differentiable gates).
    pub groups: usize,
    /// Number of chunks (groups of `lanes` cells) that each workgroup evaluates per automaton step.
    pub group_chunks: usize,
    /// Maximum number of automaton steps that one dispatch runs.
    pub group_steps: usize,
    /// Number of 32-bit words (one bit per cell) per row of a board.
    pub row_words: usize,
    perceived: usize,
    /// Whether updates are asynchronous: the fire rate is below 1.
    pub asynchronous: bool,
}

impl LogicGpuLayout {
    /// Computes the partition into workgroups and the buffer layout for a config.
    ///
    /// # Errors
    /// [`ConfigError`] with the field that makes the circuit too large for the kernels.
    pub fn new(config: &LogicConfig, program: &LayeredCircuit) -> Result<Self, ConfigError> {
        let (grid, architecture) = (config.grid(), config.architecture());
        let of_a_kernel: usize = architecture.perceive.iter().sum();
        if of_a_kernel > MAX_KERNEL_GATES {
            let allowed = format!(
                "a kernel has {of_a_kernel} gates (limit {MAX_KERNEL_GATES} on the GPU); use smaller layers"
            );
            return Err(config.refused("perceive", allowed));
        }
        let widest_layer = architecture.update.iter().copied().max().unwrap_or(1);
        let widest = program.widest_update();
        let threads = widest_layer.next_power_of_two().clamp(64, MAX_THREADS);
        let layers = architecture.update.len();
        let tasks = threads / architecture.kernels * architecture.kernels;
        // Workgroup memory holds the values of a layer, or the gradients of three neighborhood positions per kernel and
        // channel.
        let values = widest.max(3 * tasks);
        let operands = 2 * layers * widest_layer.div_ceil(threads) + 2 * widest.div_ceil(threads);
        let fits =
            |lanes: &usize| values * lanes * 4 <= WORKGROUP_BYTES && operands * lanes * 4 <= PRIVATE_BYTES;
        let Some(lanes) = [4, 2, 1].into_iter().find(fits) else {
            let most = WORKGROUP_BYTES / 4;
            let allowed = format!(
                "circuit is too large for the GPU: the widest layer has {widest} values (limit {most}), and the number of \
                 layers for a width of {widest_layer} gates is limited to {} (this circuit has {layers})",
                PRIVATE_BYTES / 8 / widest_layer.div_ceil(threads)
            );
            return Err(config.refused("update", allowed));
        };
        let steps = config.steps as usize;
        let board_chunks = grid.cells().div_ceil(lanes);
        let owns_whole_boards =
            board_chunks <= FEW_CHUNKS || grid.boards >= MANY_BOARDS && board_chunks <= MAX_CHUNKS;
        let (group_chunks, group_steps) = if owns_whole_boards {
            (grid.boards.div_ceil(MAX_GROUPS) * board_chunks, steps.min(MAX_STEPS))
        } else {
            ((grid.boards * board_chunks).div_ceil(MAX_GROUPS), 1)
        };
        Ok(Self {
            steps,
            channels: architecture.channels,
            kernels: architecture.kernels,
            perceive_gates: architecture.kernels * of_a_kernel,
            update_gates: architecture.update.iter().sum(),
            layers,
            widest,
            widest_layer,
            lanes,
            threads,
            board_chunks,
            groups: (grid.boards * board_chunks).div_ceil(group_chunks),
            group_chunks,
            group_steps,
            row_words: grid.width.div_ceil(32),
            perceived: program.perceived,
            asynchronous: config.fire_rate < 1.0,
            grid,
        })
    }

    /// Returns the number of trained gates: the gates of all perceive kernels (small circuits over the 3×3
    /// neighborhood) and of the update circuit, which computes a cell's next state.
    pub fn gates(&self) -> usize {
        self.perceive_gates + self.update_gates
    }

    /// Returns the number of gates that a cell evaluates per automaton step.
    pub fn gates_per_cell(&self) -> usize {
        self.channels * self.perceive_gates + self.update_gates
    }

    /// Returns the number of cells of a board, including the padding to whole chunks.
    pub fn padded(&self) -> usize {
        self.board_chunks * self.lanes
    }

    /// Returns the number of cells of all boards, including padding: the number of f32 values that store one channel.
    fn plane(&self) -> usize {
        self.grid.boards * self.padded()
    }

    /// Returns the length, in f32 values, of the buffer with the states of the soft automaton (differentiable gates),
    /// `[step][channel][board][cell]`.
    pub fn states(&self) -> usize {
        (self.steps + 1) * self.channels * self.plane()
    }

    /// Returns the length, in f32 values, of the buffer of state gradients, `[step mod
    /// 2][channel][plane][board][cell]`, with [`GRADIENT_PLANES`] planes.
    pub fn gradients(&self) -> usize {
        2 * self.channels * GRADIENT_PLANES * self.plane()
    }

    /// Returns the number of 32-bit words of a bit plane (one channel of all boards); every row is padded to whole
    /// words of 32 cells.
    pub fn words(&self) -> usize {
        self.grid.boards * self.grid.height * self.row_words
    }

    /// Returns the length, in 32-bit words, of the buffer with the states of the hard automaton (discrete gates),
    /// `[step][channel][words]`, with one bit per cell.
    pub fn planes(&self) -> usize {
        (self.steps + 1) * self.channels * self.words()
    }

    /// Returns the length, in 32-bit words, of the recording of the first board: states of the soft automaton
    /// (differentiable gates), then of the hard automaton (discrete gates), one byte per cell. Returns 0 if the
    /// recording is too large to be read back.
    pub fn recording_words(&self) -> usize {
        let words = ((self.steps + 1) * self.channels * self.grid.cells()).div_ceil(4);
        if words <= MAX_RECORDING_WORDS { 2 * words } else { 0 }
    }

    /// Returns the number of invocations of a workgroup that evaluate perceive kernels (small circuits over the 3×3
    /// neighborhood). Each invocation evaluates one kernel on one channel at a time. If there are more channels, the
    /// workgroup processes them in several iterations.
    fn tasks(&self) -> usize {
        self.threads / self.kernels * self.kernels
    }

    /// Returns the number of channels on which a workgroup evaluates the perceive kernels (small circuits over the 3×3
    /// neighborhood) in parallel. For each of these channels, the workgroup stores a partial gradient sum of every
    /// kernel gate.
    pub fn parts(&self) -> usize {
        (self.tasks() / self.kernels).min(self.channels)
    }

    /// Returns the number of gate entries in a workgroup's partial gradient sums. An entry holds the four sums Σg,
    /// Σg·a, Σg·b, Σg·a·b of a gate. The entries of the update gates come first, followed by `[part][kernel gate]` with
    /// [`parts`](Self::parts) parts.
    pub fn slice(&self) -> usize {
        self.update_gates + self.parts() * self.perceive_gates
    }

    /// Returns the word offset, in the table buffer, of the neighbor indices, `[position][cell]`: for each neighborhood
    /// position and cell, the index of the neighbor.
    fn sources_at(&self) -> usize {
        self.layers * LAYER_WORDS
    }

    /// Returns the word offset, in the table buffer, of the wires of the update gates: the indices of both inputs, one
    /// word per gate.
    fn wires_at(&self) -> usize {
        self.sources_at() + NEIGHBORHOOD * self.padded()
    }

    /// Returns the word offset, in the table buffer, of the reader lists: for each value, the gates that read it.
    pub fn readers_at(&self) -> usize {
        self.wires_at() + self.update_gates
    }

    /// Word offset, in the bits buffer, of the bit planes of the target. Word 0 of the buffer is the number of target
    /// channels.
    pub const TARGET_BITS: usize = 1;

    /// Returns the word offset, in the bits buffer, of the rounding flags: whether the cells are rounded to bits after
    /// each automaton step, one word per step.
    fn rounded_at(&self) -> usize {
        Self::TARGET_BITS + self.channels * self.words()
    }

    /// Returns the word offset, in the bits buffer, of the update masks, `[step][words]`, with one bit per cell.
    pub fn update_mask_at(&self) -> usize {
        self.rounded_at() + self.steps
    }

    /// Returns the length, in 32-bit words, of the bits buffer, which holds target planes, rounding flags and update
    /// masks.
    pub fn bits(&self) -> usize {
        self.update_mask_at() + if self.asynchronous { self.steps * self.words() } else { 0 }
    }

    /// Returns the sizes and buffer offsets of this layout as WGSL constants, which every kernel may read.
    pub fn part(&self) -> ShaderPart {
        let rounds = self.channels.div_ceil(self.tasks() / self.kernels);
        let sizes = [
            ("STEPS", self.steps),
            ("CHANNELS", self.channels),
            ("KERNELS", self.kernels),
            ("BOARDS", self.grid.boards),
            ("WIDTH", self.grid.width),
            ("CELLS", self.grid.cells()),
            ("PADDED", self.padded()),
            ("LANES", self.lanes),
            ("BOARD_CHUNKS", self.board_chunks),
            ("CHUNKS", self.grid.boards * self.board_chunks),
            ("GROUP_CHUNKS", self.group_chunks),
            ("GROUPS", self.groups),
            ("THREADS", self.threads),
            ("VALUES", self.widest.max(3 * self.tasks())),
            ("LAYERS", self.layers),
            ("LAYER_WORDS", LAYER_WORDS),
            // Maximum number of gates, values and channels per invocation.
            ("OWN_GATES", self.widest_layer.div_ceil(self.threads)),
            ("OWN_VALUES", self.widest.div_ceil(self.threads)),
            ("OWN_CHANNELS", self.channels.div_ceil(self.threads)),
            ("PERCEIVED", self.perceived),
            ("OUTPUTS", self.perceived / self.kernels),
            ("TASKS", self.tasks()),
            ("ROUNDS", rounds),
            ("ROUND_CHANNELS", self.tasks() / self.kernels),
            ("PARTS", self.parts()),
            ("KERNEL_GATES", self.perceive_gates / self.kernels),
            ("PERCEIVE_GATES", self.perceive_gates),
            ("UPDATE_GATES", self.update_gates),
            ("SLICE", self.slice()),
            ("PLANES", GRADIENT_PLANES),
            ("SOURCES_AT", self.sources_at()),
            ("WIRES_AT", self.wires_at()),
            ("NO_NEIGHBOR", NO_NEIGHBOR as usize),
            ("ROW_WORDS", self.row_words),
            ("WORDS", self.words()),
            ("TARGET_AT", Self::TARGET_BITS),
            ("RECORDING_WORDS", self.recording_words() / 2),
            ("ROUNDED_AT", self.rounded_at()),
            ("UPDATE_MASK_AT", self.update_mask_at()),
            ("GATES", self.gates()),
        ];
        let flags = [("ASYNCHRONOUS", self.asynchronous), ("SINGLE", self.lanes == 1)];
        ShaderPart::default().constants(sizes).constants(flags)
    }
}

//! Partition of the soft automaton into workgroups, and buffer layout; shared by host and kernels.

use crate::config::LogicConfig;
use crate::grid::Grid;
use crate::layered_circuit::LayeredCircuit;
use crate::wiring::NEIGHBORHOOD;
use std::fmt::Write;
use vivarium_config::{Config, ConfigError};
use vivarium_gpu::wgsl_constants;

/// Workgroup memory that WebGPU guarantees, in bytes.
const WORKGROUP_BYTES: usize = 16_384;

/// Invocations per workgroup that WebGPU guarantees.
const MAX_THREADS: usize = 256;

/// Limit for the private arrays of an invocation, in bytes; WGSL allows 8 KiB of private variables in total.
const PRIVATE_BYTES: usize = 6144;

/// Maximum gates of a perceive kernel; its gates are unrolled in the shader source.
const MAX_KERNEL_GATES: usize = 96;

/// Maximum workgroups per step; each has its own sums for every gate.
const MAX_GROUPS: usize = 256;

/// Boards of at most this many chunks are owned by one workgroup, for any number of boards.
const FEW_CHUNKS: usize = 4;

/// Minimum number of boards that saturates a large GPU with one workgroup per board.
const MANY_BOARDS: usize = 64;

/// Maximum chunks of a board for which a workgroup owns the board and runs several steps per dispatch.
const MAX_CHUNKS: usize = 64;

/// Maximum steps per dispatch: some milliseconds on a slow GPU.
const MAX_STEPS: usize = 32;

/// Maximum size of a recording that is read back, in words per automaton (4 MiB).
const MAX_RECORDING_WORDS: usize = 1 << 20;

/// Gradient planes per channel that a backward step writes: one per neighborhood place, and one for the direct gradient
/// of the cell itself.
pub(super) const GRADIENT_PLANES: usize = NEIGHBORHOOD + 1;

/// Table entry for a neighbor beyond a fixed border.
pub(super) const NO_NEIGHBOR: u32 = u32::MAX;

/// Words per layer in the layer table: number of gates, first gate, number of inputs, offset of the reader lists.
pub(super) const LAYER_WORDS: usize = 4;

/// Partition and buffer layout of the soft automaton on the GPU.
///
/// The cells of a board are padded to whole *chunks* of 1, 2 or 4 lanes. A workgroup keeps the values of one layer for
/// one chunk, and its invocations share the layer's gates. Each workgroup has a fixed range of chunks. If it owns whole
/// boards, it is independent of other workgroups and runs several steps per dispatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LogicGpuLayout {
    pub grid: Grid,
    pub steps: usize,
    pub channels: usize,
    pub kernels: usize,
    /// Trained gates of all perceive kernels.
    pub perceive_gates: usize,
    /// Gates of the update circuit.
    pub update_gates: usize,
    /// Number of update layers.
    pub layers: usize,
    /// Maximum values that an update layer reads or writes.
    pub widest: usize,
    /// Maximum gates of an update layer.
    pub widest_layer: usize,
    /// Lanes per chunk: 1, 2 or 4.
    pub lanes: usize,
    /// Invocations per workgroup.
    pub threads: usize,
    /// Chunks per board.
    pub board_chunks: usize,
    /// Number of workgroups.
    pub groups: usize,
    /// Chunks per workgroup.
    pub group_chunks: usize,
    /// Steps per dispatch.
    pub group_steps: usize,
    /// Words (32 cells) per row of a board.
    pub row_words: usize,
    perceived: usize,
    /// Whether the fire rate is below 1.
    pub asynchronous: bool,
}

impl LogicGpuLayout {
    /// Computes the layout for a config.
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
        // Values of a layer, or three places of every neighborhood gradient.
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

    /// Number of trained gates.
    pub fn gates(&self) -> usize {
        self.perceive_gates + self.update_gates
    }

    /// Number of gates that a cell evaluates per step.
    pub fn gates_per_cell(&self) -> usize {
        self.channels * self.perceive_gates + self.update_gates
    }

    /// Cells of a board including padding.
    pub fn padded(&self) -> usize {
        self.board_chunks * self.lanes
    }

    /// Cells of all boards including padding.
    fn plane(&self) -> usize {
        self.grid.boards * self.padded()
    }

    /// Length of the states buffer, `[step][channel][board][cell]`.
    pub fn states(&self) -> usize {
        (self.steps + 1) * self.channels * self.plane()
    }

    /// Length of the gradients buffer, `[step mod 2][channel][plane][board][cell]`.
    pub fn gradients(&self) -> usize {
        2 * self.channels * GRADIENT_PLANES * self.plane()
    }

    /// Words of a bit plane of all boards; every row is padded to whole words.
    pub fn words(&self) -> usize {
        self.grid.boards * self.grid.height * self.row_words
    }

    /// Words of the hard states buffer, `[step][channel][words]`.
    pub fn planes(&self) -> usize {
        (self.steps + 1) * self.channels * self.words()
    }

    /// Words of the recording of the first board, soft and hard, four cells a word; 0 if it is too large to be read
    /// back.
    pub fn recording_words(&self) -> usize {
        let words = ((self.steps + 1) * self.channels * self.grid.cells()).div_ceil(4);
        if words <= MAX_RECORDING_WORDS { 2 * words } else { 0 }
    }

    /// Number of invocations that evaluate perceive kernels in parallel: one per kernel and channel of a round.
    fn tasks(&self) -> usize {
        self.threads / self.kernels * self.kernels
    }

    /// Number of partial sums per kernel gate and workgroup: one per channel of a round.
    pub fn parts(&self) -> usize {
        (self.tasks() / self.kernels).min(self.channels)
    }

    /// Number of gate sums of a workgroup, four floats each: update gates, then kernel gates, part by part.
    pub fn slice(&self) -> usize {
        self.update_gates + self.parts() * self.perceive_gates
    }

    /// Offset of the neighbor indices in the tables, `[place][cell]`.
    fn sources_at(&self) -> usize {
        self.layers * LAYER_WORDS
    }

    /// Offset of the wires of the update gates in the tables, one word per gate.
    fn wires_at(&self) -> usize {
        self.sources_at() + NEIGHBORHOOD * self.padded()
    }

    /// Offset of the reader lists in the tables.
    pub fn readers_at(&self) -> usize {
        self.wires_at() + self.update_gates
    }

    /// Offset of the target planes in the bits buffer; word 0 is the number of target channels.
    pub const TARGET_BITS: usize = 1;

    /// Offset of the rounding flags in the bits buffer, one word per step.
    fn rounded_at(&self) -> usize {
        Self::TARGET_BITS + self.channels * self.words()
    }

    /// Offset of the update masks in the bits buffer, `[step][words]`.
    pub fn update_mask_at(&self) -> usize {
        self.rounded_at() + self.steps
    }

    /// Words of the bits buffer.
    pub fn bits(&self) -> usize {
        self.update_mask_at() + if self.asynchronous { self.steps * self.words() } else { 0 }
    }

    /// Returns the layout as WGSL constants.
    pub fn wgsl(&self) -> String {
        let rounds = self.channels.div_ceil(self.tasks() / self.kernels);
        let mut text = wgsl_constants(&[
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
            // Gates, values and channels per invocation.
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
        ]);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "const ASYNCHRONOUS = {};", self.asynchronous);
        text
    }

    /// WGSL vector whose component for lane i is the expression `of(i)`.
    fn each_lane(&self, of: impl Fn(usize) -> String) -> String {
        let all: Vec<_> = (0..self.lanes).map(of).collect();
        format!("Lanes({})", all.join(", "))
    }

    /// WGSL expression of one lane of the vector `x`.
    fn component(&self, lane: usize) -> String {
        if self.lanes == 1 { "x".to_owned() } else { format!("x[{lane}]") }
    }

    /// WGSL statements that store the lanes of `x` to `array` from index `at` on.
    fn stores(&self, array: &str) -> String {
        let store = |lane| format!("    {array}[at + {lane}u] = {};\n", self.component(lane));
        (0..self.lanes).map(store).collect()
    }

    /// WGSL source of the chunk type `Lanes` and of its per-lane functions.
    pub fn lanes_wgsl(&self) -> String {
        let lane_type = if self.lanes == 1 { "f32".to_owned() } else { format!("vec{}<f32>", self.lanes) };
        let total = (0..self.lanes).map(|lane| self.component(lane)).collect::<Vec<_>>().join(" + ");
        format!(
            "alias Lanes = {lane_type};\n\
             fn total(x: Lanes) -> f32 {{\n    return {total};\n}}\n\
             fn own(base: u32, cell: u32) -> Lanes {{\n    return {own};\n}}\n\
             fn around(base: u32, place: u32, cell: u32) -> Lanes {{\n    return {around};\n}}\n\
             fn update_mask_lanes(step: u32, board: u32, cell: u32) -> Lanes {{\n    return {update_mask_lanes};\n}}\n\
             fn rounded(x: Lanes) -> Lanes {{\n    return select(Lanes(0.0), Lanes(1.0), x > Lanes(0.5));\n}}\n\
             fn put_state(at: u32, x: Lanes) {{\n{states}}}\n",
            own = self.each_lane(|lane| format!("states[base + cell + {lane}u]")),
            around = self.each_lane(|lane| format!("neighbor_value(base, place, cell + {lane}u)")),
            update_mask_lanes = self.each_lane(|lane| format!("is_updated(step, board, cell + {lane}u)")),
            states = self.stores("states"),
        )
    }

    /// WGSL source of the per-lane functions of the backward pass.
    pub fn backward_wgsl(&self) -> String {
        format!(
            "fn gradients_from_loss(channel: u32, board: u32, cell: u32) -> Lanes {{\n    return {loss};\n}}\n\
             fn gradients_from_readers(plane: u32, place: u32, cell: u32) -> Lanes {{\n    return {readers};\n}}\n\
             fn direct_gradient(plane: u32, cell: u32) -> Lanes {{\n    return {direct_gradient};\n}}\n\
             fn put_gradient(at: u32, x: Lanes) {{\n{stores}}}\n",
            direct_gradient = self.each_lane(|lane| format!("gradients[plane + cell + {lane}u]")),
            loss = self.each_lane(|lane| format!("loss_gradient(channel, board, cell + {lane}u)")),
            readers = self.each_lane(|lane| format!("gradient_from_reader(plane, place, cell + {lane}u)")),
            stores = self.stores("gradients"),
        )
    }
}

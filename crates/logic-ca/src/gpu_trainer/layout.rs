//! How the soft automaton is spread over the device, and where things lie in its buffers: written down once for the host
//! and the kernels.

use crate::config::LogicConfig;
use crate::grid::Grid;
use crate::program::Program;
use crate::wiring::NEIGHBORHOOD;
use std::fmt::Write;
use vivarium_config::{Config, ConfigError};
use vivarium_gpu::constants;

/// Bytes of a workgroup's memory that every adapter has.
const WORKGROUP_BYTES: usize = 16_384;

/// Invocations of a workgroup that every adapter has.
const MOST_THREADS: usize = 256;

/// Bytes of the arrays that an invocation keeps of the gates that it evaluates; WGSL allows 8 KiB of variables in all.
const PRIVATE_BYTES: usize = 6144;

/// Gates of one kernel of the perception, which are a kernel's text line by line.
const MOST_KERNEL_GATES: usize = 96;

/// The most workgroups of a step: each has sums of its own for every gate.
const MOST_GROUPS: usize = 256;

/// Boards of so few chunks are stepped by one workgroup each, whatever their number.
const FEW_CHUNKS: usize = 4;

/// So many boards keep a large GPU busy with a workgroup each, if they are not too large.
const MANY_BOARDS: usize = 64;

/// The most chunks that a workgroup takes one after the other in a step, for the sake of taking many steps at once.
const MOST_CHUNKS: usize = 64;

/// The most steps of a dispatch: some milliseconds on a slow GPU.
const MOST_STEPS: usize = 32;

/// The longest film that an epoch sends back: a few megabytes, soft and hard.
const MOST_FILM_WORDS: usize = 1 << 20;

/// Planes of gradients that a step back leaves for each channel: one for every place of the neighborhoods that were
/// read, and one for what stays with the cell.
pub(super) const GRADIENT_PLANES: usize = NEIGHBORHOOD + 1;

/// Where there is no neighbor.
pub(super) const NOBODY: u32 = u32::MAX;

/// Words of the table of layers for each of them: gates, the first of them, values that they read, and where the lists
/// of readers begin.
pub(super) const LAYER_WORDS: usize = 4;

/// The soft automaton on the device.
///
/// The cells of a board, filled up to whole *chunks* of some lanes, are evaluated chunk by chunk: a workgroup keeps the
/// values of one layer for one chunk, and its invocations share the layer's gates. It takes a fixed share of all
/// chunks; where whole boards are its share, it needs nobody else and takes many steps at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub grid: Grid,
    pub steps: usize,
    pub channels: usize,
    pub kernels: usize,
    /// Gates of the perception and of the update.
    pub perceive_gates: usize,
    pub update_gates: usize,
    pub layers: usize,
    /// The most values that a layer of the update reads or writes.
    pub widest: usize,
    /// The most gates of one.
    pub widest_layer: usize,
    /// Lanes of a chunk: 1, 2 or 4.
    pub lanes: usize,
    /// Invocations of a workgroup.
    pub threads: usize,
    /// Chunks of a board.
    pub board_chunks: usize,
    /// Workgroups, chunks of each and steps that it takes at once.
    pub groups: usize,
    pub group_chunks: usize,
    pub group_steps: usize,
    /// Words of 32 cells in a row of a board.
    pub row_words: usize,
    perceived: usize,
    /// Whether not all cells fire in every step.
    pub asynchronous: bool,
}

impl Layout {
    /// How this config is spread.
    ///
    /// # Errors
    /// [`ConfigError`] naming the field that makes the circuit too large for the kernels.
    pub fn new(config: &LogicConfig, program: &Program) -> Result<Self, ConfigError> {
        let (grid, architecture) = (config.grid(), config.architecture());
        let of_a_kernel: usize = architecture.perceive.iter().sum();
        if of_a_kernel > MOST_KERNEL_GATES {
            let allowed =
                format!("on the GPU a kernel may have {MOST_KERNEL_GATES} gates at most, not {of_a_kernel}");
            return Err(config.refused("perceive", allowed));
        }
        let widest_layer = architecture.update.iter().copied().max().unwrap_or(1);
        let widest = program.widest_update();
        let threads = widest_layer.next_power_of_two().clamp(64, MOST_THREADS);
        let layers = architecture.update.len();
        let tasks = threads / architecture.kernels * architecture.kernels;
        // The values of a layer, and three places of every perceived neighborhood.
        let values = widest.max(3 * tasks);
        let operands = 2 * layers * widest_layer.div_ceil(threads) + 2 * widest.div_ceil(threads);
        let fits =
            |lanes: &usize| values * lanes * 4 <= WORKGROUP_BYTES && operands * lanes * 4 <= PRIVATE_BYTES;
        let Some(lanes) = [4, 2, 1].into_iter().find(fits) else {
            let most = WORKGROUP_BYTES / 4;
            let allowed = format!(
                "it is too large for the GPU: a layer may read {most} values at most, not {widest}, and layers of \
                 {widest_layer} gates may follow each other {} times, not {layers}",
                PRIVATE_BYTES / 8 / widest_layer.div_ceil(threads)
            );
            return Err(config.refused("update", allowed));
        };
        let steps = config.steps as usize;
        let board_chunks = grid.cells().div_ceil(lanes);
        let alone = board_chunks <= FEW_CHUNKS || grid.boards >= MANY_BOARDS && board_chunks <= MOST_CHUNKS;
        let (group_chunks, group_steps) = if alone {
            (grid.boards.div_ceil(MOST_GROUPS) * board_chunks, steps.min(MOST_STEPS))
        } else {
            ((grid.boards * board_chunks).div_ceil(MOST_GROUPS), 1)
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

    /// Gates that learn.
    pub fn gates(&self) -> usize {
        self.perceive_gates + self.update_gates
    }

    /// Gates that a cell evaluates in a step.
    pub fn gates_of_a_cell(&self) -> usize {
        self.channels * self.perceive_gates + self.update_gates
    }

    /// Cells of a board with those that fill it up.
    pub fn padded(&self) -> usize {
        self.board_chunks * self.lanes
    }

    /// Cells of all boards, with those that fill them up.
    fn plane(&self) -> usize {
        self.grid.boards * self.padded()
    }

    /// Numbers of the states of all steps, `[step][channel][board][cell]`.
    pub fn states(&self) -> usize {
        (self.steps + 1) * self.channels * self.plane()
    }

    /// Numbers of the gradients of two steps, `[step mod 2][channel][plane][board][cell]`.
    pub fn gradients(&self) -> usize {
        2 * self.channels * GRADIENT_PLANES * self.plane()
    }

    /// Words of a plane of bits: rows of all boards, each a whole number of words.
    pub fn words(&self) -> usize {
        self.grid.boards * self.grid.height * self.row_words
    }

    /// Words of the hard states of all steps, `[step][channel][words]`.
    pub fn planes(&self) -> usize {
        (self.steps + 1) * self.channels * self.words()
    }

    /// Words of the film of the first board, soft and hard, four cells each. 0 where it would be so long that it is better
    /// to do without.
    pub fn film(&self) -> usize {
        let words = ((self.steps + 1) * self.channels * self.grid.cells()).div_ceil(4);
        if words <= MOST_FILM_WORDS { 2 * words } else { 0 }
    }

    /// Invocations that perceive side by side, one for each kernel of some channels.
    fn tasks(&self) -> usize {
        self.threads / self.kernels * self.kernels
    }

    /// Sums that a workgroup keeps for each gate of the perception: one for each of the channels side by side.
    pub fn parts(&self) -> usize {
        (self.tasks() / self.kernels).min(self.channels)
    }

    /// Sums of one workgroup, four numbers each: of the update's gates, then of the perception's, part by part.
    pub fn slice(&self) -> usize {
        self.update_gates + self.parts() * self.perceive_gates
    }

    /// Where the sources of neighborhoods lie among the tables, `[place][cell]`.
    fn sources_at(&self) -> usize {
        self.layers * LAYER_WORDS
    }

    /// Where the wires of the update lie, one word a gate.
    fn wires_at(&self) -> usize {
        self.sources_at() + NEIGHBORHOOD * self.padded()
    }

    /// Where the lists of readers lie.
    pub fn readers_at(&self) -> usize {
        self.wires_at() + self.update_gates
    }

    /// Where the target begins among the bits; before it stands how many channels it has.
    pub const WANTED: usize = 1;

    /// Where it begins after which steps cells are rounded, a word for each.
    fn rounded_at(&self) -> usize {
        Self::WANTED + self.channels * self.words()
    }

    /// Where the firing cells begin, `[step][words]`.
    pub fn fired_at(&self) -> usize {
        self.rounded_at() + self.steps
    }

    /// Words of all bits.
    pub fn bits(&self) -> usize {
        self.fired_at() + if self.asynchronous { self.steps * self.words() } else { 0 }
    }

    /// All of it as constants in WGSL, to stand before every kernel.
    pub fn wgsl(&self) -> String {
        let rounds = self.channels.div_ceil(self.tasks() / self.kernels);
        let mut text = constants(&[
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
            // Gates and values of an invocation.
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
            ("NOBODY", NOBODY as usize),
            ("ROW_WORDS", self.row_words),
            ("WORDS", self.words()),
            ("WANTED_AT", Self::WANTED),
            ("FILM_WORDS", self.film() / 2),
            ("ROUNDED_AT", self.rounded_at()),
            ("FIRED_AT", self.fired_at()),
        ]);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "const ASYNCHRONOUS = {};", self.asynchronous);
        text
    }

    /// A vector of what `of` makes of each lane of a chunk.
    fn each_lane(&self, of: impl Fn(usize) -> String) -> String {
        let all: Vec<_> = (0..self.lanes).map(of).collect();
        format!("Lanes({})", all.join(", "))
    }

    /// One lane of the vector `x`.
    fn component(&self, lane: usize) -> String {
        if self.lanes == 1 { "x".to_owned() } else { format!("x[{lane}]") }
    }

    /// Stores the lanes of `x` one by one, from `at` on.
    fn stores(&self, array: &str) -> String {
        let store = |lane| format!("    {array}[at + {lane}u] = {};\n", self.component(lane));
        (0..self.lanes).map(store).collect()
    }

    /// The lanes of a chunk as a type, and what is done with them one by one.
    pub fn lanes_wgsl(&self) -> String {
        let lane_type = if self.lanes == 1 { "f32".to_owned() } else { format!("vec{}<f32>", self.lanes) };
        let total = (0..self.lanes).map(|lane| self.component(lane)).collect::<Vec<_>>().join(" + ");
        format!(
            "alias Lanes = {lane_type};\n\
             fn total(x: Lanes) -> f32 {{\n    return {total};\n}}\n\
             fn own(base: u32, cell: u32) -> Lanes {{\n    return {own};\n}}\n\
             fn around(base: u32, place: u32, cell: u32) -> Lanes {{\n    return {around};\n}}\n\
             fn firing(step: u32, board: u32, cell: u32) -> Lanes {{\n    return {firing};\n}}\n\
             fn rounded(x: Lanes) -> Lanes {{\n    return select(Lanes(0.0), Lanes(1.0), x > Lanes(0.5));\n}}\n\
             fn put_state(at: u32, x: Lanes) {{\n{states}}}\n",
            own = self.each_lane(|lane| format!("states[base + cell + {lane}u]")),
            around = self.each_lane(|lane| format!("seen(base, place, cell + {lane}u)")),
            firing = self.each_lane(|lane| format!("fires(step, board, cell + {lane}u)")),
            states = self.stores("states"),
        )
    }

    /// What only the way back does with the lanes of a chunk one by one.
    pub fn back_wgsl(&self) -> String {
        format!(
            "fn from_loss(channel: u32, board: u32, cell: u32) -> Lanes {{\n    return {loss};\n}}\n\
             fn from_readers(plane: u32, place: u32, cell: u32) -> Lanes {{\n    return {readers};\n}}\n\
             fn still(plane: u32, cell: u32) -> Lanes {{\n    return {still};\n}}\n\
             fn put_gradient(at: u32, x: Lanes) {{\n{stores}}}\n",
            still = self.each_lane(|lane| format!("gradients[plane + cell + {lane}u]")),
            loss = self.each_lane(|lane| format!("loss_gradient(channel, board, cell + {lane}u)")),
            readers = self.each_lane(|lane| format!("from_reader(plane, place, cell + {lane}u)")),
            stores = self.stores("gradients"),
        )
    }
}

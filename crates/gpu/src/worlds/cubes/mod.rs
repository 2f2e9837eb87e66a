//! The cube of 3×3×3 on the device: scrambles, what a network is shown of a cube, and what it thinks of its moves.
//!
//! A state is five words there, [`Cube3::words`]. Nothing but whole numbers is computed, so that all of it is the CPU's to the
//! last bit.

use vivarium_envs::cube::{Cube3, Metric, Tables, View};

use super::rules::RANDOM_WGSL;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::memory::Buffer;
use crate::program::{Recorder, spread};
use crate::wgsl::fill;

/// The rules of the cube on the device, for the moves of one metric.
pub struct Cubes {
    tables: Buffer,
    /// The sizes, the binding of the tables, and where each of them begins, as WGSL.
    rules: String,
    moves: usize,
}

/// Rows of states that a network is shown.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    /// `[rows, 5]`: the states.
    pub states: &'a Buffer,
    /// How many there are.
    pub rows: usize,
    /// Where they are shown, encoded `[rows, INPUTS]`: a buffer, and the word from which on.
    pub input: (&'a Buffer, usize),
}

/// What else is computed of each row that is shown.
#[derive(Clone, Copy, Debug)]
pub enum RowOutput<'a> {
    /// `[rows]`: which view it is seen by.
    View(&'a Buffer),
    /// What a move of it, one of `[rows]` numbers, is seen as: a number `[rows]` in the buffer of the inputs, from a word on.
    Move(&'a Buffer, usize),
}

impl Cubes {
    /// Words of a state.
    pub const WORDS: usize = Cube3::PIECES / 4;

    /// The rules of the moves of a metric. With `symmetries` a network is shown the same state for all that look alike.
    ///
    /// # Errors
    /// The device's.
    pub fn new(gpu: &Gpu, metric: Metric, symmetries: bool) -> Result<Self, GpuError> {
        let Tables { turns, sources, looks, seen, stickers } = Tables::new(metric);
        let moves = Cube3::turns(metric).len();
        let views = if symmetries { View::COUNT } else { 1 };
        let mut rules = format!(
            "const MOVES: u32 = {moves}u;\nconst QUARTER: bool = {quarter};\nconst VIEWS: u32 = {views}u;\n\
             const WORDS: u32 = {words}u;\nconst CORNER_WORDS: u32 = 2u;\nconst PIECES: u32 = {pieces}u;\n\
             const PLACES: u32 = 24u;\nconst INPUTS: u32 = {inputs}u;\n\
             @group(0) @binding(0) var<storage, read> tables: array<u32>;\n",
            quarter = metric == Metric::Quarter,
            words = Self::WORDS,
            pieces = Cube3::PIECES,
            inputs = Cube3::INPUTS,
        );
        let mut words = Vec::new();
        let tables = [
            ("TURNS", turns),
            ("SOURCES", sources),
            ("LOOKS", looks),
            ("SEEN", seen),
            ("STICKERS", stickers),
        ];
        for (name, table) in tables {
            rules += &format!("const {name}: u32 = {start}u;\n", start = words.len());
            words.extend(table);
        }
        Ok(Self { tables: gpu.upload("the rules of the cube", &words)?, rules, moves })
    }

    /// The number of moves.
    pub fn moves(&self) -> usize {
        self.moves
    }

    /// Records scrambles of `depth` moves, without turns that come to nothing, one from each stream: those that
    /// [`Walk`](vivarium_envs::cube::Walk) draws there. `draws` has four words, the seed and the stream of the first one, each
    /// low word first; a stream's upper word is exclusive-ored into the seed's.
    ///
    /// What comes of them are `states`, `[scrambles, depth, 5]`, and the numbers of the moves that undo each last turn, `undo`
    /// `[scrambles, depth]`.
    ///
    /// # Errors
    /// [`GpuError::Shader`] where the device refuses the kernel.
    pub fn scramble(
        &self,
        recorder: &mut Recorder,
        draws: &Buffer,
        [states, undo]: [&Buffer; 2],
        scrambles: usize,
        depth: usize,
    ) -> Result<(), GpuError> {
        let text = [self.rules.as_str(), RANDOM_WGSL, crate::shader!("scramble.wgsl")];
        let buffers = [&self.tables, draws, states, undo];
        recorder.for_each("scrambles", &text, &buffers, &[("depth", depth)], scrambles * Self::WORDS)
    }

    /// Records how a network is shown some cubes.
    ///
    /// # Errors
    /// [`GpuError::Shader`] where the device refuses the kernel.
    pub fn show(
        &self,
        recorder: &mut Recorder,
        shown: Shown<'_>,
        output: RowOutput<'_>,
    ) -> Result<(), GpuError> {
        let Shown { states, rows, input: (arena, input) } = shown;
        let (access, write, per_row, start) = match output {
            RowOutput::View(views) => ("read_write", "per_row[row] = view;", views, 0),
            RowOutput::Move(moves, start) => {
                let write = "arena[u.output + row] = f32(tables[SEEN + view * MOVES + per_row[row]]);";
                ("read", write, moves, start)
            }
        };
        let binding = format!("@group(0) @binding(2) var<storage, {access}> per_row: array<u32>;");
        let text = fill(
            crate::shader!("show.wgsl"),
            &[("$PER_ROW_BINDING", &binding), ("$WRITE_ROW_OUTPUT", write)],
        );
        let buffers = [&self.tables, states, per_row, arena];
        let words = [("rows", rows), ("input", input), ("output", start)];
        recorder.run("cubes shown", &[&self.rules, &text], &buffers, &words, spread(rows))
    }

    /// Records how `output`, `[rows, moves]` numbers about the moves as they are seen by `views`, become numbers about the moves,
    /// `guesses`. The output is in a buffer from a word on.
    ///
    /// # Errors
    /// [`GpuError::Shader`] where the device refuses the kernel.
    pub fn guesses(
        &self,
        recorder: &mut Recorder,
        rows: usize,
        views: &Buffer,
        (arena, output): (&Buffer, usize),
        guesses: &Buffer,
    ) -> Result<(), GpuError> {
        let text = [self.rules.as_str(), crate::shader!("guesses.wgsl")];
        let buffers = [&self.tables, views, arena, guesses];
        recorder.for_each("guesses", &text, &buffers, &[("output", output)], rows * self.moves)
    }
}

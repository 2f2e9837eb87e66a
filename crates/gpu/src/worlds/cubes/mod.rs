//! The 3×3×3 Rubik's Cube on the device: scrambles, network input encoding, and mapping of the network's output for
//! each move between symmetry views (the same state, seen after a rotation or reflection of the cube).
//!
//! A cube state is five 32-bit words, [`Cube3::words`]. All computations are integer, so device and CPU compute
//! the same bits.

use vivarium_envs::cube::{Cube3, Cube3Tables, Symmetry, TurnMetric};

use super::rules::RANDOM_WGSL;
use crate::builder::Shader;
use crate::constant::ShaderPart;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::memory::Buffer;
use crate::program::{GpuRecorder, dispatch_size};

/// Kernels of the 3×3×3 cube for the moves of one turn metric: quarter turns only, or half turns too.
pub struct CubeKernels {
    tables: Buffer,
    /// WGSL that all cube kernels share: sizes, the declaration of the buffer `tables` (turns, symmetries and stickers
    /// of the cube), and the word offset of each table in the buffer.
    rules: ShaderPart,
    moves: usize,
}

/// Operands of the encoding kernel: cube states, one in each row, and the buffer to which the encoded network inputs
/// are written.
#[derive(Clone, Copy, Debug)]
pub struct CubeRows<'a> {
    /// Buffer with the cube states, `[rows, 5]` 32-bit words.
    pub states: &'a Buffer,
    /// Number of cube states to encode.
    pub rows: usize,
    /// Buffer, and word offset in the buffer, to which the encoded network inputs are written: `[rows, INPUTS]` with
    /// [`Cube3::INPUTS`] values per state.
    pub input: (&'a Buffer, usize),
}

/// Output of the encoding kernel in addition to the network inputs, one value for each cube state.
#[derive(Clone, Copy, Debug)]
pub enum RowOutput<'a> {
    /// Index of the symmetry (rotation or reflection of the cube) that is applied to each state before its encoding.
    /// The kernel writes the indices, `[rows]`, to this buffer.
    Symmetry(&'a Buffer),
    /// Index of a given move after mapping by the symmetry (rotation or reflection of the cube) that is applied to the
    /// state before its encoding. The first buffer holds the moves, `[rows]`. The mapped indices, `[rows]`, are written
    /// to the buffer of the network inputs, at the word offset given second.
    Move(&'a Buffer, usize),
}

impl CubeKernels {
    /// Number of 32-bit words in a cube state.
    pub const WORDS: usize = Cube3::PIECES / 4;

    /// Uploads the lookup tables of turns, symmetries and stickers for the moves of the turn metric `metric`. If
    /// `symmetries` is true, all states that are equal up to a rotation or reflection have the same encoding.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn new(gpu: &Gpu, metric: TurnMetric, symmetries: bool) -> Result<Self, GpuError> {
        let Cube3Tables { turns, sources, images, move_images, stickers } = Cube3Tables::new(metric);
        let moves = Cube3::turns(metric).len();
        let views = if symmetries { Symmetry::COUNT } else { 1 };
        let mut words = Vec::new();
        let tables = [
            ("TURNS", turns),
            ("SOURCES", sources),
            ("LOOKS", images),
            ("SEEN", move_images),
            ("STICKERS", stickers),
        ];
        let starts = tables.map(|(name, table)| {
            let start = words.len();
            words.extend(table);
            (name, start)
        });
        let sizes = [
            ("MOVES", moves),
            ("VIEWS", views),
            ("WORDS", Self::WORDS),
            ("PIECES", Cube3::PIECES),
            ("INPUTS", Cube3::INPUTS),
        ];
        let quarter = metric == TurnMetric::Quarter;
        let rules = ShaderPart::new(&[crate::shader!("tables.wgsl")])
            .constants(sizes.into_iter().chain(starts))
            .constants([("QUARTER", quarter)]);
        Ok(Self { tables: gpu.upload("the tables of the cube", &words)?, rules, moves })
    }

    /// Returns the number of moves in the turn metric of these kernels.
    pub fn moves(&self) -> usize {
        self.moves
    }

    /// Records scrambles of `depth` moves without canceling consecutive turns, one from each random stream, equal to
    /// the scrambles of [`RandomWalk`](vivarium_envs::cube::RandomWalk). `draws` has four words: the seed and the first
    /// stream, each low word first; a stream's upper word is XORed into the seed's upper word.
    ///
    /// The results are `states`, `[scrambles, depth, 5]`: the state after each turn; and `undo`, `[scrambles, depth]`:
    /// the index of the move that undoes each turn.
    ///
    /// # Errors
    /// [`GpuError::Shader`] if the kernel does not compile.
    pub fn scramble(
        &self,
        recorder: &mut GpuRecorder,
        draws: &Buffer,
        [states, undo]: [&Buffer; 2],
        scrambles: usize,
        depth: usize,
    ) -> Result<(), GpuError> {
        Shader::own("scrambles", &[RANDOM_WGSL, crate::shader!("scramble.wgsl")])
            .part(&self.rules)
            .buffers([("tables", &self.tables), ("draws", draws), ("states", states), ("undo", undo)])
            .uniforms([("depth", depth)])
            .record_each(recorder, scrambles * Self::WORDS)
    }

    /// Records the kernel that encodes cube states as network inputs.
    ///
    /// # Errors
    /// [`GpuError::Shader`] if the kernel does not compile.
    pub fn encode(
        &self,
        recorder: &mut GpuRecorder,
        shown: CubeRows<'_>,
        output: RowOutput<'_>,
    ) -> Result<(), GpuError> {
        let CubeRows { states, rows, input: (arena, input) } = shown;
        let (per_row, start) = match output {
            RowOutput::Symmetry(views) => (views, None),
            RowOutput::Move(moves, start) => (moves, Some(("output", start))),
        };
        Shader::own("cube encoding", &[crate::shader!("encode.wgsl")])
            .part(&self.rules)
            .constants([("MAPS_MOVES", start.is_some())])
            .buffers([("tables", &self.tables), ("states", states), ("per_row", per_row), ("arena", arena)])
            .uniforms([("rows", rows), ("input", input)].into_iter().chain(start))
            .record(recorder, dispatch_size(rows))
    }

    /// Records the kernel that undoes the symmetry (rotation or reflection) of each encoded state in the network's
    /// outputs: reorders the log-probabilities of the moves to the moves of the original state. The network's outputs
    /// `[rows, moves]` are in the buffer `arena` at the word offset `output`; the result `[rows, moves]` is written to
    /// the buffer `guesses`. `views` holds the index of the symmetry of each state ([`RowOutput::Symmetry`]).
    ///
    /// # Errors
    /// [`GpuError::Shader`] if the kernel does not compile.
    pub fn log_probabilities(
        &self,
        recorder: &mut GpuRecorder,
        rows: usize,
        views: &Buffer,
        (arena, output): (&Buffer, usize),
        guesses: &Buffer,
    ) -> Result<(), GpuError> {
        Shader::own("moves from views", &[crate::shader!("moves_from_views.wgsl")])
            .part(&self.rules)
            .buffers([("tables", &self.tables), ("views", views), ("arena", arena), ("guesses", guesses)])
            .uniforms([("output", output)])
            .record_each(recorder, rows * self.moves)
    }
}

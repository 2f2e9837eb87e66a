//! Export of the sandbox circuit to files: JSON, Verilog and animated GIF.

use super::initial_state::{grid, set_initial_state};
use super::simplified_circuit::SimplifiedCircuit;
use crate::protocol::ExportFormat;
use gif::{Encoder, Repeat};
use std::borrow::Cow;
use vivarium_graph::Cpu;
use vivarium_kernels::rng;
use vivarium_lab::protocol::Reply;
use vivarium_logic_ca::hard::{Boards, UpdateMask};
use vivarium_logic_ca::{Grid, LogicConfig};

/// Maximum side length of a cell in the GIF, in pixels.
const SCALE: usize = 10;

/// Side length in pixels that the GIF should not exceed. A cell has at least one pixel, so that larger boards exceed
/// the limit.
const MAX_PICTURE_SIDE: usize = 480;

/// Number of automaton steps of the GIF animation, as a multiple of the number of automaton steps in training.
const LENGTH_FACTOR: usize = 2;

/// Minimum number of automaton steps of the GIF animation.
const MIN_STEPS: usize = 60;
/// Maximum number of automaton steps of the GIF animation.
const MAX_STEPS: usize = 240;

/// Display time of an automaton step in the GIF, in hundredths of a second, the unit of the format.
const STEP_TIME: u16 = 8;
/// Display time of the last automaton step in the GIF, in hundredths of a second.
const LAST_TIME: u16 = 200;

/// Colors (sRGB) of the bits 0 and 1 if one channel is displayed.
const INK: [[u8; 3]; 2] = [[246, 245, 240], [38, 42, 52]];

/// Number of the random stream from which the seed of the initial state is derived.
const INITIAL_STATE: u32 = 130;
/// Number of the random stream from which the seed of the update masks is derived.
const UPDATE_MASK: u32 = 131;

/// Returns a reply with a file of the circuit in the requested format. `shown` is the number of cell channels that a
/// GIF displays.
pub(super) fn export(
    format: ExportFormat,
    simplified: &SimplifiedCircuit,
    config: &LogicConfig,
    shown: usize,
    seed: u64,
) -> Reply {
    let (ending, mime, bytes) = match format {
        ExportFormat::Json => ("json", "application/json", simplified.circuit.to_json().into_bytes()),
        ExportFormat::Verilog => ("v", "text/x-verilog", simplified.circuit.to_verilog().into_bytes()),
        ExportFormat::Gif => ("gif", "image/gif", render_gif(simplified, config, shown, seed)),
    };
    Reply::File { name: format!("logic-ca-{}.{ending}", config.target.name()), mime: mime.into(), bytes }
}

/// Renders a rollout of the circuit as a looping GIF, with more automaton steps than in training. `shown` is the number
/// of displayed cell channels. `seed` determines random initial states and update masks.
fn render_gif(simplified: &SimplifiedCircuit, config: &LogicConfig, shown: usize, seed: u64) -> Vec<u8> {
    let grid = grid(config);
    let circuit = &simplified.circuit;
    let mut gif = GifWriter::new(grid, shown);
    let Ok(mut boards) = Boards::new(grid, circuit.channels()) else { return gif.finish() };
    set_initial_state(&mut boards, config.start, rng::derive(seed, INITIAL_STATE));
    let steps = (LENGTH_FACTOR * config.steps as usize).clamp(MIN_STEPS, MAX_STEPS);
    let fire = (config.fire_rate < 1.0)
        .then(|| UpdateMask { rate: config.fire_rate, seed: rng::derive(seed, UPDATE_MASK) });
    let (mut compiled, cpu) = (simplified.compile(), Cpu::new(1));
    for step in 0..steps {
        gif.add(&boards, STEP_TIME);
        compiled.step(&cpu, &mut boards, fire, step as u32);
    }
    gif.add(&boards, LAST_TIME);
    gif.finish()
}

/// Writer of an animated GIF with one image of the board per automaton step.
struct GifWriter {
    grid: Grid,
    /// Number of displayed cell channels: 1 (two colors), or 3 (red, green and blue components).
    shown: usize,
    scale: usize,
    /// GIF encoder; `None` if the board exceeds the maximum size of a GIF.
    encoder: Option<Encoder<Vec<u8>>>,
}

impl GifWriter {
    fn new(grid: Grid, shown: usize) -> Self {
        let scale = (MAX_PICTURE_SIDE / grid.width.max(grid.height)).clamp(1, SCALE);
        let palette: Vec<u8> = match shown {
            1 => INK.concat(),
            _ => (0..8)
                .flat_map(|color| [0, 1, 2].map(|place| if color >> place & 1 == 1 { 235 } else { 24 }))
                .collect(),
        };
        let side = |cells: usize| u16::try_from(cells * scale).unwrap_or(u16::MAX);
        let mut encoder = Encoder::new(Vec::new(), side(grid.width), side(grid.height), &palette).ok();
        if let Some(encoder) = &mut encoder {
            // Writing to memory cannot fail.
            let _ = encoder.set_repeat(Repeat::Infinite);
        }
        Self { grid, shown, scale, encoder }
    }

    fn add(&mut self, boards: &Boards, time: u16) {
        let Self { grid, scale, .. } = *self;
        let color = |lane: usize| {
            (0..self.shown.min(3)).map(|channel| u8::from(boards.get(channel, lane)) << channel).sum::<u8>()
        };
        let mut pixels = Vec::with_capacity(grid.cells() * scale * scale);
        for row in 0..grid.height {
            let line = (0..grid.width).flat_map(|column| [color(row * grid.width + column)].repeat(scale));
            let line: Vec<u8> = line.collect();
            (0..scale).for_each(|_| pixels.extend_from_slice(&line));
        }
        let frame = gif::Frame {
            delay: time,
            width: (grid.width * scale) as u16,
            height: (grid.height * scale) as u16,
            buffer: Cow::Owned(pixels),
            ..gif::Frame::default()
        };
        if let Some(encoder) = &mut self.encoder {
            let _ = encoder.write_frame(&frame);
        }
    }

    fn finish(self) -> Vec<u8> {
        self.encoder.and_then(|encoder| encoder.into_inner().ok()).unwrap_or_default()
    }
}

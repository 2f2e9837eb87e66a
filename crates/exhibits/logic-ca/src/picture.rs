//! Frames: see the [module](super) for their arrays.

use super::experiment::{LogicExperiment, RENEWAL, target_channels};
use super::replay;
use super::running::Running;
use super::stage::Stage;
use crate::protocol::LogicView;
use vivarium_lab::protocol::{Frame, FrameArray};
use vivarium_logic_ca::hard::Boards;
use vivarium_logic_ca::{Film, Grid, Target, target};

impl LogicExperiment {
    /// Works out what the rule of Life makes of the film's first board, where that is learnt.
    fn live(&mut self) {
        let epoch = self.learner.epoch();
        if self.learner.target().is_some() || !self.filmed || self.living.0 == epoch {
            return;
        }
        let (film, grid) = (self.learner.film(), Grid { boards: 1, ..self.learner.config().grid() });
        let mut cells: Vec<bool> = film.hard(0, 0).iter().map(|&byte| byte > 0).collect();
        let mut next = cells.clone();
        for _ in 0..film.steps() {
            target::life(&grid, &cells, &mut next);
            std::mem::swap(&mut cells, &mut next);
        }
        self.living = (epoch, cells);
    }

    /// Everything there is to see, after this much more time.
    pub(super) fn picture(&mut self, view: &LogicView, elapsed: f32) -> Frame {
        // A NaN from outside counts as no time.
        let passed = if elapsed > 0.0 { elapsed.min(1.0) } else { 0.0 };
        self.since_circuit += passed;
        self.watched += passed;
        if self.since_circuit >= RENEWAL {
            self.put_on_stage();
        }
        self.stage.advance(elapsed);

        let grid = self.learner.config().grid();
        self.live();
        let wanted = match self.learner.target() {
            Some(target) => Wanted::Pattern(target),
            None => Wanted::Living(&self.living.1),
        };
        let film = self.learner.film();
        let steps = if self.filmed { film.steps() } else { 0 };
        let step = replay::step_at(self.watched, steps);
        let shown = shown(view, self.learner.architecture().channels, target_channels(&self.learner));
        let mut arrays = rollout(film, step, steps, &grid, &wanted, &shown);
        arrays.extend(stage(&self.stage, &shown));
        let functions = self.statistics.functions.map(|count| count as f32);
        arrays.push(FrameArray::f32("gates/functions", &[functions.len() as u32], functions.to_vec()));
        let decidedness = self.statistics.decidedness as f32;
        arrays.push(FrameArray::f32("gates/decidedness", &[1], vec![decidedness]));
        if view.circuit {
            let new = self.sent != Some(self.on_stage.version);
            arrays.extend(circuit(&self.on_stage, &self.stage, view.cell, new));
        }
        self.sent = view.circuit.then_some(self.on_stage.version);
        arrays.into()
    }
}

/// Which channels are shown.
pub(super) fn shown(view: &LogicView, channels: usize, of_target: usize) -> Vec<usize> {
    match view.channel {
        Some(channel) if (channel as usize) < channels => vec![channel as usize],
        _ => (0..of_target).collect(),
    }
}

/// Cells of a board as an array whose last dimension is the channels shown, from one row of bytes for each.
fn cells(name: &'static str, grid: &Grid, planes: &[Vec<u8>]) -> FrameArray {
    let shape = [grid.height as u32, grid.width as u32, planes.len() as u32];
    let data = match planes {
        [plane] => plane.clone(),
        _ => {
            let mut cells = vec![0; grid.cells() * planes.len()];
            for (channel, plane) in planes.iter().enumerate() {
                for (cell, &byte) in cells.chunks_exact_mut(planes.len()).zip(plane) {
                    cell[channel] = byte;
                }
            }
            cells
        }
    };
    FrameArray::u8(name, &shape, data)
}

/// Bits of a board's channel as bytes 0 and 255.
fn bytes(boards: &Boards, channel: usize) -> Vec<u8> {
    let grid = boards.grid();
    let mut plane = Vec::with_capacity(grid.cells());
    for row in 0..grid.height {
        for (number, word) in boards.row_words(channel, row).enumerate() {
            let count = (grid.width - 64 * number).min(64);
            plane.extend((0..count).map(|bit| if word >> bit & 1 == 1 { u8::MAX } else { 0 }));
        }
    }
    plane
}

/// What boards are to become.
pub(super) enum Wanted<'a> {
    /// A pattern.
    Pattern(&'a Target),
    /// This, in the first channel: the rule of Life makes it of the board that is shown.
    Living(&'a [bool]),
}

/// A board of the latest epoch at a step of its film, soft and hard, and what it is to become.
pub(super) fn rollout(
    film: &Film,
    step: usize,
    steps: usize,
    grid: &Grid,
    wanted: &Wanted,
    shown: &[usize],
) -> Vec<FrameArray> {
    let byte = |bit: bool| if bit { u8::MAX } else { 0 };
    let wanted = |&channel: &usize| match wanted {
        Wanted::Pattern(target) if channel < target.channels => {
            (0..grid.cells()).map(|cell| byte(target.on(grid, channel, cell))).collect()
        }
        Wanted::Living(cells) if channel == 0 => cells.iter().map(|&bit| byte(bit)).collect(),
        _ => vec![0; grid.cells()],
    };
    let soft: Vec<Vec<u8>> = shown.iter().map(|&channel| film.soft(step, channel).to_vec()).collect();
    let hard: Vec<Vec<u8>> = shown.iter().map(|&channel| film.hard(step, channel).to_vec()).collect();
    let wanted: Vec<Vec<u8>> = shown.iter().map(wanted).collect();
    vec![
        cells("soft/cells", grid, &soft),
        cells("hard/cells", grid, &hard),
        cells("target/cells", grid, &wanted),
        FrameArray::f32("rollout/step", &[2], vec![step as f32, steps as f32]),
    ]
}

/// The stage.
pub(super) fn stage(stage: &Stage, shown: &[usize]) -> Vec<FrameArray> {
    let boards = stage.boards();
    let planes: Vec<Vec<u8>> = shown.iter().map(|&channel| bytes(boards, channel)).collect();
    vec![
        cells("stage/cells", &boards.grid(), &planes),
        FrameArray::f32("stage/step", &[1], vec![stage.step() as f32]),
    ]
}

/// The circuit, as far as it is `new` to who asks, and the signals in it.
pub(super) fn circuit(
    running: &Running,
    stage: &Stage,
    cell: Option<[u32; 2]>,
    new: bool,
) -> Vec<FrameArray> {
    let circuit = &running.circuit;
    let gates = circuit.gates();
    let mut arrays = vec![
        FrameArray::f32("circuit/version", &[1], vec![running.version as f32]),
        FrameArray::f32("circuit/size", &[2], vec![running.whole as f32, gates.len() as f32]),
    ];
    if new {
        let learnt = |number: usize| running.learnt.as_ref().map_or(-1.0, |learnt| learnt[number] as f32);
        let row = |(number, gate): (usize, &vivarium_logic_ca::hard::Gate)| {
            [f32::from(gate.function), gate.a as f32, gate.b as f32, learnt(number)]
        };
        let rows = gates.iter().enumerate().flat_map(row).collect();
        arrays.push(FrameArray::f32("circuit/gates", &[gates.len() as u32, 4], rows));
        let outputs: Vec<f32> = circuit.outputs().iter().map(|&wire| wire as f32).collect();
        arrays.push(FrameArray::f32("circuit/outputs", &[outputs.len() as u32], outputs));
    }
    let grid = stage.boards().grid();
    let on_stage = |[x, y]: &[u32; 2]| (*x as usize) < grid.width && (*y as usize) < grid.height;
    if let Some([x, y]) = cell.filter(on_stage) {
        let signals = running.signals(stage.boards(), y as usize * grid.width + x as usize);
        arrays.push(FrameArray::u8("circuit/signals", &[signals.len() as u32], signals));
    }
    arrays
}

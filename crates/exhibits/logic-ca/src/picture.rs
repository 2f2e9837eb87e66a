//! Frames: see the [module](super) for their arrays.

use super::checkpoint::LogicState;
use super::replay;
use super::simplified_circuit::SimplifiedCircuit;
use super::sandbox::Sandbox;
use crate::protocol::LogicView;
use vivarium_lab::protocol::{Frame, FrameArray};
use vivarium_lab::time;
use vivarium_logic_ca::hard::Boards;
use vivarium_logic_ca::{Grid, LogicCa, RolloutRecording, TargetPattern, target};

/// The circuit of the stage and the board that is replayed are renewed after so many seconds at the soonest.
const RENEWAL: f32 = 0.5;

/// What was watched, and what frames leave the page with.
pub(super) struct Picture {
    /// What the rule of Life makes of the film's first board, and the epoch that it is of.
    living: (u64, Vec<bool>),
    /// Seconds that were watched: since the stage got its circuit, and in all.
    since_circuit: f32,
    watched: f32,
    /// Version of the circuit that the last frame brought.
    sent: Option<u32>,
}

impl Picture {
    /// Before the first frame of a learner on such boards.
    pub(super) fn new(grid: &Grid) -> Self {
        Self { living: (0, vec![false; grid.cells()]), since_circuit: RENEWAL, watched: 0.0, sent: None }
    }

    /// The stage has got its circuit.
    pub(super) fn circuit_changed(&mut self) {
        self.since_circuit = 0.0;
    }

    /// Works out what the rule of Life makes of the film's first board, where that is learned.
    fn live(&mut self, learner: &LogicCa) {
        let epoch = learner.epoch();
        if learner.target().is_some() || self.living.0 == epoch {
            return;
        }
        let (recording, grid) = (learner.recording(), Grid { boards: 1, ..learner.config().grid() });
        let mut cells: Vec<bool> = recording.hard(0, 0).iter().map(|&byte| byte > 0).collect();
        let mut next = cells.clone();
        for _ in 0..recording.steps() {
            target::life(&grid, &cells, &mut next);
            std::mem::swap(&mut cells, &mut next);
        }
        self.living = (epoch, cells);
    }

    /// Everything there is to see, after this much more time. Whether an epoch was finished that was `filmed` says whether there
    /// is one to replay.
    pub(super) fn frame(
        &mut self,
        view: &LogicView,
        elapsed: f32,
        state: &mut LogicState,
        filmed: bool,
    ) -> Frame {
        let passed = time::passed(elapsed);
        self.since_circuit += passed;
        self.watched += passed;
        if self.since_circuit >= RENEWAL {
            state.put_on_stage();
            self.circuit_changed();
        }
        state.scene.stage.advance(elapsed);

        let learner = &state.learner;
        let grid = learner.config().grid();
        if filmed {
            self.live(learner);
        }
        let wanted = match learner.target() {
            Some(target) => TargetView::Pattern(target),
            None => TargetView::Living(&self.living.1),
        };
        let recording = learner.recording();
        let steps = if filmed { recording.steps() } else { 0 };
        let step = replay::step_at(self.watched, steps);
        let shown = shown(view, learner.architecture().channels, state.target_channels());
        let mut arrays = rollout(recording, step, steps, &grid, &wanted, &shown);
        arrays.extend(stage(&state.scene.stage, &shown));
        let functions = state.statistics.functions.map(|count| count as f32);
        arrays.push(FrameArray::f32("gates/functions", &[functions.len() as u32], functions.to_vec()));
        let confidence = state.statistics.confidence as f32;
        arrays.push(FrameArray::f32("gates/decidedness", &[1], vec![confidence]));
        let running = &state.scene.on_stage;
        if view.circuit {
            let new = self.sent != Some(running.version);
            arrays.extend(circuit(running, &state.scene.stage, view.cell, new));
        }
        self.sent = view.circuit.then_some(running.version);
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
pub(super) enum TargetView<'a> {
    /// A pattern.
    Pattern(&'a TargetPattern),
    /// This, in the first channel: the rule of Life makes it of the board that is shown.
    Living(&'a [bool]),
}

/// A board of the latest epoch at a step of its film, soft and hard, and what it is to become.
pub(super) fn rollout(
    recording: &RolloutRecording,
    step: usize,
    steps: usize,
    grid: &Grid,
    wanted: &TargetView,
    shown: &[usize],
) -> Vec<FrameArray> {
    let byte = |bit: bool| if bit { u8::MAX } else { 0 };
    let wanted = |&channel: &usize| match wanted {
        TargetView::Pattern(target) if channel < target.channels => {
            (0..grid.cells()).map(|cell| byte(target.on(grid, channel, cell))).collect()
        }
        TargetView::Living(cells) if channel == 0 => cells.iter().map(|&bit| byte(bit)).collect(),
        _ => vec![0; grid.cells()],
    };
    let soft: Vec<Vec<u8>> = shown.iter().map(|&channel| recording.soft(step, channel).to_vec()).collect();
    let hard: Vec<Vec<u8>> = shown.iter().map(|&channel| recording.hard(step, channel).to_vec()).collect();
    let wanted: Vec<Vec<u8>> = shown.iter().map(wanted).collect();
    vec![
        cells("soft/cells", grid, &soft),
        cells("hard/cells", grid, &hard),
        cells("target/cells", grid, &wanted),
        FrameArray::f32("rollout/step", &[2], vec![step as f32, steps as f32]),
    ]
}

/// The stage.
pub(super) fn stage(stage: &Sandbox, shown: &[usize]) -> Vec<FrameArray> {
    let boards = stage.boards();
    let planes: Vec<Vec<u8>> = shown.iter().map(|&channel| bytes(boards, channel)).collect();
    vec![
        cells("stage/cells", &boards.grid(), &planes),
        FrameArray::f32("stage/step", &[1], vec![stage.step() as f32]),
    ]
}

/// The circuit, as far as it is `new` to who asks, and the signals in it.
pub(super) fn circuit(
    running: &SimplifiedCircuit,
    stage: &Sandbox,
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
        let learned = |number: usize| running.learned.as_ref().map_or(-1.0, |learned| learned[number] as f32);
        let row = |(number, gate): (usize, &vivarium_logic_ca::hard::Gate)| {
            [f32::from(gate.function), gate.a as f32, gate.b as f32, learned(number)]
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

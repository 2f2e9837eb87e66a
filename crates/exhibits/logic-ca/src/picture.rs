//! Frames of a logic-automaton experiment; the [crate documentation](crate) lists their arrays.

use super::checkpoint::LogicState;
use super::replay::Playback;
use super::sandbox::Sandbox;
use super::simplified_circuit::SimplifiedCircuit;
use crate::protocol::LogicView;
use vivarium_lab::protocol::{Frame, FrameArray};
use vivarium_lab::time;
use vivarium_logic_ca::Learner;
use vivarium_logic_ca::hard::Boards;
use vivarium_logic_ca::{Grid, LogicCa, RolloutRecording, TargetPattern, target};

/// Minimum time in seconds between two replacements of the circuit that runs on the user's board (the sandbox) by the
/// newest trained circuit.
const MIN_UPDATE_INTERVAL: f32 = 0.5;

/// Builder of the frames of a logic-automaton experiment. Stores the playback and the version of the circuit that
/// was sent last.
pub(super) struct Picture {
    /// If the training target is the Game of Life: the epoch in which the learner recorded its newest rollout, and the
    /// target bits of the board that was recorded, `[cell]`.
    life_target: (u64, Vec<bool>),
    /// Seconds since the circuit that runs on the user's board (the sandbox) was last replaced.
    since_update: f32,
    /// Playback of the recorded rollouts.
    playback: Playback,
    /// Version of the sandbox circuit in the last frame; `None` if that frame had no circuit.
    sent_version: Option<u32>,
}

impl Picture {
    /// Creates a frame builder for training boards of geometry `grid`.
    pub(super) fn new(grid: &Grid) -> Self {
        Self {
            life_target: (0, vec![false; grid.cells()]),
            since_update: MIN_UPDATE_INTERVAL,
            playback: Playback::default(),
            sent_version: None,
        }
    }

    /// Sets the time since the last replacement of the sandbox's circuit to 0 seconds. The sandbox is the user's board,
    /// on which a trained circuit runs. Must be called after each replacement of this circuit.
    pub(super) fn circuit_changed(&mut self) {
        self.since_update = 0.0;
    }

    /// Computes the target bits of the recorded training board, if the training target is the Game of Life.
    fn update_life_target(&mut self, learner: &LogicCa) {
        let epoch = learner.epoch();
        if learner.target().is_some() || self.life_target.0 == epoch {
            return;
        }
        let (recording, grid) = (learner.recording(), Grid { boards: 1, ..learner.config().grid() });
        let mut cells: Vec<bool> = recording.hard(0, 0).iter().map(|&byte| byte > 0).collect();
        let mut next = cells.clone();
        for _ in 0..recording.steps() {
            target::life(&grid, &cells, &mut next);
            std::mem::swap(&mut cells, &mut next);
        }
        self.life_target = (epoch, cells);
    }

    /// Advances the sandbox and the playback of the recorded rollout by `elapsed` seconds, and returns the frame.
    /// `has_recording` is whether the learner has recorded the rollout of a finished epoch.
    pub(super) fn frame(
        &mut self,
        view: &LogicView,
        elapsed: f32,
        state: &mut LogicState,
        has_recording: bool,
    ) -> Frame {
        let passed = time::passed(elapsed);
        self.since_update += passed;
        if self.since_update >= MIN_UPDATE_INTERVAL {
            state.refresh_sandbox_circuit();
            self.circuit_changed();
        }
        state.session.sandbox.advance(elapsed);

        let learner = &state.training.learner;
        let grid = learner.config().grid();
        if has_recording {
            self.update_life_target(learner);
        }
        let wanted = match learner.target() {
            Some(target) => TargetView::Pattern(target),
            None => TargetView::GameOfLife(&self.life_target.1),
        };
        let recording = learner.recording();
        let steps = if has_recording { recording.steps() } else { 0 };
        let step = self.playback.advance(passed, steps, learner.epoch());
        let shown = shown(view, learner.architecture().channels, state.target_channels());
        let mut arrays = rollout(recording, step, steps, &grid, &wanted, &shown);
        arrays.extend(sandbox(&state.session.sandbox, &shown));
        let functions = state.statistics.functions.map(|count| count as f32);
        arrays.push(FrameArray::f32("gates/functions", &[functions.len() as u32], functions.to_vec()));
        let confidence = state.statistics.confidence as f32;
        arrays.push(FrameArray::f32("gates/confidence", &[1], vec![confidence]));
        let simplified = &state.session.current_circuit;
        if view.circuit {
            let new = self.sent_version != Some(simplified.version);
            arrays.extend(circuit(simplified, &state.session.sandbox, view.cell, new));
        }
        self.sent_version = view.circuit.then_some(simplified.version);
        arrays.into()
    }
}

/// Returns the indices of the displayed cell channels: the channel that the view requests or, by default, the first
/// `of_target` channels, which are compared with the training target. `channels` is the number of channels of a cell.
pub(super) fn shown(view: &LogicView, channels: usize, of_target: usize) -> Vec<usize> {
    match view.channel {
        Some(channel) if (channel as usize) < channels => vec![channel as usize],
        _ => (0..of_target).collect(),
    }
}

/// Creates the frame array `name` of bytes, `[row][column][channel]`, from one plane `[row][column]` per channel.
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

/// Returns the bits of one channel of the first board as bytes: 0 for bit 0 and 255 for bit 1, `[cell]`.
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

/// Training target of the recorded board, as a frame displays it.
pub(super) enum TargetView<'a> {
    /// Fixed target pattern.
    Pattern(&'a TargetPattern),
    /// Bits of channel 0 that the rule of the Game of Life gives after the steps of the rollout, `[cell]`.
    GameOfLife(&'a [bool]),
}

/// Returns the frame arrays of the recorded rollout at automaton step `step` of `steps`: soft cells, hard cells, target
/// and step. `shown` contains the displayed channels.
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
        TargetView::GameOfLife(cells) if channel == 0 => cells.iter().map(|&bit| byte(bit)).collect(),
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

/// Returns the frame arrays of the sandbox board: cells in the channels `shown`, and the number of automaton steps.
pub(super) fn sandbox(sandbox: &Sandbox, shown: &[usize]) -> Vec<FrameArray> {
    let boards = sandbox.boards();
    let planes: Vec<Vec<u8>> = shown.iter().map(|&channel| bytes(boards, channel)).collect();
    vec![
        cells("sandbox/cells", &boards.grid(), &planes),
        FrameArray::f32("sandbox/step", &[1], vec![sandbox.step() as f32]),
    ]
}

/// Returns the frame arrays of the sandbox circuit, and of the wire values in the cell `cell` (column, row). The arrays
/// of gates and outputs are included only if `new`: the front end does not have this version of the circuit yet.
pub(super) fn circuit(
    simplified: &SimplifiedCircuit,
    sandbox: &Sandbox,
    cell: Option<[u32; 2]>,
    new: bool,
) -> Vec<FrameArray> {
    let circuit = &simplified.circuit;
    let gates = circuit.gates();
    let mut arrays = vec![
        FrameArray::f32("circuit/version", &[1], vec![simplified.version as f32]),
        FrameArray::f32("circuit/size", &[2], vec![simplified.original_gates as f32, gates.len() as f32]),
    ];
    if new {
        let learned =
            |number: usize| simplified.trained_gates.as_ref().map_or(-1.0, |learned| learned[number] as f32);
        let row = |(number, gate): (usize, &vivarium_logic_ca::hard::Gate)| {
            [f32::from(gate.function), gate.a as f32, gate.b as f32, learned(number)]
        };
        let rows = gates.iter().enumerate().flat_map(row).collect();
        arrays.push(FrameArray::f32("circuit/gates", &[gates.len() as u32, 4], rows));
        let outputs: Vec<f32> = circuit.outputs().iter().map(|&wire| wire as f32).collect();
        arrays.push(FrameArray::f32("circuit/outputs", &[outputs.len() as u32], outputs));
    }
    let grid = sandbox.boards().grid();
    let current_circuit = |[x, y]: &[u32; 2]| (*x as usize) < grid.width && (*y as usize) < grid.height;
    if let Some([x, y]) = cell.filter(current_circuit) {
        let signals = simplified.signals(sandbox.boards(), y as usize * grid.width + x as usize);
        arrays.push(FrameArray::u8("circuit/signals", &[signals.len() as u32], signals));
    }
    arrays
}

//! What a person has set up on the stage, as tensors of a checkpoint, and back: it goes along when an experiment goes on
//! somewhere else, and is no part of what is learned.

use super::simplified_circuit::SimplifiedCircuit;
use super::sandbox::{MAX_SPEED, MAX_SIDE, MAX_STEPS, Sandbox};
use vivarium_lab::checkpoint::{Tensor, TensorData, Tensors, flat};
use vivarium_lab::error::LabError;
use vivarium_logic_ca::hard::{Circuit, Gate};

/// The stage's sizes and its time.
const NUMBERS: &str = "stage/numbers";

/// Its cells: channel by channel, row by row, 64 to a word.
const CELLS: &str = "stage/cells";

/// Gates and outputs of a circuit from a file, and how many gates it had in there.
const GATES: &str = "stage/circuit/gates";
const OUTPUTS: &str = "stage/circuit/outputs";
const WHOLE: &str = "stage/circuit/whole";

/// Stands for "as fast as it goes".
const AT_ONCE: f64 = -1.0;

/// The stage, and the circuit that runs on it.
pub(super) struct SandboxSession {
    pub(super) stage: Sandbox,
    /// A circuit from a file, which runs instead of the learner's.
    opened: Option<SimplifiedCircuit>,
    /// The circuit that runs.
    pub(super) on_stage: SimplifiedCircuit,
}

impl SandboxSession {
    /// A stage on which a learner's circuit runs.
    pub(super) fn new(stage: Sandbox, learned: &SimplifiedCircuit) -> Self {
        Self { stage, opened: None, on_stage: learned.clone() }
    }

    /// The circuit from a file, if one was opened.
    pub(super) fn opened(&self) -> Option<&SimplifiedCircuit> {
        self.opened.as_ref()
    }

    /// Has a circuit from a file run, or the learner's again.
    pub(super) fn open(&mut self, opened: Option<SimplifiedCircuit>) {
        self.opened = opened;
    }

    /// Runs the circuit that was opened, or else the learner's.
    pub(super) fn run(&mut self, learned: &SimplifiedCircuit) {
        let running = self.opened.as_ref().unwrap_or(learned);
        if running.version != self.on_stage.version {
            self.stage.run(running);
            self.on_stage = running.clone();
        }
    }

    /// The stage, and the circuit on it where that came from a file.
    pub(super) fn tensors(&self) -> Vec<Tensor> {
        let mut tensors = self.stage.tensors();
        if let Some(SimplifiedCircuit { circuit, whole, .. }) = &self.opened {
            let gate = |gate: &Gate| [gate.function.into(), gate.a, gate.b];
            tensors.extend([
                flat(GATES, TensorData::U32(circuit.gates().iter().flat_map(gate).collect())),
                flat(OUTPUTS, TensorData::U32(circuit.outputs().to_vec())),
                flat(WHOLE, TensorData::U64(vec![*whole as u64])),
            ]);
        }
        tensors
    }

    /// Sets the stage up as it was, if that was kept.
    ///
    /// # Errors
    /// [`LabError`] saying what makes no sense.
    pub(super) fn set_up(&mut self, found: &mut Tensors, channels: usize) -> Result<(), LabError> {
        if found.holds(NUMBERS) {
            self.stage.take_up(found)?;
        }
        if found.holds(GATES) {
            self.opened = Some(opened(found, channels)?);
        }
        Ok(())
    }
}

impl Sandbox {
    fn tensors(&self) -> Vec<Tensor> {
        let grid = self.boards.grid();
        let rows = (0..self.boards.channels()).flat_map(|c| (0..grid.height).map(move |row| (c, row)));
        let words = rows.flat_map(|(channel, row)| self.boards.row_words(channel, row)).collect();
        let numbers = vec![
            grid.width as f64,
            grid.height as f64,
            self.speed.map_or(AT_ONCE, f64::from),
            self.fire_rate.into(),
            self.owed.into(),
            self.asked.into(),
            self.step.into(),
            self.drawn.into(),
        ];
        vec![flat(NUMBERS, TensorData::F64(numbers)), flat(CELLS, TensorData::U64(words))]
    }

    /// A step that was under way is begun again.
    fn take_up(&mut self, found: &mut Tensors) -> Result<(), LabError> {
        let numbers = found.take_f64(NUMBERS)?;
        let &[width, height, speed, fire_rate, owed, asked, step, drawn] = &numbers[..] else {
            return Err(nonsense(NUMBERS));
        };
        let within = |number: f64, least: u32, most: u32| {
            let whole = number.fract() == 0.0 && (f64::from(least)..=most.into()).contains(&number);
            if whole { Ok(number as u32) } else { Err(nonsense(NUMBERS)) }
        };
        let (width, height) = (within(width, 1, MAX_SIDE)?, within(height, 1, MAX_SIDE)?);
        let speed = if speed == AT_ONCE { None } else { Some(speed as f32) };
        let allowed = speed.is_none_or(|speed| (0.0..=MAX_SPEED).contains(&speed))
            && (0.0..=1.0).contains(&fire_rate)
            && (0.0..=f64::from(MAX_STEPS) + 1.0).contains(&owed);
        if !allowed {
            return Err(nonsense(NUMBERS));
        }
        let words = width.div_ceil(64) as usize * height as usize;
        let TensorData::U64(cells) = found.take(CELLS)?.values else { return Err(nonsense(CELLS)) };
        if cells.len() != words * self.boards.channels() {
            return Err(nonsense(CELLS));
        }
        let (asked, step) = (within(asked, 0, MAX_STEPS)?, within(step, 0, u32::MAX)?);
        self.drawn = within(drawn, 0, u32::MAX)?;
        self.resize(width, height)?;
        for (channel, words) in cells.chunks_exact(words).enumerate() {
            self.boards.set_channel_words(channel, words.iter().copied());
        }
        (self.speed, self.fire_rate, self.owed) = (speed, fire_rate as f32, owed as f32);
        (self.asked, self.step, self.stepped) = (asked, step, 0);
        Ok(())
    }
}

pub(super) fn nonsense(name: &str) -> LabError {
    LabError::checkpoint(format!("{name} holds numbers that make no sense"))
}

/// A circuit from a file that was on the stage.
fn opened(found: &mut Tensors, channels: usize) -> Result<SimplifiedCircuit, LabError> {
    let (TensorData::U32(gates), TensorData::U32(outputs), TensorData::U64(whole)) =
        (found.take(GATES)?.values, found.take(OUTPUTS)?.values, found.take(WHOLE)?.values)
    else {
        return Err(nonsense(GATES));
    };
    let gate = |&[function, a, b]: &[u32; 3]| Some(Gate { function: u8::try_from(function).ok()?, a, b });
    let (rows, rest) = gates.as_chunks();
    let gates: Option<Vec<Gate>> = rows.iter().map(gate).collect();
    let circuit = gates
        .filter(|_| rest.is_empty())
        .and_then(|gates| Circuit::new(channels, gates, outputs).ok())
        .ok_or_else(|| nonsense(GATES))?;
    match whole[..] {
        [whole] if whole >= circuit.gates().len() as u64 => {
            Ok(SimplifiedCircuit { whole: whole as usize, ..SimplifiedCircuit::opened(&circuit) })
        }
        _ => Err(nonsense(WHOLE)),
    }
}

//! Sandbox with its circuit, and their tensors in a checkpoint. Only a checkpoint that moves an experiment to another
//! process contains these tensors, because training does not depend on them.

use super::sandbox::{MAX_SIDE, MAX_SPEED, MAX_STEPS, Sandbox};
use super::simplified_circuit::SimplifiedCircuit;
use vivarium_lab::checkpoint::{Tensor, TensorData, Tensors, flat};
use vivarium_lab::error::LabError;
use vivarium_logic_ca::hard::{Circuit, Gate};

/// Name of the tensor with eight numbers of the sandbox (the user's board): width, height, speed, fire rate, due steps,
/// requested steps, completed steps, and number of derived seeds.
const NUMBERS: &str = "stage/numbers";

/// Name of the tensor with the cells of the sandbox, `[channel][row][word]`. A 64-bit word holds one bit for each of 64
/// cells.
const CELLS: &str = "stage/cells";

/// Name of the tensor with the gates of the circuit that the user opened from a file, `[gate][function, wire, wire]`.
const GATES: &str = "stage/circuit/gates";
/// Name of the tensor with the output wires of the circuit that the user opened from a file, `[channel]`.
const OUTPUTS: &str = "stage/circuit/outputs";
/// Name of the tensor with the number of gates, before simplification, of the circuit that the user opened from a file.
const WHOLE: &str = "stage/circuit/whole";

/// Number that a checkpoint stores as the speed of the sandbox if the speed has no limit.
const UNLIMITED: f64 = -1.0;

/// Sandbox (the user's interactive board) and the circuit that updates its cells: the trained circuit, or a circuit
/// from a file.
pub(super) struct SandboxSession {
    pub(super) sandbox: Sandbox,
    /// Circuit that was opened from a file and replaces the trained circuit; `None` if the sandbox runs the trained
    /// circuit.
    opened: Option<SimplifiedCircuit>,
    /// Circuit that updates the cells of the sandbox (the user's interactive board).
    pub(super) current_circuit: SimplifiedCircuit,
}

impl SandboxSession {
    /// Creates a session whose sandbox runs `trained_circuit`.
    pub(super) fn new(sandbox: Sandbox, trained_circuit: &SimplifiedCircuit) -> Self {
        Self { sandbox, opened: None, current_circuit: trained_circuit.clone() }
    }

    /// Returns the circuit that was opened from a file; `None` if the sandbox runs the trained circuit.
    pub(super) fn opened(&self) -> Option<&SimplifiedCircuit> {
        self.opened.as_ref()
    }

    /// Stores a circuit from a file, or discards the stored circuit (`None`). The sandbox continues with its former
    /// circuit until the next call of [`run`](Self::run).
    pub(super) fn open(&mut self, opened: Option<SimplifiedCircuit>) {
        self.opened = opened;
    }

    /// Makes the sandbox run the circuit that was opened from a file or, by default, `trained_circuit`.
    pub(super) fn run(&mut self, trained_circuit: &SimplifiedCircuit) {
        let simplified = self.opened.as_ref().unwrap_or(trained_circuit);
        if simplified.version != self.current_circuit.version {
            self.sandbox.run(simplified);
            self.current_circuit = simplified.clone();
        }
    }

    /// Returns the checkpoint tensors of the sandbox and of the circuit that was opened from a file, if any.
    pub(super) fn tensors(&self) -> Vec<Tensor> {
        let mut tensors = self.sandbox.tensors();
        if let Some(SimplifiedCircuit { circuit, original_gates, .. }) = &self.opened {
            let gate = |gate: &Gate| [gate.function.into(), gate.a, gate.b];
            tensors.extend([
                flat(GATES, TensorData::U32(circuit.gates().iter().flat_map(gate).collect())),
                flat(OUTPUTS, TensorData::U32(circuit.outputs().to_vec())),
                flat(WHOLE, TensorData::U64(vec![*original_gates as u64])),
            ]);
        }
        tensors
    }

    /// Restores the sandbox and the circuit from a file, if the checkpoint tensors `found` contain them. `channels` is
    /// the number of channels of a cell.
    ///
    /// # Errors
    /// [`LabError`] for invalid tensors.
    pub(super) fn set_up(&mut self, found: &mut Tensors, channels: usize) -> Result<(), LabError> {
        if found.contains(NUMBERS) {
            self.sandbox.restore(found)?;
        }
        if found.contains(GATES) {
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
            self.speed.map_or(UNLIMITED, f64::from),
            self.fire_rate.into(),
            self.due_steps.into(),
            self.requested_steps.into(),
            self.step.into(),
            self.noise_draws.into(),
        ];
        vec![flat(NUMBERS, TensorData::F64(numbers)), flat(CELLS, TensorData::U64(words))]
    }

    /// Restores the sandbox from the checkpoint tensors `found`. An automaton step that was in progress restarts.
    fn restore(&mut self, found: &mut Tensors) -> Result<(), LabError> {
        let numbers = found.take_f64(NUMBERS)?;
        let &[width, height, speed, fire_rate, due_steps, requested_steps, step, noise_draws] = &numbers[..]
        else {
            return Err(invalid_tensor(NUMBERS));
        };
        let within = |number: f64, least: u32, most: u32| {
            let whole = number.fract() == 0.0 && (f64::from(least)..=most.into()).contains(&number);
            if whole { Ok(number as u32) } else { Err(invalid_tensor(NUMBERS)) }
        };
        let (width, height) = (within(width, 1, MAX_SIDE)?, within(height, 1, MAX_SIDE)?);
        let speed = if speed == UNLIMITED { None } else { Some(speed as f32) };
        let allowed = speed.is_none_or(|speed| (0.0..=MAX_SPEED).contains(&speed))
            && (0.0..=1.0).contains(&fire_rate)
            && (0.0..=f64::from(MAX_STEPS) + 1.0).contains(&due_steps);
        if !allowed {
            return Err(invalid_tensor(NUMBERS));
        }
        let words = width.div_ceil(64) as usize * height as usize;
        let TensorData::U64(cells) = found.take(CELLS)?.values else { return Err(invalid_tensor(CELLS)) };
        if cells.len() != words * self.boards.channels() {
            return Err(invalid_tensor(CELLS));
        }
        let (requested_steps, step) = (within(requested_steps, 0, MAX_STEPS)?, within(step, 0, u32::MAX)?);
        self.noise_draws = within(noise_draws, 0, u32::MAX)?;
        self.resize(width, height)?;
        for (channel, words) in cells.chunks_exact(words).enumerate() {
            self.boards.set_channel_words(channel, words.iter().copied());
        }
        (self.speed, self.fire_rate, self.due_steps) = (speed, fire_rate as f32, due_steps as f32);
        (self.requested_steps, self.step, self.done_blocks) = (requested_steps, step, 0);
        Ok(())
    }
}

pub(super) fn invalid_tensor(name: &str) -> LabError {
    LabError::checkpoint(format!("{name} holds invalid values"))
}

/// Reads the circuit that was opened from a file from the checkpoint tensors `found`.
fn opened(found: &mut Tensors, channels: usize) -> Result<SimplifiedCircuit, LabError> {
    let (TensorData::U32(gates), TensorData::U32(outputs), TensorData::U64(whole)) =
        (found.take(GATES)?.values, found.take(OUTPUTS)?.values, found.take(WHOLE)?.values)
    else {
        return Err(invalid_tensor(GATES));
    };
    let gate = |&[function, a, b]: &[u32; 3]| Some(Gate { function: u8::try_from(function).ok()?, a, b });
    let (rows, rest) = gates.as_chunks();
    let gates: Option<Vec<Gate>> = rows.iter().map(gate).collect();
    let circuit = gates
        .filter(|_| rest.is_empty())
        .and_then(|gates| Circuit::new(channels, gates, outputs).ok())
        .ok_or_else(|| invalid_tensor(GATES))?;
    match whole[..] {
        [whole] if whole >= circuit.gates().len() as u64 => {
            Ok(SimplifiedCircuit { original_gates: whole as usize, ..SimplifiedCircuit::from_file(&circuit) })
        }
        _ => Err(invalid_tensor(WHOLE)),
    }
}

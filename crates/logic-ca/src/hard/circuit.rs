//! The netlist of one cell.

use crate::circuit::{Architecture, Wiring};
use crate::gate::{self, FUNCTIONS};
use crate::program::{GateLayer, Program};
use crate::wiring::{CENTER, NEIGHBORHOOD};

/// The most values, inputs and gates together, that a circuit may have: their numbers fit 16 bits.
pub const MAX_VALUES: usize = 1 << 16;

/// A gate: a function of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Gate {
    /// Which of the sixteen; see [`gate::NAMES`].
    pub function: u8,
    /// The number of the value that is its first input.
    pub a: u32,
    /// The number of the value that is its second input.
    pub b: u32,
}

/// The circuit that every cell runs.
///
/// **Values** are numbered. The first 9·channels are the bits of the cell's neighborhood: number 9·channel +
/// place, places row by row, so that place 4 is the cell itself. Then come the gates in their order; a gate
/// reads values of lower numbers only. The outputs are the numbers of the values that become the cell's next
/// channels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Circuit {
    channels: usize,
    gates: Vec<Gate>,
    outputs: Vec<u32>,
}

/// Why something is no circuit. Gates are called g0, g1, … in their order, inputs i0, i1, …
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CircuitError {
    /// Not JSON, or not the fields that a circuit has.
    #[error("not a circuit file: {0}")]
    Syntax(String),
    /// Another kind of file, or a later version of this one.
    #[error("{field} is {found}; this program reads {allowed}")]
    Format {
        /// Which field.
        field: &'static str,
        /// What stands there.
        found: String,
        /// What may stand there.
        allowed: String,
    },
    /// A circuit with no channels or with too many.
    #[error("channels is {found}; it may be 1 to {most}")]
    Channels {
        /// What was given.
        found: usize,
        /// The most there may be.
        most: usize,
    },
    /// Too many gates.
    #[error("{found} gates beside {inputs} inputs; there may be at most {} gates", MAX_VALUES - inputs)]
    Gates {
        /// How many there are.
        found: usize,
        /// Values that are taken by inputs.
        inputs: usize,
    },
    /// Not one output for each channel.
    #[error("{found} outputs; there must be one for each of the {channels} channels")]
    Outputs {
        /// How many there are.
        found: usize,
        /// How many there must be.
        channels: usize,
    },
    /// A function that there is not.
    #[error("gate g{gate}: there is no function {found}; it may be one of {}", gate::NAMES.join(", "))]
    Function {
        /// The gate.
        gate: usize,
        /// What stands there.
        found: String,
    },
    /// An input or output that names no value.
    #[error("{reader}: there is no wire {found}; it may be {allowed}")]
    Wire {
        /// Which gate's which input, or which output.
        reader: String,
        /// What stands there.
        found: String,
        /// Which names there are.
        allowed: String,
    },
    /// A gate that reads itself, directly or through others.
    #[error(
        "gate g{gate} reads itself through {path}; a gate may read inputs and gates that do not depend on it"
    )]
    Cycle {
        /// A gate of the cycle.
        gate: usize,
        /// The gates along the cycle.
        path: String,
    },
}

impl Gate {
    /// The gate's value, bit by bit, for 64 cases of its inputs.
    #[inline]
    #[must_use]
    pub fn word(self, a: u64, b: u64) -> u64 {
        let corner = |number: u8, at: u64| if self.function >> number & 1 == 1 { at } else { 0 };
        corner(0, a & b) | corner(1, a & !b) | corner(2, !a & b) | corner(3, !a & !b)
    }

    /// Whether its first input makes a difference.
    #[inline]
    #[must_use]
    pub fn reads_a(self) -> bool {
        self.function >> 2 != self.function & 3
    }

    /// Whether its second input makes a difference.
    #[inline]
    #[must_use]
    pub fn reads_b(self) -> bool {
        self.function >> 1 & 5 != self.function & 5
    }

    /// The values that make a difference to it.
    pub fn reads(self) -> impl Iterator<Item = u32> {
        let (a, b) = (self.reads_a().then_some(self.a), self.reads_b().then_some(self.b));
        a.into_iter().chain(b)
    }
}

impl Circuit {
    /// A circuit from gates that stand in order.
    ///
    /// # Errors
    /// [`CircuitError`] if there are too many or too few channels, gates or outputs, if a function is above
    /// 15, or if a gate reads a value that does not stand before it.
    pub fn new(channels: usize, gates: Vec<Gate>, outputs: Vec<u32>) -> Result<Self, CircuitError> {
        check_counts(channels, gates.len(), outputs.len())?;
        let inputs = channels * NEIGHBORHOOD;
        for (number, gate) in gates.iter().enumerate() {
            if usize::from(gate.function) >= FUNCTIONS {
                return Err(CircuitError::Function { gate: number, found: gate.function.to_string() });
            }
            for (port, wire) in [("a", gate.a), ("b", gate.b)] {
                if wire as usize >= inputs + number {
                    return Err(CircuitError::Wire {
                        reader: format!("gate g{number}, input {port}"),
                        found: format!("number {wire}"),
                        allowed: format!("a number below {}, that of the gate itself", inputs + number),
                    });
                }
            }
        }
        for (channel, &wire) in outputs.iter().enumerate() {
            if wire as usize >= inputs + gates.len() {
                return Err(CircuitError::Wire {
                    reader: format!("output {channel}"),
                    found: format!("number {wire}"),
                    allowed: format!("a number below {}", inputs + gates.len()),
                });
            }
        }
        Ok(Self { channels, gates, outputs })
    }

    /// The circuit whose gates have these functions, in the [order of gates](crate::circuit).
    ///
    /// # Errors
    /// As [`extract`](Self::extract).
    ///
    /// # Panics
    /// As [`extract`](Self::extract).
    pub fn of_functions(
        architecture: &Architecture,
        wiring: &Wiring,
        functions: &[u8],
    ) -> Result<Self, CircuitError> {
        let channels = architecture.channels;
        check_counts(channels, architecture.gates_per_cell(), channels)?;
        Ok(Self::of_program(&Program::new(architecture, wiring), functions))
    }

    /// [`of_functions`](Self::of_functions) of a program of which it is known that a circuit can have as many gates.
    pub(crate) fn of_program(program: &Program, functions: &[u8]) -> Self {
        let channels = program.channels;
        let inputs = channels * NEIGHBORHOOD;
        let mut gates = Vec::with_capacity(program.gates_per_cell());
        // Appends a layer over `values` and returns the numbers of its own values.
        let mut append = |layer: &GateLayer, values: &[u32]| -> Vec<u32> {
            let first = inputs + gates.len();
            let wired = layer.wires.iter().zip(&functions[layer.gates.clone()]);
            gates.extend(wired.map(|(pair, &function)| {
                let [a, b] = pair.map(|row| values[row as usize]);
                Gate { function, a, b }
            }));
            (first as u32..(inputs + gates.len()) as u32).collect()
        };
        let mut values: Vec<u32> =
            (0..channels).map(|channel| (channel * NEIGHBORHOOD + CENTER) as u32).collect();
        for channel in 0..channels {
            let first = (channel * NEIGHBORHOOD) as u32;
            let neighborhood = (first..first + NEIGHBORHOOD as u32).collect::<Vec<_>>();
            let perceived =
                program.perceive.iter().fold(neighborhood, |values, layer| append(layer, &values));
            values.extend(perceived);
        }
        let outputs = program.update.iter().fold(values, |values, layer| append(layer, &values));
        Self { channels, gates, outputs }
    }

    /// For each gate of [`of_functions`](Self::of_functions) the gate that learns it, in the
    /// [order of gates](crate::circuit): all channels perceive with the same ones.
    #[must_use]
    pub fn learned_gates(architecture: &Architecture) -> Vec<u32> {
        let of_kernels = architecture.kernels * architecture.perceive.iter().sum::<usize>();
        let perceive = (0..architecture.channels).flat_map(|_| 0..of_kernels);
        perceive.chain(of_kernels..architecture.gates()).map(|gate| gate as u32).collect()
    }

    /// A circuit over the same channels, of gates and outputs that are known to be in order.
    pub(super) fn with(&self, (gates, outputs): (Vec<Gate>, Vec<u32>)) -> Self {
        Self { channels: self.channels, gates, outputs }
    }

    /// Bits of a cell's state.
    #[must_use]
    pub fn channels(&self) -> usize {
        self.channels
    }

    /// Bits of a cell's neighborhood, which are the first values.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.channels * NEIGHBORHOOD
    }

    /// The gates; gate i is value number [`inputs`](Self::inputs) + i.
    #[must_use]
    pub fn gates(&self) -> &[Gate] {
        &self.gates
    }

    /// The numbers of the values that become the cell's next channels.
    #[must_use]
    pub fn outputs(&self) -> &[u32] {
        &self.outputs
    }

    /// The gate that a value is, `None` for an input.
    #[must_use]
    pub fn gate_of(&self, value: u32) -> Option<&Gate> {
        self.gates.get((value as usize).checked_sub(self.inputs())?)
    }

    /// What a value is called in files: `i` and its number if it is an input, `g` and the gate's number if it
    /// is a gate.
    #[must_use]
    pub fn name(&self, value: u32) -> String {
        match (value as usize).checked_sub(self.inputs()) {
            None => format!("i{value}"),
            Some(gate) => format!("g{gate}"),
        }
    }

    /// The outputs for 64 cases at once, gate by gate, without any cleverness: what all faster ways are
    /// compared with. Bit j of `inputs[i]` is input i in case j; so it is with the outputs.
    ///
    /// # Panics
    /// If there are not [`inputs`](Self::inputs) words.
    #[must_use]
    pub fn evaluate(&self, inputs: &[u64]) -> Vec<u64> {
        assert_eq!(inputs.len(), self.inputs(), "one word for each input");
        let mut values = inputs.to_vec();
        for gate in &self.gates {
            values.push(gate.word(values[gate.a as usize], values[gate.b as usize]));
        }
        self.outputs.iter().map(|&wire| values[wire as usize]).collect()
    }
}

/// Refuses counts that no circuit can have.
pub(crate) fn check_counts(channels: usize, gates: usize, outputs: usize) -> Result<(), CircuitError> {
    let most = MAX_VALUES / NEIGHBORHOOD;
    if !(1..=most).contains(&channels) {
        return Err(CircuitError::Channels { found: channels, most });
    }
    let inputs = channels * NEIGHBORHOOD;
    if gates > MAX_VALUES - inputs {
        return Err(CircuitError::Gates { found: gates, inputs });
    }
    if outputs != channels {
        return Err(CircuitError::Outputs { found: outputs, channels });
    }
    Ok(())
}

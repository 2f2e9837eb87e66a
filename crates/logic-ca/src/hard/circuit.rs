//! Netlist of the hard circuit: the Boolean gates and wires that compute the next state of one cell.

use crate::circuit::{Architecture, CENTER, NEIGHBORHOOD, Wiring};
use crate::gate::{self, FUNCTIONS};
use crate::layered_circuit::{GateLayer, LayeredCircuit};

/// Maximum number of values (inputs and gates) of a circuit, so that a value number fits 16 bits.
pub const MAX_VALUES: usize = 1 << 16;

/// Logic gate: a Boolean function of two values of the circuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Gate {
    /// Number of the Boolean function, 0 to 15; see [`gate::NAMES`].
    pub function: u8,
    /// Value number of the first input; [`Circuit`] defines the numbering.
    pub a: u32,
    /// Value number of the second input; [`Circuit`] defines the numbering.
    pub b: u32,
}

/// Hard circuit (each gate computes one Boolean function) that computes the next state of a cell from the bits of its
/// 3×3 neighborhood.
///
/// **Value numbers:** The first 9·channels values are the inputs, the bits of the 3×3 neighborhood. The number of an
/// input is 9·channel + position, with positions 0 to 8 row by row (4 = the cell itself). The gates follow in
/// topological order: a gate reads only values with lower numbers. Output i is the value number of the cell's next
/// channel i.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Circuit {
    channels: usize,
    gates: Vec<Gate>,
    outputs: Vec<u32>,
}

/// Error of an invalid circuit. Messages call the gates g0, g1, … and the inputs i0, i1, …
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CircuitError {
    /// The text is not valid JSON, or has missing or unknown fields.
    #[error("not a circuit file: {0}")]
    Syntax(String),
    /// A circuit file has an unknown format name or version.
    #[error("{field} is {found}; supported: {allowed}")]
    Format {
        /// Name of the invalid field of the file: `format` or `version`.
        field: &'static str,
        /// Value of the invalid field in the file.
        found: String,
        /// Value that the field must have.
        allowed: String,
    },
    /// The number of channels of the circuit is 0 or too large.
    #[error("channels is {found}; it may be 1 to {most}")]
    Channels {
        /// Number of channels of the circuit.
        found: usize,
        /// Maximum number of channels of a circuit.
        most: usize,
    },
    /// The circuit has too many gates.
    #[error("{found} gates with {inputs} inputs; at most {} gates are allowed", MAX_VALUES - inputs)]
    Gates {
        /// Number of gates of the circuit.
        found: usize,
        /// Number of inputs of the circuit.
        inputs: usize,
    },
    /// The number of outputs differs from the number of channels.
    #[error("{found} outputs; {channels} are needed, one per channel")]
    Outputs {
        /// Number of outputs of the circuit.
        found: usize,
        /// Number of channels of the circuit.
        channels: usize,
    },
    /// A gate has an unknown function.
    #[error("gate g{gate}: unknown function {found}; it must be one of {}", gate::NAMES.join(", "))]
    Function {
        /// Index, from 0, of the gate with the unknown function.
        gate: usize,
        /// Name or number of the unknown function.
        found: String,
    },
    /// A gate input or an output refers to a value that does not exist.
    #[error("{reader}: unknown wire {found}; it must be {allowed}")]
    Wire {
        /// Gate input or circuit output that refers to the unknown wire.
        reader: String,
        /// Name or number of the unknown wire.
        found: String,
        /// Description of the wires to which `reader` may refer.
        allowed: String,
    },
    /// A gate depends on its own output, directly or through other gates.
    #[error(
        "gate g{gate} depends on itself: {path}; a gate may only read inputs and gates that do not depend on it"
    )]
    Cycle {
        /// Index of a gate that depends on itself.
        gate: usize,
        /// Names of the gates along the cycle, from `gate` back to `gate`.
        path: String,
    },
}

impl Gate {
    /// Evaluates the gate for 64 input pairs: bit j of the result is the gate's output for bit j of `a` and bit j of
    /// `b`.
    #[inline]
    #[must_use]
    pub fn word(self, a: u64, b: u64) -> u64 {
        let corner = |number: u8, at: u64| if self.function >> number & 1 == 1 { at } else { 0 };
        corner(0, a & b) | corner(1, a & !b) | corner(2, !a & b) | corner(3, !a & !b)
    }

    /// Returns whether the gate's function depends on its first input.
    #[inline]
    #[must_use]
    pub fn reads_a(self) -> bool {
        self.function >> 2 != self.function & 3
    }

    /// Returns whether the gate's function depends on its second input.
    #[inline]
    #[must_use]
    pub fn reads_b(self) -> bool {
        self.function >> 1 & 5 != self.function & 5
    }

    /// Returns the value numbers of the inputs that the gate's function depends on: none, one or two.
    pub fn reads(self) -> impl Iterator<Item = u32> {
        let (a, b) = (self.reads_a().then_some(self.a), self.reads_b().then_some(self.b));
        a.into_iter().chain(b)
    }
}

impl Circuit {
    /// Creates a circuit from gates in topological order. `outputs` holds the value number of each channel's next
    /// state.
    ///
    /// # Errors
    /// [`CircuitError`] if the number of channels, gates or outputs is invalid, a function number exceeds 15, or a gate
    /// reads a value with a number that is not lower than its own.
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
                        allowed: format!("a number below {}, the number of the gate", inputs + number),
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

    /// Creates the circuit of a trained architecture. `functions` holds the function number of each trained gate, in
    /// [gate order](crate::circuit).
    ///
    /// # Errors
    /// [`CircuitError`] if the circuit has too many channels or gates.
    ///
    /// # Panics
    /// If `wiring` was drawn for another architecture, or `functions` has fewer entries than the architecture has
    /// trained gates.
    pub fn from_functions(
        architecture: &Architecture,
        wiring: &Wiring,
        functions: &[u8],
    ) -> Result<Self, CircuitError> {
        let channels = architecture.channels;
        check_counts(channels, architecture.gates_per_cell(), channels)?;
        Ok(Self::from_layers(&LayeredCircuit::new(architecture, wiring), functions))
    }

    /// Converts a layered circuit to a netlist. `functions` holds the function number of each trained gate, in [gate
    /// order](crate::circuit). The caller must have checked the number of gates.
    pub(crate) fn from_layers(program: &LayeredCircuit, functions: &[u8]) -> Self {
        let channels = program.channels;
        let inputs = channels * NEIGHBORHOOD;
        let mut gates = Vec::with_capacity(program.gates_per_cell());
        // Appends a layer over `values` and returns the value numbers of its gates.
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

    /// Returns, for each gate that [`from_functions`](Self::from_functions) creates, the index of its trained gate in
    /// [gate order](crate::circuit). An index can occur several times, because all channels share the gates of the
    /// perceive kernels (small circuits over the 3×3 neighborhood).
    #[must_use]
    pub fn trained_gate_indices(architecture: &Architecture) -> Vec<u32> {
        let of_kernels = architecture.kernels * architecture.perceive.iter().sum::<usize>();
        let perceive = (0..architecture.channels).flat_map(|_| 0..of_kernels);
        perceive.chain(of_kernels..architecture.gates()).map(|gate| gate as u32).collect()
    }

    /// Creates a circuit with the same number of channels as `self`, but with the given gates, in topological order,
    /// and outputs. Gates and outputs are not checked.
    pub(super) fn with(&self, (gates, outputs): (Vec<Gate>, Vec<u32>)) -> Self {
        Self { channels: self.channels, gates, outputs }
    }

    /// Returns the number of channels of a cell.
    #[must_use]
    pub fn channels(&self) -> usize {
        self.channels
    }

    /// Returns the number of inputs of the circuit: the 9 bits of a neighborhood for each channel.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.channels * NEIGHBORHOOD
    }

    /// Returns the gates in topological order; gate i has value number [`inputs`](Self::inputs) + i.
    #[must_use]
    pub fn gates(&self) -> &[Gate] {
        &self.gates
    }

    /// Returns the outputs of the circuit, `[channel]`: for each channel of the cell's next state, the index of the input
    /// or gate that computes it. Inputs are numbered before gates.
    #[must_use]
    pub fn outputs(&self) -> &[u32] {
        &self.outputs
    }

    /// Returns the gate with value number `value`; `None` for an input.
    #[must_use]
    pub fn gate_of(&self, value: u32) -> Option<&Gate> {
        self.gates.get((value as usize).checked_sub(self.inputs())?)
    }

    /// Returns the name of a value in files: `i` and its number for an input, `g` and the gate index for a gate.
    #[must_use]
    pub fn name(&self, value: u32) -> String {
        match (value as usize).checked_sub(self.inputs()) {
            None => format!("i{value}"),
            Some(gate) => format!("g{gate}"),
        }
    }

    /// Evaluates the circuit for 64 independent input assignments, gate by gate. Bit j of `inputs[i]` is the value of
    /// input i in assignment j; the returned outputs have the same format. The compiled circuit is tested against this
    /// function.
    ///
    /// # Panics
    /// If the number of words is not [`inputs`](Self::inputs).
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

/// Checks that the numbers of channels, gates and outputs of a circuit are allowed.
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

//! The circuit of a cell as a list of layers of gates, the form in which circuits are evaluated.
//!
//! The *value buffer* of an evaluation holds the inputs and outputs of all layers, one row for each. A row stores its
//! value for several cells: floats in soft rollouts, words of bits in hard rollouts. Outputs of the perceive stage are
//! stored in the order (channel, kernel, output). The wiring of the first update layer numbers them in the order
//! (channel, output, kernel); this module translates the indices.

use crate::circuit::{Architecture, NEIGHBORHOOD, Wiring};
use std::ops::Range;

/// Layer of gates: the inputs of every gate, and the indices of these gates among all trained gates of the circuit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateLayer {
    /// Number of inputs of the layer. Each input is one row of the value buffer, which holds the inputs and outputs of
    /// all layers.
    pub inputs: usize,
    /// Inputs (a, b) of every gate, as row offsets from the layer's first input in the value buffer, which holds the
    /// inputs and outputs of all layers.
    pub wires: Vec<[u32; 2]>,
    /// Indices of the layer's gates among all trained gates of the circuit, in [gate order](crate::circuit).
    pub gates: Range<usize>,
}

/// Circuit of a cell as layers of gates. Each wire is a row index in the buffer of all gate inputs and outputs; see the
/// [module](self).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayeredCircuit {
    /// Number of bits of a cell's state.
    pub channels: usize,
    /// Number of values that all perceive kernels (small circuits over the 3×3 neighborhood) together compute for one
    /// channel.
    pub perceived: usize,
    /// Layers of the perceive kernels (small circuits over the 3×3 neighborhood). The layers map the 9 neighborhood
    /// values of a channel to `perceived` outputs.
    pub perceive: Vec<GateLayer>,
    /// Layers of the update circuit. The layers map the cell's `channels` values and the `channels × perceived` outputs
    /// of the perceive kernels to the `channels` values of the cell's next state.
    pub update: Vec<GateLayer>,
}

impl LayeredCircuit {
    /// Builds the layers of the architecture, which must be valid, from the wiring that was drawn for it.
    #[must_use]
    pub fn new(architecture: &Architecture, wiring: &Wiring) -> Self {
        let Architecture { channels, kernels, .. } = *architecture;
        let outputs = architecture.kernel_outputs();
        let mut first_gate = 0;
        let mut layer = |inputs, wires: Vec<[u32; 2]>| {
            let gates = first_gate..first_gate + wires.len();
            first_gate = gates.end;
            GateLayer { inputs, wires, gates }
        };

        let mut perceive = Vec::new();
        let mut width_before = 0;
        for wires in &wiring.perceive {
            // In the first layer all kernels read the neighborhood. In later layers each kernel reads its own previous
            // layer.
            let inputs = if width_before == 0 { NEIGHBORHOOD } else { kernels * width_before };
            let of_kernel = |kernel: usize| {
                let start = (kernel * width_before) as u32;
                wires.iter().map(move |&[a, b]| [start + a, start + b])
            };
            perceive.push(layer(inputs, (0..kernels).flat_map(of_kernel).collect()));
            width_before = wires.len();
        }

        let row_of = |value: u32| {
            let Some(place) = (value as usize).checked_sub(channels) else { return value };
            let (channel, output, kernel) =
                (place / (outputs * kernels), place / kernels % outputs, place % kernels);
            (channels + (channel * kernels + kernel) * outputs + output) as u32
        };
        let mut update = Vec::new();
        let mut inputs = architecture.update_inputs();
        for (number, wires) in wiring.update.iter().enumerate() {
            let wires: Vec<_> =
                wires.iter().map(|pair| if number == 0 { pair.map(row_of) } else { *pair }).collect();
            let width = wires.len();
            update.push(layer(inputs, wires));
            inputs = width;
        }
        Self { channels, perceived: kernels * outputs, perceive, update }
    }

    /// Returns the number of inputs of the update circuit, which computes a cell's next state: the cell's own channels
    /// and the outputs of the perceive kernels (small circuits over the 3×3 neighborhood).
    #[must_use]
    pub fn update_inputs(&self) -> usize {
        self.channels * (1 + self.perceived)
    }

    /// Returns the number of trained gates of the circuit, each with its own logits. Gates of a perceive kernel (a
    /// small circuit over the 3×3 neighborhood) count once, because all channels share them.
    #[must_use]
    pub fn gates(&self) -> usize {
        self.update.last().map_or(0, |layer| layer.gates.end)
    }

    /// Returns the number of gates that one cell evaluates per automaton step. Gates of a perceive kernel (a small
    /// circuit over the 3×3 neighborhood) count once per channel.
    #[must_use]
    pub fn gates_per_cell(&self) -> usize {
        let gates = |layers: &[GateLayer]| layers.iter().map(|layer| layer.wires.len()).sum::<usize>();
        self.channels * gates(&self.perceive) + gates(&self.update)
    }

    /// Returns the maximum number of values per cell that a layer of the update circuit reads or writes. The update
    /// circuit computes a cell's next state.
    #[must_use]
    pub fn widest_update(&self) -> usize {
        let widths = self.update.iter().map(|layer| layer.wires.len());
        widths.max().unwrap_or(0).max(self.update_inputs())
    }

    /// Returns the maximum number of values per cell that a layer of the perceive kernels (small circuits over the 3×3
    /// neighborhood) writes for one channel.
    #[must_use]
    pub fn widest_perceive(&self) -> usize {
        self.perceive.iter().map(|layer| layer.wires.len()).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn update_inputs_are_translated_to_row_order() {
        let architecture =
            Architecture { channels: 2, kernels: 3, perceive: vec![8, 2], update: vec![14, 7, 4, 2] };
        architecture.check().unwrap();
        let wiring = Wiring::new(&architecture, 3);
        let program = LayeredCircuit::new(&architecture, &wiring);
        assert_eq!(program.gates(), architecture.gates());
        assert_eq!(program.gates_per_cell(), architecture.gates_per_cell());
        // Value (channel 1, output 0, kernel 2) is number 2 + (1·2 + 0)·3 + 2 = 10 of the wiring, and lies in row
        // 2 + (1·3 + 2)·2 + 0 = 12.
        for (wired, laid) in wiring.update[0].iter().flatten().zip(program.update[0].wires.iter().flatten()) {
            assert_eq!(*wired == 10, *laid == 12);
            assert_eq!(*wired < 2, *laid < 2);
        }
        let rows: std::collections::BTreeSet<_> = program.update[0].wires.iter().flatten().collect();
        assert_eq!(rows.len(), architecture.update_inputs());
        // The second layer of kernel 2 reads the first layer of kernel 2.
        assert!(program.perceive[1].wires[4..].iter().flatten().all(|row| (16..24).contains(row)));
        assert!(program.perceive[0].wires.iter().flatten().all(|row| *row < 9));
    }
}

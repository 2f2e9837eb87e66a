//! Export of hard circuits as Verilog modules.

use super::circuit::{Circuit, Gate};
use crate::circuit::NEIGHBORHOOD;
use crate::gate::NAMES;
use std::fmt::Write;

/// Name of the module in the exported Verilog source.
pub const MODULE: &str = "vivarium_cell";

impl Circuit {
    /// Returns the circuit as a synthesizable combinational Verilog-2001 module: inputs are the bits of the
    /// neighborhood, outputs the next channels. Each gate is a wire with its name in the JSON format.
    #[must_use]
    pub fn to_verilog(&self) -> String {
        let mut text = format!(
            "// One cell of a logic cellular automaton: {} gates.\n\
             // in[9 * channel + position]: the 3x3 neighborhood, row by row; position 4 is the cell itself.\n\
             // out[channel]: the next state of the cell.\n\
             module {MODULE} (\n  input  wire [{}:0] in,\n  output wire [{}:0] out\n);\n",
            self.gates().len(),
            self.channels() * NEIGHBORHOOD - 1,
            self.channels() - 1,
        );
        let wire = |value: u32| match self.gate_of(value) {
            None => format!("in[{value}]"),
            Some(_) => self.name(value),
        };
        // Writing to a string cannot fail.
        for (number, gate) in self.gates().iter().enumerate() {
            let value = expression(*gate, &wire(gate.a), &wire(gate.b));
            let name = NAMES[usize::from(gate.function)];
            let _ = writeln!(text, "  wire g{number} = {value}; // {name}");
        }
        for (channel, &value) in self.outputs().iter().enumerate() {
            let _ = writeln!(text, "  assign out[{channel}] = {};", wire(value));
        }
        text + "endmodule\n"
    }
}

fn expression(gate: Gate, a: &str, b: &str) -> String {
    match gate.function {
        0 => "1'b0".into(),
        1 => format!("{a} & {b}"),
        2 => format!("{a} & ~{b}"),
        3 => a.into(),
        4 => format!("~{a} & {b}"),
        5 => b.into(),
        6 => format!("{a} ^ {b}"),
        7 => format!("{a} | {b}"),
        8 => format!("~({a} | {b})"),
        9 => format!("~({a} ^ {b})"),
        10 => format!("~{b}"),
        11 => format!("{a} | ~{b}"),
        12 => format!("~{a}"),
        13 => format!("~{a} | {b}"),
        14 => format!("~({a} & {b})"),
        _ => "1'b1".into(),
    }
}

//! WGSL code generation for the perceive stage. A kernel has so few gates that an invocation keeps all values in
//! registers.
//!
//! Wires are compiled into the source, coefficients are read from a buffer. The backward pass is generated gate by gate
//! in reverse order.

use crate::circuit::{CENTER, NEIGHBORHOOD, Wiring};
use std::fmt::Write;

/// Generates the WGSL function `perceive(base, cell, kernel, row)`. The function evaluates a kernel on the chunk of 1
/// to 4 cells from `cell` on, in the channel whose states begin at offset `base`, and writes the outputs to `values`
/// from `row` on.
///
/// If `back` is true, also generates `backward_kernel` with the same parameters. This function reads the output
/// gradients from `values`, writes `neighborhood_gradients`, and adds the gates' gradient sums to `sums`.
pub(super) fn wgsl(wiring: &Wiring, kernels: usize, back: bool) -> String {
    let mut text = String::from("fn perceive(base: u32, cell: u32, kernel: u32, row: u32) {\n");
    let outputs = evaluate(&mut text, wiring, kernels);
    for (number, output) in outputs.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "    values[row + {number}u] = {output};");
    }
    text.push_str("}\n");
    if back {
        gate_index(&mut text, wiring, kernels);
        text.push_str("fn backward_kernel(base: u32, cell: u32, kernel: u32, row: u32) {\n");
        backward_update(&mut text, wiring, kernels);
        text.push_str("}\n");
    }
    text
}

/// Returns the names of the WGSL variables that hold the inputs of layer `layer` of a perceive kernel (small circuit
/// over the 3×3 neighborhood): the neighborhood for layer 0, the gates of the previous layer for all others.
fn inputs(wiring: &Wiring, layer: usize) -> Vec<String> {
    match layer.checked_sub(1) {
        None => (0..NEIGHBORHOOD).map(|place| format!("n{place}")).collect(),
        Some(below) => (0..wiring.perceive[below].len()).map(|gate| format!("v{below}_{gate}")).collect(),
    }
}

/// Appends to `text` the WGSL statements that evaluate all gates of a perceive kernel (a small circuit over the 3×3
/// neighborhood of one channel). Returns the names of the WGSL variables that hold the kernel's outputs.
fn evaluate(text: &mut String, wiring: &Wiring, kernels: usize) -> Vec<String> {
    for place in 0..NEIGHBORHOOD {
        let read =
            if place == CENTER { "own(base, cell)".into() } else { format!("around(base, {place}u, cell)") };
        let _ = writeln!(text, "    let n{place} = {read};");
    }
    let mut start = 0;
    for (layer, wires) in wiring.perceive.iter().enumerate() {
        let (inputs, gates) = (inputs(wiring, layer), wires.len());
        for (gate, [a, b]) in wires.iter().enumerate() {
            let (a, b) = (&inputs[*a as usize], &inputs[*b as usize]);
            let _ = writeln!(
                text,
                "    let c{layer}_{gate} = coefficients[{start}u + kernel * {gates}u + {gate}u];"
            );
            let _ = writeln!(text, "    let v{layer}_{gate} = gate(c{layer}_{gate}, {a}, {b});");
        }
        start += kernels * gates;
    }
    inputs(wiring, wiring.perceive.len())
}

/// Appends the WGSL function `gate_index(number, kernel)` to `text`, which returns the index of gate `number` of a
/// perceive kernel (small circuit over the 3×3 neighborhood) among all trained gates.
fn gate_index(text: &mut String, wiring: &Wiring, kernels: usize) {
    text.push_str("fn gate_index(number: u32, kernel: u32) -> u32 {\n");
    let (mut first, mut start) = (0, 0);
    for wires in &wiring.perceive {
        let gates = wires.len();
        let _ = writeln!(
            text,
            "    if (number < {}u) {{\n        return {start}u + kernel * {gates}u + number - {first}u;\n    }}",
            first + gates
        );
        first += gates;
        start += kernels * gates;
    }
    text.push_str("    return 0u;\n}\n");
}

fn backward_update(text: &mut String, wiring: &Wiring, kernels: usize) {
    evaluate(text, wiring, kernels);
    let last = wiring.perceive.len() - 1;
    for gate in 0..wiring.perceive[last].len() {
        let _ = writeln!(text, "    let g{last}_{gate} = values[row + {gate}u];");
    }
    let mut sum = wiring.perceive.iter().map(Vec::len).sum::<usize>();
    for (layer, wires) in wiring.perceive.iter().enumerate().rev() {
        let inputs = inputs(wiring, layer);
        sum -= wires.len();
        // For every input: WGSL expressions whose sum is its gradient, one for each gate that reads the input.
        let mut terms = vec![Vec::new(); inputs.len()];
        for (gate, &[a, b]) in wires.iter().enumerate() {
            let (g, c) = (format!("g{layer}_{gate}"), format!("c{layer}_{gate}"));
            let (of_a, of_b) = (&inputs[a as usize], &inputs[b as usize]);
            let _ = writeln!(text, "    sums[{}] += products({g}, {of_a}, {of_b});", sum + gate);
            terms[a as usize].push(format!("{g} * ({of_b} * {c}.w + {c}.y)"));
            terms[b as usize].push(format!("{g} * ({of_a} * {c}.w + {c}.z)"));
        }
        for (input, terms) in terms.iter().enumerate() {
            let value = if terms.is_empty() { "Lanes(0.0)".into() } else { terms.join(" + ") };
            let _ = match layer.checked_sub(1) {
                None => writeln!(text, "    neighborhood_gradients[{input}] = {value};"),
                Some(below) => writeln!(text, "    let g{below}_{input} = {value};"),
            };
        }
    }
}

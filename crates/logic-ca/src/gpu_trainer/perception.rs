//! The perception as text: one kernel of it has so few gates that an invocation keeps all their values in registers.
//!
//! Wires are constants of the text, coefficients are read. What the way back does follows gate by gate from the way
//! there, last gate first.

use crate::circuit::Wiring;
use crate::wiring::{CENTER, NEIGHBORHOOD};
use std::fmt::Write;

/// The functions `perceive(base, cell, kernel, row)`, which evaluates a kernel on a chunk of a channel that begins at
/// `base` and writes its outputs to `values` from `row` on; and, with `back`, `perceive_back` with the same arguments,
/// which reads the gradients of the outputs there, leaves those of the neighborhood in `near`, and adds to `sums`.
pub(super) fn wgsl(wiring: &Wiring, kernels: usize, back: bool) -> String {
    let mut text = String::from("fn perceive(base: u32, cell: u32, kernel: u32, row: u32) {\n");
    let outputs = evaluate(&mut text, wiring, kernels);
    for (number, output) in outputs.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "    values[row + {number}u] = {output};");
    }
    text.push_str("}\n");
    if back {
        place_of(&mut text, wiring, kernels);
        text.push_str("fn perceive_back(base: u32, cell: u32, kernel: u32, row: u32) {\n");
        go_back(&mut text, wiring, kernels);
        text.push_str("}\n");
    }
    text
}

/// The names of what a layer reads.
fn inputs(wiring: &Wiring, layer: usize) -> Vec<String> {
    match layer.checked_sub(1) {
        None => (0..NEIGHBORHOOD).map(|place| format!("n{place}")).collect(),
        Some(below) => (0..wiring.perceive[below].len()).map(|gate| format!("v{below}_{gate}")).collect(),
    }
}

/// Every gate's value; returns the names of the last layer's.
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

/// The function `place_of(gate, kernel)`: where a kernel's gate stands in the order of gates.
fn place_of(text: &mut String, wiring: &Wiring, kernels: usize) {
    text.push_str("fn place_of(number: u32, kernel: u32) -> u32 {\n");
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

fn go_back(text: &mut String, wiring: &Wiring, kernels: usize) {
    evaluate(text, wiring, kernels);
    let last = wiring.perceive.len() - 1;
    for gate in 0..wiring.perceive[last].len() {
        let _ = writeln!(text, "    let g{last}_{gate} = values[row + {gate}u];");
    }
    let mut sum = wiring.perceive.iter().map(Vec::len).sum::<usize>();
    for (layer, wires) in wiring.perceive.iter().enumerate().rev() {
        let inputs = inputs(wiring, layer);
        sum -= wires.len();
        // What comes to every input from those that read it.
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
                None => writeln!(text, "    near[{input}] = {value};"),
                Some(below) => writeln!(text, "    let g{below}_{input} = {value};"),
            };
        }
    }
}

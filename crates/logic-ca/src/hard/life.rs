//! Conway's Game of Life: the rule, a check of a circuit against it, and a hand-made circuit.

use super::circuit::{Circuit, Gate};
use crate::circuit::{CENTER, NEIGHBORHOOD};

/// Number of 3×3 neighborhoods of binary cells: 2⁹ = 512.
pub const CASES: u16 = 1 << NEIGHBORHOOD;

/// Returns whether the center cell is alive in the next step. Bit i of `neighborhood` is the cell at position i, 0 to
/// 8, row by row.
#[must_use]
pub fn rule(neighborhood: u16) -> bool {
    let alive = neighborhood >> CENTER & 1 == 1;
    match (neighborhood & !(1 << CENTER)).count_ones() {
        3 => true,
        2 => alive,
        _ => false,
    }
}

/// Returns the neighborhoods for which channel 0 of the circuit differs from the [`rule`]. All other input channels are
/// 0.
#[must_use]
pub fn mistakes(circuit: &Circuit) -> Vec<u16> {
    let cases: Vec<u16> = (0..CASES).collect();
    let wrong = |cases: &[u16]| {
        let mut inputs = vec![0u64; circuit.inputs()];
        for (bit, &case) in cases.iter().enumerate() {
            for (place, input) in inputs[..NEIGHBORHOOD].iter_mut().enumerate() {
                *input |= u64::from(case >> place & 1) << bit;
            }
        }
        let next = circuit.evaluate(&inputs)[0];
        let is_wrong = move |(bit, case): (usize, &u16)| (next >> bit & 1 == 1) != rule(*case);
        cases.iter().enumerate().filter(|&(bit, case)| is_wrong((bit, case))).map(|(_, &case)| case).collect()
    };
    cases.chunks(64).flat_map(|cases| -> Vec<u16> { wrong(cases) }).collect()
}

/// Returns a hand-made circuit of the Game of Life for one channel; it counts the neighbors with full and half adders.
#[must_use]
pub fn circuit() -> Circuit {
    const AND: u8 = 1;
    const XOR: u8 = 6;
    const OR: u8 = 7;
    const NOR: u8 = 8;
    let mut gates = Vec::new();
    let mut gate = |function, a, b| {
        gates.push(Gate { function, a, b });
        (NEIGHBORHOOD + gates.len() - 1) as u32
    };
    // Returns the sum bit (weight 1) and the carry bit (weight 2).
    let mut adder = |a, b, c: Option<u32>| {
        let (sum, carry) = (gate(XOR, a, b), gate(AND, a, b));
        let Some(c) = c else { return (sum, carry) };
        let (whole, second) = (gate(XOR, sum, c), gate(AND, sum, c));
        (whole, gate(OR, carry, second))
    };
    let (above, carry_above) = adder(0, 1, Some(2));
    let (below, carry_below) = adder(6, 7, Some(8));
    let (beside, carry_beside) = adder(3, 5, None);
    let (odd, carry) = adder(above, below, Some(beside));
    // Two or three neighbors: exactly one carry.
    let (first, both_first) = adder(carry_above, carry_below, None);
    let (second, both_second) = adder(carry_beside, carry, None);
    let (one_or_three, _) = adder(first, second, None);
    let none_paired = gate(NOR, both_first, both_second);
    let two_or_three = gate(AND, one_or_three, none_paired);
    let enough = gate(OR, odd, CENTER as u32);
    let next = gate(AND, two_or_three, enough);
    Circuit::new(1, gates, vec![next]).expect("gates stand in order")
}

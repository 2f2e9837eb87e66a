//! Netlist simplification: passes that reduce a circuit and preserve its function.
//!
//! Passes: constant folding, pass-through and inverter folding, common subexpression elimination, folding of nested
//! gates, dead gate elimination. All passes but the last keep the gate numbering: they replace functions and wires
//! until some gates have no reader, and [`prune_dead`](Circuit::prune_dead) removes these. Two-input gates absorb
//! inverters at their inputs, so inverters remain at most at outputs.

use super::circuit::{Circuit, Gate};
use std::collections::HashMap;

/// Number of repetitions without a removed gate after which simplification stops. A repetition runs all
/// passes. A repetition that removes no gate may still change gates, so that the next repetition can remove some.
const IDLE_ROUNDS: usize = 8;

const FALSE: u8 = 0;
const PASS_A: u8 = 3;
const PASS_B: u8 = 5;
const NOT_B: u8 = 10;
const NOT_A: u8 = 12;
const TRUE: u8 = 15;

// A function's number is its truth table: bit 0 is f(1, 1), bit 1 f(1, 0), bit 2 f(0, 1), bit 3 f(0, 0).

/// Returns the number of the function f(¬a, b), for the Boolean function f with number `f`.
fn invert_a(f: u8) -> u8 {
    (f >> 2) | (f & 3) << 2
}

/// Returns the number of the function f(a, ¬b), for the Boolean function f with number `f`.
fn invert_b(f: u8) -> u8 {
    (f >> 1 & 5) | (f & 5) << 1
}

/// Returns the number of the function f(b, a), for the Boolean function f with number `f`.
fn swap_inputs(f: u8) -> u8 {
    (f & 9) | (f >> 1 & 2) | (f & 2) << 1
}

/// Returns the number of the function f with its first input set to the constant `a`: a constant, or a function of the
/// second input alone.
fn with_a(f: u8, a: bool) -> u8 {
    if a { (f & 3) | (f & 3) << 2 } else { (f >> 2) | (f >> 2) << 2 }
}

/// Returns the number of the function f with its second input set to the constant `b`: a constant, or a function of the
/// first input alone.
fn with_b(f: u8, b: bool) -> u8 {
    if b { (f & 5) | (f & 5) << 1 } else { (f & 10) | (f & 10) >> 1 }
}

/// Returns the number of the function f(a, a), as a function of the first input alone.
fn on_diagonal(f: u8) -> u8 {
    let (at_one, at_zero) = (f & 1, f >> 3 & 1);
    (at_one * PASS_A) | (at_zero * NOT_A)
}

impl Circuit {
    /// Applies all simplification passes repeatedly, until further repetitions remove no gates.
    #[must_use]
    pub fn simplified(&self) -> Self {
        self.simplified_with_origins().0
    }

    /// Simplifies the circuit as [`simplified`](Self::simplified) does. Also returns, for each remaining gate, the
    /// index of the original gate that it was derived from.
    #[must_use]
    pub fn simplified_with_origins(&self) -> (Self, Vec<u32>) {
        let (mut best, mut origins) = self.prune_dead_with_origins();
        // A repetition that removes no gate may still enable removals in the next one.
        for _idle in 0..IDLE_ROUNDS {
            loop {
                let next = best.fold_constants().fold_pass_throughs().merge_equal().fold_nested();
                let (next, kept) = next.fold_constants().fold_pass_throughs().prune_dead_with_origins();
                let fewer = next.gates().len() < best.gates().len();
                if next == best || next.gates().len() > best.gates().len() {
                    return (best, origins);
                }
                best = next;
                origins = kept.iter().map(|&gate| origins[gate as usize]).collect();
                if !fewer {
                    break;
                }
            }
        }
        (best, origins)
    }

    /// Folds constants: simplifies gates with a constant input or with two equal inputs. A gate whose output is always
    /// the same gets the function FALSE or TRUE.
    #[must_use]
    pub fn fold_constants(&self) -> Self {
        let mut known: Vec<Option<bool>> = vec![None; self.inputs()];
        let next = self.rewrite(|mut gate, _| {
            if gate.a == gate.b {
                gate.function = on_diagonal(gate.function);
            }
            if let Some(a) = known[gate.a as usize] {
                gate.function = with_a(gate.function, a);
            }
            if let Some(b) = known[gate.b as usize] {
                gate.function = with_b(gate.function, b);
            }
            known.push(match gate.function {
                FALSE => Some(false),
                TRUE => Some(true),
                _ => None,
            });
            gate
        });
        self.with(next)
    }

    /// Folds pass-throughs and inverters: readers of such a gate read its input instead and absorb the inversion in
    /// their function. A remaining inverter of a gate becomes a copy of the gate with complemented function.
    #[must_use]
    pub fn fold_pass_throughs(&self) -> Self {
        // For every value: the value that it equals up to inversion, and whether it is inverted.
        let mut same: Vec<(u32, bool)> = (0..self.inputs() as u32).map(|input| (input, false)).collect();
        let mut next = self.rewrite(|mut gate, before| {
            let ((a, a_inverted), (b, b_inverted)) = (same[gate.a as usize], same[gate.b as usize]);
            gate = Gate { a, b, ..gate };
            if a_inverted {
                gate.function = invert_a(gate.function);
            }
            if b_inverted {
                gate.function = invert_b(gate.function);
            }
            let own = same.len() as u32;
            same.push(match gate.function {
                PASS_A => (a, false),
                PASS_B => (b, false),
                NOT_A => (a, true),
                NOT_B => (b, true),
                _ => (own, false),
            });
            // Only circuit outputs still read an inverter, so the inverter can become a gate that computes the
            // complement of its input gate.
            let inverted = match gate.function {
                NOT_A => self.gate_number(a),
                NOT_B => self.gate_number(b),
                _ => None,
            };
            inverted.map_or(gate, |number| {
                let source: Gate = before[number];
                Gate { function: TRUE - source.function, ..source }
            })
        });
        for output in &mut next.1 {
            if let (value, false) = same[*output as usize] {
                *output = value;
            }
        }
        self.with(next)
    }

    /// Eliminates common subexpressions: merges gates with equal function and inputs. A gate that computes the
    /// complement of another gate becomes an inverter of that gate.
    #[must_use]
    pub fn merge_equal(&self) -> Self {
        let mut same: Vec<u32> = (0..self.inputs() as u32).collect();
        let mut first: HashMap<Gate, u32> = HashMap::new();
        let mut next = self.rewrite(|gate, _| {
            let mut gate = Gate { a: same[gate.a as usize], b: same[gate.b as usize], ..gate };
            if gate.a > gate.b {
                gate = Gate { function: swap_inputs(gate.function), a: gate.b, b: gate.a };
            }
            let own = same.len() as u32;
            let opposite = Gate { function: TRUE - gate.function, ..gate };
            let equal = *first.entry(gate).or_insert(own);
            same.push(equal);
            match first.get(&opposite) {
                Some(&other) if equal == own => Gate { function: NOT_A, a: other, b: other },
                _ => gate,
            }
        });
        next.1.iter_mut().for_each(|output| *output = same[*output as usize]);
        self.with(next)
    }

    /// Folds nested gates: a gate whose input gates depend on at most two values in total reads these values directly.
    #[must_use]
    pub fn fold_nested(&self) -> Self {
        let next = self.rewrite(|gate, before| {
            let within = |value: u32| self.gate_number(value).map(|number| before[number]);
            let (inside_a, inside_b) = (within(gate.a), within(gate.b));
            let through = |inside: Option<Gate>| inside.map_or(Vec::new(), |inside| vec![inside.a, inside.b]);
            let supports = [
                [through(inside_a), through(inside_b)].concat(),
                [through(inside_a), vec![gate.b]].concat(),
                [vec![gate.a], through(inside_b)].concat(),
            ];
            for support in supports {
                let (Some(&low), Some(&high)) = (support.iter().min(), support.iter().max()) else {
                    continue;
                };
                if support.len() < 3 || support.iter().any(|&value| value != low && value != high) {
                    continue;
                }
                // Truth table over the four values of (low, high).
                const LOW: u64 = 0b0011;
                const HIGH: u64 = 0b0101;
                let word = |value| if value == low { LOW } else { HIGH };
                let of = |port: u32, inside: Option<Gate>| match inside {
                    Some(inside) if port != low && port != high => {
                        inside.word(word(inside.a), word(inside.b))
                    }
                    _ => word(port),
                };
                let function = (gate.word(of(gate.a, inside_a), of(gate.b, inside_b)) & 15) as u8;
                return Gate { function, a: low, b: high };
            }
            gate
        });
        self.with(next)
    }

    /// Eliminates dead gates: removes the gates that no circuit output depends on.
    #[must_use]
    pub fn prune_dead(&self) -> Self {
        self.prune_dead_with_origins().0
    }

    /// Removes the gates that no circuit output depends on. Also returns, for each remaining gate, its index in the
    /// gates of `self`.
    fn prune_dead_with_origins(&self) -> (Self, Vec<u32>) {
        let live = self.live();
        let inputs = self.inputs();
        let mut numbers: Vec<u32> = (0..inputs as u32).collect();
        let (mut gates, mut kept) = (Vec::new(), Vec::new());
        for (number, (gate, &live)) in self.gates().iter().zip(&live[inputs..]).enumerate() {
            numbers.push((inputs + gates.len()) as u32);
            if live {
                kept.push(number as u32);
                // An input that the function does not depend on may refer to a removed gate.
                let (a, b) = match (gate.reads_a(), gate.reads_b()) {
                    (true, true) => (gate.a, gate.b),
                    (true, false) => (gate.a, gate.a),
                    (false, true) => (gate.b, gate.b),
                    (false, false) => (0, 0),
                };
                gates.push(Gate { a: numbers[a as usize], b: numbers[b as usize], ..*gate });
            }
        }
        let outputs = self.outputs().iter().map(|&value| numbers[value as usize]).collect();
        (self.with((gates, outputs)), kept)
    }

    /// Returns, for each value (input or gate) of the circuit, whether a circuit output depends on the value,
    /// `[value]`.
    #[must_use]
    pub fn live(&self) -> Vec<bool> {
        let inputs = self.inputs();
        let mut live = vec![false; inputs + self.gates().len()];
        self.outputs().iter().for_each(|&value| live[value as usize] = true);
        for (number, gate) in self.gates().iter().enumerate().rev() {
            if live[inputs + number] {
                gate.reads().for_each(|value| live[value as usize] = true);
            }
        }
        live
    }

    /// Replaces each gate in order by `change(gate, rewritten)`; `rewritten` holds the replacements of all earlier
    /// gates. Returns the new gates and the unchanged outputs.
    fn rewrite(&self, mut change: impl FnMut(Gate, &[Gate]) -> Gate) -> (Vec<Gate>, Vec<u32>) {
        let mut gates = Vec::with_capacity(self.gates().len());
        for &gate in self.gates() {
            gates.push(change(gate, &gates));
        }
        (gates, self.outputs().to_vec())
    }

    /// Returns the gate index of the value with number `value`; `None` if the value is a circuit input.
    fn gate_number(&self, value: u32) -> Option<usize> {
        (value as usize).checked_sub(self.inputs())
    }
}

//! Hard circuits: every gate one of the sixteen functions, values bits, 64 cells of a board's row to a word.

use super::circuit::{Circuit, CircuitError};
use crate::circuit::{Architecture, Wiring};
use crate::gate;
use crate::grid::{Border, Grid};
use crate::program::{GateLayer, Program};
use crate::wiring::NEIGHBOURHOOD;

/// A circuit whose gates have decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HardCircuit {
    /// Its shape.
    pub architecture: Architecture,
    /// Its wires.
    pub wiring: Wiring,
    /// The number of every gate's function, in the [order of gates](crate::circuit).
    pub gates: Vec<u8>,
}

impl HardCircuit {
    /// The netlist that a cell evaluates, all gates in it.
    ///
    /// # Errors
    /// [`CircuitError`] if it has more values than a [`Circuit`] can number.
    pub fn netlist(&self) -> Result<Circuit, CircuitError> {
        Circuit::of_functions(&self.architecture, &self.wiring, &self.gates)
    }
}

/// Words that go through the circuit together: a cache line.
const WORDS: usize = 8;

/// One value of the circuit for [`WORDS`] words of cells.
type Row = [u64; WORDS];

/// A gate as k₀ ⊕ k₁·a ⊕ k₂·b ⊕ k₃·a·b with masks (its algebraic normal form).
type Masks = [u64; 4];

/// The masks of a function.
fn masks(function: u8) -> Masks {
    let at = |a, b| if gate::value(function, a, b) { u64::MAX } else { 0 };
    let [v11, v10, v01, v00] = [at(true, true), at(true, false), at(false, true), at(false, false)];
    [v00, v10 ^ v00, v01 ^ v00, v11 ^ v10 ^ v01 ^ v00]
}

/// The state of some boards under a hard circuit.
#[derive(Debug)]
pub struct Rollout {
    program: Program,
    grid: Grid,
    gates: Vec<Masks>,
    words_per_row: usize,
    /// `[channel][words]`; the words of a row of a board lie together; bits beyond the last column are 0.
    state: Vec<Vec<u64>>,
    /// `[words]`.
    fired: Vec<u64>,
    /// `[place][words]` of one channel.
    neighbourhood: Vec<Vec<u64>>,
    /// `[channel · perceived][words]`.
    perceived: Vec<Vec<u64>>,
    rows: Vec<Row>,
}

impl Rollout {
    /// Memory for this circuit on these boards; every gate is the constant 0 until [`set_gates`](Self::set_gates).
    #[must_use]
    pub fn new(program: Program, grid: Grid) -> Self {
        let words_per_row = grid.width.div_ceil(64);
        // Whole rows of words, so that the circuit need not care where the boards end.
        let words = (grid.boards * grid.height * words_per_row).next_multiple_of(WORDS);
        let planes = |count| vec![vec![0; words]; count];
        let count = |inputs, layers: &[GateLayer]| {
            inputs + layers.iter().map(|layer| layer.wires.len()).sum::<usize>()
        };
        let rows =
            count(NEIGHBOURHOOD, &program.perceive).max(count(program.update_inputs(), &program.update));
        Self {
            gates: vec![[0; 4]; program.gates()],
            words_per_row,
            state: planes(program.channels),
            fired: vec![0; words],
            neighbourhood: planes(NEIGHBOURHOOD),
            perceived: planes(program.channels * program.perceived),
            rows: vec![[0; WORDS]; rows],
            program,
            grid,
        }
    }

    /// Sets every gate's function, in the [order of gates](crate::circuit).
    pub fn set_gates(&mut self, functions: impl Iterator<Item = u8>) {
        for (masks_of, function) in self.gates.iter_mut().zip(functions) {
            *masks_of = masks(function);
        }
    }

    /// The boards.
    #[must_use]
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The bit of a channel of a cell.
    #[must_use]
    pub fn value(&self, channel: usize, lane: usize) -> bool {
        let (word, bit) = self.place(lane);
        self.state[channel][word] >> bit & 1 == 1
    }

    /// Sets a channel, one bit per lane.
    pub fn set(&mut self, channel: usize, values: impl Iterator<Item = bool>) {
        self.state[channel].fill(0);
        for (lane, value) in values.enumerate() {
            let (word, bit) = self.place(lane);
            self.state[channel][word] |= u64::from(value) << bit;
        }
    }

    /// One step in which all cells fire.
    pub fn step(&mut self) {
        self.fired.fill(u64::MAX);
        self.advance();
    }

    /// One step in which some cells fire, one bit per lane; the others keep their state.
    pub fn step_of(&mut self, fired: impl Iterator<Item = bool>) {
        self.fired.fill(0);
        for (lane, fires) in fired.enumerate() {
            let (word, bit) = self.place(lane);
            self.fired[word] |= u64::from(fires) << bit;
        }
        self.advance();
    }

    /// Word and bit of a lane.
    fn place(&self, lane: usize) -> (usize, usize) {
        let (row, column) = (lane / self.grid.width, lane % self.grid.width);
        (row * self.words_per_row + column / 64, column % 64)
    }

    fn advance(&mut self) {
        let Program { channels, perceived, ref perceive, ref update, .. } = self.program;
        for channel in 0..channels {
            for (place, plane) in self.neighbourhood.iter_mut().enumerate() {
                shift(&self.grid, self.words_per_row, &self.state[channel], place, plane);
            }
            let outputs = &mut self.perceived[channel * perceived..][..perceived];
            evaluate(perceive, &self.gates, &mut self.rows, self.neighbourhood.iter(), outputs);
        }
        // Both are read before the chunk's new state is written.
        let (state, perceived) = (&mut self.state, &self.perceived);
        let inputs: usize = channels + perceived.len();
        for first in (0..self.fired.len()).step_by(WORDS) {
            for (row, plane) in self.rows.iter_mut().zip(state.iter().chain(perceived)) {
                row.copy_from_slice(&plane[first..first + WORDS]);
            }
            let outputs = run(update, &self.gates, &mut self.rows, inputs);
            for (plane, new) in state.iter_mut().zip(outputs) {
                let words = plane[first..first + WORDS].iter_mut().zip(&self.fired[first..]);
                for ((word, fired), new) in words.zip(new) {
                    *word = *word & !fired | new & fired;
                }
            }
        }
        // Cells beyond the last column do not exist.
        let last = self.grid.width % 64;
        if last != 0 {
            for plane in state {
                for row in plane.chunks_exact_mut(self.words_per_row) {
                    row[self.words_per_row - 1] &= (1 << last) - 1;
                }
            }
        }
    }
}

/// Runs layers over all words of some planes.
fn evaluate<'a>(
    layers: &[GateLayer],
    gates: &[Masks],
    rows: &mut [Row],
    inputs: impl ExactSizeIterator<Item = &'a Vec<u64>> + Clone,
    outputs: &mut [Vec<u64>],
) {
    let words = outputs.first().map_or(0, Vec::len);
    for first in (0..words).step_by(WORDS) {
        for (row, plane) in rows.iter_mut().zip(inputs.clone()) {
            row.copy_from_slice(&plane[first..first + WORDS]);
        }
        let results = run(layers, gates, rows, inputs.len());
        for (plane, result) in outputs.iter_mut().zip(results) {
            plane[first..first + WORDS].copy_from_slice(result);
        }
    }
}

/// Runs layers over one row of words each; returns the last layer's rows.
fn run<'a>(layers: &[GateLayer], gates: &[Masks], rows: &'a mut [Row], inputs: usize) -> &'a [Row] {
    let mut range = 0..inputs;
    for layer in layers {
        let (below, above) = rows[range.start..].split_at_mut(layer.inputs);
        for ((&[a, b], masks), out) in layer.wires.iter().zip(&gates[layer.gates.clone()]).zip(above) {
            let (a, b, [k0, k1, k2, k3]) = (&below[a as usize], &below[b as usize], *masks);
            for (out, (a, b)) in out.iter_mut().zip(a.iter().zip(b)) {
                *out = k0 ^ (k1 & a) ^ (k2 & b) ^ (k3 & a & b);
            }
        }
        range = range.end..range.end + layer.wires.len();
    }
    &rows[range]
}

/// The plane of what stands at a place of every cell's neighbourhood.
fn shift(grid: &Grid, words_per_row: usize, from: &[u64], place: usize, to: &mut [u64]) {
    let periodic = grid.border == Border::Periodic;
    let last = grid.width - 1;
    for board in 0..grid.boards {
        for row in 0..grid.height {
            let to = &mut to[(board * grid.height + row) * words_per_row..][..words_per_row];
            let source = (row + grid.height + place / 3 - 1) % grid.height;
            if !periodic && row + place / 3 != source + 1 {
                to.fill(0);
                continue;
            }
            let from = &from[(board * grid.height + source) * words_per_row..][..words_per_row];
            match place % 3 {
                0 => {
                    let mut carry = if periodic { from[last / 64] >> (last % 64) & 1 } else { 0 };
                    for (to, from) in to.iter_mut().zip(from) {
                        *to = from << 1 | carry;
                        carry = from >> 63;
                    }
                }
                1 => to.copy_from_slice(from),
                _ => {
                    let next = from[1..].iter().chain(&[0]);
                    for ((to, from), next) in to.iter_mut().zip(from).zip(next) {
                        *to = from >> 1 | next << 63;
                    }
                    if periodic {
                        to[last / 64] |= (from[0] & 1) << (last % 64);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_kernels::rng::Stream;

    #[test]
    fn masks_are_the_functions() {
        for function in 0..16 {
            let [k0, k1, k2, k3] = masks(function);
            for (a, b) in [(false, false), (false, true), (true, false), (true, true)] {
                let word = |x: bool| if x { u64::MAX } else { 0 };
                let out = k0 ^ (k1 & word(a)) ^ (k2 & word(b)) ^ (k3 & word(a) & word(b));
                assert_eq!(out, word(gate::value(function, a, b)));
            }
        }
    }

    /// Cell by cell, one bit at a time, from the wiring as it is.
    fn slow_step(circuit: &HardCircuit, grid: &Grid, state: &[Vec<bool>]) -> Vec<Vec<bool>> {
        let Architecture { channels, kernels, .. } = circuit.architecture;
        let mut next = vec![vec![false; grid.lanes()]; channels];
        for lane in 0..grid.lanes() {
            let mut inputs: Vec<bool> = (0..channels).map(|channel| state[channel][lane]).collect();
            for channel in state {
                let around: Vec<bool> = (0..9)
                    .map(|place| grid.neighbour(lane, place).is_some_and(|cell| channel[cell]))
                    .collect();
                let mut of_kernels = vec![around; kernels];
                let mut gate = circuit.gates.iter();
                for wires in &circuit.wiring.perceive {
                    for values in &mut of_kernels {
                        *values = layer(wires, values, &mut gate);
                    }
                }
                for output in 0..circuit.architecture.perceived() {
                    inputs.extend(of_kernels.iter().map(|values| values[output]));
                }
            }
            let of_kernels = kernels * circuit.architecture.perceive.iter().sum::<usize>();
            let mut gate = circuit.gates[of_kernels..].iter();
            for wires in &circuit.wiring.update {
                inputs = layer(wires, &inputs, &mut gate);
            }
            for (channel, value) in inputs.into_iter().enumerate() {
                next[channel][lane] = value;
            }
        }
        next
    }

    fn layer<'a>(wires: &[[u32; 2]], values: &[bool], gates: &mut impl Iterator<Item = &'a u8>) -> Vec<bool> {
        let of = |(&[a, b], &function): (&[u32; 2], &u8)| {
            gate::value(function, values[a as usize], values[b as usize])
        };
        wires.iter().zip(gates).map(of).collect()
    }

    #[test]
    fn words_of_cells_agree_with_cells_one_by_one() {
        let architecture =
            Architecture { channels: 3, kernels: 2, perceive: vec![8, 4, 2], update: vec![12, 8, 4, 3] };
        architecture.check().unwrap();
        let wiring = Wiring::new(&architecture, 4);
        let mut stream = Stream::new(9, 0);
        for border in [Border::Periodic, Border::Fixed] {
            for (boards, height, width) in
                [(1, 3, 3), (3, 4, 7), (2, 5, 64), (1, 2, 65), (1, 3, 130), (1, 1, 1)]
            {
                let grid = Grid { boards, height, width, border };
                let gates = (0..architecture.gates()).map(|_| stream.below(16) as u8).collect();
                let circuit =
                    HardCircuit { architecture: architecture.clone(), wiring: wiring.clone(), gates };
                let mut state: Vec<Vec<bool>> =
                    (0..3).map(|_| (0..grid.lanes()).map(|_| stream.below(2) == 1).collect()).collect();
                let mut rollout = Rollout::new(Program::new(&architecture, &wiring), grid);
                rollout.set_gates(circuit.gates.iter().copied());
                for (channel, bits) in state.iter().enumerate() {
                    rollout.set(channel, bits.iter().copied());
                }
                for step in 0..3 {
                    let mut next = slow_step(&circuit, &grid, &state);
                    if step == 0 {
                        rollout.step();
                    } else {
                        let fired: Vec<bool> = (0..grid.lanes()).map(|_| stream.below(2) == 1).collect();
                        rollout.step_of(fired.iter().copied());
                        for (new, old) in next.iter_mut().zip(&state) {
                            for (lane, new) in new.iter_mut().enumerate() {
                                *new = if fired[lane] { *new } else { old[lane] };
                            }
                        }
                    }
                    state = next;
                    for (channel, bits) in state.iter().enumerate() {
                        let got: Vec<bool> =
                            (0..grid.lanes()).map(|lane| rollout.value(channel, lane)).collect();
                        assert_eq!(&got, bits, "{grid:?}, step {step}, channel {channel}");
                    }
                }
            }
        }
    }
}

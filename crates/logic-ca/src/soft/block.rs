//! Forward and backward pass of one automaton step of the circuit for one block of lanes (cells).

use crate::circuit::{CENTER, NEIGHBORHOOD};
use crate::gate::Coefficients;
use crate::layered_circuit::{GateLayer, LayeredCircuit};
use vivarium_kernels::simd::{Simd, SimdBase, SimdFloat, sums_of_each};

/// Scratch memory of a thread for the forward and backward pass of one block of lanes (cells).
#[derive(Debug, Default)]
pub struct BlockScratch {
    /// Values of the perceive kernels (small circuits over the 3×3 neighborhood) for one channel, one row per value and
    /// one element per lane (cell): the nine neighborhood positions, followed by the outputs of all layers except the
    /// last.
    perceive: Vec<CellRow>,
    /// Values of the update circuit, one row per value and one element per lane (cell): its inputs, followed by the
    /// outputs of all its layers.
    update: Vec<CellRow>,
    /// Gradients of the outputs and of the inputs of the update layer that is being processed (double buffer).
    update_gradients: [Vec<CellRow>; 2],
    perceive_gradients: [Vec<CellRow>; 2],
    /// Gradient of the state after the step, `[channel]`, for updated cells: the part that flows through the circuit.
    state_gradients: Vec<CellRow>,
    /// Gradient of the state after the step, `[channel]`, for cells that the step did not update: the part that flows
    /// to the state before the step unchanged.
    bypass_gradients: Vec<CellRow>,
}

impl BlockScratch {
    /// Allocates scratch memory of the size that `program`, the circuit of a cell, needs.
    pub fn new(program: &LayeredCircuit) -> Self {
        let rows = |count| vec![CellRow::ZERO; count];
        let gates = |layers: &[GateLayer]| layers.iter().map(|layer| layer.wires.len()).sum::<usize>();
        let both = |count| [rows(count), rows(count)];
        Self {
            perceive: rows(NEIGHBORHOOD + gates(&program.perceive) - program.perceived),
            update: rows(program.update_inputs() + gates(&program.update)),
            update_gradients: both(program.widest_update()),
            perceive_gradients: both(program.widest_perceive()),
            state_gradients: rows(program.channels),
            bypass_gradients: rows(program.channels),
        }
    }
}

/// Inputs of a step of the soft automaton (differentiable gates) that are equal for all blocks of lanes (cells).
#[derive(Clone, Copy)]
pub struct SoftStep<'a> {
    pub program: &'a LayeredCircuit,
    /// Coefficients of every trained gate, `[gate]`: a gate with inputs a and b outputs c₀ + c₁·a + c₂·b + c₃·a·b.
    pub coefficients: &'a [Coefficients],
    /// For each neighborhood position and lane (cell), the lane of the neighbor, `[position][lane]`. A neighbor beyond
    /// a fixed border has a lane in the block of zeros after the last block.
    pub sources: &'a [Vec<u32>],
    /// State of the cells before the step, `[block][channel]`.
    pub state: &'a [CellRow],
    /// Update mask, `[block]`: 1 for lanes (cells) that are updated, else 0; `None` for a synchronous step.
    pub update_mask: Option<&'a [CellRow]>,
}

/// Gradients from which the backward pass of a step computes the gradient of the state after the step.
#[derive(Clone, Copy)]
pub enum UpstreamGradient<'a> {
    /// For the last step: gradient of the loss with respect to the last state, `[block][channel]`.
    Loss(&'a [CellRow]),
    /// For any other step: gradients of the neighborhood values that the following step reads,
    /// `[block][channel][position]`.
    Neighborhoods(&'a [CellRow]),
}

impl SoftStep<'_> {
    /// Returns, for all lanes (cells) of a block, the value of channel `channel` in the neighbor at neighborhood
    /// position `place` (0 to 8).
    #[inline(always)]
    fn gather(&self, block: usize, channel: usize, place: usize) -> CellRow {
        let channels = self.program.channels;
        if place == CENTER {
            return self.state[block * channels + channel];
        }
        let mut row = CellRow::ZERO;
        let sources = &self.sources[place][block * LANES..][..LANES];
        for (value, &source) in row.0.iter_mut().zip(sources) {
            let source = source as usize;
            *value = self.state[source / LANES * channels + channel].0[source % LANES];
        }
        row
    }

    /// Evaluates the perceive kernels (small circuits over the 3×3 neighborhood) on one channel of a block of cells.
    /// Writes the outputs of inner layers to `rows`, and the outputs of the last layer to `outputs`.
    #[inline(always)]
    fn perceive<S: Simd>(
        &self,
        s: S,
        block: usize,
        channel: usize,
        rows: &mut [CellRow],
        outputs: &mut [CellRow],
    ) {
        for (place, row) in rows[..NEIGHBORHOOD].iter_mut().enumerate() {
            *row = self.gather(block, channel, place);
        }
        let mut outputs = Some(outputs);
        let mut start = 0;
        for (number, layer) in self.program.perceive.iter().enumerate() {
            let (inputs, above) = rows[start..].split_at_mut(layer.inputs);
            start += layer.inputs;
            let last = number + 1 == self.program.perceive.len();
            let written = if last { outputs.take().unwrap_or_default() } else { above };
            let coefficients = &self.coefficients[layer.gates.clone()];
            forward(s, &layer.wires, coefficients, inputs, written);
        }
    }

    /// Evaluates the circuit for a block of cells: fills `scratch.update` with the inputs and all layer outputs of the
    /// update circuit.
    #[inline(always)]
    fn evaluate<S: Simd>(&self, s: S, block: usize, scratch: &mut BlockScratch) {
        let LayeredCircuit { channels, perceived, .. } = *self.program;
        let own = &self.state[block * channels..][..channels];
        scratch.update[..channels].copy_from_slice(own);
        for channel in 0..channels {
            let outputs = &mut scratch.update[channels + channel * perceived..][..perceived];
            self.perceive(s, block, channel, &mut scratch.perceive, outputs);
        }
        let mut start = 0;
        for layer in &self.program.update {
            let (inputs, outputs) = scratch.update[start..].split_at_mut(layer.inputs);
            start += layer.inputs;
            forward(s, &layer.wires, &self.coefficients[layer.gates.clone()], inputs, outputs);
        }
    }

    /// Computes the next state of a block of cells and writes it to `next`, `[channel]`.
    #[inline(always)]
    pub fn forward<S: Simd>(&self, s: S, block: usize, scratch: &mut BlockScratch, next: &mut [CellRow]) {
        let channels = self.program.channels;
        self.evaluate(s, block, scratch);
        next.copy_from_slice(&scratch.update[scratch.update.len() - channels..]);
        if let Some(update_mask) = self.update_mask {
            let old = &self.state[block * channels..][..channels];
            for (new, old) in next.iter_mut().zip(old) {
                for (lane, new) in new.0.iter_mut().enumerate() {
                    if update_mask[block].0[lane] == 0.0 {
                        *new = old.0[lane];
                    }
                }
            }
        }
    }

    /// Backpropagates through one step of a block of cells. Writes the gradients of the neighborhood values that the
    /// block reads to `neighborhoods`, `[channel][position]`, and adds the gradient sums of the gates to `sums`.
    #[inline(always)]
    pub fn backward<S: Simd>(
        &self,
        s: S,
        block: usize,
        above: UpstreamGradient<'_>,
        scratch: &mut BlockScratch,
        neighborhoods: &mut [CellRow],
        sums: &mut [Coefficients],
    ) {
        let LayeredCircuit { channels, perceived, ref perceive, ref update, .. } = *self.program;
        self.evaluate(s, block, scratch);
        self.collect_state_gradients(block, above, scratch);

        let BlockScratch { update: rows, update_gradients, perceive_gradients, .. } = scratch;
        let [upper, lower] = update_gradients;
        let (mut upper, mut lower) = (&mut upper[..], &mut lower[..]);
        upper[..channels].copy_from_slice(&scratch.state_gradients);
        let mut end = rows.len() - channels;
        for layer in update.iter().rev() {
            let start = end - layer.inputs;
            let (into, gates) = (&mut lower[..layer.inputs], layer.gates.clone());
            into.fill(CellRow::ZERO);
            backward(
                s,
                &layer.wires,
                &self.coefficients[gates.clone()],
                &rows[start..end],
                upper,
                into,
                &mut sums[gates],
            );
            end = start;
            std::mem::swap(&mut upper, &mut lower);
        }

        let (own, of_channels) = upper.split_at(channels);
        let of_channels = of_channels.chunks_exact(perceived);
        let [upper, lower] = perceive_gradients;
        let (mut upper, mut lower) = (&mut upper[..], &mut lower[..]);
        for (channel, (into, gradients)) in
            neighborhoods.chunks_exact_mut(NEIGHBORHOOD).zip(of_channels).enumerate()
        {
            // Recompute the activations of this channel: the scratch rows hold the activations of the last channel.
            self.perceive(s, block, channel, &mut scratch.perceive, &mut lower[..perceived]);
            upper[..perceived].copy_from_slice(gradients);
            let mut end = scratch.perceive.len();
            for layer in perceive.iter().rev() {
                let start = end - layer.inputs;
                let gates = layer.gates.clone();
                let below = if start == 0 { &mut *into } else { &mut lower[..layer.inputs] };
                below.fill(CellRow::ZERO);
                backward(
                    s,
                    &layer.wires,
                    &self.coefficients[gates.clone()],
                    &scratch.perceive[start..end],
                    upper,
                    below,
                    &mut sums[gates],
                );
                end = start;
                std::mem::swap(&mut upper, &mut lower);
            }
            let directly = own[channel].0.iter().zip(&scratch.bypass_gradients[channel].0);
            for (gradient, (own, bypass_gradients)) in into[CENTER].0.iter_mut().zip(directly) {
                *gradient += own + bypass_gradients;
            }
        }
    }

    /// Collects the gradient of the block's state after the step in `scratch`. The update mask splits the gradient into
    /// a part that flows through the circuit and a part that bypasses the circuit.
    #[inline(always)]
    fn collect_state_gradients(&self, block: usize, above: UpstreamGradient<'_>, scratch: &mut BlockScratch) {
        let channels = self.program.channels;
        let gradients = scratch.state_gradients.iter_mut().zip(&mut scratch.bypass_gradients);
        for (channel, (gradient, bypass_gradients)) in gradients.enumerate() {
            *gradient = match above {
                UpstreamGradient::Loss(rows) => rows[block * channels + channel],
                UpstreamGradient::Neighborhoods(rows) => {
                    let mut total = CellRow::ZERO;
                    for place in 0..NEIGHBORHOOD {
                        // The lane that reads this lane at position `place` is this lane's neighbor at the opposite
                        // position.
                        let readers = &self.sources[NEIGHBORHOOD - 1 - place][block * LANES..][..LANES];
                        for (total, &reader) in total.0.iter_mut().zip(readers) {
                            let reader = reader as usize;
                            let row = (reader / LANES * channels + channel) * NEIGHBORHOOD + place;
                            *total += rows[row].0[reader % LANES];
                        }
                    }
                    total
                }
            };
            if let Some(update_mask) = self.update_mask {
                let lanes = gradient.0.iter_mut().zip(&mut bypass_gradients.0).zip(&update_mask[block].0);
                for ((gradient, bypass_gradients), update_mask) in lanes {
                    let whole = *gradient;
                    *gradient = whole * update_mask;
                    *bypass_gradients = whole - *gradient;
                }
            }
        }
    }
}

/// Number of lanes (cells) per block: two AVX-512 vectors. Larger blocks amortize the reads of wires and coefficients,
/// and the horizontal sums. With 32 lanes the values of a circuit still fit the L2 cache.
pub const LANES: usize = 32;

/// Values of one input or gate of the circuit in a block of cells: one value per lane (cell).
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct CellRow(pub [f32; LANES]);

impl CellRow {
    /// Row in which the values of all lanes (cells) are 0.
    pub const ZERO: Self = Self([0.0; LANES]);
}

/// Broadcasts each of the four coefficients of a gate to a vector. The function does not use `array::map`: without
/// cross-crate optimization, `map` is a call that passes its vectors through memory.
#[inline(always)]
fn splats<S: Simd>(s: S, [c0, c1, c2, c3]: Coefficients) -> [S::f32s; 4] {
    [S::f32s::splat(s, c0), S::f32s::splat(s, c1), S::f32s::splat(s, c2), S::f32s::splat(s, c3)]
}

/// Computes the output row c₀ + c₁·a + c₂·b + c₃·a·b of every gate of the layer from its input rows a and b.
#[inline(always)]
pub fn forward<S: Simd>(
    s: S,
    wires: &[[u32; 2]],
    coefficients: &[Coefficients],
    inputs: &[CellRow],
    outputs: &mut [CellRow],
) {
    let len = S::f32s::LEN;
    for ((&[a, b], c), out) in wires.iter().zip(coefficients).zip(outputs) {
        let (a, b) = (&inputs[a as usize].0, &inputs[b as usize].0);
        let [c0, c1, c2, c3] = splats(s, *c);
        for lane in (0..LANES).step_by(len) {
            let a = S::f32s::from_slice(s, &a[lane..lane + len]);
            let b = S::f32s::from_slice(s, &b[lane..lane + len]);
            let out = &mut out.0[lane..lane + len];
            a.mul_add(c3, c2).mul_add(b, a.mul_add(c1, c0)).store_slice(out);
        }
    }
}

/// Backpropagates the output gradient g of every gate: adds ∂/∂a = g·(c₁ + c₃·b) and ∂/∂b = g·(c₂ + c₃·a) to the input
/// gradients, and Σg, Σg·a, Σg·b, Σg·a·b over the lanes (cells) to the gate's sums.
#[inline(always)]
pub fn backward<S: Simd>(
    s: S,
    wires: &[[u32; 2]],
    coefficients: &[Coefficients],
    inputs: &[CellRow],
    output_gradients: &[CellRow],
    input_gradients: &mut [CellRow],
    sums: &mut [Coefficients],
) {
    let len = S::f32s::LEN;
    let zero = S::f32s::splat(s, 0.0);
    for (((&[a, b], c), g), sums) in wires.iter().zip(coefficients).zip(output_gradients).zip(sums) {
        let (a_row, b_row) = (a as usize, b as usize);
        let (a, b) = (&inputs[a_row].0, &inputs[b_row].0);
        let [_, c1, c2, c3] = splats(s, *c);
        let [mut sum, mut sum_a, mut sum_b, mut sum_ab] = [zero; 4];
        for lane in (0..LANES).step_by(len) {
            let a = S::f32s::from_slice(s, &a[lane..lane + len]);
            let b = S::f32s::from_slice(s, &b[lane..lane + len]);
            let g = S::f32s::from_slice(s, &g.0[lane..lane + len]);
            let ga = g * a;
            sum += g;
            sum_a += ga;
            sum_b = g.mul_add(b, sum_b);
            sum_ab = ga.mul_add(b, sum_ab);
            let into = &mut input_gradients[a_row].0[lane..lane + len];
            g.mul_add(b.mul_add(c3, c1), S::f32s::from_slice(s, into)).store_slice(into);
            let into = &mut input_gradients[b_row].0[lane..lane + len];
            g.mul_add(a.mul_add(c3, c2), S::f32s::from_slice(s, into)).store_slice(into);
        }
        let totals: [f32; 4] = sums_of_each(s, [sum, sum_a, sum_b, sum_ab]);
        for (sum, total) in sums.iter_mut().zip(totals) {
            *sum += total;
        }
    }
}

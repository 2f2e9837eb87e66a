//! One step of one block of lanes through the whole circuit, and back.

use super::layer::{LANES, Row, backward, forward};
use crate::gate::Coefficients;
use crate::program::{GateLayer, Program};
use crate::wiring::{CENTER, NEIGHBORHOOD};
use vivarium_kernels::simd::Simd;

/// The working memory of a thread: the rows of one block.
#[derive(Debug, Default)]
pub struct Arena {
    /// A channel's neighborhood, then the rows of all layers of its perception but the last.
    perceive: Vec<Row>,
    /// The rows that the update reads, then those of all its layers.
    update: Vec<Row>,
    /// Gradients of a layer's outputs and of its inputs.
    update_gradients: [Vec<Row>; 2],
    perceive_gradients: [Vec<Row>; 2],
    /// The gradient of the new state, and the part of it that goes to the old state of cells that did not fire.
    state_gradients: Vec<Row>,
    passed_by: Vec<Row>,
}

impl Arena {
    /// Memory for this program.
    pub fn new(program: &Program) -> Self {
        let rows = |count| vec![Row::ZERO; count];
        let gates = |layers: &[GateLayer]| layers.iter().map(|layer| layer.wires.len()).sum::<usize>();
        let both = |count| [rows(count), rows(count)];
        Self {
            perceive: rows(NEIGHBORHOOD + gates(&program.perceive) - program.perceived),
            update: rows(program.update_inputs() + gates(&program.update)),
            update_gradients: both(program.widest_update()),
            perceive_gradients: both(program.widest_perceive()),
            state_gradients: rows(program.channels),
            passed_by: rows(program.channels),
        }
    }
}

/// What all blocks of a step share.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    pub program: &'a Program,
    /// Of every gate.
    pub coefficients: &'a [Coefficients],
    /// `[9][lanes]`: the lane at every place of every lane's neighborhood; where there is none, a lane of the block
    /// behind the last one, which stays zero.
    pub sources: &'a [Vec<u32>],
    /// The state before the step, `[block][channel]`.
    pub state: &'a [Row],
    /// `[block]`: 1 in the lanes that fire, 0 in the others; `None` where all do.
    pub fired: Option<&'a [Row]>,
}

/// Where the gradient of the state after a step comes from.
#[derive(Clone, Copy)]
pub enum Above<'a> {
    /// From the loss: `[block][channel]`.
    Loss(&'a [Row]),
    /// From the neighborhoods that the next step read: `[block][channel][place]`.
    Neighborhoods(&'a [Row]),
}

impl Step<'_> {
    /// Reads place `place` of the neighborhoods of channel `channel`.
    #[inline(always)]
    fn gather(&self, block: usize, channel: usize, place: usize) -> Row {
        let channels = self.program.channels;
        if place == CENTER {
            return self.state[block * channels + channel];
        }
        let mut row = Row::ZERO;
        let sources = &self.sources[place][block * LANES..][..LANES];
        for (value, &source) in row.0.iter_mut().zip(sources) {
            let source = source as usize;
            *value = self.state[source / LANES * channels + channel].0[source % LANES];
        }
        row
    }

    /// Perceives one channel; the last layer's rows go to `outputs`.
    #[inline(always)]
    fn perceive<S: Simd>(&self, s: S, block: usize, channel: usize, rows: &mut [Row], outputs: &mut [Row]) {
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

    /// Fills the rows of the update.
    #[inline(always)]
    fn evaluate<S: Simd>(&self, s: S, block: usize, arena: &mut Arena) {
        let Program { channels, perceived, .. } = *self.program;
        let own = &self.state[block * channels..][..channels];
        arena.update[..channels].copy_from_slice(own);
        for channel in 0..channels {
            let outputs = &mut arena.update[channels + channel * perceived..][..perceived];
            self.perceive(s, block, channel, &mut arena.perceive, outputs);
        }
        let mut start = 0;
        for layer in &self.program.update {
            let (inputs, outputs) = arena.update[start..].split_at_mut(layer.inputs);
            start += layer.inputs;
            forward(s, &layer.wires, &self.coefficients[layer.gates.clone()], inputs, outputs);
        }
    }

    /// The block's next state, `[channel]`.
    #[inline(always)]
    pub fn forward<S: Simd>(&self, s: S, block: usize, arena: &mut Arena, next: &mut [Row]) {
        let channels = self.program.channels;
        self.evaluate(s, block, arena);
        next.copy_from_slice(&arena.update[arena.update.len() - channels..]);
        if let Some(fired) = self.fired {
            let old = &self.state[block * channels..][..channels];
            for (new, old) in next.iter_mut().zip(old) {
                for (lane, new) in new.0.iter_mut().enumerate() {
                    if fired[block].0[lane] == 0.0 {
                        *new = old.0[lane];
                    }
                }
            }
        }
    }

    /// The gradients of the neighborhoods that the block read, `[channel][place]`, from those of its next state; adds
    /// to every gate's sums.
    #[inline(always)]
    pub fn backward<S: Simd>(
        &self,
        s: S,
        block: usize,
        above: Above<'_>,
        arena: &mut Arena,
        neighborhoods: &mut [Row],
        sums: &mut [Coefficients],
    ) {
        let Program { channels, perceived, ref perceive, ref update, .. } = *self.program;
        self.evaluate(s, block, arena);
        self.receive(block, above, arena);

        let Arena { update: rows, update_gradients, perceive_gradients, .. } = arena;
        let [upper, lower] = update_gradients;
        let (mut upper, mut lower) = (&mut upper[..], &mut lower[..]);
        upper[..channels].copy_from_slice(&arena.state_gradients);
        let mut end = rows.len() - channels;
        for layer in update.iter().rev() {
            let start = end - layer.inputs;
            let (into, gates) = (&mut lower[..layer.inputs], layer.gates.clone());
            into.fill(Row::ZERO);
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
            // The values were overwritten by the next channel's; the last layer's outputs are not needed again.
            self.perceive(s, block, channel, &mut arena.perceive, &mut lower[..perceived]);
            upper[..perceived].copy_from_slice(gradients);
            let mut end = arena.perceive.len();
            for layer in perceive.iter().rev() {
                let start = end - layer.inputs;
                let gates = layer.gates.clone();
                let below = if start == 0 { &mut *into } else { &mut lower[..layer.inputs] };
                below.fill(Row::ZERO);
                backward(
                    s,
                    &layer.wires,
                    &self.coefficients[gates.clone()],
                    &arena.perceive[start..end],
                    upper,
                    below,
                    &mut sums[gates],
                );
                end = start;
                std::mem::swap(&mut upper, &mut lower);
            }
            let directly = own[channel].0.iter().zip(&arena.passed_by[channel].0);
            for (gradient, (own, passed_by)) in into[CENTER].0.iter_mut().zip(directly) {
                *gradient += own + passed_by;
            }
        }
    }

    /// Collects the gradient of the block's next state, and parts it into what the circuit answers for and what goes past
    /// it, to cells that did not fire.
    #[inline(always)]
    fn receive(&self, block: usize, above: Above<'_>, arena: &mut Arena) {
        let channels = self.program.channels;
        let gradients = arena.state_gradients.iter_mut().zip(&mut arena.passed_by);
        for (channel, (gradient, passed_by)) in gradients.enumerate() {
            *gradient = match above {
                Above::Loss(rows) => rows[block * channels + channel],
                Above::Neighborhoods(rows) => {
                    let mut total = Row::ZERO;
                    for place in 0..NEIGHBORHOOD {
                        // Who has this lane at `place` is whom this lane has at the opposite one.
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
            if let Some(fired) = self.fired {
                let lanes = gradient.0.iter_mut().zip(&mut passed_by.0).zip(&fired[block].0);
                for ((gradient, passed_by), fired) in lanes {
                    let whole = *gradient;
                    *gradient = whole * fired;
                    *passed_by = whole - *gradient;
                }
            }
        }
    }
}

//! Architecture, wiring and initial logits of the cell circuit.
//!
//! The circuit has two stages (Miotti et al., 2025):
//!
//! 1. *Perceive*: for each channel separately, every kernel maps the 3×3 neighborhood (9 values) to a few outputs. All
//!    kernels and channels have the same wiring. Each kernel has its own gates; the channels share them.
//! 2. *Update*: maps the cell's own channels and all kernel outputs to the cell's next channels.
//!
//! **Gate order**, for every array with one entry or row per trained gate: perceive layers first to last and, within a
//! layer, kernel by kernel; then update layers first to last.

use crate::gate::{FUNCTIONS, INITIAL_LOGIT, PASS_A, PASS_B};
use vivarium_kernels::rng::{self, Stream};

/// Wires of a layer of gates: for every gate the indices of its inputs a and b among the outputs of the previous layer.
pub type Layer = Vec<[u32; 2]>;

/// Number of cells of a 3×3 neighborhood. Positions are numbered 0 to 8, row by row.
pub const NEIGHBORHOOD: usize = 9;

/// Position of the cell itself in its 3×3 neighborhood.
pub const CENTER: usize = 4;

/// Sizes of the circuit that every cell evaluates: numbers of channels, of perceive kernels (small circuits over the
/// 3×3 neighborhood), and of gates per layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Architecture {
    /// Number of bits of a cell's state.
    pub channels: usize,
    /// Number of perceive kernels. Each kernel is applied to the 3×3 neighborhood of every channel.
    pub kernels: usize,
    /// Number of gates in each layer of a perceive kernel (small circuit over the 3×3 neighborhood), first to last. The
    /// first layer has 8 gates, one for each neighbor.
    pub perceive: Vec<usize>,
    /// Number of gates in each layer of the update circuit, first to last. The last layer has one gate per channel.
    pub update: Vec<usize>,
}

/// Error of an [`Architecture`] whose layers cannot be wired.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{part}: {problem}")]
pub struct ShapeError {
    /// Name of the invalid field of the architecture: `channels`, `kernels`, `perceive` or `update`.
    pub part: &'static str,
    /// Description of the problem, with the allowed values of the field.
    pub problem: String,
}

/// Stream numbers, one for each purpose of random numbers, such as the wiring. The seed of a purpose is derived from
/// the run's seed and the stream number.
pub(crate) mod rng_stream {
    pub const WIRING: u32 = 20;
    pub const INITIAL_STATE: u32 = 21;
    pub const UPDATE_MASK: u32 = 22;
    pub const HARDENING: u32 = 23;
    pub const LOCAL_SEARCH: u32 = 24;
}

impl Architecture {
    /// Returns the number of values that one perceive kernel (a small circuit over the 3×3 neighborhood) computes for
    /// one channel: the width of its last layer.
    #[must_use]
    pub fn kernel_outputs(&self) -> usize {
        self.perceive.last().copied().unwrap_or(0)
    }

    /// Returns the number of inputs of the update circuit, which computes a cell's next state. The inputs are the
    /// cell's own channels, followed by the outputs of the perceive kernels (small circuits over the 3×3 neighborhood)
    /// in the order (channel, output, kernel).
    #[must_use]
    pub fn update_inputs(&self) -> usize {
        self.channels * (1 + self.kernel_outputs() * self.kernels)
    }

    /// Returns the number of trained gates of the circuit, each with its own logits. Gates of a perceive kernel (a
    /// small circuit over the 3×3 neighborhood) count once, because all channels share them.
    #[must_use]
    pub fn gates(&self) -> usize {
        self.kernels * self.perceive.iter().sum::<usize>() + self.update.iter().sum::<usize>()
    }

    /// Returns the number of gates that one cell evaluates per automaton step. Gates of a perceive kernel (a small
    /// circuit over the 3×3 neighborhood) count once per channel.
    #[must_use]
    pub fn gates_per_cell(&self) -> usize {
        self.channels * self.kernels * self.perceive.iter().sum::<usize>() + self.update.iter().sum::<usize>()
    }

    /// Checks that the layers can be wired: all widths positive, every gate of a layer with a distinct input pair, 8
    /// gates in the first layer of a perceive kernel (small circuit over the 3×3 neighborhood), one gate per channel in
    /// the last layer of the update circuit.
    ///
    /// # Errors
    /// [`ShapeError`] with the name of the invalid field and its allowed values.
    pub fn check(&self) -> Result<(), ShapeError> {
        let refuse = |part, problem| Err(ShapeError { part, problem });
        for (part, count) in [("channels", self.channels), ("kernels", self.kernels)] {
            if count == 0 {
                return refuse(part, "must be at least 1".into());
            }
        }
        if self.perceive.first() != Some(&(NEIGHBORHOOD - 1)) {
            return refuse("perceive", "the first layer must have 8 gates, one per neighbor".into());
        }
        check_widths("perceive", 2, NEIGHBORHOOD - 1, &self.perceive[1..])?;
        check_widths("update", 1, self.update_inputs(), &self.update)?;
        match self.update.last() {
            Some(&last) if last == self.channels => Ok(()),
            last => refuse(
                "update",
                format!(
                    "the last layer has {} gates; it must have one per channel, for {} channels",
                    last.copied().unwrap_or(0),
                    self.channels
                ),
            ),
        }
    }
}

/// Checks that gate layers of these `widths` can be wired one after the other, where the first layer reads `inputs`
/// values. Error messages name the config field `part` and number the layers from `first` on.
fn check_widths(
    part: &'static str,
    first: usize,
    mut inputs: usize,
    widths: &[usize],
) -> Result<(), ShapeError> {
    for (layer, &gates) in widths.iter().enumerate() {
        let (fewest, most) = (inputs.div_ceil(2), pairs(inputs));
        if gates == 0 || gates > most {
            let problem = format!(
                "layer {} has {gates} gates over {inputs} inputs; it may have 1 to {most}, because every gate reads a \
                 distinct pair ({fewest} or more read all inputs)",
                layer + first
            );
            return Err(ShapeError { part, problem });
        }
        inputs = gates;
    }
    Ok(())
}

/// Wiring of the circuit: input indices of every gate, drawn once from the seed and never trained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wiring {
    /// Input pairs (a, b) of the gates in each layer of a perceive kernel (small circuit over the 3×3 neighborhood),
    /// shared by all kernels and channels.
    pub perceive: Vec<Layer>,
    /// Input pairs (a, b) of the gates in each layer of the update circuit, which computes a cell's next state. The
    /// first layer indexes the inputs in the order of [`Architecture::update_inputs`].
    pub update: Vec<Layer>,
}

impl Wiring {
    /// Draws the wiring: the input pairs of all gates, a function of the architecture and of `seed`.
    ///
    /// # Panics
    /// If the architecture does not pass [`Architecture::check`].
    #[must_use]
    pub fn new(architecture: &Architecture, seed: u64) -> Self {
        let seed = rng::derive(seed, rng_stream::WIRING);
        let stream = |layer: usize| Stream::new(seed, layer as u32);
        let layers = |first: usize, inputs: usize, widths: &[usize]| -> Vec<Layer> {
            let inputs = std::iter::once(inputs).chain(widths.iter().copied());
            let draw =
                |(number, (inputs, &gates))| distinct_pairs(inputs, gates, &mut stream(first + number));
            inputs.zip(widths).enumerate().map(draw).collect()
        };
        let mut perceive = vec![neighbors_and_center(&mut stream(0))];
        perceive.extend(layers(1, NEIGHBORHOOD - 1, &architecture.perceive[1..]));
        let update = layers(perceive.len(), architecture.update_inputs(), &architecture.update);
        Self { perceive, update }
    }
}

/// Returns the number of distinct pairs of `inputs` values: the maximum number of gates of a layer that reads these
/// values.
#[must_use]
pub fn pairs(inputs: usize) -> usize {
    inputs * inputs.saturating_sub(1) / 2
}

/// Returns the input wires of the first layer of a perceive kernel (small circuit over the 3×3 neighborhood): eight
/// gates in random order, each with one neighbor (a) and the center cell (b) as inputs.
#[must_use]
pub fn neighbors_and_center(stream: &mut Stream) -> Layer {
    let mut layer: Layer =
        (0..NEIGHBORHOOD).filter(|&cell| cell != CENTER).map(|cell| [cell as u32, CENTER as u32]).collect();
    stream.shuffle(&mut layer);
    layer
}

/// Returns the wires of a layer of `gates` gates over `inputs` values with distinct input pairs.
///
/// Takes the first `gates` pairs of the sequence (0, 1), (2, 3), …, (1, 2), (3, 4), …, all (i, i + 2), all (i, i + 3),
/// … and shuffles them. Every value is read if `gates` ≥ `inputs` / 2.
///
/// # Panics
/// If `gates` exceeds [`pairs`]`(inputs)`; [`Architecture::check`](crate::Architecture::check) rejects such layers.
#[must_use]
pub fn distinct_pairs(inputs: usize, gates: usize, stream: &mut Stream) -> Layer {
    assert!(gates <= pairs(inputs), "{gates} gates over {inputs} values cannot all read different pairs");
    let neighbors = |first: usize| (first..inputs.saturating_sub(1)).step_by(2).map(|i| (i, i + 1));
    let apart = (2..inputs).flat_map(|offset| (0..inputs - offset).map(move |i| (i, i + offset)));
    let all = neighbors(0).chain(neighbors(1)).chain(apart);
    let mut layer: Layer = all.take(gates).map(|(a, b)| [a as u32, b as u32]).collect();
    stream.shuffle(&mut layer);
    layer
}

/// Returns the initial logits, `[gates, 16]` in [gate order](self): every gate is a pass-through.
///
/// Update gates pass input A. The gates of a kernel pass one neighbor of the 3×3 neighborhood; different kernels pass
/// different neighbors. Identical kernels would receive the same gradient and would learn to use other directions late
/// or never.
#[must_use]
pub fn initial_logits(architecture: &Architecture, wiring: &Wiring) -> Vec<f32> {
    let mut logits = vec![0.0; architecture.gates() * FUNCTIONS];
    let mut gates = logits.as_chunks_mut::<FUNCTIONS>().0.iter_mut();
    // For each kernel: whether each value of the current layer is the neighbor that the kernel passes,
    // `[kernel][value]`.
    let mut carriers: Vec<Vec<bool>> =
        (0..architecture.kernels).map(|kernel| passed_neighbor(kernel).to_vec()).collect();
    for layer in &wiring.perceive {
        for carries in &mut carriers {
            let pass_through = |&[a, b]: &[u32; 2]| {
                let (from_a, from_b) = (carries[a as usize], carries[b as usize]);
                (if from_b && !from_a { PASS_B } else { PASS_A }, from_a || from_b)
            };
            let next =
                layer.iter().map(pass_through).zip(gates.by_ref()).map(|((function, carried), logits)| {
                    logits[usize::from(function)] = INITIAL_LOGIT;
                    carried
                });
            *carries = next.collect();
        }
    }
    gates.for_each(|logits| logits[usize::from(PASS_A)] = INITIAL_LOGIT);
    logits
}

/// Returns the one-hot mask, `[position]`, of the neighbor that the gates of a kernel pass initially. Eight successive
/// kernels pass eight different neighbors, corners first.
fn passed_neighbor(kernel: usize) -> [bool; NEIGHBORHOOD] {
    const ORDER: [usize; NEIGHBORHOOD - 1] = [0, 8, 2, 6, 1, 7, 3, 5];
    let mut mask = [false; NEIGHBORHOOD];
    mask[ORDER[kernel % ORDER.len()]] = true;
    mask
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate;
    use std::collections::BTreeSet;

    fn checkerboard() -> Architecture {
        let mut update = vec![256; 10];
        update.extend([128, 64, 32, 16, 8, 8]);
        Architecture { channels: 8, kernels: 16, perceive: vec![8, 4, 2], update }
    }

    #[test]
    fn gate_counts_match_the_paper() {
        let architecture = checkerboard();
        architecture.check().unwrap();
        assert_eq!(architecture.update_inputs(), 264);
        assert_eq!(architecture.gates(), 224 + 2816);
        assert_eq!(architecture.gates_per_cell(), 8 * 224 + 2816);
    }

    #[test]
    fn wires_follow_the_layers_and_the_seed() {
        let architecture = checkerboard();
        let wiring = Wiring::new(&architecture, 1);
        let widths = |layers: &[Layer]| layers.iter().map(Vec::len).collect::<Vec<_>>();
        assert_eq!(widths(&wiring.perceive), architecture.perceive);
        assert_eq!(widths(&wiring.update), architecture.update);
        let mut inputs = architecture.update_inputs();
        for layer in &wiring.update {
            assert!(layer.iter().flatten().all(|&i| (i as usize) < inputs));
            inputs = layer.len();
        }
        assert_eq!(wiring, Wiring::new(&architecture, 1));
        assert_ne!(wiring, Wiring::new(&architecture, 2));
        assert_ne!(wiring.update[3], wiring.update[4], "layers draw different orders");
    }

    #[test]
    fn architectures_that_cannot_be_wired_are_rejected() {
        let refused = |change: fn(&mut Architecture)| {
            let mut architecture = checkerboard();
            change(&mut architecture);
            architecture.check().unwrap_err()
        };
        assert_eq!(refused(|a| a.channels = 0).part, "channels");
        assert_eq!(refused(|a| a.kernels = 0).part, "kernels");
        assert_eq!(refused(|a| a.perceive = vec![9, 4]).part, "perceive");
        assert_eq!(refused(|a| a.perceive = vec![8, 29]).part, "perceive");
        assert_eq!(refused(|a| a.update = vec![256, 0, 8]).part, "update");
        assert_eq!(refused(|a| a.update = vec![]).part, "update");
        let error = refused(|a| a.update = vec![256, 9]).to_string();
        assert!(error.contains('9') && error.contains("8 channels"), "{error}");
    }

    #[test]
    fn initial_gates_are_pass_throughs_and_kernels_pass_different_neighbors() {
        let shape = Architecture { channels: 8, kernels: 4, perceive: vec![8, 4, 2, 1], update: vec![24, 8] };
        for seed in 0..5 {
            let wiring = Wiring::new(&shape, seed);
            let logits = initial_logits(&shape, &wiring);
            let mut functions = logits.as_chunks::<FUNCTIONS>().0.iter().map(gate::argmax_function);
            // Neighborhood position that each value of each kernel passes on, `[kernel][value]`.
            let mut values: Vec<Vec<u32>> = vec![(0..9).collect(); 4];
            for layer in &wiring.perceive {
                for values in &mut values {
                    let pass = |&[a, b]: &[u32; 2]| match functions.next() {
                        Some(PASS_A) => values[a as usize],
                        Some(PASS_B) => values[b as usize],
                        other => panic!("a gate is {other:?}"),
                    };
                    *values = layer.iter().map(pass).collect();
                }
            }
            assert_eq!(values, [[0], [8], [2], [6]]);
            assert!(functions.all(|function| function == PASS_A));
        }
    }

    #[test]
    fn pairs_are_distinct_and_read_all_values_if_possible() {
        for (inputs, gates) in [
            (17, 128),
            (128, 128),
            (264, 256),
            (256, 256),
            (640, 512),
            (576, 512),
            (8, 4),
            (8, 8),
            (2, 1),
            (5, 10),
        ] {
            let layer = distinct_pairs(inputs, gates, &mut Stream::new(7, 3));
            assert_eq!(layer.len(), gates);
            let unordered: BTreeSet<_> = layer.iter().map(|&[a, b]| (a.min(b), a.max(b))).collect();
            assert_eq!(unordered.len(), gates, "{inputs} → {gates}: a pair occurs twice");
            assert!(layer.iter().all(|&[a, b]| a != b && (a as usize) < inputs && (b as usize) < inputs));
            let read: BTreeSet<_> = layer.iter().flatten().collect();
            assert_eq!(read.len(), inputs.min(2 * gates), "{inputs} → {gates}: a value is not read");
        }
    }

    #[test]
    fn gate_order_depends_only_on_the_seed() {
        let of = |seed| distinct_pairs(64, 64, &mut Stream::new(seed, 0));
        assert_eq!(of(1), of(1));
        assert_ne!(of(1), of(2));
        let sorted = |mut layer: Layer| {
            layer.sort_unstable();
            layer
        };
        assert_eq!(sorted(of(1)), sorted(of(2)));
    }

    #[test]
    fn first_layer_reads_each_neighbor_once() {
        let layer = neighbors_and_center(&mut Stream::new(5, 0));
        assert!(layer.iter().all(|&[_, b]| b as usize == CENTER));
        let read: BTreeSet<_> = layer.iter().map(|&[a, _]| a).collect();
        assert_eq!(read, [0, 1, 2, 3, 5, 6, 7, 8].into_iter().collect());
    }
}

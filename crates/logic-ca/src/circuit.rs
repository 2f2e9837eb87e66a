//! The circuit that every cell runs, as data: its layers, its wires, and what the gates tend to be.
//!
//! First the cell *perceives*: each of its channels apart, several kernels turn the 3×3 neighborhood into a few values.
//! All kernels and channels share the wires; kernels have gates of their own, channels share them. Then the *update*
//! turns the cell's own channels and all that was perceived into the cell's next channels.
//!
//! **Order of gates**, wherever one value or row per gate is kept: perception layer by layer, in a layer kernel by
//! kernel; then the update layer by layer.

use crate::gate::{FIRST_LOGIT, FUNCTIONS, PASS_A, PASS_B};
use crate::wiring::{self, Layer, NEIGHBORHOOD};
use vivarium_kernels::rng::{self, Stream};

/// The shape of a circuit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Architecture {
    /// Bits of a cell's state.
    pub channels: usize,
    /// Kernels of the perception.
    pub kernels: usize,
    /// Gates of each layer of a kernel, first to last.
    pub perceive: Vec<usize>,
    /// Gates of each layer of the update, first to last; the last one has as many as there are channels.
    pub update: Vec<usize>,
}

/// Why a circuit cannot have a shape.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{part}: {problem}")]
pub struct ShapeError {
    /// `channels`, `kernels`, `perceive` or `update`.
    pub part: &'static str,
    /// What is wrong with it and what is needed.
    pub problem: String,
}

/// Purposes of random numbers: each draws from a seed of its own.
pub(crate) mod purpose {
    pub const WIRING: u32 = 20;
    pub const START: u32 = 21;
    pub const FIRE: u32 = 22;
    pub const HARDENING: u32 = 23;
    pub const TRIAL: u32 = 24;
}

impl Architecture {
    /// Values that a kernel gives for one channel.
    #[must_use]
    pub fn perceived(&self) -> usize {
        self.perceive.last().copied().unwrap_or(0)
    }

    /// Values that the update reads: the cell's own channels, then (channel, output, kernel) of the perception.
    #[must_use]
    pub fn update_inputs(&self) -> usize {
        self.channels * (1 + self.perceived() * self.kernels)
    }

    /// Gates that learn: those of a kernel are counted once, however many channels use them.
    #[must_use]
    pub fn gates(&self) -> usize {
        self.kernels * self.perceive.iter().sum::<usize>() + self.update.iter().sum::<usize>()
    }

    /// Gates that one cell evaluates in one step.
    #[must_use]
    pub fn gates_per_cell(&self) -> usize {
        self.channels * self.kernels * self.perceive.iter().sum::<usize>() + self.update.iter().sum::<usize>()
    }

    /// Refuses a shape that cannot be wired.
    ///
    /// # Errors
    /// [`ShapeError`] naming the part and what it may be.
    pub fn check(&self) -> Result<(), ShapeError> {
        let refuse = |part, problem| Err(ShapeError { part, problem });
        for (part, count) in [("channels", self.channels), ("kernels", self.kernels)] {
            if count == 0 {
                return refuse(part, "there must be at least 1".into());
            }
        }
        if self.perceive.first() != Some(&(NEIGHBORHOOD - 1)) {
            return refuse("perceive", "the first layer has 8 gates, one for each neighbor".into());
        }
        check_widths("perceive", NEIGHBORHOOD - 1, &self.perceive[1..])?;
        check_widths("update", self.update_inputs(), &self.update)?;
        match self.update.last() {
            Some(&last) if last == self.channels => Ok(()),
            last => refuse(
                "update",
                format!(
                    "the last layer has {} gates; it must have one for each of the {} channels",
                    last.copied().unwrap_or(0),
                    self.channels
                ),
            ),
        }
    }
}

fn check_widths(part: &'static str, mut inputs: usize, widths: &[usize]) -> Result<(), ShapeError> {
    for (layer, &gates) in widths.iter().enumerate() {
        let (fewest, most) = (inputs.div_ceil(2), wiring::pairs(inputs));
        if gates == 0 || gates > most {
            let problem = format!(
                "a layer with {gates} gates after {inputs} values (number {} of those that follow); it may have \
                 1 to {most}, for every gate reads a pair of its own; from {fewest} on all values are read",
                layer + 1
            );
            return Err(ShapeError { part, problem });
        }
        inputs = gates;
    }
    Ok(())
}

/// Which values every gate reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wiring {
    /// One layer each; shared by all kernels and channels.
    pub perceive: Vec<Layer>,
    /// One layer each; indices of the first are those of [`Architecture::update_inputs`].
    pub update: Vec<Layer>,
}

impl Wiring {
    /// The wires that this seed draws.
    ///
    /// # Panics
    /// If the architecture does not pass [`Architecture::check`].
    #[must_use]
    pub fn new(architecture: &Architecture, seed: u64) -> Self {
        let seed = rng::derive(seed, purpose::WIRING);
        let stream = |layer: usize| Stream::new(seed, layer as u32);
        let layers = |first: usize, inputs: usize, widths: &[usize]| -> Vec<Layer> {
            let inputs = std::iter::once(inputs).chain(widths.iter().copied());
            let draw = |(number, (inputs, &gates))| {
                wiring::distinct_pairs(inputs, gates, &mut stream(first + number))
            };
            inputs.zip(widths).enumerate().map(draw).collect()
        };
        let mut perceive = vec![wiring::neighbors_and_center(&mut stream(0))];
        perceive.extend(layers(1, NEIGHBORHOOD - 1, &architecture.perceive[1..]));
        let update = layers(perceive.len(), architecture.update_inputs(), &architecture.update);
        Self { perceive, update }
    }
}

/// The logits of all gates, `[gates, 16]`, in the [order of gates](self): every gate hands an input on, its first one but for
/// perception. There the gates of a kernel hand on one neighbor, another one in each kernel: were all kernels alike, they
/// would follow one slope, and what comes from the other sides would be noticed late or never.
#[must_use]
pub fn first_logits(architecture: &Architecture, wiring: &Wiring) -> Vec<f32> {
    let mut logits = vec![0.0; architecture.gates() * FUNCTIONS];
    let mut gates = logits.as_chunks_mut::<FUNCTIONS>().0.iter_mut();
    // By layers, and in a layer by kernels.
    let mut sees: Vec<Vec<bool>> = (0..architecture.kernels).map(|kernel| seen(kernel).to_vec()).collect();
    for layer in &wiring.perceive {
        for sees in &mut sees {
            let handed_on = |&[a, b]: &[u32; 2]| {
                let (sees_a, sees_b) = (sees[a as usize], sees[b as usize]);
                (if sees_b && !sees_a { PASS_B } else { PASS_A }, sees_a || sees_b)
            };
            let next = layer.iter().map(handed_on).zip(gates.by_ref()).map(|((function, seen), logits)| {
                logits[usize::from(function)] = FIRST_LOGIT;
                seen
            });
            *sees = next.collect();
        }
    }
    gates.for_each(|logits| logits[usize::from(PASS_A)] = FIRST_LOGIT);
    logits
}

/// Which place of its neighborhood a kernel sees at first: in each of eight kernels another one around the cell. The corners
/// come first, by which four kernels reach the farthest.
fn seen(kernel: usize) -> [bool; NEIGHBORHOOD] {
    const ORDER: [usize; NEIGHBORHOOD - 1] = [0, 8, 2, 6, 1, 7, 3, 5];
    let mut seen = [false; NEIGHBORHOOD];
    seen[ORDER[kernel % ORDER.len()]] = true;
    seen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate;

    fn checkerboard() -> Architecture {
        let mut update = vec![256; 10];
        update.extend([128, 64, 32, 16, 8, 8]);
        Architecture { channels: 8, kernels: 16, perceive: vec![8, 4, 2], update }
    }

    #[test]
    fn counts_are_those_of_the_table() {
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
    fn refuses_what_cannot_be_wired() {
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
    fn new_gates_hand_an_input_on_and_kernels_another_neighbor_each() {
        let shape = Architecture { channels: 8, kernels: 4, perceive: vec![8, 4, 2, 1], update: vec![24, 8] };
        for seed in 0..5 {
            let wiring = Wiring::new(&shape, seed);
            let logits = first_logits(&shape, &wiring);
            let mut functions = logits.as_chunks::<FUNCTIONS>().0.iter().map(gate::decide);
            // What each kernel's values are, as places of the neighborhood.
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
}

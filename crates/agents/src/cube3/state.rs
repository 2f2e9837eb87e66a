//! A learner's state as named tensors, to save and to restore.
//!
//! Samples are functions of the seed and of how many there were before, so that what is restored goes on exactly as the
//! learner that was saved.

use super::config::Cube3Config;
use super::error::Cube3Error;
use super::learner::{Counters, Cube3Learner};
use super::network::{Definition, Network};
use vivarium_graph::{ParameterSpec, Tensor, Values};
use vivarium_kernels::simd;

/// Names of groups of tensors, each with one for every parameter of the network.
const WEIGHTS: &str = "weights";
const AVERAGE: &str = "average";
const FIRST_MOMENT: &str = "adam/first_moment";
const SECOND_MOMENT: &str = "adam/second_moment";
/// Names of the others.
const COUNTERS: &str = "counters";
const SUMS: &str = "iteration/sums";

impl Cube3Learner {
    /// What the learner has learnt, and all that it needs to go on exactly.
    #[must_use]
    pub fn save(&self) -> Vec<Tensor> {
        let mut tensors = self.save_solver();
        let specs = self.network.parameters().specs();
        for (group, flat) in [
            (WEIGHTS, self.network.parameters().flat()),
            (FIRST_MOMENT, &self.first_moment),
            (SECOND_MOMENT, &self.second_moment),
        ] {
            tensors.extend(tensors_of(group, specs, flat));
        }
        let Counters { samples, updates, iterations } = self.counters;
        let counters = Values::U64(vec![samples, updates, iterations]);
        tensors.push(Tensor { name: COUNTERS.to_owned(), shape: vec![3], values: counters });
        let sums = self.sums.numbers();
        tensors.push(Tensor { name: SUMS.to_owned(), shape: vec![sums.len()], values: Values::F64(sums) });
        tensors
    }

    /// The weights that solve alone: a quarter of what [`save`](Self::save) gives.
    #[must_use]
    pub fn save_solver(&self) -> Vec<Tensor> {
        tensors_of(AVERAGE, self.network.parameters().specs(), &self.average).collect()
    }

    /// A learner in a saved state. Config and seed must be those that it was saved under (live fields may differ).
    ///
    /// # Errors
    /// [`Cube3Error`] naming the tensor that is missing or does not fit, or the field that is not acceptable.
    pub fn restore(config: Cube3Config, seed: u64, tensors: &[Tensor]) -> Result<Self, Cube3Error> {
        let mut learner = Self::new(config, seed)?;
        let specs = learner.network.parameters().specs().to_vec();
        let read = |group, to: &mut [f32]| read(tensors, group, &specs, to);
        read(AVERAGE, &mut learner.average)?;
        read(FIRST_MOMENT, &mut learner.first_moment)?;
        read(SECOND_MOMENT, &mut learner.second_moment)?;
        let mut outcome = Ok(());
        learner.network.change(|weights| outcome = read(WEIGHTS, weights));
        outcome?;
        let counters = find(tensors, COUNTERS)?;
        let numbers: &[u64] = if let Values::U64(numbers) = &counters.values { numbers } else { &[] };
        let &[samples, updates, iterations] = numbers else { return Err(wrong(counters, "u64", &[3])) };
        learner.counters = Counters { samples, updates, iterations };
        let (sums, len) = (find(tensors, SUMS)?, learner.sums.numbers().len());
        match &sums.values {
            Values::F64(numbers) if numbers.len() == len && numbers.iter().all(|sum| sum.is_finite()) => {
                learner.sums.take(numbers);
            }
            _ => return Err(wrong(sums, "finite f64", &[len])),
        }
        Ok(learner)
    }
}

impl Network {
    /// The network of a config that [`Cube3Learner::save_solver`] or [`Cube3Learner::save`] wrote, to solve with.
    ///
    /// # Errors
    /// [`Cube3Error`] naming the tensor that is missing or does not fit, or the field that is not acceptable.
    pub fn restore(config: &Cube3Config, tensors: &[Tensor]) -> Result<Self, Cube3Error> {
        config.check()?;
        let mut network = Self::new(simd::level(), &Definition::new(config), 0, false)?;
        let specs = network.parameters().specs().to_vec();
        let mut outcome = Ok(());
        network.change(|weights| outcome = read(tensors, AVERAGE, &specs, weights));
        outcome.map(|()| network)
    }
}

/// A tensor for each parameter.
fn tensors_of<'a>(
    group: &'a str,
    specs: &'a [ParameterSpec],
    flat: &'a [f32],
) -> impl Iterator<Item = Tensor> + 'a {
    specs.iter().map(move |spec| Tensor {
        name: format!("{group}/{}", spec.name),
        shape: spec.dims.clone(),
        values: Values::F32(flat[spec.range()].to_vec()),
    })
}

/// Reads the tensors of a group into the places of their parameters.
fn read(tensors: &[Tensor], group: &str, specs: &[ParameterSpec], to: &mut [f32]) -> Result<(), Cube3Error> {
    for spec in specs {
        let tensor = find(tensors, &format!("{group}/{}", spec.name))?;
        match &tensor.values {
            Values::F32(values)
                if tensor.shape == spec.dims
                    && values.len() == spec.len()
                    && values.iter().all(|value| value.is_finite()) =>
            {
                to[spec.range()].copy_from_slice(values);
            }
            _ => return Err(wrong(tensor, "finite f32", &spec.dims)),
        }
    }
    Ok(())
}

fn find<'a>(tensors: &'a [Tensor], name: &str) -> Result<&'a Tensor, Cube3Error> {
    let found = tensors.iter().find(|tensor| tensor.name == name);
    found.ok_or_else(|| Cube3Error::State { tensor: name.to_owned(), problem: "it is missing".to_owned() })
}

fn wrong(tensor: &Tensor, kind: &str, shape: &[usize]) -> Cube3Error {
    let found = format!("{} {:?}", tensor.values.kind(), tensor.shape);
    Cube3Error::State {
        tensor: tensor.name.clone(),
        problem: format!("it is {found}; {kind} numbers {shape:?} are needed"),
    }
}

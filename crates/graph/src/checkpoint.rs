//! Tensors that a state was saved as: written, and judged as they are read back.

use crate::spec::ParameterSpec;
use crate::tensor::{Tensor, TensorData};

/// A tensor is missing, or does not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{tensor}: {problem}")]
pub struct TensorError {
    /// Its name.
    pub tensor: String,
    /// The fault, and the expected form.
    pub problem: String,
}

/// A tensor for each parameter, named `group/parameter`, or `parameter` if the group has no name, from a flat buffer of all of
/// them.
pub fn tensors_of<'a>(
    group: &'a str,
    specs: &'a [ParameterSpec],
    flat: &'a [f32],
) -> impl Iterator<Item = Tensor> + 'a {
    specs.iter().map(move |spec| Tensor {
        name: in_group(group, spec),
        shape: spec.dims.clone(),
        values: TensorData::F32(flat[spec.range()].to_vec()),
    })
}

fn in_group(group: &str, spec: &ParameterSpec) -> String {
    if group.is_empty() { spec.name.clone() } else { format!("{group}/{}", spec.name) }
}

/// Tensors from outside.
#[derive(Clone, Copy, Debug)]
pub struct SavedTensors<'a>(pub &'a [Tensor]);

impl<'a> SavedTensors<'a> {
    /// The tensor of this name.
    ///
    /// # Errors
    /// [`TensorError`] if it is missing.
    pub fn find(&self, name: &str) -> Result<SavedTensor<'a>, TensorError> {
        let found = self.0.iter().find(|tensor| tensor.name == name);
        let missing = || TensorError { tensor: name.to_owned(), problem: "it is missing".to_owned() };
        found.map(SavedTensor).ok_or_else(missing)
    }

    /// The tensors of a group side by side in a buffer of `len`, as a network lays out its parameters: what
    /// [`tensors_of`] made them of.
    ///
    /// # Errors
    /// [`TensorError`] if one is missing, has another shape, or holds what is not a finite number.
    pub fn flat(&self, group: &str, specs: &[ParameterSpec], len: usize) -> Result<Vec<f32>, TensorError> {
        let mut flat = vec![0.0; len];
        for spec in specs {
            let values = self.find(&in_group(group, spec))?.floats(&spec.dims)?;
            flat[spec.range()].copy_from_slice(values);
        }
        Ok(flat)
    }
}

/// A tensor from outside.
#[derive(Clone, Copy, Debug)]
pub struct SavedTensor<'a>(&'a Tensor);

impl<'a> SavedTensor<'a> {
    /// An error that says what is wrong with it.
    #[must_use]
    pub fn wrong(&self, problem: String) -> TensorError {
        TensorError { tensor: self.0.name.clone(), problem }
    }

    /// Its first dimension.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.0.shape.first().copied().unwrap_or(0)
    }

    /// Its numbers, if it is of this shape and all of them are finite.
    ///
    /// # Errors
    /// [`TensorError`] otherwise.
    pub fn floats(&self, shape: &[usize]) -> Result<&'a [f32], TensorError> {
        let values: &[f32] = if let TensorData::F32(values) = &self.0.values { values } else { &[] };
        self.check("f32", shape, || values.iter().all(|value| value.is_finite()))?;
        Ok(values)
    }

    /// Its numbers, if it is of this shape and all of them are finite.
    ///
    /// # Errors
    /// [`TensorError`] otherwise.
    pub fn doubles(&self, shape: &[usize]) -> Result<&'a [f64], TensorError> {
        let values: &[f64] = if let TensorData::F64(values) = &self.0.values { values } else { &[] };
        self.check("f64", shape, || values.iter().all(|value| value.is_finite()))?;
        Ok(values)
    }

    /// Its whole numbers, if it is of this shape.
    ///
    /// # Errors
    /// [`TensorError`] otherwise.
    pub fn integers(&self, shape: &[usize]) -> Result<&'a [u32], TensorError> {
        let values: &[u32] = if let TensorData::U32(values) = &self.0.values { values } else { &[] };
        self.check("u32", shape, || true)?;
        Ok(values)
    }

    /// Its counters, if it has so many.
    ///
    /// # Errors
    /// [`TensorError`] otherwise.
    pub fn counters<const N: usize>(&self) -> Result<&'a [u64; N], TensorError> {
        let values: &[u64] = if let TensorData::U64(values) = &self.0.values { values } else { &[] };
        self.check("u64", &[N], || true)?;
        values.try_into().map_err(|_| self.wrong(format!("{N} counters are needed")))
    }

    fn check(&self, kind: &str, shape: &[usize], finite: impl FnOnce() -> bool) -> Result<(), TensorError> {
        let Tensor { shape: found, values, .. } = self.0;
        if found != shape || values.len() != shape.iter().product::<usize>() || values.kind() != kind {
            return Err(self.wrong(format!("it is {} {found:?}; {kind} {shape:?} is needed", values.kind())));
        }
        if finite() { Ok(()) } else { Err(self.wrong("it holds a number that is not finite".to_owned())) }
    }
}

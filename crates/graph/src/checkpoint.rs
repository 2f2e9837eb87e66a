//! Conversion between flat parameter buffers and the named tensors of a checkpoint.

use crate::spec::ParameterSpec;
use crate::tensor::{Tensor, TensorData};

/// Error: a tensor is missing or invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{tensor}: {problem}")]
pub struct TensorError {
    /// Name of the missing or invalid tensor.
    pub tensor: String,
    /// Description of the problem, with the expected shape or type.
    pub problem: String,
}

/// Returns one tensor for each parameter in a flat buffer, named `group/parameter`, or `parameter` if `group` is empty.
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

/// Tensors of a checkpoint, not yet validated.
#[derive(Clone, Copy, Debug)]
pub struct SavedTensors<'a>(pub &'a [Tensor]);

impl<'a> SavedTensors<'a> {
    /// Returns the tensor with this name.
    ///
    /// # Errors
    /// [`TensorError`] if no tensor has this name.
    pub fn find(&self, name: &str) -> Result<SavedTensor<'a>, TensorError> {
        let found = self.0.iter().find(|tensor| tensor.name == name);
        let missing = || TensorError { tensor: name.to_owned(), problem: "it is missing".to_owned() };
        found.map(SavedTensor).ok_or_else(missing)
    }

    /// Reads the tensors `group/parameter` of all parameters into a flat buffer of length `len`: the inverse of
    /// [`tensors_of`].
    ///
    /// # Errors
    /// [`TensorError`] if a tensor is missing, has another shape, or has an element that is not finite.
    pub fn flat(&self, group: &str, specs: &[ParameterSpec], len: usize) -> Result<Vec<f32>, TensorError> {
        let mut flat = vec![0.0; len];
        for spec in specs {
            let values = self.find(&in_group(group, spec))?.floats(&spec.dims)?;
            flat[spec.range()].copy_from_slice(values);
        }
        Ok(flat)
    }
}

/// A tensor of a checkpoint, not yet validated.
#[derive(Clone, Copy, Debug)]
pub struct SavedTensor<'a>(&'a Tensor);

impl<'a> SavedTensor<'a> {
    /// Creates an error about this tensor with the description `problem`.
    #[must_use]
    pub fn invalid(&self, problem: String) -> TensorError {
        TensorError { tensor: self.0.name.clone(), problem }
    }

    /// Returns the first dimension, or 0 for a tensor without dimensions.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.0.shape.first().copied().unwrap_or(0)
    }

    /// Returns the elements of an f32 tensor with this shape.
    ///
    /// # Errors
    /// [`TensorError`] if the type or shape differs, or an element is not finite.
    pub fn floats(&self, shape: &[usize]) -> Result<&'a [f32], TensorError> {
        let values: &[f32] = if let TensorData::F32(values) = &self.0.values { values } else { &[] };
        self.check("f32", shape, || values.iter().all(|value| value.is_finite()))?;
        Ok(values)
    }

    /// Returns the elements of an f64 tensor with this shape.
    ///
    /// # Errors
    /// [`TensorError`] if the type or shape differs, or an element is not finite.
    pub fn doubles(&self, shape: &[usize]) -> Result<&'a [f64], TensorError> {
        let values: &[f64] = if let TensorData::F64(values) = &self.0.values { values } else { &[] };
        self.check("f64", shape, || values.iter().all(|value| value.is_finite()))?;
        Ok(values)
    }

    /// Returns the elements of a u32 tensor with this shape.
    ///
    /// # Errors
    /// [`TensorError`] if the type or shape differs.
    pub fn integers(&self, shape: &[usize]) -> Result<&'a [u32], TensorError> {
        let values: &[u32] = if let TensorData::U32(values) = &self.0.values { values } else { &[] };
        self.check("u32", shape, || true)?;
        Ok(values)
    }

    /// Returns the elements of a one-dimensional u64 tensor of `N` counters.
    ///
    /// # Errors
    /// [`TensorError`] if the type or shape differs.
    pub fn counters<const N: usize>(&self) -> Result<&'a [u64; N], TensorError> {
        let values: &[u64] = if let TensorData::U64(values) = &self.0.values { values } else { &[] };
        self.check("u64", &[N], || true)?;
        values.try_into().map_err(|_| self.invalid(format!("{N} counters are needed")))
    }

    fn check(&self, kind: &str, shape: &[usize], finite: impl FnOnce() -> bool) -> Result<(), TensorError> {
        let Tensor { shape: found, values, .. } = self.0;
        if found != shape || values.len() != shape.iter().product::<usize>() || values.kind() != kind {
            return Err(
                self.invalid(format!("it is {} {found:?}; {kind} {shape:?} is needed", values.kind()))
            );
        }
        if finite() { Ok(()) } else { Err(self.invalid("it has an element that is not finite".to_owned())) }
    }
}

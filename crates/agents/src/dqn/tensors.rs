//! Tensors from outside, judged as they are read.

use super::error::DqnError;
use vivarium_graph::{ParameterSpec, Tensor, Values};

/// Tensors that something was saved as.
#[derive(Clone, Copy, Debug)]
pub struct Saved<'a>(pub &'a [Tensor]);

impl<'a> Saved<'a> {
    /// The tensor of this name.
    ///
    /// # Errors
    /// [`DqnError::State`] if it is missing.
    pub fn find(&self, name: &str) -> Result<Named<'a>, DqnError> {
        let found = self.0.iter().find(|tensor| tensor.name == name);
        found
            .map(Named)
            .ok_or_else(|| DqnError::State { tensor: name.to_owned(), problem: "it is missing".to_owned() })
    }

    /// The tensors of a group side by side, as a network lays out its parameters.
    pub(crate) fn flat(
        &self,
        group: &str,
        specs: &[ParameterSpec],
        len: usize,
    ) -> Result<Vec<f32>, DqnError> {
        let mut flat = vec![0.0; len];
        for spec in specs {
            let values = self.find(&format!("{group}/{}", spec.name))?.floats(&spec.dims)?;
            flat[spec.range()].copy_from_slice(values);
        }
        Ok(flat)
    }
}

/// A tensor from outside.
#[derive(Clone, Copy, Debug)]
pub struct Named<'a>(&'a Tensor);

impl<'a> Named<'a> {
    /// An error that says what is wrong with it.
    pub fn wrong(&self, problem: String) -> DqnError {
        DqnError::State { tensor: self.0.name.clone(), problem }
    }

    /// Its first dimension.
    pub(crate) fn rows(&self) -> usize {
        self.0.shape.first().copied().unwrap_or(0)
    }

    fn check(&self, kind: &str, shape: &[usize], finite: impl FnOnce() -> bool) -> Result<(), DqnError> {
        let Tensor { shape: found, values, .. } = self.0;
        if found != shape || values.len() != shape.iter().product::<usize>() || values.kind() != kind {
            return Err(self.wrong(format!("it is {} {found:?}; {kind} {shape:?} is needed", values.kind())));
        }
        if finite() { Ok(()) } else { Err(self.wrong("it holds a number that is not finite".to_owned())) }
    }

    /// Its numbers, if it is of this shape and all of them are finite.
    ///
    /// # Errors
    /// [`DqnError::State`] otherwise.
    pub fn floats(&self, shape: &[usize]) -> Result<&'a [f32], DqnError> {
        let values: &[f32] = if let Values::F32(values) = &self.0.values { values } else { &[] };
        self.check("f32", shape, || values.iter().all(|value| value.is_finite()))?;
        Ok(values)
    }

    pub(crate) fn doubles(&self, shape: &[usize]) -> Result<&'a [f64], DqnError> {
        let values: &[f64] = if let Values::F64(values) = &self.0.values { values } else { &[] };
        self.check("f64", shape, || values.iter().all(|value| value.is_finite()))?;
        Ok(values)
    }

    /// Its whole numbers, if it is of this shape.
    ///
    /// # Errors
    /// [`DqnError::State`] otherwise.
    pub fn integers(&self, shape: &[usize]) -> Result<&'a [u32], DqnError> {
        let values: &[u32] = if let Values::U32(values) = &self.0.values { values } else { &[] };
        self.check("u32", shape, || true)?;
        Ok(values)
    }

    /// Its counters, if it has so many.
    ///
    /// # Errors
    /// [`DqnError::State`] otherwise.
    pub fn counters<const N: usize>(&self) -> Result<&'a [u64; N], DqnError> {
        let values: &[u64] = if let Values::U64(values) = &self.0.values { values } else { &[] };
        self.check("u64", &[N], || true)?;
        values.try_into().map_err(|_| self.wrong(format!("{N} counters are needed")))
    }
}

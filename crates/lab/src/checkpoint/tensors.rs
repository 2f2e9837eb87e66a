//! Tensors of a checkpoint, read by name with validation of type, shape and values.

use crate::error::LabError;
use safetensors::{Dtype, SafeTensors, View};
use std::borrow::Cow;
use std::collections::BTreeMap;

pub use vivarium_graph::{Tensor, TensorData};

/// Creates a one-dimensional tensor with the name `name` and the elements `values`.
pub fn flat(name: impl Into<String>, values: TensorData) -> Tensor {
    Tensor { name: name.into(), shape: vec![count(&values)], values }
}

fn count(values: &TensorData) -> usize {
    match values {
        TensorData::F32(values) => values.len(),
        TensorData::F64(values) => values.len(),
        TensorData::U64(values) => values.len(),
        TensorData::U32(values) => values.len(),
    }
}

fn dtype(values: &TensorData) -> Dtype {
    match values {
        TensorData::F32(_) => Dtype::F32,
        TensorData::F64(_) => Dtype::F64,
        TensorData::U64(_) => Dtype::U64,
        TensorData::U32(_) => Dtype::U32,
    }
}

fn bytes(values: &TensorData) -> Vec<u8> {
    match values {
        TensorData::F32(values) => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
        TensorData::F64(values) => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
        TensorData::U64(values) => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
        TensorData::U32(values) => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
    }
}

fn values(dtype: Dtype, bytes: &[u8]) -> Option<TensorData> {
    Some(match dtype {
        Dtype::F32 => TensorData::F32(words(bytes, f32::from_le_bytes)),
        Dtype::F64 => TensorData::F64(words(bytes, f64::from_le_bytes)),
        Dtype::U64 => TensorData::U64(words(bytes, u64::from_le_bytes)),
        Dtype::U32 => TensorData::U32(words(bytes, u32::from_le_bytes)),
        _ => return None,
    })
}

fn words<const N: usize, T>(bytes: &[u8], read: fn([u8; N]) -> T) -> Vec<T> {
    bytes.as_chunks::<N>().0.iter().map(|word| read(*word)).collect()
}

/// Returns the first value that is NaN or infinite, or `None` if all values are finite.
fn non_finite(values: &TensorData) -> Option<f64> {
    match values {
        TensorData::F32(values) => values.iter().find(|value| !value.is_finite()).map(|&value| value.into()),
        TensorData::F64(values) => values.iter().find(|value| !value.is_finite()).copied(),
        TensorData::U64(_) | TensorData::U32(_) => None,
    }
}

/// Adapter through which the safetensors serializer reads the type, the shape and the bytes of a tensor.
pub(super) struct SerializedTensor<'a>(pub &'a Tensor);

impl View for SerializedTensor<'_> {
    fn dtype(&self) -> Dtype {
        dtype(&self.0.values)
    }

    fn shape(&self) -> &[usize] {
        &self.0.shape
    }

    fn data(&self) -> Cow<'_, [u8]> {
        Cow::Owned(bytes(&self.0.values))
    }

    fn data_len(&self) -> usize {
        count(&self.0.values) * dtype(&self.0.values).bitsize() / 8
    }
}

/// Checks that tensors hold a minimum total number of elements; see [`Tensors::check_min_values`].
///
/// # Errors
/// [`LabError::Checkpoint`] with the actual and the minimum number.
pub fn check_min_values<'a>(
    tensors: impl IntoIterator<Item = &'a Tensor>,
    least: u64,
) -> Result<(), LabError> {
    let held: u64 = tensors.into_iter().map(|tensor| count(&tensor.values) as u64).sum();
    if held < least {
        return Err(LabError::checkpoint(format!(
            "its config needs a network of at least {least} numbers, and it holds {held}"
        )));
    }
    Ok(())
}

/// All tensors of a checkpoint, found by name. All floating-point values are finite.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensors(BTreeMap<String, Tensor>);

impl Tensors {
    pub(super) fn read(file: &SafeTensors<'_>) -> Result<Self, LabError> {
        let mut tensors = BTreeMap::new();
        for (name, view) in file.iter() {
            let values = values(view.dtype(), view.data()).ok_or_else(|| {
                LabError::checkpoint(format!(
                    "{name} is of type {:?}; F32, F64, U64 and U32 are read",
                    view.dtype()
                ))
            })?;
            if let Some(value) = non_finite(&values) {
                return Err(LabError::checkpoint(format!(
                    "{name} holds {value}; all numbers must be finite"
                )));
            }
            let tensor = Tensor { name: name.to_owned(), shape: view.shape().to_vec(), values };
            tensors.insert(name.to_owned(), tensor);
        }
        Ok(Self(tensors))
    }

    /// Checks that the tensors hold at least `least` values in total. `least` is a lower bound of the size of the
    /// network that the file's config describes. The check prevents a small malicious file from allocating a large
    /// network.
    ///
    /// # Errors
    /// [`LabError::Checkpoint`] with the actual and the minimum number.
    pub fn check_min_values(&self, least: u64) -> Result<(), LabError> {
        check_min_values(self.0.values(), least)
    }

    /// Returns whether the checkpoint contains a tensor with the name `name`.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Removes the tensor with the name `name` from the checkpoint's tensors, and returns the tensor.
    ///
    /// # Errors
    /// [`LabError::Checkpoint`] if the tensor is missing.
    pub fn take(&mut self, name: &str) -> Result<Tensor, LabError> {
        self.0.remove(name).ok_or_else(|| LabError::checkpoint(format!("{name} is missing")))
    }

    /// Removes a one-dimensional `f64` tensor and returns its values.
    ///
    /// # Errors
    /// [`LabError::Checkpoint`] if the tensor is missing or has another type or shape.
    pub fn take_f64(&mut self, name: &str) -> Result<Vec<f64>, LabError> {
        match self.take(name)? {
            Tensor { values: TensorData::F64(numbers), shape, .. } if shape.len() == 1 => Ok(numbers),
            other => Err(unlike(&other, &flat(name, TensorData::F64(Vec::new())))),
        }
    }

    /// For each tensor of `models`, which serve as templates: removes and returns the checkpoint's tensor with the same
    /// name, shape and element type. The values of `models` are ignored.
    ///
    /// # Errors
    /// [`LabError::Checkpoint`] for the first tensor that is missing or differs.
    pub fn take_like(&mut self, models: &[Tensor]) -> Result<Vec<Tensor>, LabError> {
        models.iter().map(|model| self.take_one_like(model)).collect()
    }

    fn take_one_like(&mut self, model: &Tensor) -> Result<Tensor, LabError> {
        let tensor = self.take(&model.name)?;
        let alike = tensor.shape == model.shape && dtype(&tensor.values) == dtype(&model.values);
        if alike { Ok(tensor) } else { Err(unlike(&tensor, model)) }
    }

    /// Returns all tensors of the checkpoint, sorted by name.
    #[must_use]
    pub fn into_vec(self) -> Vec<Tensor> {
        self.0.into_values().collect()
    }

    /// Returns an error unless all tensors of the file have been taken.
    ///
    /// # Errors
    /// [`LabError::Checkpoint`] with the name of an unexpected tensor.
    pub fn finish(self) -> Result<(), LabError> {
        match self.0.into_keys().next() {
            Some(name) => Err(LabError::checkpoint(format!("unexpected tensor {name}"))),
            None => Ok(()),
        }
    }
}

fn unlike(tensor: &Tensor, model: &Tensor) -> LabError {
    let (got, wanted) = (dtype(&tensor.values), dtype(&model.values));
    LabError::checkpoint(format!(
        "{} is {got:?} {:?}; its config needs {wanted:?} {:?}",
        tensor.name, tensor.shape, model.shape
    ))
}

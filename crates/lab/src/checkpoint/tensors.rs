//! The tensors of a checkpoint: written in order, taken out by name with everything about them checked.

use crate::error::LabError;
use safetensors::{Dtype, SafeTensors, View};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Numbers of one of the types that checkpoints use.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Weights, moments, states.
    F32(Vec<f32>),
    /// Sums that must not lose digits.
    F64(Vec<f64>),
    /// Counters.
    U64(Vec<u64>),
    /// Flags and small numbers.
    U32(Vec<u32>),
}

/// A named tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// Such as `policy.torso.0.weight`.
    pub name: String,
    /// Outermost dimension first.
    pub shape: Vec<usize>,
    /// Row-major; as many as the shape says.
    pub values: Values,
}

impl Tensor {
    /// A tensor of one dimension.
    pub fn flat(name: impl Into<String>, values: Values) -> Self {
        let shape = vec![values.len()];
        Self { name: name.into(), shape, values }
    }
}

impl Values {
    /// How many numbers.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::F32(values) => values.len(),
            Self::F64(values) => values.len(),
            Self::U64(values) => values.len(),
            Self::U32(values) => values.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn bytes(&self) -> Vec<u8> {
        match self {
            Self::F32(values) => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
            Self::F64(values) => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
            Self::U64(values) => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
            Self::U32(values) => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
        }
    }

    fn dtype(&self) -> Dtype {
        match self {
            Self::F32(_) => Dtype::F32,
            Self::F64(_) => Dtype::F64,
            Self::U64(_) => Dtype::U64,
            Self::U32(_) => Dtype::U32,
        }
    }

    fn read(dtype: Dtype, bytes: &[u8]) -> Option<Self> {
        Some(match dtype {
            Dtype::F32 => Self::F32(words(bytes, f32::from_le_bytes)),
            Dtype::F64 => Self::F64(words(bytes, f64::from_le_bytes)),
            Dtype::U64 => Self::U64(words(bytes, u64::from_le_bytes)),
            Dtype::U32 => Self::U32(words(bytes, u32::from_le_bytes)),
            _ => return None,
        })
    }

    /// The first number that is NaN or infinite.
    fn non_finite(&self) -> Option<f64> {
        match self {
            Self::F32(values) => values.iter().find(|value| !value.is_finite()).map(|&value| value.into()),
            Self::F64(values) => values.iter().find(|value| !value.is_finite()).copied(),
            Self::U64(_) | Self::U32(_) => None,
        }
    }
}

fn words<const N: usize, T>(bytes: &[u8], read: fn([u8; N]) -> T) -> Vec<T> {
    bytes.as_chunks::<N>().0.iter().map(|word| read(*word)).collect()
}

impl View for &Tensor {
    fn dtype(&self) -> Dtype {
        self.values.dtype()
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn data(&self) -> Cow<'_, [u8]> {
        Cow::Owned(self.values.bytes())
    }

    fn data_len(&self) -> usize {
        self.values.len() * self.values.dtype().bitsize() / 8
    }
}

/// The tensors of a file that was read, all of them finite.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensors(BTreeMap<String, Tensor>);

impl Tensors {
    pub(super) fn read(file: &SafeTensors<'_>) -> Result<Self, LabError> {
        let mut tensors = BTreeMap::new();
        for (name, view) in file.iter() {
            let values = Values::read(view.dtype(), view.data()).ok_or_else(|| {
                LabError::checkpoint(format!(
                    "{name} is of type {:?}; F32, F64, U64 and U32 are read",
                    view.dtype()
                ))
            })?;
            if let Some(value) = values.non_finite() {
                return Err(LabError::checkpoint(format!(
                    "{name} holds {value}; all numbers must be finite"
                )));
            }
            let tensor = Tensor { name: name.to_owned(), shape: view.shape().to_vec(), values };
            tensors.insert(name.to_owned(), tensor);
        }
        Ok(Self(tensors))
    }

    /// Takes out the tensor of this name.
    ///
    /// # Errors
    /// [`LabError::Checkpoint`] if it is missing.
    pub fn take(&mut self, name: &str) -> Result<Tensor, LabError> {
        self.0.remove(name).ok_or_else(|| LabError::checkpoint(format!("{name} is missing")))
    }

    /// Takes out a tensor that must be like `model` in shape and type.
    ///
    /// # Errors
    /// [`LabError::Checkpoint`] if it is missing or different.
    pub fn take_like(&mut self, model: &Tensor) -> Result<Tensor, LabError> {
        let tensor = self.take(&model.name)?;
        let (got, wanted) = ((tensor.values.dtype(), &tensor.shape), (model.values.dtype(), &model.shape));
        if got != wanted {
            let name = &model.name;
            return Err(LabError::checkpoint(format!(
                "{name} is {:?} {:?}; its config needs {:?} {:?}",
                got.0, got.1, wanted.0, wanted.1
            )));
        }
        Ok(tensor)
    }

    /// Whether there is a tensor of this name.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Ends the reading: nothing may be left over.
    ///
    /// # Errors
    /// [`LabError::Checkpoint`] naming a tensor that nobody asked for.
    pub fn finish(self) -> Result<(), LabError> {
        match self.0.into_keys().next() {
            Some(name) => Err(LabError::checkpoint(format!("{name} does not belong in it"))),
            None => Ok(()),
        }
    }
}

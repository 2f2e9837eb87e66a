//! Named arrays: what a learner's state is saved as.

/// Numbers of one type.
#[derive(Clone, Debug, PartialEq)]
pub enum TensorData {
    /// Weights, moments, states.
    F32(Vec<f32>),
    /// Sums that must not lose digits.
    F64(Vec<f64>),
    /// Counters.
    U64(Vec<u64>),
    /// Flags and small numbers.
    U32(Vec<u32>),
}

impl TensorData {
    /// The type's name, such as `f32`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            TensorData::F32(_) => "f32",
            TensorData::F64(_) => "f64",
            TensorData::U64(_) => "u64",
            TensorData::U32(_) => "u32",
        }
    }

    /// How many numbers.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            TensorData::F32(values) => values.len(),
            TensorData::F64(values) => values.len(),
            TensorData::U64(values) => values.len(),
            TensorData::U32(values) => values.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A named array.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// Such as `weights/actor.0.weight`.
    pub name: String,
    /// Outermost dimension first.
    pub shape: Vec<usize>,
    /// Row-major.
    pub values: TensorData,
}

impl Tensor {
    /// An array of this shape.
    #[must_use]
    pub fn new(name: impl Into<String>, shape: &[usize], values: TensorData) -> Self {
        Self { name: name.into(), shape: shape.to_vec(), values }
    }

    /// An array of one dimension.
    #[must_use]
    pub fn flat(name: impl Into<String>, values: TensorData) -> Self {
        Self::new(name, &[values.len()], values)
    }
}

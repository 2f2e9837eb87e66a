//! Named tensors, the format in which the state of a learner is saved.

/// Elements of a tensor.
#[derive(Clone, Debug, PartialEq)]
pub enum TensorData {
    /// Single precision: weights, optimizer moments, environment states.
    F32(Vec<f32>),
    /// Double precision: accumulated sums.
    F64(Vec<f64>),
    /// 64-bit counters.
    U64(Vec<u64>),
    /// 32-bit flags and small integers.
    U32(Vec<u32>),
}

impl TensorData {
    /// Returns the element type's name, such as `f32`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            TensorData::F32(_) => "f32",
            TensorData::F64(_) => "f64",
            TensorData::U64(_) => "u64",
            TensorData::U32(_) => "u32",
        }
    }

    /// Returns the number of elements of the tensor.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            TensorData::F32(values) => values.len(),
            TensorData::F64(values) => values.len(),
            TensorData::U64(values) => values.len(),
            TensorData::U32(values) => values.len(),
        }
    }

    /// Returns whether the tensor has no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A named tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// Name of the tensor, such as `weights/actor.0.weight`.
    pub name: String,
    /// Shape of the tensor, outermost dimension first.
    pub shape: Vec<usize>,
    /// Elements of the tensor, row-major.
    pub values: TensorData,
}

impl Tensor {
    /// Creates a tensor from its name, shape and elements.
    #[must_use]
    pub fn new(name: impl Into<String>, shape: &[usize], values: TensorData) -> Self {
        Self { name: name.into(), shape: shape.to_vec(), values }
    }

    /// Creates a one-dimensional tensor from its name and elements.
    #[must_use]
    pub fn flat(name: impl Into<String>, values: TensorData) -> Self {
        Self::new(name, &[values.len()], values)
    }
}

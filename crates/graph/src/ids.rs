//! Ids of values, inputs and parameters.

/// Id of a value in a graph or plan: one result of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub(crate) u32);

impl Value {
    /// Returns the index of the value, from 0, among all values of the graph.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Id of an input: its index in declaration order and in [`crate::BatchInputs`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct InputId(pub usize);

/// Id of a parameter: its index in order of first use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ParameterId(pub usize);

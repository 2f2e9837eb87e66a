//! The numbers by which a graph knows its values, inputs and parameters.

/// A value of a graph or of a plan: one result of an operation, for each row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub(crate) u32);

impl Value {
    /// Its position among all values.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An input of a graph, numbered in the order of declaration: its place in the slices that a run is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct InputId(pub usize);

/// A parameter of a graph, numbered in the order of first use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ParameterId(pub usize);

//! Action spaces and state dimensions.

/// Action space. Every action is one `f32` per environment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ActionSpace {
    /// Discrete action space of n actions, where n is the field. An action is an index from 0 to n − 1, stored as an
    /// exact `f32`; other numbers are errors.
    Discrete(usize),
    /// Continuous action space: a real number, clipped to the range from `low` to `high`. NaN is an error.
    Box {
        /// Lower bound of the actions.
        low: f32,
        /// Upper bound of the actions.
        high: f32,
    },
}

impl ActionSpace {
    /// Returns whether an action is valid. Numbers beyond the bounds of a continuous action space are valid, because
    /// they are clipped.
    pub fn accepts(self, action: f32) -> bool {
        match self {
            ActionSpace::Discrete(n) => action >= 0.0 && action < n as f32 && action.fract() == 0.0,
            ActionSpace::Box { .. } => !action.is_nan(),
        }
    }
}

impl std::fmt::Display for ActionSpace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ActionSpace::Discrete(n) => write!(f, "a whole number from 0 to {}", n - 1),
            ActionSpace::Box { low, high } => write!(f, "a number (clipped to {low} to {high})"),
        }
    }
}

/// One dimension of a state or observation, with its plotting range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dimension {
    /// Name of the state or observation dimension, such as `pole angle`.
    pub name: &'static str,
    /// Unit of the dimension, such as `rad`; empty for a dimensionless number.
    pub unit: &'static str,
    /// Lower end of the plotting range.
    pub low: f32,
    /// Upper end of the plotting range.
    pub high: f32,
}

impl Dimension {
    /// Creates a dimension with the plotting range `low` to `high`.
    pub(crate) const fn new(name: &'static str, unit: &'static str, low: f32, high: f32) -> Self {
        Self { name, unit, low, high }
    }
}

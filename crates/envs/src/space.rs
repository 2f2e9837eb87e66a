//! What goes into a world and what comes out: actions, and the dimensions of a state.

/// The actions that a world takes. Every action is one `f32` per lane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ActionSpace {
    /// One of `n` actions, given by its number 0, 1, … as an exact `f32`. Anything else is refused.
    Discrete(usize),
    /// A number. Beyond `low` and `high` it is clipped (infinities too); NaN is refused.
    Box {
        /// The smallest action that has an effect of its own.
        low: f32,
        /// The largest.
        high: f32,
    },
}

impl ActionSpace {
    /// Whether a world takes this action, the clipped ones of a box included.
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

/// One number of a state, and the range in which it is worth drawing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dimension {
    /// What it is, such as `pole angle`.
    pub name: &'static str,
    /// Its unit, such as `rad`; empty where it has none.
    pub unit: &'static str,
    /// The lower end of the range to draw.
    pub low: f32,
    /// The upper end.
    pub high: f32,
}

impl Dimension {
    /// A dimension.
    pub(crate) const fn new(name: &'static str, unit: &'static str, low: f32, high: f32) -> Self {
        Self { name, unit, low, high }
    }
}

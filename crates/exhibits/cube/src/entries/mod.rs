//! Fields, presets and metrics of the cubes: of 2×2×2 solved by deep Q-learning, of 3×3×3 by self-supervision and a search.

pub(crate) mod cube2;
pub(crate) mod cube3;

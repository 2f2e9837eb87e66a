//! Time between two frames of the display.

/// Returns `elapsed`, the seconds since the last displayed frame, clamped to the range from 0 to 1. NaN becomes 0.
pub fn passed(elapsed: f32) -> f32 {
    if elapsed > 0.0 { elapsed.min(1.0) } else { 0.0 }
}

//! Time between two frames of the display.

/// Returns the time `elapsed` since the last frame in seconds, clamped to `0..=1`. NaN becomes 0.
pub fn passed(elapsed: f32) -> f32 {
    if elapsed > 0.0 { elapsed.min(1.0) } else { 0.0 }
}

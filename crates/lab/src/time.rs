//! Time that passes in frames.

/// Seconds that pass in a frame. A NaN from outside counts as no time.
pub fn passed(elapsed: f32) -> f32 {
    if elapsed > 0.0 { elapsed.min(1.0) } else { 0.0 }
}

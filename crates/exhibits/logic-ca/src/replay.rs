//! Timing of the playback of a recorded rollout, which repeats endlessly.

/// Minimum duration of a playback in seconds, without the additional display time [`HOLD`] of the last step.
const MIN_SECONDS: f32 = 1.0;
/// Maximum duration of a playback in seconds, without the additional display time [`HOLD`] of the last step.
const MAX_SECONDS: f32 = 4.0;
/// Playback speed in automaton steps per second, unless the duration would be less than [`MIN_SECONDS`] or more than
/// [`MAX_SECONDS`].
const STEPS_PER_SECOND: f32 = 12.0;

/// Additional display time of the last automaton step of a playback, in seconds.
const HOLD: f32 = 1.2;

/// Returns the automaton step, 0 to `steps`, that is displayed `seconds` after the playback of a rollout of `steps`
/// steps has started.
pub(super) fn step_at(seconds: f32, steps: usize) -> usize {
    let duration = (steps as f32 / STEPS_PER_SECOND).clamp(MIN_SECONDS, MAX_SECONDS);
    let share = seconds.rem_euclid(duration + HOLD) / duration;
    ((share * (steps + 1) as f32) as usize).min(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn playback_advances_holds_and_restarts() {
        for steps in [1, 12, 20, 500] {
            let shown: Vec<usize> = (0..600).map(|frame| step_at(frame as f32 / 60.0, steps)).collect();
            assert_eq!(shown[0], 0);
            let end = shown.iter().position(|&step| step == steps).unwrap();
            assert!(shown[..end].is_sorted());
            assert!(
                shown[end..end + 60].iter().all(|&step| step == steps),
                "the last step is held for a second"
            );
            assert!(shown[end..].contains(&0), "playback restarts");
        }
    }
}

//! Timing of the playback of recorded rollouts, which repeats as long as new rollouts are recorded.

/// Minimum duration of a playback in seconds, without the additional display time [`HOLD`] of the last step.
const MIN_SECONDS: f32 = 1.0;
/// Maximum duration of a playback in seconds, without the additional display time [`HOLD`] of the last step.
const MAX_SECONDS: f32 = 4.0;
/// Playback speed in automaton steps per second, unless the duration would be less than [`MIN_SECONDS`] or more than
/// [`MAX_SECONDS`].
const STEPS_PER_SECOND: f32 = 12.0;

/// Additional display time of the last automaton step of a playback, in seconds.
const HOLD: f32 = 1.2;

/// Playback of the newest recorded rollout. After the last step, which training judges, the playback restarts as soon as a newer
/// rollout is recorded. During a pause of training, the last step stays.
#[derive(Default)]
pub(super) struct Playback {
    /// Time since the start of the playback in seconds.
    seconds: f32,
    /// Epoch of the newest rollout so far.
    epoch: u64,
}

impl Playback {
    /// Advances the playback by `passed` seconds. `epoch` is the epoch of the newest rollout, which has `steps` steps. Returns
    /// the displayed automaton step, 0 to `steps`.
    pub(super) fn advance(&mut self, passed: f32, steps: usize, epoch: u64) -> usize {
        let duration = (steps as f32 / STEPS_PER_SECOND).clamp(MIN_SECONDS, MAX_SECONDS);
        self.seconds = (self.seconds + passed).min(duration + HOLD);
        if self.seconds >= duration + HOLD && self.epoch != epoch {
            self.seconds = 0.0;
        }
        self.epoch = epoch;
        ((self.seconds / duration * (steps + 1) as f32) as usize).min(steps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn playback_advances_holds_and_restarts_for_a_newer_rollout_only() {
        for steps in [1, 12, 20, 500] {
            let mut playback = Playback::default();
            let mut shown = |epoch: fn(u64) -> u64| -> Vec<usize> {
                (0..600).map(|frame| playback.advance(1.0 / 60.0, steps, epoch(frame))).collect()
            };
            let paused = shown(|_| 0);
            assert!(paused.is_sorted(), "the last step stays during a pause");
            assert_eq!(paused[599], steps);
            let slow = shown(|frame| if frame < 20 { 1 } else { 2 });
            assert_eq!(slow[0], 0);
            assert!(slow.is_sorted(), "a rollout that is recorded during the playback does not interrupt it");
            let training = shown(|frame| 3 + frame);
            assert_eq!(training[0], 0);
            let end = training.iter().position(|&step| step == steps).unwrap();
            assert!(
                training[end..end + 60].iter().all(|&step| step == steps),
                "the last step is held for a second"
            );
            assert!(training[end..].contains(&0), "playback restarts");
        }
    }
}

//! When which step of an epoch's film is shown, again and again.

/// A film is shown in so many seconds, its steps at this pace where that lies between.
const SHORTEST: f32 = 1.0;
const LONGEST: f32 = 4.0;
const STEPS_PER_SECOND: f32 = 12.0;

/// For how long the last step stays.
const HOLD: f32 = 1.2;

/// The step that is shown after so many seconds of a film of `steps` steps.
pub(super) fn step_at(seconds: f32, steps: usize) -> usize {
    let running = (steps as f32 / STEPS_PER_SECOND).clamp(SHORTEST, LONGEST);
    let share = seconds.rem_euclid(running + HOLD) / running;
    ((share * (steps + 1) as f32) as usize).min(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_film_begins_goes_on_step_by_step_stays_and_begins_again() {
        for steps in [1, 12, 20, 500] {
            let shown: Vec<usize> = (0..600).map(|frame| step_at(frame as f32 / 60.0, steps)).collect();
            assert_eq!(shown[0], 0);
            let end = shown.iter().position(|&step| step == steps).unwrap();
            assert!(shown[..end].is_sorted());
            assert!(shown[end..end + 60].iter().all(|&step| step == steps), "it stays for a second");
            assert!(shown[end..].contains(&0), "it begins again");
        }
    }
}

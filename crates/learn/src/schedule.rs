//! Hyperparameter schedules.

/// Returns the value of cosine annealing from `start` to `end` after `done` of `over` steps or samples (Loshchilov and
/// Hutter 2017, <https://arxiv.org/abs/1608.03983>). Returns `end` if `done` exceeds `over`, and `start` if `over` is
/// 0.
pub fn cosine_annealing(start: f32, end: f32, done: u64, over: u64) -> f32 {
    let left = 0.5 * (1.0 + (std::f64::consts::PI * share(done, over)).cos());
    let (start, end) = (f64::from(start), f64::from(end));
    (end + (start - end) * left) as f32
}

/// Returns the value of a linear schedule from `start` to `end`, with the arguments of [`cosine_annealing`].
pub fn linear(start: f32, end: f32, done: u64, over: u64) -> f32 {
    let (start, end) = (f64::from(start), f64::from(end));
    (start + (end - start) * share(done, over)) as f32
}

fn share(done: u64, over: u64) -> f64 {
    if over == 0 { 0.0 } else { (done as f64 / over as f64).min(1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_run_from_start_to_end_and_stay() {
        for (schedule, middle) in
            [(linear as fn(f32, f32, u64, u64) -> f32, 0.8), (cosine_annealing, 1.0 - 0.8 * 0.1464466)]
        {
            assert_eq!([0, 100, u64::MAX].map(|done| schedule(1.0, 0.2, done, 100)), [1.0, 0.2, 0.2]);
            assert!((schedule(1.0, 0.2, 25, 100) - middle).abs() < 1e-6);
            assert!((schedule(1.0, 0.2, 50, 100) - 0.6).abs() < 1e-6);
            assert_eq!(schedule(1.0, 0.2, 7, 0), 1.0);
        }
    }
}

//! Timing of code: the minimum duration over many short repetitions.
//!
//! Other load on the machine only lengthens a repetition; therefore the minimum is the best estimate. Repetitions of
//! a benchmark and of its reference implementation alternate, so that both run at the same clock speed and load.

use std::time::{Duration, Instant};

/// Minimum duration of a repetition, which is a timed sequence of calls. At this duration, the overhead of the clock
/// is negligible.
const MIN_REPETITION: Duration = Duration::from_micros(500);

/// Returns the duration of one call of `work` in seconds: the minimum over all repetitions within about `seconds`
/// seconds.
pub fn fastest(seconds: f64, mut work: impl FnMut()) -> f64 {
    let calls = calibrate(&mut work);
    let mut best = f64::INFINITY;
    let start = Instant::now();
    for round in 0.. {
        best = best.min(repetition(calls, &mut work));
        if round >= 2 && start.elapsed().as_secs_f64() > seconds {
            break;
        }
    }
    best
}

/// Returns the durations in seconds of one call of `ours` and of one call of `rival`. Each duration is the minimum
/// over repetitions of about `seconds` seconds in total. The repetitions of both functions alternate.
pub fn race(seconds: f64, mut ours: impl FnMut(), mut rival: impl FnMut()) -> (f64, f64) {
    let (our_calls, rival_calls) = (calibrate(&mut ours), calibrate(&mut rival));
    let (mut our_best, mut rival_best) = (f64::INFINITY, f64::INFINITY);
    let start = Instant::now();
    for round in 0.. {
        our_best = our_best.min(repetition(our_calls, &mut ours));
        rival_best = rival_best.min(repetition(rival_calls, &mut rival));
        if round >= 2 && start.elapsed().as_secs_f64() > 2.0 * seconds {
            break;
        }
    }
    (our_best, rival_best)
}

/// Returns the number of calls of `work` in a repetition of at least [`MIN_REPETITION`], found by doubling. The calls
/// also warm up caches, branch predictors and the clock speed.
fn calibrate(work: &mut impl FnMut()) -> u32 {
    let mut calls = 1;
    loop {
        let start = Instant::now();
        for _ in 0..calls {
            work();
        }
        if start.elapsed() >= MIN_REPETITION || calls >= 1 << 30 {
            return calls;
        }
        calls *= 2;
    }
}

/// Runs one repetition of `calls` calls of `work`, and returns the mean duration of a call in seconds.
fn repetition(calls: u32, work: &mut impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..calls {
        work();
    }
    start.elapsed().as_secs_f64() / f64::from(calls)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    #[test]
    fn rivals_take_turns_and_both_are_timed() {
        let order = RefCell::new(Vec::new());
        let slow = |who: char| {
            order.borrow_mut().push(who);
            std::thread::sleep(Duration::from_millis(1));
        };
        let (ours, rival) = race(0.005, || slow('a'), || slow('b'));
        // A call sleeps for at least a millisecond: a repetition is one call, and no duration is shorter.
        assert!(ours >= 0.001 && ours.is_finite(), "{ours}");
        assert!(rival >= 0.001 && rival.is_finite(), "{rival}");
        let order = order.into_inner();
        assert!(order.len() >= 8 && order.chunks_exact(2).all(|turn| turn == ['a', 'b']), "{order:?}");
        assert!(fastest(0.005, || std::thread::sleep(Duration::from_millis(1))) >= 0.001);
    }
}

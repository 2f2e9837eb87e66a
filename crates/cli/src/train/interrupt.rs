//! Ctrl-C: the first asks a run to save and end, a later one ends the program at once.

use crate::signals::{self, Signal};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

static ASKED: AtomicBool = AtomicBool::new(false);

/// A signal that comes so soon after the first is the same one: `timeout`, for example, sends it to the program and to
/// the program's group.
const SAME: Duration = Duration::from_secs(1);

/// What follows from a signal.
#[derive(Debug, PartialEq, Eq)]
enum Answer {
    /// The run saves and ends.
    End,
    /// Nothing: it ends already.
    Nothing,
    /// The program ends at once.
    Leave,
}

/// What follows from a signal, so long after the first one if that has been.
fn answer(signal: Signal, since_first: Option<Duration>) -> Answer {
    match since_first {
        None => Answer::End,
        // A person who asks again is in a hurry; the system may repeat itself.
        Some(since) if signal == Signal::Interrupt && since >= SAME => Answer::Leave,
        Some(_) => Answer::Nothing,
    }
}

/// Listens for Ctrl-C (and for a polite request to end from the system). Where that cannot be had, the program still
/// works, and Ctrl-C ends it as it ends any other.
pub fn listen() {
    let mut first = None;
    let _ =
        signals::listen(move |signal| match answer(signal, first.map(|first: Instant| first.elapsed())) {
            Answer::End => {
                first = Some(Instant::now());
                ASKED.store(true, Ordering::Relaxed);
            }
            Answer::Nothing => {}
            Answer::Leave => {
                crate::terminal::aside("\nvivarium: left at once; the last checkpoint on disk is whole");
                std::process::exit(130);
            }
        });
}

/// Whether somebody has asked.
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_person_who_asks_again_later_is_in_a_hurry() {
        for signal in [Signal::Interrupt, Signal::Terminate] {
            assert_eq!(answer(signal, None), Answer::End);
            assert_eq!(answer(signal, Some(Duration::from_millis(999))), Answer::Nothing);
        }
        assert_eq!(answer(Signal::Interrupt, Some(SAME)), Answer::Leave);
        assert_eq!(answer(Signal::Terminate, Some(Duration::from_secs(60))), Answer::Nothing);
    }
}

//! Handling of Ctrl-C: the first Ctrl-C saves and stops the run, a later Ctrl-C exits the program immediately.

use crate::signals::{self, Signal};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Time after the first signal during which further signals are ignored, because programs such as `timeout` send two
/// signals.
const SAME: Duration = Duration::from_secs(1);

/// Response to a signal.
#[derive(Debug, PartialEq, Eq)]
enum SignalResponse {
    /// Save and stop the run.
    Stop,
    /// Ignore the signal: the run is already stopping.
    Ignore,
    /// Exit the program immediately.
    Exit,
}

/// Returns the response to a signal, given the time since the first signal.
fn response(signal: Signal, since_first: Option<Duration>) -> SignalResponse {
    match since_first {
        None => SignalResponse::Stop,
        // Only a repeated Ctrl-C exits immediately. The system may send SIGTERM several times.
        Some(since) if signal == Signal::Interrupt && since >= SAME => SignalResponse::Exit,
        Some(_) => SignalResponse::Ignore,
    }
}

/// Installs the handler of termination signals. If that fails, Ctrl-C exits the program as usual.
pub fn listen() {
    let mut first = None;
    let _ =
        signals::listen(move |signal| match response(signal, first.map(|first: Instant| first.elapsed())) {
            SignalResponse::Stop => {
                first = Some(Instant::now());
                REQUESTED.store(true, Ordering::Relaxed);
            }
            SignalResponse::Ignore => {}
            SignalResponse::Exit => {
                crate::terminal::aside("\nvivarium: aborted; the last checkpoint on disk is intact");
                std::process::exit(130);
            }
        });
}

/// Returns whether a signal has requested to stop the run.
pub fn is_stop_requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_person_who_asks_again_later_is_in_a_hurry() {
        for signal in [Signal::Interrupt, Signal::Terminate] {
            assert_eq!(response(signal, None), SignalResponse::Stop);
            assert_eq!(response(signal, Some(Duration::from_millis(999))), SignalResponse::Ignore);
        }
        assert_eq!(response(Signal::Interrupt, Some(SAME)), SignalResponse::Exit);
        assert_eq!(response(Signal::Terminate, Some(Duration::from_secs(60))), SignalResponse::Ignore);
    }
}

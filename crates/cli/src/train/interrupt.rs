//! Handling of Ctrl-C and other termination signals. The first signal saves and stops the run; a later Ctrl-C exits
//! the program immediately. Before the run has a folder, the first signal exits the program.

use crate::signals::{self, Signal};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Whether there is a run that can be saved: set by [`save_on_signal`].
static HAS_RUN: AtomicBool = AtomicBool::new(false);
/// Signal that requested the run to stop; unset if there was none.
static STOP_REQUEST: OnceLock<Signal> = OnceLock::new();

/// Time after the first signal during which further signals are ignored. Programs such as `timeout` send two signals
/// at once.
const REPEAT_INTERVAL: Duration = Duration::from_secs(1);

/// Response of the program to a termination signal.
#[derive(Debug, PartialEq, Eq)]
enum SignalResponse {
    /// Save and stop the run.
    Stop,
    /// Ignore the signal: the run is already stopping.
    Ignore,
    /// Exit the program immediately, with this message.
    Exit(&'static str),
}

/// Returns the response to a signal. `since_first` is the time since the first signal (`None`: this signal is the
/// first); `has_run` is whether there is a run to save.
fn signal_response(signal: Signal, since_first: Option<Duration>, has_run: bool) -> SignalResponse {
    match since_first {
        None if has_run => SignalResponse::Stop,
        None => SignalResponse::Exit("interrupted before training started; nothing was written"),
        // Only a repeated Ctrl-C exits immediately. The system may send SIGTERM several times.
        Some(since) if signal == Signal::Interrupt && since >= REPEAT_INTERVAL => {
            SignalResponse::Exit("aborted; training since the last checkpoint is lost")
        }
        Some(_) => SignalResponse::Ignore,
    }
}

/// Installs the handler of termination signals. If the installation fails, Ctrl-C exits the program as usual.
pub fn listen() {
    let mut first = None;
    let _ = signals::listen(move |signal| {
        let since_first = first.map(|first: Instant| first.elapsed());
        match signal_response(signal, since_first, HAS_RUN.load(Ordering::SeqCst)) {
            SignalResponse::Stop => {
                first = Some(Instant::now());
                let _ = STOP_REQUEST.set(signal);
            }
            SignalResponse::Ignore => {}
            SignalResponse::Exit(message) => {
                crate::terminal::print_report(&format!("\nvivarium: {message}"));
                std::process::exit(signal.exit_code().into());
            }
        }
    });
}

/// Makes the first signal save and stop the run instead of exiting the program. The program calls this function
/// before it writes the first file.
pub fn save_on_signal() {
    HAS_RUN.store(true, Ordering::SeqCst);
}

/// Returns the signal that has requested that the run stops; `None` if there was none.
pub fn stop_request() -> Option<Signal> {
    STOP_REQUEST.get().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_later_ctrl_c_exits_immediately() {
        for signal in [Signal::Interrupt, Signal::Terminate, Signal::HangUp] {
            assert_eq!(signal_response(signal, None, true), SignalResponse::Stop);
            assert_eq!(
                signal_response(signal, Some(Duration::from_millis(999)), true),
                SignalResponse::Ignore
            );
        }
        let exits = |response| matches!(response, SignalResponse::Exit(message) if message.contains("lost"));
        assert!(exits(signal_response(Signal::Interrupt, Some(REPEAT_INTERVAL), true)));
        assert_eq!(
            signal_response(Signal::Terminate, Some(Duration::from_secs(60)), true),
            SignalResponse::Ignore
        );
    }

    #[test]
    fn without_a_run_to_save_a_signal_exits_with_a_message() {
        for signal in [Signal::Interrupt, Signal::Terminate, Signal::HangUp] {
            let response = signal_response(signal, None, false);
            assert!(
                matches!(response, SignalResponse::Exit(message) if message.contains("nothing was written")),
                "{response:?}"
            );
        }
    }
}

//! Termination signals.

use std::io;

/// A termination signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// SIGINT: Ctrl-C.
    Interrupt,
    /// SIGTERM or SIGHUP.
    Terminate,
}

/// Installs a handler that calls `answer` for every termination signal, on a separate thread.
///
/// # Errors
/// System errors of installing the handler.
#[cfg(unix)]
pub fn listen(mut answer: impl FnMut(Signal) + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    let forever = move || {
        for signal in signals.forever() {
            answer(if signal == SIGINT { Signal::Interrupt } else { Signal::Terminate });
        }
    };
    std::thread::Builder::new().name("signals".into()).spawn(forever).map(drop)
}

/// Installs a handler that calls `answer` for every Ctrl-C, on a separate thread.
///
/// # Errors
/// System errors of installing the handler.
#[cfg(not(unix))]
pub fn listen(mut answer: impl FnMut(Signal) + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(move || answer(Signal::Interrupt)).map_err(io::Error::other)
}

//! Handlers of termination signals, such as Ctrl-C.

use std::io;

/// Termination signal that the program handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// SIGINT: Ctrl-C.
    Interrupt,
    /// SIGTERM or SIGHUP.
    Terminate,
}

/// Installs a handler of termination signals: a separate thread calls `handle` for every signal.
///
/// # Errors
/// [`io::Error`] if the system cannot install the handler.
#[cfg(unix)]
pub fn listen(mut handle: impl FnMut(Signal) + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    let forever = move || {
        for signal in signals.forever() {
            handle(if signal == SIGINT { Signal::Interrupt } else { Signal::Terminate });
        }
    };
    std::thread::Builder::new().name("signals".into()).spawn(forever).map(drop)
}

/// Installs a handler of termination signals: a separate thread calls `handle` for every Ctrl-C.
///
/// # Errors
/// [`io::Error`] if the system cannot install the handler.
#[cfg(not(unix))]
pub fn listen(mut handle: impl FnMut(Signal) + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(move || handle(Signal::Interrupt)).map_err(io::Error::other)
}

//! Signals that ask the program to end.

use std::io;

/// What asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// A person at the keyboard: Ctrl-C.
    Interrupt,
    /// The system, or another program.
    Terminate,
}

/// Has every signal that asks the program to end answered by `answer`, on a thread of its own, from now on.
///
/// # Errors
/// What the system says where no handler can be installed.
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

/// The same where there are no other signals than Ctrl-C.
///
/// # Errors
/// What the system says where no handler can be installed.
#[cfg(not(unix))]
pub fn listen(mut answer: impl FnMut(Signal) + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(move || answer(Signal::Interrupt)).map_err(io::Error::other)
}

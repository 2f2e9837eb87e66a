//! Handlers of termination signals, such as Ctrl-C.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// Termination signal that the program handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(unix), allow(dead_code, reason = "Windows has no SIGHUP and SIGTERM"))]
pub enum Signal {
    /// SIGHUP: the terminal was closed.
    HangUp,
    /// SIGINT: Ctrl-C.
    Interrupt,
    /// SIGTERM: a request of the system, such as `kill` or `timeout`.
    Terminate,
}

impl Signal {
    /// Returns the exit code of a program that the signal stopped: 128 and the number of the signal, as in shells.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::HangUp => 129,
            Self::Interrupt => 130,
            Self::Terminate => 143,
        }
    }

    /// Returns the name of the signal, such as `SIGINT`.
    pub fn name(self) -> &'static str {
        match self {
            Self::HangUp => "SIGHUP",
            Self::Interrupt => "SIGINT",
            Self::Terminate => "SIGTERM",
        }
    }
}

/// Stop of a computation by a termination signal. A second signal exits the program.
#[derive(Clone)]
pub struct Interrupt {
    /// Whether a signal was received.
    pub stop: Arc<AtomicBool>,
    /// The first signal.
    pub signal: Arc<OnceLock<Signal>>,
}

impl Interrupt {
    /// Installs the handler of termination signals. If the installation fails, Ctrl-C exits the program as usual.
    pub fn listen() -> Self {
        let interrupt = Self { stop: Arc::new(AtomicBool::new(false)), signal: Arc::new(OnceLock::new()) };
        let Self { stop, signal: first } = interrupt.clone();
        let _ = listen(move |signal| {
            if first.set(signal).is_err() {
                std::process::exit(signal.exit_code().into());
            }
            stop.store(true, Ordering::Relaxed);
        });
        interrupt
    }
}

/// Installs a handler of termination signals: a separate thread calls `handle` for every signal. SIGHUP stays ignored
/// if the program was started with SIGHUP ignored, as by `nohup`.
///
/// # Errors
/// [`io::Error`] if the system cannot install the handler.
#[cfg(unix)]
pub fn listen(mut handle: impl FnMut(Signal) + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    let hang_up = (!is_ignored(SIGHUP)).then_some(SIGHUP);
    let handled = [SIGINT, SIGTERM, SIGXFSZ].into_iter().chain(hang_up);
    let mut signals = signal_hook::iterator::Signals::new(handled)?;
    let forever = move || {
        for signal in signals.forever() {
            handle(match signal {
                SIGINT => Signal::Interrupt,
                SIGHUP => Signal::HangUp,
                // The write that exceeds the limit of file sizes (`ulimit -f`) returns an error, which is reported.
                SIGXFSZ => continue,
                _ => Signal::Terminate,
            });
        }
    };
    std::thread::Builder::new().name("signals".into()).spawn(forever).map(drop)
}

/// Returns whether the program ignores the signal with the number `signal`.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: a null pointer as the new action changes nothing; `action` is valid for the current action.
    let status = unsafe { libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) };
    // SAFETY: `sigaction` is valid if all of its bytes are zero.
    status == 0 && unsafe { action.assume_init() }.sa_sigaction == libc::SIG_IGN
}

/// Installs a handler of termination signals: a separate thread calls `handle` for every Ctrl-C.
///
/// # Errors
/// [`io::Error`] if the system cannot install the handler.
#[cfg(not(unix))]
pub fn listen(mut handle: impl FnMut(Signal) + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(move || handle(Signal::Interrupt)).map_err(io::Error::other)
}

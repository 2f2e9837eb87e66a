//! The child process of GNU Backgammon: start, requests, termination.

use crate::signals;
use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};

/// Environment variable with the path of the `gnubg` executable.
const VARIABLE: &str = "VIVARIUM_GNUBG";
/// Path of the executable in the Debian package. The folder may be missing in the PATH of services.
const USUAL: &str = "/usr/games/gnubg";
/// Maximum time for the start of gnubg.
const PATIENCE: Duration = Duration::from_secs(30);
/// Timeout of a reply from gnubg.
const ANSWER: Duration = Duration::from_secs(60);
/// Maximum length of a reply from gnubg, in bytes.
const LONGEST: usize = 4096;

/// A running GNU Backgammon process.
pub struct Process {
    child: Arc<Mutex<Child>>,
    /// Standard input of the process. The process exits when its standard input is closed.
    _commands: ChildStdin,
    answers: BufReader<TcpStream>,
}

impl Process {
    /// Starts the process, which evaluates positions without the doubling cube and with a search of `plies` plies.
    ///
    /// # Errors
    /// A message that states the cause or how to install the program.
    pub fn start(plies: u8) -> Result<Self, String> {
        let child = Arc::new(Mutex::new(spawn()?));
        end_with_this_program(&child);
        match connect(&child, plies) {
            Ok((commands, stream)) => {
                Ok(Self { child, _commands: commands, answers: BufReader::new(stream) })
            }
            Err(message) => {
                end(&mut lock(&child));
                Err(message)
            }
        }
    }

    /// Sends a request to gnubg and returns the reply.
    ///
    /// # Errors
    /// A message if the process has exited, does not reply in time or reports an error.
    pub fn ask(&mut self, question: &str) -> Result<String, String> {
        self.answers.get_mut().write_all(format!("{question}\n").as_bytes()).map_err(|error| gone(&error))?;
        let asked = Instant::now();
        let answer = answer(&mut self.answers, || asked.elapsed() > ANSWER)?;
        match answer.trim() {
            answer if answer.starts_with("Error") => {
                Err(format!("GNU Backgammon answered {question:?} with {answer:?}"))
            }
            answer => Ok(answer.to_owned()),
        }
    }
}

/// Formats the error message for a gnubg process that does not reply.
fn gone(error: &io::Error) -> String {
    match error.kind() {
        // The error kind of a timeout depends on the operating system.
        ErrorKind::WouldBlock | ErrorKind::TimedOut => {
            format!("GNU Backgammon did not answer within {} s", ANSWER.as_secs())
        }
        _ => format!("GNU Backgammon stopped answering: {error}"),
    }
}

/// Reads a line of limited length, the reply of gnubg. Returns an error as soon as `late` returns `true` (timeout).
pub(super) fn answer(from: &mut impl BufRead, late: impl Fn() -> bool) -> Result<String, String> {
    let mut line = Vec::new();
    loop {
        if late() {
            return Err(gone(&ErrorKind::TimedOut.into()));
        }
        let bytes = match from.fill_buf() {
            Ok([]) => return Err("GNU Backgammon has exited".to_owned()),
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(gone(&error)),
        };
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let taken = end.map_or(bytes.len(), |end| end + 1);
        line.extend_from_slice(&bytes[..taken]);
        from.consume(taken);
        if line.len() > LONGEST {
            return Err(format!("GNU Backgammon answered with more than {LONGEST} bytes"));
        }
        if end.is_some() {
            return String::from_utf8(line)
                .map_err(|_| "the answer of GNU Backgammon is not valid UTF-8".into());
        }
    }
}

/// Sets the timeouts of reads and writes of a connection to gnubg.
pub(super) fn limit(stream: &TcpStream) -> io::Result<()> {
    stream.set_read_timeout(Some(ANSWER))?;
    stream.set_write_timeout(Some(ANSWER))
}

impl Drop for Process {
    fn drop(&mut self) {
        end(&mut lock(&self.child));
    }
}

/// All started gnubg processes; the signal handler kills them.
static STARTED: Mutex<Vec<Arc<Mutex<Child>>>> = Mutex::new(Vec::new());

/// Registers a gnubg process to be killed when this program receives a termination signal. Without this, gnubg would
/// wait for connections forever.
fn end_with_this_program(child: &Arc<Mutex<Child>>) {
    static LISTENING: Once = Once::new();
    lock(&STARTED).push(child.clone());
    LISTENING.call_once(|| {
        // If the handler cannot be installed, gnubg still exits when its standard input is closed.
        let _ = signals::listen(|_| {
            lock(&STARTED).iter().for_each(|child| end(&mut lock(child)));
            std::process::exit(130);
        });
    });
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn end(child: &mut Child) {
    // The process may already have exited.
    let _ = child.kill();
    let _ = child.wait();
}

fn spawn() -> Result<Child, String> {
    let named = std::env::var_os(VARIABLE).filter(|name| !name.is_empty()).map(PathBuf::from);
    let programs = match &named {
        Some(program) => vec![program.clone()],
        None => vec![PathBuf::from("gnubg"), PathBuf::from(USUAL)],
    };
    for program in &programs {
        let mut command = Command::new(program);
        // Terminal mode without sounds and without user settings.
        command.args(["--tty", "--quiet", "--no-rc"]);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        match command.spawn() {
            Ok(child) => return Ok(child),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(format!("cannot start GNU Backgammon, {}: {error}", program.display())),
        }
    }
    Err(match named {
        Some(program) => {
            format!("the program {} in the variable {VARIABLE} does not exist", program.display())
        }
        None => format!(
            "GNU Backgammon is not installed: the program gnubg was not found. On Debian and Ubuntu, install it with \
             `apt-get install gnubg`; elsewhere, set its path in the variable {VARIABLE}"
        ),
    })
}

/// Makes the process listen on a local port, and connects to this port. Returns the standard input of the process and
/// the connection.
fn connect(child: &Mutex<Child>, plies: u8) -> Result<(ChildStdin, TcpStream), String> {
    let failed = |error: std::io::Error| format!("cannot connect to GNU Backgammon: {error}");
    // The system assigns a free port to a temporary listener, which is closed at once.
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|listener| listener.local_addr());
    let address = free.map_err(failed)?;
    let mut commands =
        lock(child).stdin.take().ok_or("cannot connect to GNU Backgammon: it has no standard input")?;
    let evaluation = "set evaluation chequerplay evaluation";
    // If the process has already exited, the loop below detects it.
    let _ = writeln!(
        commands,
        "{evaluation} plies {plies}\n{evaluation} cubeful off\n{evaluation} noise 0\nset jacoby off\n\
         external 127.0.0.1:{}",
        address.port()
    )
    .and_then(|()| commands.flush());
    let started = Instant::now();
    loop {
        match TcpStream::connect(address) {
            Ok(stream) => {
                stream.set_nodelay(true).and_then(|()| limit(&stream)).map_err(failed)?;
                return Ok((commands, stream));
            }
            Err(error) if started.elapsed() > PATIENCE => return Err(failed(error)),
            Err(_) => {}
        }
        if let Ok(Some(status)) = lock(child).try_wait() {
            return Err(format!("GNU Backgammon exited instead of listening: {status}"));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

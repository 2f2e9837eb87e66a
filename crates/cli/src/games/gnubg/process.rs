//! Child process of GNU Backgammon (the program `gnubg`): start, requests, termination.

use crate::signals;
use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};

/// Environment variable with the path of the `gnubg` executable.
const PATH_VARIABLE: &str = "VIVARIUM_GNUBG";
/// Path of the executable in the Debian package, for environments whose `PATH` lacks this folder.
const DEBIAN_PATH: &str = "/usr/games/gnubg";
/// Maximum time until gnubg accepts a connection.
const START_TIMEOUT: Duration = Duration::from_secs(30);
/// Maximum time until gnubg replies to a request.
const REPLY_TIMEOUT: Duration = Duration::from_secs(60);
/// Maximum length of a reply from gnubg, in bytes.
const MAX_REPLY_LEN: usize = 4096;

/// Running GNU Backgammon process, with a connection to its external-player interface.
pub struct Process {
    child: Arc<Mutex<Child>>,
    /// Standard input of the process, which is kept open: the process exits when the input is closed.
    _commands: ChildStdin,
    replies: BufReader<TcpStream>,
}

impl Process {
    /// Starts gnubg with evaluation by a search of `plies` plies and without the doubling cube, and connects to the
    /// process.
    ///
    /// # Errors
    /// A message with the cause, or with instructions to install the program.
    pub fn start(plies: u8) -> Result<Self, String> {
        let child = Arc::new(Mutex::new(spawn()?));
        kill_on_signal(&child);
        match connect(&child, plies) {
            Ok((commands, stream)) => {
                Ok(Self { child, _commands: commands, replies: BufReader::new(stream) })
            }
            Err(message) => {
                kill(&mut lock(&child));
                Err(message)
            }
        }
    }

    /// Sends a request to gnubg and returns the reply.
    ///
    /// # Errors
    /// A message if the process has exited, replies too late or reports an error.
    pub fn request(&mut self, request: &str) -> Result<String, String> {
        self.replies
            .get_mut()
            .write_all(format!("{request}\n").as_bytes())
            .map_err(|error| no_reply_error(&error))?;
        let start = Instant::now();
        let reply = read_reply(&mut self.replies, || start.elapsed() > REPLY_TIMEOUT)?;
        match reply.trim() {
            reply if reply.starts_with("Error") => {
                Err(format!("GNU Backgammon replied to {request:?} with {reply:?}"))
            }
            reply => Ok(reply.to_owned()),
        }
    }
}

/// Formats the message for an input or output error on the connection to gnubg.
fn no_reply_error(error: &io::Error) -> String {
    match error.kind() {
        // The error kind of a timeout depends on the operating system.
        ErrorKind::WouldBlock | ErrorKind::TimedOut => {
            format!("GNU Backgammon did not reply within {} s", REPLY_TIMEOUT.as_secs())
        }
        _ => format!("the connection to GNU Backgammon failed: {error}"),
    }
}

/// Reads one line, the reply of gnubg, without blocking forever. `is_late` returns whether the time is over.
///
/// # Errors
/// A message if the time is over, the process has exited, or the line is too long or not UTF-8.
pub(super) fn read_reply(from: &mut impl BufRead, is_late: impl Fn() -> bool) -> Result<String, String> {
    let mut line = Vec::new();
    loop {
        if is_late() {
            return Err(no_reply_error(&ErrorKind::TimedOut.into()));
        }
        let bytes = match from.fill_buf() {
            Ok([]) => return Err("GNU Backgammon has exited".to_owned()),
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(no_reply_error(&error)),
        };
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let taken = end.map_or(bytes.len(), |end| end + 1);
        line.extend_from_slice(&bytes[..taken]);
        from.consume(taken);
        if line.len() > MAX_REPLY_LEN {
            return Err(format!("GNU Backgammon replied with more than {MAX_REPLY_LEN} bytes"));
        }
        if end.is_some() {
            return String::from_utf8(line)
                .map_err(|_| "the reply of GNU Backgammon is not valid UTF-8".into());
        }
    }
}

/// Sets the timeouts of reads and writes on a connection to gnubg.
pub(super) fn set_timeouts(stream: &TcpStream) -> io::Result<()> {
    stream.set_read_timeout(Some(REPLY_TIMEOUT))?;
    stream.set_write_timeout(Some(REPLY_TIMEOUT))
}

impl Drop for Process {
    fn drop(&mut self) {
        kill(&mut lock(&self.child));
    }
}

/// All started gnubg processes, which the signal handler kills.
static PROCESSES: Mutex<Vec<Arc<Mutex<Child>>>> = Mutex::new(Vec::new());

/// Registers a gnubg process to be killed if this program receives a termination signal. Otherwise gnubg would wait
/// for connections forever.
fn kill_on_signal(child: &Arc<Mutex<Child>>) {
    static LISTENING: Once = Once::new();
    lock(&PROCESSES).push(child.clone());
    LISTENING.call_once(|| {
        // If the handler cannot be installed, gnubg still exits when its standard input is closed.
        let _ = signals::listen(|signal| {
            lock(&PROCESSES).iter().for_each(|child| kill(&mut lock(child)));
            std::process::exit(signal.exit_code().into());
        });
    });
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn kill(child: &mut Child) {
    // The process may already have exited.
    let _ = child.kill();
    let _ = child.wait();
}

fn spawn() -> Result<Child, String> {
    let named = std::env::var_os(PATH_VARIABLE).filter(|name| !name.is_empty()).map(PathBuf::from);
    let programs = match &named {
        Some(program) => vec![program.clone()],
        None => vec![PathBuf::from("gnubg"), PathBuf::from(DEBIAN_PATH)],
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
            format!(
                "the program {} in the variable {PATH_VARIABLE} does not exist; set the variable to the path of gnubg",
                program.display()
            )
        }
        None => format!(
            "GNU Backgammon is not installed: the program gnubg was not found. On Debian and Ubuntu, install it with \
             `apt-get install gnubg`; elsewhere, set its path in the variable {PATH_VARIABLE}"
        ),
    })
}

/// Makes gnubg listen on a local port, and connects to the port. Returns the standard input of the process and the
/// connection.
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
                stream.set_nodelay(true).and_then(|()| set_timeouts(&stream)).map_err(failed)?;
                return Ok((commands, stream));
            }
            Err(error) if started.elapsed() > START_TIMEOUT => return Err(failed(error)),
            Err(_) => {}
        }
        if let Ok(Some(status)) = lock(child).try_wait() {
            return Err(format!("GNU Backgammon exited instead of listening: {status}"));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

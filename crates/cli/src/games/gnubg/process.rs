//! The process: found, started, asked, ended.

use crate::signals;
use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};

/// Names another program to be started in its place.
const VARIABLE: &str = "VIVARIUM_GNUBG";
/// Where Debian puts it, which is in the path of persons but not always of services.
const USUAL: &str = "/usr/games/gnubg";
/// How long it may take to load its networks and tables.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long it may take to answer: looking three plies ahead takes it some seconds.
const ANSWER: Duration = Duration::from_secs(60);
/// The longest answer, in bytes: a play or some numbers.
const LONGEST: usize = 4096;

/// GNU Backgammon, waiting for questions.
pub struct Process {
    child: Arc<Mutex<Child>>,
    /// Its commands came this way; it ends when this is closed.
    _commands: ChildStdin,
    answers: BufReader<TcpStream>,
}

impl Process {
    /// Starts it, to judge plays with so many plies and without a cube.
    ///
    /// # Errors
    /// A message that says how to install it, or what went wrong.
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

    /// Sends a line and waits for the line that answers it.
    ///
    /// # Errors
    /// A message if it has gone, or if it finds fault with the question.
    pub fn ask(&mut self, question: &str) -> Result<String, String> {
        self.answers.get_mut().write_all(format!("{question}\n").as_bytes()).map_err(|error| gone(&error))?;
        let asked = Instant::now();
        let answer = answer(&mut self.answers, || asked.elapsed() > ANSWER)?;
        match answer.trim() {
            answer if answer.starts_with("Error") => {
                Err(format!("GNU Backgammon was asked {question:?} and answered {answer:?}"))
            }
            answer => Ok(answer.to_owned()),
        }
    }
}

/// What is said of a process that answers no more.
fn gone(error: &io::Error) -> String {
    match error.kind() {
        // Systems name an expired time limit in one way or the other.
        ErrorKind::WouldBlock | ErrorKind::TimedOut => {
            format!("GNU Backgammon has not answered for {} s", ANSWER.as_secs())
        }
        _ => format!("GNU Backgammon does not answer any more: {error}"),
    }
}

/// Reads a line, for as long as it is not `late` and the line does not grow too long.
pub(super) fn answer(from: &mut impl BufRead, late: impl Fn() -> bool) -> Result<String, String> {
    let mut line = Vec::new();
    loop {
        if late() {
            return Err(gone(&ErrorKind::TimedOut.into()));
        }
        let bytes = match from.fill_buf() {
            Ok([]) => return Err("GNU Backgammon has ended".to_owned()),
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
                .map_err(|_| "GNU Backgammon answered with what is no text".into());
        }
    }
}

/// Has a connection give up at the time when an answer is too late.
pub(super) fn limit(stream: &TcpStream) -> io::Result<()> {
    stream.set_read_timeout(Some(ANSWER))?;
    stream.set_write_timeout(Some(ANSWER))
}

impl Drop for Process {
    fn drop(&mut self) {
        end(&mut lock(&self.child));
    }
}

/// All that were started.
static STARTED: Mutex<Vec<Arc<Mutex<Child>>>> = Mutex::new(Vec::new());

/// Sees to it that a process ends when this program is stopped by Ctrl-C: by itself it would go on and wait for somebody
/// else to speak to.
fn end_with_this_program(child: &Arc<Mutex<Child>>) {
    static LISTENING: Once = Once::new();
    lock(&STARTED).push(child.clone());
    LISTENING.call_once(|| {
        // Where signals cannot be heard, it ends when its commands do.
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
    // It may have ended by itself.
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
        // In the terminal, without sounds, and without the settings of whoever uses it otherwise.
        command.args(["--tty", "--quiet", "--no-rc"]);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        match command.spawn() {
            Ok(child) => return Ok(child),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(format!("cannot start GNU Backgammon, {}: {error}", program.display())),
        }
    }
    Err(match named {
        Some(program) => format!("there is no program {}, which {VARIABLE} names", program.display()),
        None => format!(
            "GNU Backgammon is not installed: there is no program gnubg. On Debian and Ubuntu `apt-get install gnubg` \
             installs it; elsewhere, name it in the variable {VARIABLE}"
        ),
    })
}

/// Has it listen on a port of this machine, and connects to that.
fn connect(child: &Mutex<Child>, plies: u8) -> Result<(ChildStdin, TcpStream), String> {
    let failed = |error: std::io::Error| format!("cannot speak to GNU Backgammon: {error}");
    // One that is free: it was given to us a moment ago.
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|listener| listener.local_addr());
    let address = free.map_err(failed)?;
    let mut commands = lock(child).stdin.take().ok_or("cannot speak to GNU Backgammon: it has no input")?;
    let evaluation = "set evaluation chequerplay evaluation";
    // Where it has ended already, that is seen below.
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
            return Err(format!("GNU Backgammon ended instead of listening: {status}"));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

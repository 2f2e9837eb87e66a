//! Runs the real program in a folder of its own.

#![allow(dead_code, reason = "each program of tests uses what it needs")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// A config small enough that a test takes a second.
pub const SMALL: [&str; 8] = [
    "--set",
    "ppo.num_envs=16",
    "--set",
    "ppo.horizon=32",
    "--set",
    "ppo.minibatch=128",
    "--set",
    "ppo.hidden=[16]",
];

/// A folder in which the program runs; gone afterwards.
pub struct Place {
    path: PathBuf,
    sees_gpus: bool,
}

impl Place {
    /// One where the program finds no Vulkan driver, so that nothing depends on what the machine has.
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("vivarium-cli-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self { path, sees_gpus: false }
    }

    /// One where it finds the GPUs of this machine.
    pub fn with_gpus(name: &str) -> Self {
        let mut place = Self::new(name);
        place.sees_gpus = true;
        place
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    fn cache(&self) -> PathBuf {
        self.path.with_extension("cache")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_vivarium"));
        command.current_dir(&self.path).args(arguments).stdin(Stdio::null());
        // What is measured in tests is nothing for the user's own cache.
        command.env("VIVARIUM_CACHE", self.cache());
        if !self.sees_gpus {
            for variable in ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"] {
                command.env(variable, "/nonexistent");
            }
        }
        command
    }

    /// Runs it to its end.
    pub fn run(&self, arguments: &[&str]) -> Outcome {
        Outcome::of(self.command(arguments).output().unwrap())
    }

    /// Runs it to its end with these lines as its input.
    pub fn run_with(&self, arguments: &[&str], input: &str) -> Outcome {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut program = command.spawn().unwrap();
        let mut pipe = program.stdin.take().unwrap();
        pipe.write_all(input.as_bytes()).unwrap();
        drop(pipe);
        Outcome::of(program.wait_with_output().unwrap())
    }

    /// Runs it to its end with these variables.
    pub fn run_in(&self, variables: &[(&str, &str)], arguments: &[&str]) -> Outcome {
        Outcome::of(self.command(arguments).envs(variables.iter().copied()).output().unwrap())
    }

    /// Runs it to its end with a file as its standard output.
    pub fn run_into(&self, arguments: &[&str], out: std::fs::File) -> Outcome {
        let mut command = self.command(arguments);
        let program = command.stdout(out).stderr(Stdio::piped()).spawn().unwrap();
        Outcome::of(program.wait_with_output().unwrap())
    }

    /// Starts it and lets it go on.
    pub fn start(&self, arguments: &[&str]) -> Child {
        self.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
        let _ = std::fs::remove_dir_all(self.cache());
    }
}

/// What came of a command.
#[derive(Debug)]
pub struct Outcome {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Outcome {
    pub fn of(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("the program speaks UTF-8");
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// It succeeded; its standard output.
    pub fn good(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.out
    }

    /// It ended with `code`, and its message holds every one of `words` and nothing of a panic.
    pub fn refused(self, code: i32, words: &[&str]) -> Self {
        assert_eq!(self.code, Some(code), "{self:?}");
        for word in words {
            assert!(self.err.contains(word), "'{word}' is missing in: {}", self.err);
        }
        assert!(!self.err.contains("panicked") && !self.err.contains("bug"), "{}", self.err);
        assert!(self.out.is_empty(), "{}", self.out);
        self
    }

    /// It was ended by a signal and saved its run; its message holds these words.
    pub fn interrupted(self, words: &str) -> Self {
        assert_eq!(self.code, Some(130), "{self:?}");
        assert!(self.err.contains(words), "{self:?}");
        self
    }
}

/// Sends a signal, such as `-INT`, to a program.
pub fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Sends a signal to a program and waits for its end.
pub fn end(child: Child, name: &str) -> Outcome {
    signal(&child, name);
    Outcome::of(child.wait_with_output().unwrap())
}

/// Waits until the run in this folder has written some rows.
pub fn wait_for_rows(run: &Path, rows: usize) {
    for _ in 0..3000 {
        let text = std::fs::read_to_string(run.join("metrics.jsonl")).unwrap_or_default();
        if text.lines().count() >= rows {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("no rows in {}", run.display());
}

/// Checks that two runs ended in the same state.
pub fn assert_same_state(run: &Path, other: &Path) {
    let [one, other] = [run, other].map(|run| std::fs::read(run.join("latest.safetensors")).unwrap());
    assert!(one == other, "the checkpoints differ");
}

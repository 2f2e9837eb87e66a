//! Runs the program `vivarium` in a temporary folder and checks the result.

#![allow(dead_code, reason = "each program of tests uses what it needs")]

use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// Command-line options of a small PPO config, with which training takes about a second.
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

/// Returns the arguments that train CartPole with the options [`SMALL`] and two threads, followed by `more`.
pub fn train_cartpole<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["train", "cartpole", "--threads", "2"], &SMALL[..], more].concat()
}

/// Temporary working folder in which a test runs the program; deleted on drop.
pub struct ProgramFolder {
    path: PathBuf,
    shows_gpus: bool,
}

impl ProgramFolder {
    /// Creates a temporary folder. Programs started in the folder find no GPU, on any machine, since their Vulkan driver
    /// list is empty. `name` must be unique within the test binary.
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("vivarium-cli-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self { path, shows_gpus: false }
    }

    /// Creates a folder in which the program finds the GPUs of the machine. `name` must be unique within the test
    /// binary.
    pub fn with_gpus(name: &str) -> Self {
        let mut folder = Self::new(name);
        folder.shows_gpus = true;
        folder
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
        // Tests must not write to the user's cache.
        command.env("VIVARIUM_CACHE", self.cache());
        if !self.shows_gpus {
            for variable in ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"] {
                command.env(variable, "/nonexistent");
            }
        }
        command
    }

    /// Runs the program with `arguments` until it exits.
    pub fn run(&self, arguments: &[&str]) -> Outcome {
        Outcome::of(self.command(arguments).output().unwrap())
    }

    /// Runs the program with the text `input` as standard input until it exits.
    pub fn run_with(&self, arguments: &[&str], input: &str) -> Outcome {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut program = command.spawn().unwrap();
        let mut pipe = program.stdin.take().unwrap();
        pipe.write_all(input.as_bytes()).unwrap();
        drop(pipe);
        Outcome::of(program.wait_with_output().unwrap())
    }

    /// Runs the program with additional environment variables (name, value) until it exits.
    pub fn run_in(&self, variables: &[(&str, &str)], arguments: &[&str]) -> Outcome {
        Outcome::of(self.command(arguments).envs(variables.iter().copied()).output().unwrap())
    }

    /// Runs the program with the file `out` as standard output until it exits.
    pub fn run_into(&self, arguments: &[&str], out: std::fs::File) -> Outcome {
        let mut command = self.command(arguments);
        let program = command.stdout(out).stderr(Stdio::piped()).spawn().unwrap();
        Outcome::of(program.wait_with_output().unwrap())
    }

    /// Starts the program from a shell that first executes `before`, such as `trap '' HUP`, without waiting for its exit.
    pub fn start_after(&self, before: &str, arguments: &[&str]) -> Child {
        let program = self.command(arguments);
        let mut shell = Command::new("sh");
        shell.current_dir(&self.path).args(["-c", &format!("{before}; exec \"$0\" \"$@\"")]);
        shell.arg(program.get_program()).args(program.get_args());
        shell.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
        shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// Starts the program with a pipe as standard input, without waiting for its exit.
    pub fn start_with_pipe(&self, arguments: &[&str]) -> Child {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// Starts the program without waiting for its exit.
    pub fn start(&self, arguments: &[&str]) -> Child {
        self.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }
}

impl Drop for ProgramFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
        let _ = std::fs::remove_dir_all(self.cache());
    }
}

/// Result of an execution of the program: exit code, standard output and standard error.
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

    /// Asserts that the exit code is 0, and returns standard output.
    pub fn success(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.out
    }

    /// Asserts that the exit code is `code`, that the error message contains all `words` and no panic, and that
    /// standard output is empty.
    pub fn refused(self, code: i32, words: &[&str]) -> Self {
        assert_eq!(self.code, Some(code), "{self:?}");
        for word in words {
            assert!(self.err.contains(word), "'{word}' is missing in: {}", self.err);
        }
        assert!(!self.err.contains("panicked") && !self.err.contains("bug"), "{}", self.err);
        assert!(self.out.is_empty(), "{}", self.out);
        self
    }

    /// Asserts that the exit code is 3 (goal of `--until` not reached), and returns standard output.
    pub fn goal_not_reached(self) -> String {
        assert_eq!(self.code, Some(3), "{self:?}");
        self.out
    }

    /// Asserts that the exit code is 130 (stopped by SIGINT), and that standard error contains `words`.
    pub fn interrupted(self, words: &str) -> Self {
        self.stopped(130, words)
    }

    /// Asserts that the exit code is `code` (stopped by a signal), and that standard error contains `words`.
    pub fn stopped(self, code: i32, words: &str) -> Self {
        assert_eq!(self.code, Some(code), "{self:?}");
        assert!(self.err.contains(words), "{self:?}");
        self
    }
}

/// Sends the signal `name`, such as `-INT`, to a running program.
pub fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Sends the signal `name`, such as `-INT`, to a running program and waits for its exit.
pub fn signal_and_wait(child: Child, name: &str) -> Outcome {
    signal(&child, name);
    Outcome::of(child.wait_with_output().unwrap())
}

/// Waits until `metrics.jsonl` in the run folder `run` has at least `rows` rows; at most a minute.
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

/// Returns the rows of `metrics.jsonl` in the run folder `run`.
pub fn metric_rows(run: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(run.join("metrics.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns the rows of `metrics.jsonl` in the run folder `run`, without evaluations and without durations and speeds.
pub fn learner_rows(run: &Path) -> Vec<Value> {
    let is_evaluation = |row: &Value| row.as_object().unwrap().keys().any(|name| name.starts_with("eval_"));
    let mut rows = metric_rows(run);
    rows.retain(|row| !is_evaluation(row));
    for row in &mut rows {
        let row = row.as_object_mut().unwrap();
        row.remove("elapsed");
        row.remove("steps_per_second");
    }
    rows
}

/// Asserts that resuming a run is exact: an uninterrupted run and a run in three sessions, which end at the training
/// steps `steps`, have equal metrics and checkpoints. `train` are the arguments that start a run of `experiment`.
pub fn assert_resumes_exactly(folder: &ProgramFolder, experiment: &str, train: &[&str], steps: [&str; 3]) {
    let start = |out, end| folder.run(&[train, &["--steps", end, "--out", out]].concat()).success();
    start("whole", steps[2]);
    start("parts", steps[0]);
    folder.run(&["train", "--resume", "parts", "--steps", steps[1], "--threads", "1"]).success();
    folder.run(&["train", experiment, "--resume", "parts", "--steps", steps[2]]).success();
    let [whole, parts] = ["whole", "parts"].map(|run| folder.path().join(run));
    assert_eq!(learner_rows(&whole), learner_rows(&parts));
    assert_same_state(&whole, &parts);
}

/// Asserts that the latest checkpoints of two run folders are equal.
pub fn assert_same_state(run: &Path, other: &Path) {
    let [one, other] = [run, other].map(|run| std::fs::read(run.join("latest.safetensors")).unwrap());
    assert!(one == other, "the checkpoints differ");
}

//! Metadata of a run, the contents of the file `run.json`: the run and its training sessions.

use crate::config::get;
use crate::info::Field;
use crate::protocol::EngineInfo;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Metadata of a run: experiment, seed, start, and one record per training session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunMetadata {
    /// Name of the experiment.
    pub experiment: String,
    /// Random seed of the run.
    pub seed: u64,
    /// Compute engine of the latest training session: `cpu` or `gpu`.
    pub engine: String,
    /// Name of the GPU adapter; `None` for the engine `cpu`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adapter: Option<String>,
    /// Number of worker threads of the latest training session.
    pub threads: usize,
    /// Start of the run, in seconds since 1970.
    pub started: f64,
    /// Name and version of the program that started the run.
    pub program: String,
    /// Training sessions, the first one first. Empty in files of earlier versions.
    #[serde(default)]
    pub sessions: Vec<SessionRecord>,
}

/// Record of a training session in `run.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SessionRecord {
    /// Command line of the program.
    pub command: Vec<String>,
    /// Name and version of the program.
    pub program: String,
    /// Git commit of the program's sources; `None` if the build did not know it.
    pub commit: Option<String>,
    /// Name of the machine.
    pub host: String,
    /// Name of the processor.
    pub processor: String,
    /// CPU features that the kernels can use.
    pub cpu_features: Vec<String>,
    /// Compute engine: `cpu` or `gpu`.
    pub engine: String,
    /// Name of the GPU adapter; `None` for the engine `cpu`.
    pub adapter: Option<String>,
    /// Number of worker threads.
    pub threads: usize,
    /// Start of the session, in seconds since 1970.
    pub started: f64,
    /// End of the session, in seconds since 1970; `None` while it trains, and after a kill.
    pub ended: Option<f64>,
    /// Training steps at the start of the session.
    pub first_step: u64,
    /// Training steps in the latest checkpoint at the end of the session; `None` without an end.
    pub last_step: Option<u64>,
    /// Reason of the end: `goal`, `steps`, `minutes`, `failed`, or the name of a signal.
    pub end: Option<String>,
    /// Config fields that have changed since the previous session, by their path.
    pub changes: BTreeMap<String, ChangedField>,
    /// Goal and limits; empty in files of earlier versions.
    #[serde(default)]
    pub limits: SessionLimits,
}

/// Goal and limits of a training session: values of `--until`, `--steps` and `--minutes`, given or kept from the previous session.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SessionLimits {
    /// Goal, such as `return>=475`.
    pub until: Option<String>,
    /// Total number of training steps.
    pub steps: Option<u64>,
    /// Minutes of the session.
    pub minutes: Option<f64>,
}

/// Change of a config field between two training sessions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChangedField {
    /// Value in the previous session.
    pub from: Value,
    /// Value in this session.
    pub to: Value,
}

/// Origin of a training session: program and machine.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Provenance {
    /// Command line of the program.
    pub command: Vec<String>,
    /// Name and version of the program.
    pub program: String,
    /// Git commit of the program's sources; `None` if the build did not know it.
    pub commit: Option<String>,
    /// Name of the machine.
    pub host: String,
    /// Name of the processor.
    pub processor: String,
}

impl SessionRecord {
    /// Creates the record of a session that starts at the time `started`, in seconds since 1970, after `first_step` training
    /// steps.
    #[must_use]
    pub fn begin(
        origin: Provenance,
        engine: EngineInfo,
        threads: usize,
        started: f64,
        first_step: u64,
        limits: SessionLimits,
    ) -> Self {
        let Provenance { command, program, commit, host, processor } = origin;
        let (engine, adapter) = engine_names(engine);
        Self {
            command,
            program,
            commit,
            host,
            processor,
            cpu_features: cpu_features().into_iter().map(str::to_owned).collect(),
            engine,
            adapter,
            threads,
            started,
            ended: None,
            first_step,
            last_step: None,
            end: None,
            changes: BTreeMap::new(),
            limits,
        }
    }
}

impl RunMetadata {
    /// Creates the metadata of a new run, of which `session` is the first training session.
    #[must_use]
    pub fn new(experiment: &str, seed: u64, session: SessionRecord) -> Self {
        Self {
            experiment: experiment.to_owned(),
            seed,
            engine: session.engine.clone(),
            adapter: session.adapter.clone(),
            threads: session.threads,
            started: session.started,
            program: session.program.clone(),
            sessions: vec![session],
        }
    }

    /// Appends a training session that resumes the run.
    pub fn resume(&mut self, session: SessionRecord) {
        (self.engine, self.adapter) = (session.engine.clone(), session.adapter.clone());
        self.threads = session.threads;
        self.sessions.push(session);
    }

    /// Replaces engine and GPU adapter of the latest training session by `engine`, and returns the metadata.
    #[must_use]
    pub fn on(mut self, engine: EngineInfo) -> Self {
        (self.engine, self.adapter) = engine_names(engine);
        if let Some(session) = self.sessions.last_mut() {
            (session.engine, session.adapter) = (self.engine.clone(), self.adapter.clone());
        }
        self
    }

    /// Records the end of the latest training session: its reason, the training steps in the latest checkpoint,
    /// and the time in seconds since 1970.
    pub fn end(&mut self, reason: &str, last_step: u64, ended: f64) {
        if let Some(session) = self.sessions.last_mut() {
            session.ended = Some(ended);
            session.end = Some(reason.to_owned());
            session.last_step = Some(last_step);
        }
    }

    /// Returns the end of the latest training session, or else its start, in seconds since 1970.
    #[must_use]
    pub fn last_activity(&self) -> f64 {
        self.sessions.last().map_or(self.started, |session| session.ended.unwrap_or(session.started))
    }

    /// Applies the changes of all training sessions to `config`, the config at the start of the run.
    pub fn apply_changes(&self, config: &mut Value) {
        for (path, change) in self.sessions.iter().flat_map(|session| &session.changes) {
            vivarium_config::set(config, path, change.to.clone());
        }
    }
}

/// Returns the fields of `fields` whose values differ between two complete configs, by their path.
#[must_use]
pub fn changed_fields(fields: &[Field], before: &Value, after: &Value) -> BTreeMap<String, ChangedField> {
    let change = |field: &Field| {
        let (from, to) = (get(before, field.path)?, get(after, field.path)?);
        (from != to).then(|| (field.path.to_owned(), ChangedField { from: from.clone(), to: to.clone() }))
    };
    fields.iter().filter_map(change).collect()
}

/// Returns the name of a compute engine, `cpu` or `gpu`, and the name of its GPU adapter.
#[must_use]
pub fn engine_names(engine: EngineInfo) -> (String, Option<String>) {
    match engine {
        EngineInfo::Cpu => ("cpu".into(), None),
        EngineInfo::Gpu { adapter, .. } => ("gpu".into(), Some(adapter)),
    }
}

/// Returns the names of the available CPU features that the kernels use.
#[must_use]
pub fn cpu_features() -> Vec<&'static str> {
    known_cpu_features().into_iter().filter_map(|(name, is_available)| is_available.then_some(name)).collect()
}

/// Returns the CPU features that the kernels use, and whether each is available.
#[cfg(target_arch = "x86_64")]
#[must_use]
pub fn known_cpu_features() -> Vec<(&'static str, bool)> {
    vec![
        ("sse4.2", is_x86_feature_detected!("sse4.2")),
        ("avx2", is_x86_feature_detected!("avx2")),
        ("fma", is_x86_feature_detected!("fma")),
        ("avx512f", is_x86_feature_detected!("avx512f")),
        ("avx512bw", is_x86_feature_detected!("avx512bw")),
        ("avx512dq", is_x86_feature_detected!("avx512dq")),
        ("avx512vl", is_x86_feature_detected!("avx512vl")),
    ]
}

/// Returns the CPU features that the kernels use, and whether each is available.
#[cfg(target_arch = "aarch64")]
#[must_use]
pub fn known_cpu_features() -> Vec<(&'static str, bool)> {
    vec![("neon", std::arch::is_aarch64_feature_detected!("neon"))]
}

/// Returns the CPU features that the kernels use, and whether each is available.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
#[must_use]
pub fn known_cpu_features() -> Vec<(&'static str, bool)> {
    Vec::new()
}

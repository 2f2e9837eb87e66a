//! The class `NativeExperiment`: a training run.

use super::engine::RequestedEngine;
use super::files::write_file;
use super::session::Session;
use super::shared_run::{SIGNAL_INTERVAL, SharedRun};
use super::training::{Limits, train};
use crate::error::{detached, invalid, lab_exception};
use crate::json::{from_python, to_python};
use crate::threads;
use numpy::prelude::*;
use numpy::{IxDyn, PyArray1};
use pyo3::exceptions::{PyFileNotFoundError, PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Instant;
use vivarium_exhibits::{REGISTRY, info};
use vivarium_lab::metrics_table::{MetricsTable, collect_names};
use vivarium_lab::protocol::{EngineInfo, FrameData, MetricRow, Reply};
use vivarium_lab::recorded_row::RecordedRow;
use vivarium_lab::run_metadata::{Provenance, RunMetadata, SessionLimits, SessionRecord};
use vivarium_lab::{Experiment, LabError, config, renamed_fields};

/// Checks that the config of `experiment` uses the fields of `given` that differ from their defaults.
///
/// # Errors
/// [`LabError::Invalid`] for the first field without effect.
fn check_used(experiment: &dyn Experiment, given: &Value) -> Result<(), LabError> {
    config::check_used(&info(experiment.name())?.fields, given, &experiment.config())
}

/// Maximum duration of `advance` in seconds: about 30 years.
const MAX_SECONDS: f64 = 1e9;

/// Training run of an experiment: the native part of the Python class `vivarium_ml.Experiment`.
///
/// `config` is a dictionary of fields, nested or with dotted keys; `data` is the path of a training text.
#[pyclass(module = "vivarium_ml._core", frozen)]
pub(crate) struct NativeExperiment {
    name: &'static str,
    seed: u64,
    run: SharedRun,
}

/// Amount of work of one call of `advance`.
enum Work {
    Slices(u64),
    /// Number of training steps of the run at which the work ends. The iteration in progress is completed.
    Steps(u64),
    Seconds(f64),
}

impl NativeExperiment {
    fn of(session: Session) -> Self {
        let (name, seed) = (session.experiment.name(), session.experiment.seed());
        Self { name, seed, run: SharedRun::new(session) }
    }
}

/// Converts the fields of a Python dictionary to a config. Keys with dots, such as `ppo.hidden`, are paths.
pub(crate) fn read_config(fields: &Bound<'_, PyDict>) -> PyResult<Value> {
    let mut given = json!({});
    for (key, value) in fields {
        let key = key.cast::<PyString>().map_err(|_| {
            PyTypeError::new_err(format!(
                "config has the key {key}; keys must be strings, such as \"ppo.hidden\""
            ))
        })?;
        let key = key.to_cow()?;
        let value = from_python(&value, &key)?;
        let mut one = json!({});
        if key.contains('.') {
            config::set(&mut one, &renamed_fields::current_path(&key), value).map_err(lab_exception)?;
        } else {
            one[&*key] = value;
        }
        config::merge(&mut given, &one);
    }
    Ok(given)
}

/// Converts a metric row to a dictionary: `steps`, the metrics by name, and `notice` if the row has a notice.
pub(crate) fn row_dict<'py>(py: Python<'py>, row: &MetricRow) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("steps", row.steps)?;
    set_values(&dict, &row.values, row.notice.as_deref())?;
    Ok(dict)
}

/// Converts a metric row of a run to a dictionary: `steps`, `updates` and `elapsed`, the metrics by name, and `notice` if the
/// row has a notice.
fn recorded_row_dict<'py>(py: Python<'py>, row: &RecordedRow) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("steps", row.steps)?;
    dict.set_item("updates", row.updates)?;
    dict.set_item("elapsed", row.elapsed)?;
    set_values(&dict, &row.values, row.notice.as_deref())?;
    Ok(dict)
}

/// Adds the metrics of a row by name, and `notice` if the row has a notice.
fn set_values(dict: &Bound<'_, PyDict>, values: &[(String, f64)], notice: Option<&str>) -> PyResult<()> {
    values.iter().try_for_each(|(name, value)| dict.set_item(name, value))?;
    notice.map_or(Ok(()), |notice| dict.set_item("notice", notice))
}

/// Returns an error unless the file or folder `path` exists.
fn check_exists(path: &Path) -> PyResult<()> {
    if path.exists() {
        return Ok(());
    }
    Err(PyFileNotFoundError::new_err(format!("data = {}: there is no such file or folder", path.display())))
}

#[pymethods]
impl NativeExperiment {
    #[new]
    #[pyo3(signature = (name, config, seed, engine))]
    fn new(
        py: Python<'_>,
        name: &str,
        config: &Bound<'_, PyDict>,
        seed: u64,
        engine: &str,
    ) -> PyResult<Self> {
        let engine = RequestedEngine::named(engine).map_err(lab_exception)?;
        let given = read_config(config)?;
        let cpu = threads::cpu()?;
        let experiment = detached(py, || REGISTRY.create(name, &given, seed).map_err(lab_exception))?;
        check_used(&*experiment, &given).map_err(lab_exception)?;
        let text = experiment.missing_data().map(PathBuf::from);
        text.as_deref().map_or(Ok(()), check_exists)?;
        detached(py, || {
            let mut session = Session::new(experiment, text.as_deref()).map_err(lab_exception)?;
            engine.apply(session.experiment.as_mut(), cpu).map_err(lab_exception)?;
            Ok(Self::of(session))
        })
    }

    /// Restores a run from the bytes of a checkpoint. `data` is the path of its training text; `None` if the run needs
    /// none.
    #[staticmethod]
    #[pyo3(signature = (checkpoint, engine, data=None))]
    fn from_bytes(py: Python<'_>, checkpoint: &[u8], engine: &str, data: Option<PathBuf>) -> PyResult<Self> {
        let engine = RequestedEngine::named(engine).map_err(lab_exception)?;
        data.as_deref().map_or(Ok(()), check_exists)?;
        let cpu = threads::cpu()?;
        detached(py, || {
            let experiment = REGISTRY.open(checkpoint).map_err(lab_exception)?;
            let mut session = Session::new(experiment, data.as_deref()).map_err(lab_exception)?;
            engine.apply(session.experiment.as_mut(), cpu).map_err(lab_exception)?;
            Ok(Self::of(session))
        })
    }

    /// Name of the experiment.
    #[getter]
    fn name(&self) -> &'static str {
        self.name
    }

    /// Seed of the run's random numbers.
    #[getter]
    fn seed(&self) -> u64 {
        self.seed
    }

    /// The complete config that the run uses at present.
    #[getter]
    fn config<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.run.lock()?.experiment.config())
    }

    /// Progress of the run: `steps`, `updates`, `episodes`, `total_steps`.
    #[getter]
    fn progress<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &json!(self.run.lock()?.experiment.progress()))
    }

    /// Returns the engine that trains: `cpu` or `gpu`, and the name of the GPU if a GPU trains.
    #[getter]
    fn engine(&self) -> PyResult<(&'static str, Option<String>)> {
        Ok(match self.run.lock()?.experiment.engine() {
            EngineInfo::Cpu => ("cpu", None),
            EngineInfo::Gpu { adapter, .. } => ("gpu", Some(adapter)),
        })
    }

    /// Moves the run to the engine `engine`.
    fn set_engine(&self, py: Python<'_>, engine: &str) -> PyResult<()> {
        let engine = RequestedEngine::named(engine).map_err(lab_exception)?;
        self.run.work(py, |session, cpu| engine.apply(session.experiment.as_mut(), cpu))
    }

    /// Advances the run by a number of slices, by a number of training steps, or by a duration in seconds. Exactly one
    /// of the arguments must be given.
    #[pyo3(signature = (slices=None, steps=None, seconds=None))]
    fn advance(
        &self,
        py: Python<'_>,
        slices: Option<u64>,
        steps: Option<u64>,
        seconds: Option<f64>,
    ) -> PyResult<()> {
        let work = match (slices, steps, seconds) {
            (Some(slices), None, None) => Work::Slices(slices),
            (None, Some(steps), None) => {
                Work::Steps(self.run.lock()?.experiment.progress().steps.saturating_add(steps))
            }
            (None, None, Some(seconds)) if (0.0..=MAX_SECONDS).contains(&seconds) => Work::Seconds(seconds),
            (None, None, Some(seconds)) => {
                return Err(invalid("seconds", seconds, &format!("allowed is 0 to {MAX_SECONDS}")));
            }
            _ => return Err(PyTypeError::new_err("advance takes exactly one of slices, steps and seconds")),
        };
        let (start, mut done) = (Instant::now(), 0);
        loop {
            let (is_over, slices) = self.run.work(py, |session, cpu| {
                let (begun, mut slices) = (Instant::now(), 0);
                loop {
                    let is_over = match work {
                        Work::Slices(count) => done + slices >= count,
                        // The number of steps is checked below, after each slice that ends an iteration. The first
                        // slice may end an iteration too.
                        Work::Steps(_) => false,
                        Work::Seconds(seconds) => start.elapsed().as_secs_f64() >= seconds,
                    };
                    if is_over || begun.elapsed() >= SIGNAL_INTERVAL {
                        return Ok((is_over, slices));
                    }
                    let ended = session.advance(cpu)?;
                    slices += 1;
                    let reached = |last: u64| ended && session.experiment.progress().steps >= last;
                    if matches!(work, Work::Steps(last) if reached(last)) {
                        return Ok((true, slices));
                    }
                }
            })?;
            done += slices;
            py.check_signals()?;
            if is_over {
                return Ok(());
            }
        }
    }

    /// Trains until a goal (`until`), a number of training steps or a number of minutes is reached. Calls
    /// `report(steps, share, text)` about ten times per second; `share` is the completed fraction of the training, from
    /// 0 to 1, or `None` if unknown. Returns the reason for the stop: `reached`, `steps` or `minutes`.
    ///
    /// Writes the checkpoint with the best evaluation of this training, with the evaluation, to the file `best`.
    #[pyo3(signature = (until=None, steps=None, minutes=None, report=None, best=None))]
    fn train(
        &self,
        py: Python<'_>,
        until: Option<&str>,
        steps: Option<u64>,
        minutes: Option<f64>,
        report: Option<&Bound<'_, PyAny>>,
        best: Option<PathBuf>,
    ) -> PyResult<&'static str> {
        let limits = Limits::new(&*self.run.lock()?.experiment, until, steps, minutes)?;
        train(&self.run, py, &limits, report, best)
    }

    /// Returns the contents of `run.json` at the start of a training session, as a dictionary. `origin` has the entries `command`,
    /// `program`, `commit`, `host` and `processor`; `started` is the time in seconds since 1970; `until`, `steps` and `minutes`
    /// are goal and limits.
    #[pyo3(signature = (origin, started, until=None, steps=None, minutes=None))]
    fn run_metadata<'py>(
        &self,
        origin: &Bound<'py, PyDict>,
        started: f64,
        until: Option<String>,
        steps: Option<u64>,
        minutes: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let read = serde_json::from_value::<Provenance>(from_python(origin, "origin")?);
        let provenance = read.map_err(|error| invalid("origin", origin, &error.to_string()))?;
        let (engine, first_step) = {
            let experiment = &self.run.lock()?.experiment;
            (experiment.engine(), experiment.progress().steps)
        };
        let limits = SessionLimits { until, steps, minutes };
        let threads = threads::get_num_threads();
        let session = SessionRecord::begin(provenance, engine, threads, started, first_step, limits);
        to_python(origin.py(), &json!(RunMetadata::new(self.name, self.seed, session)))
    }

    /// Returns the metric rows from the index `first` on, each as a dictionary.
    fn metrics_since<'py>(&self, py: Python<'py>, first: usize) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let session = self.run.lock()?;
        session.rows.iter().skip(first).map(|row| recorded_row_dict(py, row)).collect()
    }

    /// Returns all metric rows as a CSV table with the columns `step`, the metrics, and `notice`.
    fn csv<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let session = self.run.lock()?;
        let mut names = Vec::new();
        let rows = || session.rows.iter().cloned().map(RecordedRow::into_metric_row);
        rows().for_each(|row| collect_names(&mut names, &row));
        let mut table = MetricsTable::new(Vec::new(), names);
        rows().for_each(|row| table.add(row));
        Ok(PyBytes::new(py, &table.finish()?))
    }

    /// Evaluates the greedy policy or the model in `episodes` trials; `None` is the experiment's default number.
    /// Returns the measures by name, and `details`, the complete result.
    #[pyo3(signature = (episodes=None, seed=1))]
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        episodes: Option<u32>,
        seed: u64,
    ) -> PyResult<Bound<'py, PyDict>> {
        let measures = vivarium_exhibits::measures(self.name).map_err(lab_exception)?;
        let config = self.run.lock()?.experiment.config();
        let trials = episodes.unwrap_or_else(|| measures.trials(&config));
        let evaluation = self.run.evaluation(py, trials, seed)?;
        let evaluation = evaluation.ok_or_else(|| PyRuntimeError::new_err("the evaluation was stopped"))?;
        let dict = PyDict::new(py);
        evaluation.measures.iter().try_for_each(|(name, value)| dict.set_item(name, value))?;
        dict.set_item("details", to_python(py, &evaluation.details)?)?;
        Ok(dict)
    }

    /// Returns a snapshot for drawing: `arrays`, NumPy arrays by name, and `documents`, a dictionary or `None`. The
    /// preview advances by `elapsed` seconds.
    fn frame<'py>(
        &self,
        py: Python<'py>,
        view: &Bound<'py, PyDict>,
        elapsed: f32,
    ) -> PyResult<Bound<'py, PyDict>> {
        if !(elapsed >= 0.0 && elapsed.is_finite()) {
            return Err(invalid("elapsed", elapsed, "allowed is a finite number of seconds, at least 0"));
        }
        let view = from_python(view, "view")?;
        let frame = self.run.work(py, |session, _| session.experiment.any_frame(view, elapsed))?;
        let arrays = PyDict::new(py);
        for array in frame.arrays {
            let shape: Vec<usize> = array.shape.iter().map(|&size| size as usize).collect();
            let values = match array.data {
                FrameData::F32(values) => PyArray1::from_vec(py, values).reshape(IxDyn(&shape))?.into_any(),
                FrameData::U8(values) => PyArray1::from_vec(py, values).reshape(IxDyn(&shape))?.into_any(),
            };
            arrays.set_item(array.name, values)?;
        }
        let dict = PyDict::new(py);
        dict.set_item("arrays", arrays)?;
        let documents = frame.documents.unwrap_or(Value::Null);
        dict.set_item("documents", to_python(py, &documents)?)?;
        Ok(dict)
    }

    /// Executes a command of the experiment's family. Returns `None`, or a file as a dictionary with `name`, `mime` and
    /// `bytes`.
    fn command<'py>(
        &self,
        py: Python<'py>,
        command: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let command = from_python(command, "command")?;
        let reply = self.run.work(py, |session, cpu| {
            let experiment = &mut session.experiment;
            cpu.install(|| experiment.any_command(command))
        })?;
        let Reply::File { name, mime, bytes } = reply else { return Ok(None) };
        let dict = PyDict::new(py);
        dict.set_item("name", name)?;
        dict.set_item("mime", mime)?;
        dict.set_item("bytes", PyBytes::new(py, &bytes))?;
        Ok(Some(dict))
    }

    /// Changes live config fields (fields that may change during a run). `fields` has the format of the config of a new
    /// run.
    fn set_config(&self, py: Python<'_>, fields: &Bound<'_, PyDict>) -> PyResult<()> {
        let (given, mut changes) = (read_config(fields)?, Vec::new());
        check_used(&*self.run.lock()?.experiment, &given).map_err(lab_exception)?;
        flatten("", given, &mut changes);
        let changes: Vec<(&str, &Value)> =
            changes.iter().map(|(path, value)| (path.as_str(), value)).collect();
        self.run.work(py, |session, _| session.experiment.change_config(&changes))
    }

    /// Loads the network of a checkpoint as an additional player of a board game, or as an additional solver of a cube.
    fn open_player(&self, py: Python<'_>, checkpoint: &[u8]) -> PyResult<()> {
        self.run.work(py, |session, _| session.experiment.open_player(checkpoint))
    }

    /// Returns the state of the run as the bytes of a checkpoint.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.run.work(py, |session, _| Ok(session.experiment.save()))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Writes the state of the run to a checkpoint, which replaces the file `path` atomically.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let bytes = self.run.work(py, |session, _| Ok(session.experiment.save()))?;
        detached(py, || write_file(&path, &bytes))
    }
}

/// Collects the fields of a config: appends the path and the value of each field below `value` to `fields`. `prefix` is
/// the path of `value`; empty for the whole config.
fn flatten(prefix: &str, value: Value, fields: &mut Vec<(String, Value)>) {
    match value {
        Value::Object(section) => section.into_iter().for_each(|(name, value)| {
            let path = if prefix.is_empty() { name } else { format!("{prefix}.{name}") };
            flatten(&path, value, fields);
        }),
        value => fields.push((prefix.to_owned(), value)),
    }
}

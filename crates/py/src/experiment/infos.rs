//! Static descriptions of the experiments.

use super::native::read_config;
use crate::error::{invalid, lab_exception};
use crate::json::{from_python, to_python};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Value, json};
use vivarium_exhibits::{REGISTRY, info, measures};
use vivarium_lab::config;
use vivarium_lab::run_metadata::RunMetadata;

/// Returns the names of all experiments, grouped by family.
#[pyfunction]
pub(super) fn experiment_names() -> Vec<&'static str> {
    REGISTRY.names().collect()
}

/// Returns the description of the experiment `name` as a dictionary: `name`, `title`, `family`, `summary`, `fields` (a
/// list of dictionaries with `path`, `label`, `help`, `unit`, `live`, `default`, `kind` and `allowed`), `presets`,
/// `metrics`, `measures` (of its evaluations), and `unit` (the unit of training steps).
#[pyfunction]
pub(super) fn experiment_info<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let info = info(name).map_err(lab_exception)?;
    let measures = measures(name).map_err(lab_exception)?;
    let fields = info.fields.iter().map(|field| {
        let mut described = json!(field);
        described["allowed"] = field.kind.to_string().into();
        described
    });
    let presets = info.presets.iter().map(|preset| {
        json!({ "name": preset.name, "label": preset.label, "help": preset.help, "config": preset.config })
    });
    let metrics = info.metrics.iter().map(|metric| {
        json!({ "name": metric.name, "label": metric.label, "unit": metric.unit, "help": metric.help })
    });
    let evaluated = measures.evaluated().iter();
    let evaluated = evaluated.map(|one| json!({ "name": one.measure, "label": one.label, "unit": one.unit }));
    let description = json!({
        "name": info.name,
        "title": info.title,
        "family": info.family(),
        "summary": info.summary,
        "unit": info.readings.unit,
        "fields": fields.collect::<Vec<_>>(),
        "presets": presets.collect::<Vec<_>>(),
        "metrics": metrics.collect::<Vec<_>>(),
        "measures": evaluated.collect::<Vec<Value>>(),
    });
    to_python(py, &description)
}

/// Returns the paths of the config fields that the config `config` of the experiment `name` does not use: the fields of learners that
/// neither the config nor its preset selects.
#[pyfunction]
pub(super) fn unused_fields(name: &str, config: &Bound<'_, PyDict>) -> PyResult<Vec<&'static str>> {
    let (info, given) = (info(name).map_err(lab_exception)?, read_config(config)?);
    let preset = info.presets.iter().find(|preset| given["preset"] == preset.name);
    let mut config = preset.map_or_else(|| json!({}), |preset| preset.config.clone());
    config::merge(&mut config, &given);
    let paths = info.fields.iter().map(|field| field.path);
    Ok(paths.filter(|path| config::unused_learner(&info.fields, &config, path).is_some()).collect())
}

/// Returns the contents `metadata` of `run.json` with the end of the latest training session: its reason, as the program records
/// it, the number of training steps, and the time in seconds since 1970.
#[pyfunction]
pub(super) fn ended_metadata<'py>(
    metadata: &Bound<'py, PyDict>,
    reason: &str,
    steps: u64,
    ended: f64,
) -> PyResult<Bound<'py, PyAny>> {
    let read = serde_json::from_value(from_python(metadata, "metadata")?);
    let mut about: RunMetadata =
        read.map_err(|error: serde_json::Error| invalid("metadata", metadata, &error.to_string()))?;
    about.end(reason, steps, ended);
    to_python(metadata.py(), &json!(about))
}

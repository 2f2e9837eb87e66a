//! Static descriptions of the experiments.

use crate::error::lab_exception;
use crate::json::to_python;
use pyo3::prelude::*;
use serde_json::{Value, json};
use vivarium_exhibits::{REGISTRY, info, measures};

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

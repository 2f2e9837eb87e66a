//! A run in memory: the experiment and all metric rows that it has reported, with the training time.

use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use vivarium_graph::Cpu;
use vivarium_lab::measures::Measures;
use vivarium_lab::protocol::{Evaluation, MetricRow};
use vivarium_lab::recorded_row::RecordedRow;
use vivarium_lab::speed_meter::SpeedMeter;
use vivarium_lab::{AnyExhibit, LabError};
use vivarium_lm::data;

/// Returns the time in seconds since the first call of this function. Experiments use this clock for metrics that
/// measure time.
fn clock() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// A run in memory: the experiment and all metric rows that it has reported.
pub(super) struct Session {
    pub(super) experiment: Box<dyn AnyExhibit>,
    /// All metric rows since the run was created or restored, oldest first.
    pub(super) rows: Vec<RecordedRow>,
    /// Training time in seconds since the run was created or restored, with evaluations during training.
    elapsed: f64,
    speed: SpeedMeter,
    /// Number of training steps at the last evaluation during training; `None` before the first evaluation.
    pub(super) evaluated_at: Option<u64>,
}

impl Session {
    /// Creates the session of an experiment. `text` is the path of the training text of a language model. If `text` is
    /// `None`, a new run reads the text that its config names.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the text cannot be used.
    pub(super) fn new(mut experiment: Box<dyn AnyExhibit>, text: Option<&Path>) -> Result<Self, LabError> {
        experiment.set_clock(clock);
        if let Some(text) = text {
            supply_text(experiment.as_mut(), text)?;
        }
        let mut speed = SpeedMeter::default();
        speed.record(0.0, experiment.progress().steps);
        Ok(Self { experiment, rows: Vec::new(), elapsed: 0.0, speed, evaluated_at: None })
    }

    /// Advances the run by a slice, and stores its metric rows. Returns whether an iteration of the learner ended.
    ///
    /// # Errors
    /// [`LabError`] if training diverged, or the training text is missing.
    pub(super) fn advance(&mut self, cpu: &Cpu) -> Result<bool, LabError> {
        if let Some(text) = self.experiment.missing_data() {
            let allowed =
                "the run was trained on this text, which training needs; pass its path as the argument data";
            return Err(LabError::invalid("data", format!("{text:?}"), allowed));
        }
        let (experiment, start) = (&mut self.experiment, Instant::now());
        cpu.install(|| experiment.advance(cpu))?;
        self.elapsed += start.elapsed().as_secs_f64();
        let rows = self.experiment.take_metrics();
        let ended = rows.iter().any(|row| !row.values.is_empty());
        for mut row in rows {
            self.speed.record(self.elapsed, self.experiment.progress().steps);
            row.values.push(("steps_per_second".into(), self.speed.per_second()));
            self.record(row);
        }
        Ok(ended)
    }

    /// Stores the result of an evaluation during training, which took `duration`, as a metric row.
    pub(super) fn record_evaluation(
        &mut self,
        measures: &dyn Measures,
        evaluation: &Evaluation,
        duration: Duration,
    ) {
        self.elapsed += duration.as_secs_f64();
        self.speed.pause(duration.as_secs_f64());
        let steps = self.experiment.progress().steps;
        let values = measures.evaluated().iter();
        let values = values.map(|each| (each.name, evaluation.measure(each.measure)));
        self.record(MetricRow::new(steps, values));
        self.evaluated_at = Some(steps);
    }

    /// Stores a metric row, with the gradient steps and the training time so far.
    pub(super) fn record(&mut self, row: MetricRow) {
        let MetricRow { steps, values, notice } = row;
        let updates = self.experiment.progress().updates;
        self.rows.push(RecordedRow { steps, updates, elapsed: self.elapsed, values, notice });
    }
}

/// Supplies the text in the file or folder `path` to an experiment as training text.
///
/// # Errors
/// [`LabError::Invalid`] of the field `data` if the text cannot be read, or if the experiment needs no training text.
pub(super) fn supply_text(experiment: &mut dyn AnyExhibit, path: &Path) -> Result<(), LabError> {
    let refuse = |why: String| LabError::invalid("data", format!("{:?}", path.display().to_string()), why);
    let sources = data::open(path).map_err(|error| refuse(error.to_string()))?;
    experiment.bring_data(sources).map_err(|error| match error {
        LabError::Invalid { allowed, .. } => refuse(allowed),
        other => other,
    })
}

//! Learner-independent state of a run: name, seed, config, metric rows and rollback notices.

use crate::checkpoint::Header;
use crate::config;
use crate::error::LabError;
use crate::protocol::MetricRow;
use crate::renamed_fields;
use serde_json::Value;
use vivarium_config::Field;

/// Maximum number of buffered metric rows. If the front end does not take the rows, the oldest rows are dropped.
const MOST_ROWS: usize = 4096;

/// Learner-independent state of a run: name, seed, config, metric rows and clock.
pub struct Run {
    name: &'static str,
    seed: u64,
    config: Value,
    fields: Vec<Field>,
    rows: Vec<MetricRow>,
    clock: Option<fn() -> f64>,
}

impl Run {
    /// Creates the run state of the experiment `name`, with the seed of its random numbers, and a complete, validated
    /// config of the fields `fields`.
    #[must_use]
    pub fn new(name: &'static str, seed: u64, config: Value, fields: Vec<Field>) -> Self {
        Self { name, seed, config, fields, rows: Vec::new(), clock: None }
    }

    /// Returns the registered name of the experiment.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the seed of all random numbers of the run.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the complete config that the run uses at present.
    #[must_use]
    pub fn config(&self) -> &Value {
        &self.config
    }

    /// Replaces the complete config of the run.
    pub fn set_config(&mut self, config: Value) {
        self.config = config;
    }

    /// Returns a copy of the run's config with the `changes` (path and new value of live fields, which may change
    /// during a run). Does not modify the run.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if a field does not exist, is not live, or the value is out of range.
    pub fn changed(&self, changes: &[(&str, &Value)]) -> Result<Value, LabError> {
        let mut config = self.config.clone();
        for (path, value) in changes {
            let path = renamed_fields::current_path(path);
            let value = config::check_live(&self.fields, &self.config, &path, value)?;
            config::set(&mut config, &path, value)?;
        }
        Ok(config)
    }

    /// Returns the config with the learning rates at the paths `learning_rates` halved. Does not modify the run. A
    /// learning rate stays unchanged if half its value is out of range.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if a path is invalid.
    pub fn with_halved_rates(&self, learning_rates: &[&str]) -> Result<Value, LabError> {
        let mut config = self.config.clone();
        for path in learning_rates {
            config::halve(&self.fields, &mut config, path)?;
        }
        Ok(config)
    }

    /// Appends a metric row. If the buffer is full, drops the oldest row.
    pub fn report(&mut self, row: MetricRow) {
        if self.rows.len() == MOST_ROWS {
            self.rows.remove(0);
        }
        self.rows.push(row);
    }

    /// Appends a metric row at `steps` training steps that contains a notice to the user.
    pub fn notice(&mut self, steps: u64, notice: String) {
        self.report(MetricRow { steps, values: Vec::new(), notice: Some(notice) });
    }

    /// Appends a metric row at `steps` training steps with a notice about a rollback after divergence, whose cause is
    /// `reason`. `state` describes the restored state as part of a sentence. `learning_rate` is the config path of a
    /// learning rate that [`with_halved_rates`](Self::with_halved_rates) has halved.
    pub fn report_rollback(&mut self, steps: u64, reason: &str, state: &str, learning_rate: &str) {
        let rate = config::get(&self.config, learning_rate).and_then(Value::as_f64).unwrap_or(0.0);
        let notice = format!(
            "Training diverged ({reason}). {state}; it continues with half the learning rate, {rate}."
        );
        self.notice(steps, notice);
    }

    /// Removes and returns the metric rows that were reported since the last call, oldest first.
    pub fn take_rows(&mut self) -> Vec<MetricRow> {
        std::mem::take(&mut self.rows)
    }

    /// Returns the front end's clock, a function that returns a time in seconds; `None` if no clock is set.
    #[must_use]
    pub fn clock(&self) -> Option<fn() -> f64> {
        self.clock
    }

    /// Sets the clock, a function that returns a time in seconds.
    pub fn set_clock(&mut self, clock: fn() -> f64) {
        self.clock = Some(clock);
    }

    /// Creates the header of a checkpoint after `steps` training steps; `more` is learner-specific metadata.
    #[must_use]
    pub fn header(&self, steps: u64, more: Value) -> Header {
        Header { experiment: self.name.into(), config: self.config.clone(), seed: self.seed, steps, more }
    }
}

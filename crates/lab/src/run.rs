//! What every run has, whatever learns: its name, seed and config, its metric rows, and the steps after a breakdown.

use crate::checkpoint::{FORMAT_VERSION, Header};
use crate::config;
use crate::error::LabError;
use crate::protocol::MetricRow;
use crate::renamed_fields;
use serde_json::Value;
use vivarium_config::Field;

/// Rows kept for a front end that does not take them.
const MOST_ROWS: usize = 4096;

/// The most roll-backs in a row.
pub const MOST_ROLL_BACKS: u32 = 8;

/// What a run is, apart from its learner.
pub struct Run {
    name: &'static str,
    seed: u64,
    config: Value,
    fields: Vec<Field>,
    rows: Vec<MetricRow>,
    clock: Option<fn() -> f64>,
}

impl Run {
    /// A run of the experiment `name` with a whole and checked config; `fields` describes all of it.
    #[must_use]
    pub fn new(name: &'static str, seed: u64, config: Value, fields: Vec<Field>) -> Self {
        Self { name, seed, config, fields, rows: Vec::new(), clock: None }
    }

    /// The registered name of the experiment.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The seed of all its random numbers.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The config in use, every field present.
    #[must_use]
    pub fn config(&self) -> &Value {
        &self.config
    }

    /// Takes over a config that the learner uses from now on.
    pub fn set_config(&mut self, config: Value) {
        self.config = config;
    }

    /// The config with other values of live fields.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for a field that does not exist, cannot change while the run goes on, or not to this.
    pub fn changed(&self, changes: &[(&str, &Value)]) -> Result<Value, LabError> {
        let mut config = self.config.clone();
        for (path, value) in changes {
            let path = renamed_fields::current_path(path);
            let value = config::check_live(&self.fields, &path, value)?;
            config::set(&mut config, &path, value)?;
        }
        Ok(config)
    }

    /// The config with half the learning rates at these paths, as far as their ranges go.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if there is no such field.
    pub fn with_halved_rates(&self, learning_rates: &[&str]) -> Result<Value, LabError> {
        let mut config = self.config.clone();
        for path in learning_rates {
            config::halve(&self.fields, &mut config, path)?;
        }
        Ok(config)
    }

    /// Reports what was measured.
    pub fn report(&mut self, row: MetricRow) {
        if self.rows.len() == MOST_ROWS {
            self.rows.remove(0);
        }
        self.rows.push(row);
    }

    /// Reports something that the user should know.
    pub fn notice(&mut self, steps: u64, notice: String) {
        self.report(MetricRow { steps, values: Vec::new(), notice: Some(notice) });
    }

    /// Reports that learning broke down and goes on with the config that [`with_halved_rates`](Self::with_halved_rates) gave, in which
    /// `learning_rate` is the path of the rate; `state` says in a sentence what the learner goes on from.
    pub fn report_roll_back(&mut self, steps: u64, reason: &str, state: &str, learning_rate: &str) {
        let rate = config::get(&self.config, learning_rate).and_then(Value::as_f64).unwrap_or(0.0);
        let notice = format!(
            "Learning broke down ({reason}). {state}; it goes on with half the learning rate, {rate}."
        );
        self.notice(steps, notice);
    }

    /// The rows since the last call, oldest first.
    pub fn take_rows(&mut self) -> Vec<MetricRow> {
        std::mem::take(&mut self.rows)
    }

    /// A clock in seconds since some moment, if the front end lent one.
    #[must_use]
    pub fn clock(&self) -> Option<fn() -> f64> {
        self.clock
    }

    /// Takes the clock that a front end lends.
    pub fn set_clock(&mut self, clock: fn() -> f64) {
        self.clock = Some(clock);
    }

    /// The header of a checkpoint after so many steps.
    #[must_use]
    pub fn header(&self, steps: u64, more: Value) -> Header {
        Header {
            format_version: FORMAT_VERSION,
            experiment: self.name.into(),
            config: self.config.clone(),
            seed: self.seed,
            steps,
            more,
        }
    }
}

/// The error of a run that broke down once more than there is use in going back; `learning_rate` is a path.
#[must_use]
pub fn diverged(reason: &str, state: &str, learning_rate: &str) -> LabError {
    LabError::Diverged {
        message: format!(
            "{reason}, after {MOST_ROLL_BACKS} returns to the {state} with ever smaller steps; try a smaller \
             {learning_rate} or a preset"
        ),
    }
}

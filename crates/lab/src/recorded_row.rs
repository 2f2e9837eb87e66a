//! Metric row with the progress of its run. `metrics.jsonl` has one flat JSON object per row, such as `{"steps": 4096,
//! "updates": 16, "elapsed": 0.01, "return_mean": 21.5}`. Numbers that are not finite are `null`. The optional field `notice`
//! is a message to the user.

use crate::protocol::MetricRow;
use serde_json::Value;

/// Row of `metrics.jsonl`: training progress and metric values at one time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordedRow {
    /// Number of environment steps, epochs or tokens when the row was recorded.
    pub steps: u64,
    /// Number of gradient steps when the row was recorded.
    pub updates: u64,
    /// Training time in seconds when the row was recorded.
    pub elapsed: f64,
    /// Names and values of the metrics.
    pub values: Vec<(String, f64)>,
    /// Message to the user; `None` if the row has no message.
    pub notice: Option<String>,
}

impl RecordedRow {
    /// Formats the row as a line of `metrics.jsonl`, including the line feed.
    pub fn to_line(&self) -> String {
        // Formatted manually to keep the order of the fields.
        let mut line = format!("{{\"steps\":{},\"updates\":{}", self.steps, self.updates);
        let mut field = |name: &str, value: Value| line += &format!(",{}:{value}", Value::from(name));
        field("elapsed", ((self.elapsed * 1e6).round() / 1e6).into());
        for (name, value) in &self.values {
            field(name, (*value).into());
        }
        if let Some(notice) = &self.notice {
            field("notice", notice.as_str().into());
        }
        line + "}\n"
    }

    /// Parses a line of `metrics.jsonl`; `None` if the line is not a valid row.
    pub fn parse(line: &str) -> Option<Self> {
        let Value::Object(object) = serde_json::from_str(line).ok()? else { return None };
        let mut row = Self { steps: object.get("steps")?.as_u64()?, ..Self::default() };
        for (name, value) in object {
            match (name.as_str(), value) {
                ("steps", _) => {}
                ("updates", value) => row.updates = value.as_u64()?,
                ("elapsed", value) => row.elapsed = value.as_f64()?,
                ("notice", value) => row.notice = Some(value.as_str()?.to_owned()),
                (_, Value::Null) => row.values.push((name, f64::NAN)),
                (_, value) => row.values.push((name, value.as_f64()?)),
            }
        }
        Some(row)
    }

    /// Returns the row for a table of metrics, in which gradient steps (`updates`) and training time in seconds (`elapsed`)
    /// are columns as well.
    #[must_use]
    pub fn into_metric_row(self) -> MetricRow {
        let progress = [("updates".to_owned(), self.updates as f64), ("elapsed".to_owned(), self.elapsed)];
        MetricRow {
            steps: self.steps,
            values: progress.into_iter().chain(self.values).collect(),
            notice: self.notice,
        }
    }

    /// Returns the value of the metric `name`; `None` if the row does not contain the metric.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.values.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
    }
}

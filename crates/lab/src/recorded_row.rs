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

#[cfg(test)]
mod tests {
    use super::*;

    fn row(steps: u64, updates: u64) -> RecordedRow {
        RecordedRow {
            steps,
            updates,
            elapsed: 0.25,
            values: vec![("return_mean".into(), 21.5)],
            notice: None,
        }
    }

    #[test]
    fn a_row_round_trips_through_its_line() {
        let mut written = row(4096, 16);
        written.notice = Some("rolled back \"hard\"\n".into());
        assert_eq!(RecordedRow::parse(&written.to_line()), Some(written.clone()));
        assert_eq!(written.to_line().lines().count(), 1);
        assert_eq!(written.get("return_mean"), Some(21.5));
        written.values.push(("policy_loss".into(), f64::INFINITY));
        assert!(written.to_line().contains("\"policy_loss\":null"));
        assert!(RecordedRow::parse(&written.to_line()).unwrap().get("policy_loss").unwrap().is_nan());
        for line in ["", "{", "[]", "{}", "{\"steps\": -1}", "{\"steps\": 1, \"a\": \"b\"}"] {
            assert_eq!(RecordedRow::parse(line), None, "{line}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_row_round_trips_and_no_line_panics(
            steps: u64, elapsed in 0.0..1e9f64, name in "[a-z\"\\\\é]{1,9}", value: f64, line in ".*"
        ) {
            let written = RecordedRow { steps, updates: 1, elapsed, values: vec![(name.clone(), value)], notice: None };
            let read = RecordedRow::parse(&written.to_line()).unwrap();
            // The JSON parser may be off by the last bit, which is a large relative error for a subnormal number.
            let near = |a: f64, b: f64| (a - b).abs() <= (1e-15 * a.abs()).max(f64::MIN_POSITIVE);
            let same = |a: f64, b: f64| near(a, b) || !a.is_finite() && b.is_nan();
            assert!(read.steps == steps && same(value, read.get(&name).unwrap()), "{read:?}");
            RecordedRow::parse(&line);
        }
    }
}

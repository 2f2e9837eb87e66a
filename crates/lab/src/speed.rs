//! Engine benchmark: measures the training speed of a copy of the run on an engine, for the automatic engine choice.

#[cfg(feature = "gpu")]
use crate::engine::Engine;
use crate::experiment::Experiment;
use serde::{Deserialize, Serialize};
#[cfg(feature = "gpu")]
use vivarium_gpu::Gpu;
use vivarium_graph::Cpu;

/// Target duration of a speed measurement, in seconds, from the end of the first iteration to the end of the last. The
/// measurement ends with the first iteration that reaches this duration.
const ENOUGH: f64 = 0.06;
/// Maximum duration of a speed measurement on one engine, in seconds.
pub const MOST: f64 = 1.0;
/// Maximum duration of the work that precedes training, such as tokenizer training, in seconds.
const MOST_BEFORE: f64 = 5.0;

/// Measured training speed of a run on an engine. A rate is 0 if the measurement finished no gradient step (`updates`)
/// or no training step (`steps`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Speed {
    /// Training steps (in the unit of [`Progress::steps`](crate::protocol::Progress::steps)) per second over complete
    /// iterations; `None` if no iteration finished.
    pub whole: Option<f64>,
    /// Gradient steps per second, including the gradient steps of an unfinished iteration.
    pub updates: f64,
    /// Training steps (in the unit of [`Progress::steps`](crate::protocol::Progress::steps)) per second, including
    /// the training steps of an unfinished iteration.
    pub steps: f64,
}

/// Unit in which the training speeds of two engines are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpeedUnit {
    /// Training steps, in the unit of [`Progress::steps`](crate::protocol::Progress::steps).
    Steps,
    /// Gradient steps (optimizer updates).
    Updates,
}

impl Speed {
    /// Returns the speeds of two engines in a common unit per second: (speed of `self`, speed of `other`, unit).
    ///
    /// If either engine finished an iteration, the speeds over complete iterations are compared, and an engine without
    /// a finished iteration has speed 0. Otherwise gradient steps are compared, because a rollout alone is not
    /// training. Without gradient steps, the steps of unfinished iterations are compared.
    #[must_use]
    pub fn compare(&self, other: &Self) -> (f64, f64, SpeedUnit) {
        match (self.whole, other.whole) {
            (None, None) if self.updates > 0.0 || other.updates > 0.0 => {
                (self.updates, other.updates, SpeedUnit::Updates)
            }
            (None, None) => (self.steps, other.steps, SpeedUnit::Steps),
            (own, others) => (own.unwrap_or(0.0), others.unwrap_or(0.0), SpeedUnit::Steps),
        }
    }
}

/// Measured training speeds of one run on the GPU engine and on the CPU engine.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EngineSpeeds {
    /// Speed on the GPU.
    pub gpu: Speed,
    /// Speed on the CPU.
    pub cpu: Speed,
}

impl EngineSpeeds {
    /// Returns whether at least one of the engines completed any training steps during its measurement.
    #[must_use]
    pub fn has_progress(&self) -> bool {
        let (gpu, cpu, _) = self.gpu.compare(&self.cpu);
        gpu > 0.0 || cpu > 0.0
    }

    /// Returns whether to train on the GPU: true if the GPU is faster. Also true if neither engine finished a step,
    /// because work of such a size suits a GPU.
    #[must_use]
    pub fn prefers_gpu(&self) -> bool {
        let (gpu, cpu, _) = self.gpu.compare(&self.cpu);
        gpu > cpu || !self.has_progress()
    }
}

/// End of an iteration: clock time in seconds, and number of training steps of the run so far.
#[derive(Clone, Copy)]
struct Mark {
    at: f64,
    steps: u64,
}

/// Runs the work that precedes training, such as tokenizer training, for at most 5 seconds. Returns whether the work is
/// complete.
pub fn prepare(experiment: &mut dyn Experiment, cpu: &Cpu, clock: &mut dyn FnMut() -> f64) -> bool {
    let start = clock();
    while experiment.is_preparing() {
        let is_late = clock() - start > MOST_BEFORE;
        if is_late || cpu.install(|| experiment.advance(cpu)).is_err() {
            return false;
        }
    }
    true
}

/// Measures the training speed of `experiment` on its present engine, with a `clock` that returns seconds. Takes 60 ms,
/// or up to one second if iterations are long. Trains the experiment: pass a copy that is [prepared](prepare). If
/// training fails, the measurement ends early.
///
/// If several iterations finish, the first one is excluded, because it allocates memory and compiles kernels.
pub fn measure(experiment: &mut dyn Experiment, cpu: &Cpu, clock: &mut dyn FnMut() -> f64) -> Speed {
    experiment.take_metrics();
    let (begun, start) = (experiment.progress(), clock());
    let from = Mark { at: start, steps: begun.steps };
    // End of the first and of the last finished iteration.
    let mut ends: Option<(Mark, Mark)> = None;
    let mut now = start;
    let is_enough =
        |ends: Option<(Mark, Mark)>| ends.is_some_and(|(first, last)| last.at - first.at >= ENOUGH);
    while now - start < MOST && !is_enough(ends) && cpu.install(|| experiment.advance(cpu)).is_ok() {
        now = clock();
        let rows = experiment.take_metrics();
        let finished = rows.iter().filter(|row| !row.values.is_empty()).map(|row| row.steps).max();
        let before = ends.map_or(from, |(_, last)| last);
        if let Some(steps) = finished.filter(|&steps| steps > before.steps) {
            let end = Mark { at: now, steps };
            ends = Some((ends.map_or(end, |(first, _)| first), end));
        }
    }
    let rate = |count: u64, seconds: f64| if seconds > 0.0 { count as f64 / seconds } else { 0.0 };
    let between = |from: Mark, to: Mark| rate(to.steps - from.steps, to.at - from.at);
    let whole = ends.map(
        |(first, last)| {
            if last.steps > first.steps { between(first, last) } else { between(from, last) }
        },
    );
    let reached = experiment.progress();
    Speed {
        whole,
        updates: rate(reached.updates.saturating_sub(begun.updates), now - start),
        steps: rate(reached.steps.saturating_sub(begun.steps), now - start),
    }
}

/// Measures the training speed of both engines, for at most one second each, with a `clock` that returns seconds.
/// Trains the experiment: pass a copy of the run, with its training data.
///
/// # Errors
/// A message with the cause, as a clause without final punctuation.
#[cfg(feature = "gpu")]
pub fn measure_engines(
    copy: &mut dyn Experiment,
    gpu: &Gpu,
    cpu: &Cpu,
    clock: &mut dyn FnMut() -> f64,
) -> Result<EngineSpeeds, String> {
    // Disable evaluations during training, which take the same time on both engines. Most experiments have no such
    // field.
    let _ = copy.set("evaluation.every", &0.into());
    if !prepare(copy, cpu, clock) {
        return Err("the preparation takes too long for a comparison with the GPU".into());
    }
    copy.set_engine(Engine::Gpu(gpu.clone())).map_err(|error| error.to_string())?;
    let on_gpu = measure(copy, cpu, clock);
    copy.set_engine(Engine::Cpu).map_err(|error| error.to_string())?;
    Ok(EngineSpeeds { gpu: on_gpu, cpu: measure(copy, cpu, clock) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::episodes::Episodes;
    use crate::error::LabError;
    use crate::experiment::EvaluationResult;
    use crate::protocol::{MetricRow, Progress};
    use crate::run::Run;
    use crate::train::SliceError;
    use serde_json::{Value, json};

    /// Test experiment with a fixed number of slices (calls of `advance`): `before` slices of preparation, then
    /// iterations of `iteration` slices each. Each slice of an iteration performs ten training steps.
    struct Scripted {
        run: Run,
        before: u32,
        iteration: u64,
        slices: u64,
        breaks_at: u64,
    }

    impl Scripted {
        fn new(iteration: u64) -> Self {
            let run = Run::new("scripted", 1, json!({}), Vec::new());
            Self { run, before: 0, iteration, slices: 0, breaks_at: u64::MAX }
        }
    }

    impl Experiment for Scripted {
        crate::experiment_parts!(without training);

        fn progress(&self) -> Progress {
            let updates = self.slices / self.iteration;
            Progress { steps: 10 * self.slices, updates, episodes: 0, total_steps: None }
        }

        fn phase(&self) -> &'static str {
            "slice"
        }

        fn is_preparing(&self) -> bool {
            self.before > 0
        }

        fn apply_config(&mut self, _: &Value) -> Result<(), LabError> {
            Ok(())
        }

        fn restore_good_state(&mut self, _: &Value) -> Result<String, LabError> {
            unreachable!("the experiment has no rollback guard")
        }

        fn advance_slice(&mut self, _: &Cpu) -> Result<(), SliceError> {
            if self.before > 0 {
                self.before -= 1;
                return Ok(());
            }
            if self.slices == self.breaks_at {
                return Err(LabError::engine("it broke").into());
            }
            self.slices += 1;
            if self.slices.is_multiple_of(self.iteration) {
                let steps = 10 * self.slices;
                self.run.report(MetricRow { steps, values: vec![("loss".into(), 1.0)], notice: None });
            }
            Ok(())
        }

        fn evaluate_interruptible(&mut self, _: &Cpu, _: Episodes<'_>) -> EvaluationResult {
            Ok(None)
        }

        fn save(&self) -> Vec<u8> {
            Vec::new()
        }
    }

    /// Measures the training speed of `experiment` with a simulated clock. The first slice (call of `advance`) takes
    /// `first` seconds, and every other slice takes `slice` seconds.
    fn measured(experiment: &mut Scripted, first: f64, slice: f64) -> Speed {
        let (mut now, mut calls) = (0.0, 0);
        // The first call reads the time before training starts.
        measure(experiment, &Cpu::new(1), &mut || {
            calls += 1;
            now += if calls == 2 { first } else { slice };
            now
        })
    }

    #[test]
    fn whole_iterations_are_measured_without_the_first_one() {
        // An iteration of 4 slices takes 16 ms; the first slice takes 0.5 s more.
        let mut experiment = Scripted::new(4);
        let speed = measured(&mut experiment, 0.5, 0.004);
        assert!((speed.whole.unwrap() - 10.0 / 0.004).abs() < 1e-6, "{speed:?}");
        assert_eq!(experiment.slices, 20, "it ends when there is enough");
    }

    #[test]
    fn the_measurement_of_a_slow_engine_ends_after_a_second() {
        // The measurement covers one iteration of 6 slices and 4 slices of the next.
        let mut experiment = Scripted::new(6);
        let speed = measured(&mut experiment, 0.1, 0.1);
        assert!((10..=11).contains(&experiment.slices), "{}", experiment.slices);
        assert!((speed.whole.unwrap() - 100.0).abs() < 1e-6, "{speed:?}");
        // No iteration finishes within the maximum duration.
        let mut experiment = Scripted::new(100);
        let speed = measured(&mut experiment, 0.1, 0.1);
        assert_eq!((speed.whole, speed.updates), (None, 0.0));
        assert!((speed.steps - 100.0).abs() < 1e-6, "{speed:?}");
    }

    #[test]
    fn preparation_is_completed_unless_it_takes_too_long() {
        let prepared = |before| {
            let mut experiment = Scripted { before, ..Scripted::new(1) };
            let mut now = 0.0;
            let is_done = prepare(&mut experiment, &Cpu::new(1), &mut || {
                now += 0.01;
                now
            });
            (is_done, experiment.before == 0, experiment.slices)
        };
        assert_eq!(prepared(20), (true, true, 0));
        assert_eq!(prepared(u32::MAX), (false, false, 0));
    }

    #[test]
    fn a_failing_measurement_counts_its_finished_work() {
        let mut experiment = Scripted { breaks_at: 3, ..Scripted::new(2) };
        let speed = measured(&mut experiment, 0.01, 0.01);
        assert!((speed.whole.unwrap() - 1000.0).abs() < 1e-6, "{speed:?}");
        let mut experiment = Scripted { breaks_at: 0, ..Scripted::new(2) };
        assert_eq!(measured(&mut experiment, 0.01, 0.01), Speed::default());
    }

    #[test]
    fn speeds_are_compared_in_one_unit() {
        let speed = |whole, updates, steps| Speed { whole, updates, steps };
        let whole = speed(Some(5.0), 1.0, 7.0);
        assert_eq!(whole.compare(&speed(Some(3.0), 9.0, 9.0)), (5.0, 3.0, SpeedUnit::Steps));
        // Steps of a rollout without a finished iteration do not count.
        assert_eq!(whole.compare(&speed(None, 0.0, 100.0)), (5.0, 0.0, SpeedUnit::Steps));
        assert_eq!(speed(None, 0.0, 100.0).compare(&whole), (0.0, 5.0, SpeedUnit::Steps));
        assert_eq!(speed(None, 4.0, 1.0).compare(&speed(None, 0.0, 9.0)), (4.0, 0.0, SpeedUnit::Updates));
        assert_eq!(speed(None, 0.0, 1.0).compare(&speed(None, 0.0, 9.0)), (1.0, 9.0, SpeedUnit::Steps));
    }
}

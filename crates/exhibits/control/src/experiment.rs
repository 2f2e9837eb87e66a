//! Control experiment: learner, divergence detection, preview (displayed environments) and heat maps.

use super::checkpoint::ControlState;
use super::learner::IterationReport;
use super::picture::Picture;
use super::return_monitor::ReturnVerdict;
use crate::entries::describe::{ControlSpec, EPISODES};
use crate::learners::learner;
use crate::protocol::{ControlCommand, ControlView, ReturnsEvaluation};
use serde_json::Value;
use vivarium_agents::Episode;
#[cfg(feature = "gpu")]
use vivarium_gpu::GpuError;
use vivarium_graph::Cpu;
use vivarium_lab::checkpoint::{Header, Tensors};
use vivarium_lab::episodes::Episodes;
use vivarium_lab::error::LabError;
use vivarium_lab::experiment::{ExperimentParts, ExperimentPartsMut};
use vivarium_lab::metrics;
use vivarium_lab::protocol::{Evaluation, Frame, MetricRow, Reply};
use vivarium_lab::run::Run;
use vivarium_lab::train::SliceError;
use vivarium_lab::{EvaluationResult, Exhibit, Experiment};

/// Maximum number of episodes in one evaluation of the policy.
const MOST_EPISODES: u32 = 10_000;

/// A control experiment: learner and divergence detection, and the displayed environments (preview) and heat maps.
pub(crate) struct ControlExperiment {
    spec: &'static ControlSpec,
    run: Run,
    /// Learner and divergence detection of the run. While training runs on a GPU, the learner holds the state at the
    /// end of the last finished iteration.
    pub(super) state: ControlState,
    picture: Picture,
}

impl ControlExperiment {
    /// Creates an experiment from a complete and valid config.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the config is inconsistent.
    pub(crate) fn new(spec: &'static ControlSpec, config: Value, seed: u64) -> Result<Self, LabError> {
        let learner = learner(spec, &config, seed)?;
        Ok(Self::of(spec, config, seed, ControlState::new(learner)))
    }

    /// Creates an experiment from the tensors of a checkpoint. The config in `header` must be complete and valid.
    ///
    /// # Errors
    /// [`LabError`] naming the invalid tensor.
    pub(crate) fn open(
        spec: &'static ControlSpec,
        header: &Header,
        tensors: Tensors,
    ) -> Result<Self, LabError> {
        let state = ControlState::open(spec, header, tensors)?;
        Ok(Self::of(spec, header.config.clone(), header.seed, state))
    }

    fn of(spec: &'static ControlSpec, config: Value, seed: u64, state: ControlState) -> Self {
        Self {
            spec,
            run: Run::new(spec.env.name, seed, config, (spec.schema)().fields),
            state,
            picture: Picture::new(spec),
        }
    }

    /// Processes the report of a finished training iteration. Appends a row to the run's metrics, passes the mean
    /// return to the divergence detection, and stores the best state or the candidate accordingly. Also copies the
    /// present weights, optimizer and normalizer, with which the next iteration starts.
    ///
    /// # Errors
    /// [`SliceError::Diverged`] if a metric is not finite or the mean return has collapsed.
    fn record(&mut self, iteration: IterationReport) -> Result<(), SliceError> {
        let IterationReport { steps, ended, values: measured } = iteration;
        let ControlState { learner, monitor, guard, candidate, start, recent } = &mut self.state;
        if let Some((episodes, mean, length)) = ended {
            recent.push(episodes, mean, length);
        }
        let means = recent.means();
        let mut values = means.as_ref().map_or(Vec::new(), |means| metrics::values(EPISODES, means));
        values.extend(measured);
        let verdict = monitor.judge(means.map(|means| means.total), &values);
        self.run.report(MetricRow { steps, values, notice: None });
        match verdict {
            ReturnVerdict::Fine => {}
            ReturnVerdict::Candidate => *candidate = std::mem::take(start),
            ReturnVerdict::Best => guard.set_good(candidate.clone()),
            ReturnVerdict::Diverged(reason) => return Err(SliceError::Diverged(reason)),
        }
        *start = learner.algorithm().learned();
        Ok(())
    }
}

impl Experiment for ControlExperiment {
    fn parts(&self) -> ExperimentParts<'_> {
        ExperimentParts { run: &self.run, training: Some(&*self.state.learner) }
    }

    fn parts_mut(&mut self) -> ExperimentPartsMut<'_> {
        let ControlState { learner, guard, .. } = &mut self.state;
        ExperimentPartsMut { run: &mut self.run, training: Some(&mut **learner), guard: Some(guard) }
    }

    fn apply_config(&mut self, config: &Value) -> Result<(), LabError> {
        // A checkpoint stores the whole config, which must be valid: the section of the algorithm that is not selected
        // is checked as well.
        (self.spec.check)(config)?;
        let environment = (self.spec.environment)(config)?;
        self.state.learner.set_config(config)?;
        if environment != self.state.learner.algorithm().environment() {
            self.picture.set_environment(&environment)?;
            self.state.learner.set_environment(environment)?;
            // The parameters of the environment have changed, so earlier and later returns are not comparable.
            self.state.monitor.forget();
            self.state.recent.clear();
        }
        Ok(())
    }

    fn phase(&self) -> &'static str {
        self.state.learner.phase()
    }

    fn advance_slice(&mut self, cpu: &Cpu) -> Result<(), SliceError> {
        let report = self.state.learner.advance(cpu);
        let outcome = report.and_then(|report| report.map_or(Ok(()), |report| self.record(report)));
        // Also done if the run fails because of too many rollbacks: the user may save and continue the run.
        if matches!(outcome, Err(SliceError::Diverged(_))) {
            self.state.monitor.restart();
        }
        outcome
    }

    /// Restores the learned tensors (weights, optimizer, normalizer) of the best state, and applies `config`. The
    /// training environments keep their present states.
    fn restore_good_state(&mut self, config: &Value) -> Result<String, LabError> {
        let ControlState { learner, monitor, guard, recent, start, .. } = &mut self.state;
        let mut tensors = learner.save();
        for tensor in &mut tensors {
            if let Some(best) = guard.good().iter().find(|best| best.name == tensor.name) {
                tensor.clone_from(best);
            }
        }
        learner.restore(config, &tensors)?;
        monitor.restart();
        recent.clear();
        *start = learner.algorithm().learned();
        Ok("Training is back at its best state".into())
    }

    fn resume_point(&self) -> String {
        "from the last finished iteration; no training progress is lost".into()
    }

    #[cfg(feature = "gpu")]
    fn too_large(&self, error: &GpuError) -> Option<(&'static str, String)> {
        Some(self.state.learner.algorithm().too_large(error))
    }

    fn num_envs(&self) -> u32 {
        self.state.learner.algorithm().num_envs()
    }

    fn evaluate_interruptible(&mut self, cpu: &Cpu, episodes: Episodes<'_>) -> EvaluationResult {
        episodes.check(MOST_EPISODES, None)?;
        let episodes = self.state.learner.algorithm().evaluate(cpu, episodes)?;
        let summary = summary(&episodes);
        let measures = vec![
            ("return", Some(summary.mean)),
            ("return_std", Some(summary.std)),
            ("length", Some(summary.length)),
        ];
        Ok(Some(Evaluation::new(&summary, measures, false)))
    }

    fn save(&self) -> Vec<u8> {
        self.state.bytes(&self.run)
    }
}

impl Exhibit for ControlExperiment {
    type View = ControlView;
    type Documents = ();
    type Command = ControlCommand;

    fn frame(&mut self, view: &ControlView, elapsed: f32) -> Frame {
        self.picture.frame(self.state.learner.algorithm(), self.run.seed(), view, elapsed)
    }

    fn command(&mut self, command: ControlCommand) -> Result<Reply, LabError> {
        match command {
            ControlCommand::Push { member, force } => self.picture.push(member, force)?,
            ControlCommand::ResetPreview => self.picture.reset(),
        }
        Ok(Reply::Done)
    }
}

fn summary(episodes: &[Episode]) -> ReturnsEvaluation {
    let count = episodes.len().max(1) as f64;
    let total = |episode: &Episode| f64::from(episode.total);
    let mean = episodes.iter().map(total).sum::<f64>() / count;
    ReturnsEvaluation {
        mean,
        std: (episodes.iter().map(|episode| (total(episode) - mean).powi(2)).sum::<f64>() / count).sqrt(),
        min: episodes.iter().map(total).fold(f64::INFINITY, f64::min),
        max: episodes.iter().map(total).fold(f64::NEG_INFINITY, f64::max),
        terminated: episodes.iter().filter(|episode| episode.terminated).count() as f64 / count,
        length: episodes.iter().map(|episode| f64::from(episode.length)).sum::<f64>() / count,
        episodes: episodes.len() as u32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_envs::CartPole;

    #[test]
    fn a_breakdown_within_an_iteration_restores_the_best_state() {
        let given =
            serde_json::json!({"ppo": {"num_envs": 8, "horizon": 16, "minibatch": 64, "hidden": [8]}});
        let config = (ControlSpec::of::<CartPole>().schema)().configure(&given).unwrap();
        let mut experiment = ControlExperiment::new(ControlSpec::of::<CartPole>(), config, 5).unwrap();
        let cpu = Cpu::new(1);
        let mut iterations = 0;
        while iterations < 3 || experiment.phase() == "rollout" {
            experiment.advance(&cpu).unwrap();
            iterations += experiment.take_metrics().len();
        }
        experiment.handle_divergence("the gradient is NaN").unwrap();
        assert_eq!(&experiment.state.learner.algorithm().learned(), experiment.state.guard.good());
        assert_eq!(
            &experiment.state.start,
            experiment.state.guard.good(),
            "the next iteration is judged by what it began with"
        );
    }
}

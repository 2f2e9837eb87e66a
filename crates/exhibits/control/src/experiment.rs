//! Control experiment: learner, divergence detection, preview and heat maps.

use super::checkpoint::ControlState;
use super::guard::GuardVerdict;
use super::learner::IterationReport;
use super::picture::Picture;
use crate::entries::describe::{ControlWorld, EPISODES, check, schema, world};
use crate::protocol::{ControlCommand, ControlView, ReturnsEvaluation};
use serde_json::Value;
use vivarium_agents::Episode;
use vivarium_graph::Cpu;
use vivarium_lab::checkpoint::{Header, Tensors};
use vivarium_lab::episodes::Episodes;
use vivarium_lab::error::LabError;
use vivarium_lab::metrics;
use vivarium_lab::protocol::{Evaluation, Frame, MetricRow, Progress, Reply};
use vivarium_lab::run::{Run, diverged};
use vivarium_lab::train::{SliceError, Train};
#[cfg(feature = "gpu")]
use vivarium_lab::train_on_gpu::TrainOnGpu;
use vivarium_lab::{Exhibit, Experiment};

/// Maximum number of episodes of an evaluation.
const MOST_EPISODES: u32 = 10_000;

/// Control experiment in environment `W`: learner, divergence detection, preview and heat maps.
pub(crate) struct ControlExperiment<W: ControlWorld> {
    run: Run,
    /// Learner and divergence detection. While training runs on a GPU, the learner holds the state at the end of the
    /// last finished iteration.
    pub(super) state: ControlState<W>,
    picture: Picture<W>,
}

impl<W: ControlWorld> ControlExperiment<W> {
    /// Creates an experiment from a complete and valid config.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the config is inconsistent.
    pub(crate) fn new(config: Value, seed: u64) -> Result<Self, LabError> {
        let learner = W::learner(&config, seed)?;
        Ok(Self::of(config, ControlState::new(learner)))
    }

    /// Creates an experiment from the tensors of a checkpoint. The config in `header` must be complete and valid.
    ///
    /// # Errors
    /// [`LabError`] naming the invalid tensor.
    pub(crate) fn open(header: &Header, tensors: Tensors) -> Result<Self, LabError> {
        Ok(Self::of(header.config.clone(), ControlState::open(header, tensors)?))
    }

    fn of(config: Value, state: ControlState<W>) -> Self {
        Self {
            run: Run::new(W::NAME, state.learner.seed(), config, schema::<W>().fields),
            state,
            picture: Picture::default(),
        }
    }

    /// Executes the verdict of the divergence guard at the end of an iteration, and stores the learned tensors as the
    /// start of the next iteration. Returns an error if training is to stop.
    fn apply(&mut self, verdict: GuardVerdict) -> Result<(), LabError> {
        match verdict {
            GuardVerdict::Fine | GuardVerdict::Candidate | GuardVerdict::Best => {}
            GuardVerdict::RollBack(reason) => self.roll_back(&reason)?,
            GuardVerdict::GiveUp(reason) => {
                return Err(diverged(&reason, "best state", self.state.learner.learning_rates()[0]));
            }
        }
        self.state.start = self.state.learner.learned();
        Ok(())
    }

    /// Restores the best learned state, halves the learning rate, and reports the restoration. The environments keep
    /// their present states.
    fn roll_back(&mut self, reason: &str) -> Result<(), LabError> {
        let rates = self.state.learner.learning_rates();
        let config = self.run.with_halved_rates(&rates)?;
        let mut tensors = self.state.learner.save();
        for tensor in &mut tensors {
            if let Some(best) = self.state.best.iter().find(|best| best.name == tensor.name) {
                tensor.clone_from(best);
            }
        }
        let restored = self.state.learner.restored(&config, &tensors)?;
        #[cfg(feature = "gpu")]
        let gpu = self.state.learner.leave();
        self.state.learner = restored;
        self.run.set_config(config);
        self.state.recent.clear();
        #[cfg(feature = "gpu")]
        self.return_to(gpu)?;
        let steps = self.state.learner.progress().steps;
        self.run.report_rollback(steps, reason, "Training is back at its best state", rates[0]);
        Ok(())
    }
}

impl<W: ControlWorld> Train for ControlExperiment<W> {
    type Report = IterationReport;

    fn slice(&mut self, cpu: &Cpu) -> Result<Option<IterationReport>, SliceError> {
        self.state.learner.advance(cpu)
    }

    fn record_report(&mut self, iteration: IterationReport) -> Result<(), LabError> {
        let IterationReport { steps, ended, values: measured } = iteration;
        if let Some((episodes, mean, length)) = ended {
            self.state.recent.push(episodes, mean, length);
        }
        let means = self.state.recent.means();
        let mut values = means.as_ref().map_or(Vec::new(), |means| metrics::values(EPISODES, means));
        values.extend(measured);
        let verdict = self.state.guard.judge(means.map(|means| means.total), &values);
        self.run.report(MetricRow { steps, values, notice: None });
        match verdict {
            GuardVerdict::Candidate => self.state.candidate = std::mem::take(&mut self.state.start),
            GuardVerdict::Best => self.state.best.clone_from(&self.state.candidate),
            _ => {}
        }
        self.apply(verdict)
    }

    fn handle_divergence(&mut self, reason: &str) -> Result<(), LabError> {
        let verdict = self.state.guard.breakdown(reason.into());
        self.apply(verdict)
    }
}

impl<W: ControlWorld> Experiment for ControlExperiment<W> {
    fn run(&self) -> &Run {
        &self.run
    }

    fn run_mut(&mut self) -> &mut Run {
        &mut self.run
    }

    fn progress(&self) -> Progress {
        self.state.learner.progress()
    }

    fn set(&mut self, path: &str, value: &Value) -> Result<(), LabError> {
        let config = self.run.changed(&[(path, value)])?;
        // A checkpoint stores the whole config, which must be valid: the section of the algorithm that is not selected
        // is checked as well.
        check::<W>(&config)?;
        let world = world::<W>(&config)?;
        self.state.learner.set_config(&config)?;
        if world != *self.state.learner.world() {
            self.state.learner.set_world(world)?;
            self.picture.set_world(world)?;
            // Returns before and after the change of the parameters are not comparable.
            self.state.guard.forget();
            self.state.recent.clear();
        }
        self.run.set_config(config);
        Ok(())
    }

    fn phase(&self) -> &'static str {
        self.state.learner.phase()
    }

    fn advance(&mut self, cpu: &Cpu) -> Result<(), LabError> {
        self.train(cpu)
    }

    fn num_envs(&self) -> u32 {
        self.state.learner.num_envs()
    }

    fn evaluate_interruptible(
        &mut self,
        cpu: &Cpu,
        episodes: Episodes<'_>,
    ) -> Result<Option<Evaluation>, LabError> {
        episodes.check(MOST_EPISODES, None)?;
        let episodes = self.state.learner.evaluate(cpu, episodes)?;
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

impl<W: ControlWorld> Exhibit for ControlExperiment<W> {
    type View = ControlView;
    type Documents = ();
    type Command = ControlCommand;

    fn frame(&mut self, view: &ControlView, elapsed: f32) -> Frame {
        self.picture.frame(&*self.state.learner, view, elapsed)
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
        let config = schema::<CartPole>().configure(&given).unwrap();
        let mut experiment = ControlExperiment::<CartPole>::new(config, 5).unwrap();
        let cpu = Cpu::new(1);
        let mut iterations = 0;
        while iterations < 3 || experiment.phase() == "rollout" {
            experiment.advance(&cpu).unwrap();
            iterations += experiment.take_metrics().len();
        }
        experiment.handle_divergence("the gradient is NaN").unwrap();
        assert_eq!(experiment.state.learner.learned(), experiment.state.best);
        assert_eq!(
            experiment.state.start, experiment.state.best,
            "the next iteration is judged by what it began with"
        );
    }
}

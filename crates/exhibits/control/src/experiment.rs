//! The experiment: the learner, the guard that watches it, and the environments that show it.

use super::guard::{Guard, Verdict};
use super::learner::{Iteration, Learner};
use super::map::Map;
use super::preview::{MOST_MEMBERS, PreviewEnvs};
use super::recent::Recent;
use crate::entries::describe::{ControlWorld, check, is_angle, schema, world};
use crate::protocol::{ControlCommand, ControlView, ReturnsEvaluation};
use serde_json::Value;
use vivarium_agents::Episode;
use vivarium_config::shortest;
use vivarium_envs::EnvError;
#[cfg(feature = "gpu")]
use vivarium_gpu::Gpu;
use vivarium_graph::Cpu;
use vivarium_kernels::{rng, simd};
use vivarium_lab::checkpoint::Tensor;
#[cfg(feature = "gpu")]
use vivarium_lab::device::OnDevice;
use vivarium_lab::error::LabError;
use vivarium_lab::protocol::{Evaluation, Frame, FrameArray, MetricRow, Progress, Reply};
use vivarium_lab::run::{Run, check_episodes, diverged};
use vivarium_lab::{Exhibit, Experiment};

/// The purpose of the preview's random numbers, apart from the learner's own purposes.
const SHOW: u32 = 100;

/// The strongest push, as a multiple of the strongest action.
const STRONGEST_PUSH: f32 = 10.0;

/// The most episodes of one evaluation.
const MOST_EPISODES: u32 = 10_000;

/// A learner in the world `W`.
pub(crate) struct ControlExperiment<W: ControlWorld> {
    pub(super) run: Run,
    /// The learner; while one on a device does the training, what that one was after its last iteration.
    pub(super) learner: Box<dyn Learner<W>>,
    #[cfg(feature = "gpu")]
    pub(super) device: Option<super::device::Device<W>>,
    pub(super) guard: Guard,
    /// What the learner had learnt when it was best.
    pub(super) best: Vec<Tensor>,
    /// What it had learnt when it did better than ever, which has yet to prove itself.
    pub(super) candidate: Vec<Tensor>,
    /// What it had learnt at the start of the present iteration: an iteration's return is this one's merit, whatever
    /// the update then makes of it.
    pub(super) start: Vec<Tensor>,
    pub(super) recent: Recent,
    preview: Option<PreviewEnvs<W>>,
    /// Steps of the preview so far.
    shown_steps: u32,
    map: Map,
}

impl<W: ControlWorld> ControlExperiment<W> {
    /// An experiment that has learnt nothing yet, from a whole and checked config.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for a config that does not fit together.
    pub(crate) fn new(config: Value, seed: u64) -> Result<Self, LabError> {
        let learner = W::learner(&config, seed)?;
        Ok(Self::around(config, learner))
    }

    /// An experiment around a learner.
    pub(super) fn around(config: Value, learner: Box<dyn Learner<W>>) -> Self {
        let longest = learner.iterations(W::STEP_LIMIT);
        Self {
            guard: Guard::new(shortest(W::RETURNS.0), shortest(W::SOLVED), longest),
            best: learner.learned(),
            candidate: learner.learned(),
            start: learner.learned(),
            recent: Recent::default(),
            preview: None,
            shown_steps: 0,
            map: Map::default(),
            run: Run::new(W::NAME, learner.seed(), config, schema::<W>().fields),
            learner,
            #[cfg(feature = "gpu")]
            device: None,
        }
    }

    /// Books a finished iteration.
    pub(super) fn book(&mut self, iteration: Iteration) -> Result<(), LabError> {
        let Iteration { steps, ended, values: measured } = iteration;
        if let Some((episodes, mean, length)) = ended {
            self.recent.push(episodes, mean, length);
        }
        let means = self.recent.means();
        let named = |(mean, length)| [("return_mean".to_owned(), mean), ("length_mean".to_owned(), length)];
        let mut values: Vec<_> = means.into_iter().flat_map(named).collect();
        values.extend(measured);
        let verdict = self.guard.judge(means.map(|(mean, _)| mean), &values);
        self.run.report(MetricRow { steps, values, notice: None });
        match verdict {
            Verdict::Candidate => self.candidate = std::mem::take(&mut self.start),
            Verdict::Best => self.best.clone_from(&self.candidate),
            _ => {}
        }
        self.follow(verdict)
    }

    /// Does what the guard says at the end of an iteration, and begins the next one.
    pub(super) fn follow(&mut self, verdict: Verdict) -> Result<(), LabError> {
        match verdict {
            Verdict::Fine | Verdict::Candidate | Verdict::Best => {}
            Verdict::RollBack(reason) => self.roll_back(&reason)?,
            Verdict::GiveUp(reason) => {
                return Err(diverged(&reason, "best state", self.learner.learning_rates()[0]));
            }
        }
        self.start = self.learner.learned();
        Ok(())
    }

    /// Gives the learner back what it knew when it was best, and halves its steps. The worlds go on from where they are.
    fn roll_back(&mut self, reason: &str) -> Result<(), LabError> {
        let rates = self.learner.learning_rates();
        let config = self.run.slowed(&rates)?;
        let mut tensors = self.learner.save();
        for tensor in &mut tensors {
            if let Some(best) = self.best.iter().find(|best| best.name == tensor.name) {
                tensor.clone_from(best);
            }
        }
        self.learner = self.learner.restored(&config, &tensors)?;
        self.run.set_config(config);
        self.recent.clear();
        #[cfg(feature = "gpu")]
        self.renew_device();
        let steps = self.learner.progress().steps;
        self.run.notice_roll_back(steps, reason, "It is back at its best state", rates[0]);
        Ok(())
    }

    fn push(&mut self, member: Option<u32>, force: f32) -> Result<(), LabError> {
        if !(-STRONGEST_PUSH..=STRONGEST_PUSH).contains(&force) {
            let allowed = format!("it must be a number from -{STRONGEST_PUSH} to {STRONGEST_PUSH}");
            return Err(LabError::invalid("force", force.to_string(), allowed));
        }
        let members = self.preview.as_ref().map_or(0, PreviewEnvs::members);
        if let Some(member) = member.filter(|&member| member as usize >= members) {
            let allowed = format!("the preview has {members} members, counted from 0");
            return Err(LabError::invalid("member", member.to_string(), allowed));
        }
        match &mut self.preview {
            Some(preview) => {
                preview.push(member.map(|member| member as usize), force).map_err(|error| unworldly(&error))
            }
            None => Ok(()),
        }
    }

    /// Advances the preview by `elapsed` seconds, with as many members as are asked for.
    fn show(&mut self, members: usize, elapsed: f32) {
        let seed = rng::derive(self.learner.seed(), SHOW);
        if self.preview.as_ref().map_or(0, PreviewEnvs::members) != members {
            let angles = W::STATE.iter().map(is_angle).collect();
            // Without members there is no preview: nothing else can be refused here.
            self.preview =
                PreviewEnvs::new(*self.learner.world(), seed, members, W::STEP_SECONDS, angles).ok();
        }
        let (learner, shown_steps) = (&self.learner, &mut self.shown_steps);
        if let Some(preview) = &mut self.preview {
            let passed = preview.advance(simd::level(), elapsed, |observations, actions| {
                actions.copy_from_slice(&learner.act(observations, seed, *shown_steps));
                *shown_steps = shown_steps.wrapping_add(1);
            });
            if passed.is_err() {
                // The policy gave no number: training is about to find out too, and the guard to mend it.
                preview.reset();
            }
        }
    }

    /// The preview, `elapsed` seconds later, and the maps.
    fn picture(&mut self, request: &ControlView, elapsed: f32) -> Frame {
        let members = (request.herd as usize).min(MOST_MEMBERS);
        self.show(members, elapsed);
        let (worst, _) = W::RETURNS;
        let (states, standing, actions, ages) = match &self.preview {
            Some(preview) => {
                (preview.states(), preview.standing(worst, W::SOLVED), preview.actions(), preview.ages())
            }
            None => Default::default(),
        };
        let focus = (request.focus as usize).min(members.saturating_sub(1)) * W::STATE_LEN;
        let focused =
            states.get(focus..focus + W::STATE_LEN).map_or(vec![0.0; W::STATE_LEN], <[f32]>::to_vec);
        let n = members as u32;
        let mut arrays = vec![
            FrameArray::f32("herd/state", &[n, W::STATE_LEN as u32], states),
            FrameArray::f32("herd/return", &[n], standing),
            FrameArray::f32("herd/action", &[n], actions),
            FrameArray::f32("herd/age", &[n], ages),
        ];
        if let Some(request) = request.map {
            self.map.refresh(simd::level(), &*self.learner, request, &focused);
            let shape = [self.map.size(); 2];
            arrays.push(FrameArray::f32("map/policy", &shape, self.map.policy.clone()));
            arrays.push(FrameArray::f32("map/value", &shape, self.map.value.clone()));
        }
        arrays.into()
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
        self.learner.progress()
    }

    #[cfg(feature = "gpu")]
    fn device(&self) -> Option<&dyn OnDevice> {
        self.device.as_ref().map(|device| device as &dyn OnDevice)
    }

    #[cfg(feature = "gpu")]
    fn move_to(&mut self, gpu: Gpu) -> Result<(), LabError> {
        self.train_on(gpu)
    }

    #[cfg(feature = "gpu")]
    fn move_back(&mut self) -> Result<(), LabError> {
        self.device = None;
        Ok(())
    }

    fn set(&mut self, path: &str, value: &Value) -> Result<(), LabError> {
        let config = self.run.changed(&[(path, value)])?;
        // What does not learn here is checked as well: the config has to stay one that can be opened.
        check(&config)?;
        let world = world::<W>(&config)?;
        #[cfg(feature = "gpu")]
        self.set_on_device(&config, world)?;
        self.learner.set_config(&config)?;
        if world != *self.learner.world() {
            self.learner.set_world(world)?;
            if let Some(preview) = &mut self.preview {
                preview.set_params(world).map_err(|error| unworldly(&error))?;
            }
            // Returns of the old world say nothing about the new one.
            self.guard.forget();
            self.recent.clear();
        }
        self.run.set_config(config);
        Ok(())
    }

    fn phase(&self) -> &'static str {
        #[cfg(feature = "gpu")]
        if self.device.is_some() {
            return "iteration";
        }
        self.learner.phase()
    }

    fn advance(&mut self, cpu: &Cpu) -> Result<(), LabError> {
        #[cfg(feature = "gpu")]
        if let Some(outcome) = self.advance_device() {
            return outcome;
        }
        match self.learner.advance(cpu) {
            Ok(iteration) => iteration.map_or(Ok(()), |iteration| self.book(iteration)),
            Err(reason) => {
                let verdict = self.guard.breakdown(reason);
                self.follow(verdict)
            }
        }
    }

    fn num_envs(&self) -> u32 {
        self.learner.num_envs()
    }

    fn evaluate_unless(
        &mut self,
        _: &dyn Fn(f64) -> bool,
        cpu: &Cpu,
        episodes: u32,
        seed: u64,
    ) -> Result<Option<Evaluation>, LabError> {
        check_episodes(episodes, MOST_EPISODES, None)?;
        let episodes = self.learner.evaluate(cpu, episodes, seed)?;
        let summary = summary(&episodes);
        let measures = vec![
            ("return", Some(summary.mean)),
            ("return_std", Some(summary.std)),
            ("length", Some(summary.length)),
        ];
        Ok(Some(Evaluation::new(&summary, measures, false)))
    }

    fn save(&self) -> Vec<u8> {
        self.bytes()
    }
}

impl<W: ControlWorld> Exhibit for ControlExperiment<W> {
    type View = ControlView;
    type Documents = ();
    type Command = ControlCommand;

    fn frame(&mut self, view: &ControlView, elapsed: f32) -> Frame {
        self.picture(view, elapsed)
    }

    fn command(&mut self, command: ControlCommand) -> Result<Reply, LabError> {
        match command {
            ControlCommand::Push { member, force } => self.push(member, force)?,
            ControlCommand::ResetHerd => {
                if let Some(preview) = &mut self.preview {
                    preview.reset();
                }
            }
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

/// A refusal by the world, in the lab's words.
fn unworldly(error: &EnvError) -> LabError {
    LabError::invalid("config", "as given", error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_envs::CartPole;

    #[test]
    fn after_a_breakdown_within_an_iteration_nothing_is_left_of_what_broke_down() {
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
        let verdict = experiment.guard.breakdown("the gradient is NaN".into());
        experiment.follow(verdict).unwrap();
        assert_eq!(experiment.learner.learned(), experiment.best);
        assert_eq!(experiment.start, experiment.best, "the next iteration is judged by what it began with");
    }
}

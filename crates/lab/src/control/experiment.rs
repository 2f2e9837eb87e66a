//! The experiment: the learner, the guard that watches it, and the herd that shows it.

use super::guard::{Guard, MOST_ROLL_BACKS, Verdict};
use super::map::Map;
use super::recent::Recent;
use super::saved::learned;
use super::stage::{MOST_MEMBERS, Stage};
use crate::checkpoint::Tensor;
use crate::config::{self, shortest};
use crate::engine::Engine;
use crate::error::LabError;
use crate::experiment::Experiment;
use crate::info::FieldInfo;
use crate::protocol::{
    Command, ControlView, EngineInfo, Evaluation, Frame, FrameArray, MetricRow, Progress, Reply,
    ReturnsEvaluation, ViewRequest,
};
use crate::registry::control::describe::{Exhibit, describe, is_angle};
use crate::registry::control::ppo::{read, row};
use serde_json::Value;
use vivarium_agents::ppo::{Choice, Episode, Ppo, PpoError, Report, Work};
use vivarium_envs::Params;
use vivarium_graph::Cpu;
use vivarium_kernels::{rng, simd};

/// The purpose of the herd's random numbers, apart from the learner's own purposes.
const SHOW: u32 = 100;

/// The strongest push, as a multiple of the strongest action.
const STRONGEST_PUSH: f32 = 10.0;

/// The most episodes of one evaluation.
const MOST_EPISODES: u32 = 10_000;

/// Rows kept for a door that does not take them.
const MOST_ROWS: usize = 4096;

/// PPO in the world `W`.
pub(crate) struct ControlExperiment<W: Exhibit> {
    pub(super) config: Value,
    /// The learner; while one on a device does the training, what that one was after its last iteration.
    pub(super) ppo: Ppo<W>,
    #[cfg(feature = "gpu")]
    pub(super) device: Option<super::device::Device<W>>,
    pub(super) guard: Guard,
    /// What the learner had learnt when it was best.
    pub(super) best: Vec<Tensor>,
    /// What it had learnt when it did better than ever, which has yet to prove itself.
    pub(super) candidate: Vec<Tensor>,
    /// What it had learnt at the start of the present iteration: an iteration's return is this one's merit, whatever
    /// the update then makes of it.
    start: Vec<Tensor>,
    pub(super) recent: Recent,
    rows: Vec<MetricRow>,
    fields: Vec<FieldInfo>,
    stage: Option<Stage<W>>,
    /// Steps that the herd has drawn actions for.
    shown_steps: u32,
    map: Map,
}

impl<W: Exhibit> ControlExperiment<W> {
    /// An experiment that has learnt nothing yet, from a whole and checked config.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for a config that does not fit together.
    pub(crate) fn new(config: Value, seed: u64) -> Result<Self, LabError> {
        let ppo = Ppo::new(read(&config)?, world::<W>(&config)?, seed).map_err(|error| refused(&error))?;
        Ok(Self::around(config, ppo))
    }

    /// An experiment around a learner.
    pub(super) fn around(config: Value, ppo: Ppo<W>) -> Self {
        Self {
            guard: Guard::new(
                shortest(W::RETURNS.0),
                shortest(W::SOLVED),
                W::STEP_LIMIT.div_ceil(ppo.config().horizon),
            ),
            best: learned(ppo.save()),
            candidate: learned(ppo.save()),
            start: learned(ppo.save()),
            recent: Recent::default(),
            rows: Vec::new(),
            fields: describe::<W>().fields,
            stage: None,
            shown_steps: 0,
            map: Map::default(),
            config,
            ppo,
            #[cfg(feature = "gpu")]
            device: None,
        }
    }

    /// Books a finished iteration.
    pub(super) fn book(&mut self, report: &Report) -> Result<(), LabError> {
        if let (Some(mean), Some(length)) = (report.return_mean, report.length_mean) {
            self.recent.push(report.episodes, mean, length);
        }
        let row = row(report, self.recent.means());
        let verdict = self.guard.judge(self.recent.means().map(|(mean, _)| mean), &row.values);
        self.tell(row);
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
                return Err(LabError::Diverged {
                    message: format!(
                        "{reason}, after {MOST_ROLL_BACKS} returns to the best state with ever smaller steps; try a \
                         smaller ppo.learning_rate or a preset"
                    ),
                });
            }
        }
        self.start = learned(self.ppo.save());
        Ok(())
    }

    /// Gives the learner back what it knew when it was best, and halves its steps. The worlds go on from where they are.
    fn roll_back(&mut self, reason: &str) -> Result<(), LabError> {
        let mut config = self.config.clone();
        for path in ["ppo.learning_rate", "ppo.final_learning_rate"] {
            config::halve(&self.fields, &mut config, path)?;
        }
        let mut tensors = self.ppo.save();
        for tensor in &mut tensors {
            if let Some(best) = self.best.iter().find(|best| best.name == tensor.name) {
                tensor.clone_from(best);
            }
        }
        let world = *self.ppo.world();
        self.ppo = Ppo::restore(read(&config)?, world, self.ppo.seed(), &tensors)
            .map_err(|error| refused(&error))?;
        self.config = config;
        self.recent.clear();
        #[cfg(feature = "gpu")]
        self.renew_device();
        let rate = config::get(&self.config, "ppo.learning_rate").and_then(Value::as_f64).unwrap_or(0.0);
        self.tell(MetricRow {
            steps: self.ppo.counters().steps,
            values: Vec::new(),
            notice: Some(format!(
                "Learning broke down ({reason}). It is back at its best state and goes on with half the learning rate, \
                 {rate}."
            )),
        });
        Ok(())
    }

    pub(super) fn tell(&mut self, row: MetricRow) {
        if self.rows.len() == MOST_ROWS {
            self.rows.remove(0);
        }
        self.rows.push(row);
    }

    /// Sets one live field.
    fn set(&mut self, path: &str, value: &Value) -> Result<(), LabError> {
        let value = config::check_live(&self.fields, path, value)?;
        let mut config = self.config.clone();
        config::set(&mut config, path, value)?;
        let (learner, world) = (read(&config)?, world::<W>(&config)?);
        #[cfg(feature = "gpu")]
        if let Some(device) = &mut self.device {
            device.resident.set_config(learner.clone()).map_err(|error| refused(&error))?;
            device.resident.set_world(world).map_err(|error| refused(&error))?;
        }
        self.ppo.set_config(learner).map_err(|error| refused(&error))?;
        if world != *self.ppo.world() {
            self.ppo.set_world(world).map_err(|error| refused(&error))?;
            if let Some(stage) = &mut self.stage {
                stage.set_params(world).map_err(|error| refused(&error.into()))?;
            }
            // Returns of the old world say nothing about the new one.
            self.guard.forget();
            self.recent.clear();
        }
        self.config = config;
        Ok(())
    }

    fn push(&mut self, member: Option<u32>, force: f32) -> Result<(), LabError> {
        if !(-STRONGEST_PUSH..=STRONGEST_PUSH).contains(&force) {
            let allowed = format!("it must be a number from -{STRONGEST_PUSH} to {STRONGEST_PUSH}");
            return Err(LabError::invalid("force", force.to_string(), allowed));
        }
        let members = self.stage.as_ref().map_or(0, Stage::members);
        if let Some(member) = member.filter(|&member| member as usize >= members) {
            let allowed = format!("the herd that is shown has {members} members, counted from 0");
            return Err(LabError::invalid("member", member.to_string(), allowed));
        }
        match &mut self.stage {
            Some(stage) => stage
                .push(member.map(|member| member as usize), force)
                .map_err(|error| refused(&error.into())),
            None => Ok(()),
        }
    }

    /// Makes or changes the herd to have so many members, and lets time pass for it.
    fn show(&mut self, members: usize, elapsed: f32) {
        let seed = rng::derive(self.ppo.seed(), SHOW);
        if self.stage.as_ref().map_or(0, Stage::members) != members {
            let angles = W::STATE.iter().map(is_angle).collect();
            // No members, no stage: nothing else can be refused here.
            self.stage = Stage::new(*self.ppo.world(), seed, members, W::STEP_SECONDS, angles).ok();
        }
        let (ppo, shown_steps) = (&self.ppo, &mut self.shown_steps);
        if let Some(stage) = &mut self.stage {
            let passed = stage.advance(simd::level(), elapsed, |observations, actions| {
                actions.copy_from_slice(&ppo.act(observations, Choice::Drawn { seed, step: *shown_steps }));
                *shown_steps = shown_steps.wrapping_add(1);
            });
            if passed.is_err() {
                // The policy gave no number: training is about to find out too, and the guard to mend it.
                stage.reset();
            }
        }
    }

    /// The herd, after this much more time, and the maps.
    fn picture(&mut self, request: &ControlView, elapsed: f32) -> Frame {
        let members = (request.herd as usize).min(MOST_MEMBERS);
        self.show(members, elapsed);
        let (worst, _) = W::RETURNS;
        let (states, standing, actions, ages) = match &self.stage {
            Some(stage) => (stage.states(), stage.standing(worst, W::SOLVED), stage.actions(), stage.ages()),
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
            self.map.refresh(simd::level(), &self.ppo, request, &focused);
            let shape = [self.map.size(); 2];
            arrays.push(FrameArray::f32("map/policy", &shape, self.map.policy.clone()));
            arrays.push(FrameArray::f32("map/value", &shape, self.map.value.clone()));
        }
        Frame { arrays }
    }
}

impl<W: Exhibit> Experiment for ControlExperiment<W> {
    fn name(&self) -> &'static str {
        W::NAME
    }

    fn seed(&self) -> u64 {
        self.ppo.seed()
    }

    fn config(&self) -> Value {
        self.config.clone()
    }

    fn progress(&self) -> Progress {
        let counters = self.ppo.counters();
        Progress {
            steps: counters.steps,
            updates: counters.updates,
            episodes: counters.episodes,
            total_steps: None,
        }
    }

    fn engine(&self) -> EngineInfo {
        #[cfg(feature = "gpu")]
        if let Some(device) = &self.device {
            return device.info();
        }
        EngineInfo::Cpu
    }

    fn set_engine(&mut self, engine: Engine) -> Result<(), LabError> {
        match engine {
            Engine::Cpu => {
                #[cfg(feature = "gpu")]
                self.move_back();
                Ok(())
            }
            #[cfg(feature = "gpu")]
            Engine::Gpu(gpu) => self.move_to(gpu),
        }
    }

    fn is_waiting(&self) -> bool {
        #[cfg(feature = "gpu")]
        return self.device.as_ref().is_some_and(|device| device.waiting);
        #[cfg(not(feature = "gpu"))]
        return false;
    }

    fn phase(&self) -> &'static str {
        #[cfg(feature = "gpu")]
        if self.device.is_some() {
            return "iteration";
        }
        match self.ppo.next_work() {
            Work::Rollout => "rollout",
            Work::Update => "update",
        }
    }

    fn advance(&mut self, cpu: &Cpu) -> Result<(), LabError> {
        #[cfg(feature = "gpu")]
        if let Some(outcome) = self.advance_device() {
            return outcome;
        }
        match self.ppo.advance(cpu) {
            Ok(slice) => slice.report.map_or(Ok(()), |report| self.book(&report)),
            Err(error) => {
                let verdict = self.guard.breakdown(error.to_string());
                self.follow(verdict)
            }
        }
    }

    fn take_metrics(&mut self) -> Vec<MetricRow> {
        std::mem::take(&mut self.rows)
    }

    fn frame(&mut self, request: &ViewRequest, elapsed: f32) -> Frame {
        match request {
            ViewRequest::Control(view) => self.picture(view, elapsed),
            _ => Frame::default(),
        }
    }

    fn command(&mut self, command: Command) -> Result<Reply, LabError> {
        match command {
            Command::Set { path, value } => self.set(&path, &value)?,
            Command::Push { member, force } => self.push(member, force)?,
            Command::ResetHerd => {
                if let Some(stage) = &mut self.stage {
                    stage.reset();
                }
            }
            #[allow(unreachable_patterns)]
            // They are all known where there are no other kinds of experiments.
            other => {
                let allowed = format!("{} knows set, push and reset_herd", W::NAME);
                return Err(LabError::invalid("command", other.name(), allowed));
            }
        }
        Ok(Reply::Done)
    }

    fn evaluate(&mut self, cpu: &Cpu, episodes: u32, seed: u64) -> Result<Evaluation, LabError> {
        if !(1..=MOST_EPISODES).contains(&episodes) {
            let allowed = format!("it must be a whole number from 1 to {MOST_EPISODES}");
            return Err(LabError::invalid("episodes", episodes.to_string(), allowed));
        }
        self.ppo
            .evaluate(cpu, episodes, seed)
            .map(|episodes| Evaluation::Returns(summary(&episodes)))
            .map_err(|error| refused(&error))
    }

    fn save(&self) -> Vec<u8> {
        self.bytes()
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

/// The world's params from the `world` section of a whole config.
pub(super) fn world<W: Exhibit>(config: &Value) -> Result<W::Params, LabError> {
    let mut params = W::Params::default();
    for field in W::Params::FIELDS {
        let path = format!("world.{}", field.name);
        let value = config::get(config, &path).and_then(Value::as_f64);
        let value = value.ok_or_else(|| LabError::invalid(&path, "nothing", "it must be a number"))?;
        params
            .set(field.name, value as f32)
            .map_err(|error| LabError::invalid(path, value.to_string(), error.to_string()))?;
    }
    Ok(params)
}

/// A refusal by the learner or the world, in the lab's words.
pub(super) fn refused(error: &PpoError) -> LabError {
    match error {
        PpoError::Config(error) => {
            LabError::invalid(format!("ppo.{}", error.field), error.value.clone(), error.allowed.clone())
        }
        PpoError::State(_) => LabError::checkpoint(error.to_string()),
        PpoError::World(_) | PpoError::Network(_) => {
            LabError::invalid("config", "as given", error.to_string())
        }
        #[cfg(feature = "gpu")]
        PpoError::Gpu(error) => LabError::engine(error.to_string()),
        PpoError::NotFinite { .. } => LabError::Diverged { message: error.to_string() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::configure;
    use vivarium_envs::CartPole;

    #[test]
    fn after_a_breakdown_within_an_iteration_nothing_is_left_of_what_broke_down() {
        let given = serde_json::json!({"ppo": {"lanes": 8, "horizon": 16, "minibatch": 64, "hidden": [8]}});
        let config = configure("cartpole", &given).unwrap();
        let mut experiment = ControlExperiment::<CartPole>::new(config, 5).unwrap();
        let cpu = Cpu::new(1);
        while experiment.ppo.counters().iterations < 3 || experiment.phase() == "rollout" {
            experiment.advance(&cpu).unwrap();
        }
        let verdict = experiment.guard.breakdown("the gradient is NaN".into());
        experiment.follow(verdict).unwrap();
        assert_eq!(learned(experiment.ppo.save()), experiment.best);
        assert_eq!(experiment.start, experiment.best, "the next iteration is judged by what it began with");
    }
}

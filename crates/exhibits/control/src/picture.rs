//! Frames of a control experiment: preview (displayed environments) and heat maps.

use super::learner::ControlAlgorithm;
use super::map::HeatMap;
use super::preview::{MOST_MEMBERS, PreviewEnvs};
use crate::entries::describe::{ControlSpec, is_angle};
use crate::protocol::ControlView;
use vivarium_envs::{EnvError, EnvSpec, Environment, LakeOptimum};
use vivarium_kernels::{rng, simd};
use vivarium_lab::error::LabError;
use vivarium_lab::protocol::{Frame, FrameArray};

/// Index of the preview's random stream, distinct from the learners' streams.
const PREVIEW_STREAM: u32 = 100;

/// Largest external force that a user can apply to a displayed environment, as a multiple of the strongest action.
const MAX_PUSH: f32 = 10.0;

/// Builder of a control experiment's frames. Holds the displayed environments (the preview) and the heat maps.
pub(super) struct Picture {
    spec: &'static ControlSpec,
    preview: Option<PreviewEnvs>,
    /// Number of environment steps that the displayed environments have taken. This number selects the pseudorandom
    /// numbers from which their actions are sampled.
    shown_steps: u32,
    map: HeatMap,
    /// Cached optimal values and actions of a grid world, with the discount factor for which they were computed; see
    /// [`ControlSpec::optimum`]. `None` before the first frame with a heat map and after a change of the physical
    /// parameters.
    optimum: Option<(f32, LakeOptimum)>,
}

impl Picture {
    /// Creates a frame builder without displayed environments; the first frame creates the environments.
    pub(super) fn new(spec: &'static ControlSpec) -> Self {
        Self { spec, preview: None, shown_steps: 0, map: HeatMap::default(), optimum: None }
    }

    /// Applies an external force during the next environment step, to the displayed environment `member` or to all
    /// displayed environments (`None`). `force` is a multiple of the strongest action.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if `member` or `force` is out of range.
    pub(super) fn push(&mut self, member: Option<u32>, force: f32) -> Result<(), LabError> {
        if !(-MAX_PUSH..=MAX_PUSH).contains(&force) {
            let allowed = format!("must be a number from -{MAX_PUSH} to {MAX_PUSH}");
            return Err(LabError::invalid("force", force.to_string(), allowed));
        }
        let members = self.preview.as_ref().map_or(0, PreviewEnvs::members);
        if let Some(member) = member.filter(|&member| member as usize >= members) {
            let allowed = format!("must be below {members}, the number of environments in the preview");
            return Err(LabError::invalid("member", member.to_string(), allowed));
        }
        match &mut self.preview {
            Some(preview) => preview
                .push(member.map(|member| member as usize), force)
                .map_err(|error| env_to_lab_error(&error)),
            None => Ok(()),
        }
    }

    /// Starts a new episode in all displayed environments (the preview).
    pub(super) fn reset(&mut self) {
        if let Some(preview) = &mut self.preview {
            preview.reset(simd::level());
        }
    }

    /// Changes the physical parameters of the displayed environments from the next environment step on.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if a parameter is out of range.
    pub(super) fn set_environment(&mut self, environment: &Environment) -> Result<(), LabError> {
        self.optimum = None;
        let Some(preview) = &mut self.preview else { return Ok(()) };
        preview.set_environment(environment).map_err(|error| env_to_lab_error(&error))
    }

    /// Advances the displayed environments by `elapsed` seconds of simulation time. If the number of displayed
    /// environments is not `members`, replaces all of them by `members` new environments. `seed` is the seed of the run.
    fn show(&mut self, algorithm: &dyn ControlAlgorithm, seed: u64, members: usize, elapsed: f32) {
        let seed = rng::derive(seed, PREVIEW_STREAM);
        if self.preview.as_ref().map_or(0, PreviewEnvs::members) != members {
            let ControlSpec { env, step_seconds, .. } = *self.spec;
            let angles = env.state.iter().map(is_angle).collect();
            let environment = algorithm.environment();
            // The constructor fails only if `members` is 0; then there is no preview.
            self.preview =
                PreviewEnvs::new(simd::level(), &environment, seed, members, step_seconds, angles).ok();
        }
        let shown_steps = &mut self.shown_steps;
        if let Some(preview) = &mut self.preview {
            let passed = preview.advance(simd::level(), elapsed, |observations, actions| {
                actions.copy_from_slice(&algorithm.act(observations, seed, *shown_steps));
                *shown_steps = shown_steps.wrapping_add(1);
            });
            if passed.is_err() {
                // The policy returned NaN; training will detect the divergence as well.
                preview.reset(simd::level());
            }
        }
    }

    /// Returns the frame arrays `optimum/value` and `optimum/action` of a grid world; no arrays for other environments.
    fn optimum(&mut self, algorithm: &dyn ControlAlgorithm) -> Vec<FrameArray> {
        let Some(side) = self.spec.grid else { return Vec::new() };
        let discount = algorithm.discount();
        if self.optimum.as_ref().is_none_or(|(known, _)| *known != discount) {
            let optimum = (self.spec.optimum)(&algorithm.environment(), discount);
            self.optimum = optimum.map(|optimum| (discount, optimum));
        }
        let Some((_, LakeOptimum { values, actions })) = &self.optimum else { return Vec::new() };
        let values = values.iter().map(|&value| value as f32).collect();
        let actions = actions.iter().map(|&action| action as f32).collect();
        let shape = [side; 2];
        vec![
            FrameArray::f32("optimum/value", &shape, values),
            FrameArray::f32("optimum/action", &shape, actions),
        ]
    }

    /// Advances the displayed environments by `elapsed` seconds, updates the heat maps, and returns the frame with the
    /// contents that `request` selects. `seed` is the seed of the run.
    pub(super) fn frame(
        &mut self,
        algorithm: &dyn ControlAlgorithm,
        seed: u64,
        request: &ControlView,
        elapsed: f32,
    ) -> Frame {
        let members = (request.members as usize).min(MOST_MEMBERS);
        self.show(algorithm, seed, members, elapsed);
        let EnvSpec { returns: (worst, _), solved, state_len, .. } = *self.spec.env;
        let (states, scaled_returns, actions, ages) = match &self.preview {
            Some(preview) => {
                (preview.states(), preview.scaled_returns(worst, solved), preview.actions(), preview.ages())
            }
            None => Default::default(),
        };
        let focus = (request.focus as usize).min(members.saturating_sub(1)) * state_len;
        let focused = states.get(focus..focus + state_len).map_or(vec![0.0; state_len], <[f32]>::to_vec);
        let n = members as u32;
        let mut arrays = vec![
            FrameArray::f32("preview/state", &[n, state_len as u32], states),
            FrameArray::f32("preview/return", &[n], scaled_returns),
            FrameArray::f32("preview/action", &[n], actions),
            FrameArray::f32("preview/age", &[n], ages),
        ];
        if let Some(request) = request.map {
            self.map.refresh(simd::level(), algorithm, self.spec, request, &focused);
            let shape = [self.map.size(); 2];
            arrays.push(FrameArray::f32("map/policy", &shape, self.map.policy.clone()));
            arrays.push(FrameArray::f32("map/value", &shape, self.map.value.clone()));
            if !self.map.actions.is_empty() {
                let [height, width] = shape;
                let count = self.map.actions.len() as u32 / (height * width);
                let actions = self.map.actions.clone();
                arrays.push(FrameArray::f32("map/actions", &[height, width, count], actions));
            }
            arrays.extend(self.optimum(algorithm));
        }
        arrays.into()
    }
}

/// Converts an environment's error to an invalid-input error.
fn env_to_lab_error(error: &EnvError) -> LabError {
    LabError::invalid("config", "as given", error.to_string())
}

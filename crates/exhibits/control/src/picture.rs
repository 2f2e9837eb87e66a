//! Frames of a control experiment: preview (displayed environments) and heat maps.

use super::learner::{ControlAlgorithm, ControlLearner};
use super::map::HeatMap;
use super::preview::{MOST_MEMBERS, PreviewEnvs};
use crate::entries::describe::{ControlWorld, is_angle};
use crate::protocol::ControlView;
use vivarium_envs::{EnvError, LakeOptimum};
use vivarium_kernels::{rng, simd};
use vivarium_lab::error::LabError;
use vivarium_lab::protocol::{Frame, FrameArray};

/// Index of the preview's random stream, distinct from the learners' streams.
const PREVIEW_STREAM: u32 = 100;

/// Largest external force that a user can apply to a displayed environment, as a multiple of the strongest action.
const MAX_PUSH: f32 = 10.0;

/// Displayed environments (the preview) and heat maps of a control experiment, from which frames are built.
pub(super) struct Picture<W: ControlWorld> {
    preview: Option<PreviewEnvs<W>>,
    /// Number of environment steps that the displayed environments have taken. Selects the random numbers of sampled
    /// actions.
    shown_steps: u32,
    map: HeatMap,
    /// Cached optimal values and actions of a grid world, with the physical parameters and the discount factor for
    /// which they were computed; see [`ControlWorld::optimum`]. `None` before the first frame, and for all other
    /// environments.
    optimum: Option<(W::Params, f32, LakeOptimum)>,
}

impl<W: ControlWorld> Default for Picture<W> {
    fn default() -> Self {
        Self { preview: None, shown_steps: 0, map: HeatMap::default(), optimum: None }
    }
}

impl<W: ControlWorld> Picture<W> {
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
    pub(super) fn set_world(&mut self, world: W::Params) -> Result<(), LabError> {
        let preview = self.preview.as_mut();
        preview.map_or(Ok(()), |preview| preview.set_params(world)).map_err(|error| env_to_lab_error(&error))
    }

    /// Advances the displayed environments by `elapsed` seconds of simulation time. If their number is not `members`,
    /// replaces them by new ones.
    fn show(&mut self, learner: &dyn ControlLearner<W>, members: usize, elapsed: f32) {
        let seed = rng::derive(learner.seed(), PREVIEW_STREAM);
        let algorithm = learner.algorithm();
        if self.preview.as_ref().map_or(0, PreviewEnvs::members) != members {
            let angles = W::STATE.iter().map(is_angle).collect();
            // The constructor fails only if `members` is 0; then there is no preview.
            self.preview =
                PreviewEnvs::new(simd::level(), *algorithm.world(), seed, members, W::STEP_SECONDS, angles)
                    .ok();
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

    /// Returns the frame arrays of a grid world's optimal values and actions; none for environments without a grid.
    fn optimum(&mut self, algorithm: &dyn ControlAlgorithm<W>) -> Vec<FrameArray> {
        let Some(side) = W::GRID else { return Vec::new() };
        let (params, discount) = (*algorithm.world(), algorithm.discount());
        if !self.optimum.as_ref().is_some_and(|(known, at, _)| (known, *at) == (&params, discount)) {
            self.optimum = W::optimum(&params, discount).map(|optimum| (params, discount, optimum));
        }
        let Some((_, _, LakeOptimum { values, actions })) = &self.optimum else { return Vec::new() };
        let values = values.iter().map(|&value| value as f32).collect();
        let actions = actions.iter().map(|&action| action as f32).collect();
        let shape = [side; 2];
        vec![
            FrameArray::f32("optimum/value", &shape, values),
            FrameArray::f32("optimum/action", &shape, actions),
        ]
    }

    /// Advances the displayed environments by `elapsed` seconds, updates the heat maps, and returns the frame.
    pub(super) fn frame(
        &mut self,
        learner: &dyn ControlLearner<W>,
        request: &ControlView,
        elapsed: f32,
    ) -> Frame {
        let members = (request.members as usize).min(MOST_MEMBERS);
        self.show(learner, members, elapsed);
        let (worst, _) = W::RETURNS;
        let (states, scaled_returns, actions, ages) = match &self.preview {
            Some(preview) => (
                preview.states(),
                preview.scaled_returns(worst, W::SOLVED),
                preview.actions(),
                preview.ages(),
            ),
            None => Default::default(),
        };
        let focus = (request.focus as usize).min(members.saturating_sub(1)) * W::STATE_LEN;
        let focused =
            states.get(focus..focus + W::STATE_LEN).map_or(vec![0.0; W::STATE_LEN], <[f32]>::to_vec);
        let n = members as u32;
        let mut arrays = vec![
            FrameArray::f32("preview/state", &[n, W::STATE_LEN as u32], states),
            FrameArray::f32("preview/return", &[n], scaled_returns),
            FrameArray::f32("preview/action", &[n], actions),
            FrameArray::f32("preview/age", &[n], ages),
        ];
        if let Some(request) = request.map {
            self.map.refresh(simd::level(), learner.algorithm(), request, &focused);
            let shape = [self.map.size(); 2];
            arrays.push(FrameArray::f32("map/policy", &shape, self.map.policy.clone()));
            arrays.push(FrameArray::f32("map/value", &shape, self.map.value.clone()));
            if !self.map.actions.is_empty() {
                let [height, width] = shape;
                let count = self.map.actions.len() as u32 / (height * width);
                let actions = self.map.actions.clone();
                arrays.push(FrameArray::f32("map/actions", &[height, width, count], actions));
            }
            arrays.extend(self.optimum(learner.algorithm()));
        }
        arrays.into()
    }
}

/// Converts an environment's error to an invalid-input error.
fn env_to_lab_error(error: &EnvError) -> LabError {
    LabError::invalid("config", "as given", error.to_string())
}

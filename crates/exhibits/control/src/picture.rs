//! What there is to see of a learner: the preview, and the maps.

use super::learner::ControlLearner;
use super::map::HeatMap;
use super::preview::{MOST_MEMBERS, PreviewEnvs};
use crate::entries::describe::{ControlWorld, is_angle};
use crate::protocol::ControlView;
use vivarium_envs::EnvError;
use vivarium_kernels::{rng, simd};
use vivarium_lab::error::LabError;
use vivarium_lab::protocol::{Frame, FrameArray};

/// The purpose of the preview's random numbers, apart from the learner's own purposes.
const SHOW: u32 = 100;

/// The strongest push, as a multiple of the strongest action.
const STRONGEST_PUSH: f32 = 10.0;

/// The preview and the maps.
pub(super) struct Picture<W: ControlWorld> {
    preview: Option<PreviewEnvs<W>>,
    /// Steps of the preview so far.
    shown_steps: u32,
    map: HeatMap,
}

impl<W: ControlWorld> Default for Picture<W> {
    fn default() -> Self {
        Self { preview: None, shown_steps: 0, map: HeatMap::default() }
    }
}

impl<W: ControlWorld> Picture<W> {
    /// Pushes a member of the preview, or all.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if there is no such member, or the force is out of range.
    pub(super) fn push(&mut self, member: Option<u32>, force: f32) -> Result<(), LabError> {
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
                preview.push(member.map(|member| member as usize), force).map_err(|error| env_to_lab_error(&error))
            }
            None => Ok(()),
        }
    }

    /// Starts every episode of the preview anew.
    pub(super) fn reset(&mut self) {
        if let Some(preview) = &mut self.preview {
            preview.reset();
        }
    }

    /// Changes the world from the next step on.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if a param is out of range.
    pub(super) fn set_world(&mut self, world: W::Params) -> Result<(), LabError> {
        let preview = self.preview.as_mut();
        preview.map_or(Ok(()), |preview| preview.set_params(world)).map_err(|error| env_to_lab_error(&error))
    }

    /// Advances the preview by `elapsed` seconds, with as many members as are asked for.
    fn show(&mut self, learner: &dyn ControlLearner<W>, members: usize, elapsed: f32) {
        let seed = rng::derive(learner.seed(), SHOW);
        if self.preview.as_ref().map_or(0, PreviewEnvs::members) != members {
            let angles = W::STATE.iter().map(is_angle).collect();
            // Without members there is no preview: nothing else can be refused here.
            self.preview = PreviewEnvs::new(*learner.world(), seed, members, W::STEP_SECONDS, angles).ok();
        }
        let shown_steps = &mut self.shown_steps;
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
    pub(super) fn frame(&mut self, learner: &dyn ControlLearner<W>, request: &ControlView, elapsed: f32) -> Frame {
        let members = (request.members as usize).min(MOST_MEMBERS);
        self.show(learner, members, elapsed);
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
            FrameArray::f32("preview/state", &[n, W::STATE_LEN as u32], states),
            FrameArray::f32("preview/return", &[n], standing),
            FrameArray::f32("preview/action", &[n], actions),
            FrameArray::f32("preview/age", &[n], ages),
        ];
        if let Some(request) = request.map {
            self.map.refresh(simd::level(), learner, request, &focused);
            let shape = [self.map.size(); 2];
            arrays.push(FrameArray::f32("map/policy", &shape, self.map.policy.clone()));
            arrays.push(FrameArray::f32("map/value", &shape, self.map.value.clone()));
        }
        arrays.into()
    }
}

/// A refusal by the world, in the lab's words.
fn env_to_lab_error(error: &EnvError) -> LabError {
    LabError::invalid("config", "as given", error.to_string())
}

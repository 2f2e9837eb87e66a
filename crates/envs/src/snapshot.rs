//! Everything that there is to know of an environment, as plain numbers to save and restore.

use crate::autoreset::Autoreset;
use crate::block::{BLOCK, Block};
use crate::error::EnvError;
use crate::params::Params;
use crate::vector::{VectorEnv, check_push, checked_state};
use crate::world::World;

/// An environment as plain numbers. Restored, it goes on exactly as it would have.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    /// The world's name.
    pub world: String,
    /// The params, in the order of their fields.
    pub params: Vec<f32>,
    /// The seed.
    pub seed: u64,
    /// The number of the first lane among all lanes of the run.
    pub first_lane: u32,
    /// When a lane begins its next episode.
    pub autoreset: Autoreset,
    /// Steps taken so far.
    pub tick: u64,
    /// `[lanes, state]`, row-major.
    pub states: Vec<f32>,
    /// `[lanes]`: how many steps the episode has taken.
    pub ages: Vec<u32>,
    /// `[lanes]`: the number of the next episode.
    pub next_episodes: Vec<u32>,
    /// `[lanes]`: the external force during the next step.
    pub pushes: Vec<f32>,
    /// `[lanes]`: the next step resets the lane (`NextStep` alone).
    pub ended: Vec<bool>,
}

impl<W: World> VectorEnv<W> {
    /// Everything that there is to know of it.
    pub fn snapshot(&self) -> Snapshot {
        let mut states = Vec::with_capacity(self.lanes * W::STATE_LEN);
        for lane in 0..self.lanes {
            states.extend_from_slice(self.blocks[lane / BLOCK].state_of(lane % BLOCK).as_ref());
        }
        let each = || (0..self.lanes).map(|lane| (&self.blocks[lane / BLOCK], lane % BLOCK));
        Snapshot {
            world: W::NAME.to_owned(),
            params: self.params.numbers(),
            seed: self.seed,
            first_lane: self.shared.first_lane,
            autoreset: self.shared.autoreset,
            tick: self.shared.tick,
            states,
            ages: (0..self.lanes).map(|lane| self.age_of(lane)).collect(),
            next_episodes: each().map(|(block, lane)| block.next_episode.0[lane]).collect(),
            pushes: each().map(|(block, lane)| block.push.0[lane]).collect(),
            ended: each().map(|(block, lane)| block.ended >> lane & 1 != 0).collect(),
        }
    }

    /// The environment of a snapshot, which may come from outside.
    ///
    /// # Errors
    /// [`EnvError`] if it is of another world, its lists do not fit together, or a number is out of range.
    pub fn restore(snapshot: &Snapshot) -> Result<Self, EnvError> {
        if snapshot.world != W::NAME {
            return Err(EnvError::World { got: snapshot.world.clone(), expected: W::NAME });
        }
        let lanes = snapshot.ages.len();
        for (what, got, expected) in [
            ("the list of states", snapshot.states.len(), lanes * W::STATE_LEN),
            ("the list of next episodes", snapshot.next_episodes.len(), lanes),
            ("the list of pushes", snapshot.pushes.len(), lanes),
            ("the list of ended episodes", snapshot.ended.len(), lanes),
        ] {
            if got != expected {
                return Err(EnvError::Length { what, got, expected });
            }
        }
        let params = W::Params::from_numbers(&snapshot.params)?;
        let mut env = Self::new(params, snapshot.seed, snapshot.first_lane, lanes, snapshot.autoreset)?;
        env.shared.tick = snapshot.tick;
        env.blocks.fill(Block::new());
        for lane in 0..lanes {
            let state = checked_state::<W>(&snapshot.states[lane * W::STATE_LEN..(lane + 1) * W::STATE_LEN])?;
            check_push::<W>(snapshot.pushes[lane])?;
            let (block, lane_of_block) = (&mut env.blocks[lane / BLOCK], lane % BLOCK);
            block.set_state_of(lane_of_block, state);
            block.began.0[lane_of_block] = (env.shared.tick as u32).wrapping_sub(snapshot.ages[lane]);
            block.next_episode.0[lane_of_block] = snapshot.next_episodes[lane];
            block.push.0[lane_of_block] = snapshot.pushes[lane];
            block.pushed |= snapshot.pushes[lane] != 0.0;
            block.ended |= u64::from(snapshot.ended[lane]) << lane_of_block;
        }
        Ok(env)
    }
}

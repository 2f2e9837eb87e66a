//! What comes back from a herd. Each reading has two doors: one that waits on the calling thread, and one for
//! a browser.

use std::ops::Range;

use vivarium_envs::{EnvError, Params, Snapshot, StepOut, VectorEnv};

use super::herd::{Herd, HerdError};
use super::rules::GpuWorld;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::readback::{Ring, floats};

/// Where the parts of [`Herd::made`] lie, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// `[lanes, observation]`, row-major: what the agent sees next.
    pub observation: Range<usize>,
    /// `[lanes]`: the reward of the latest step.
    pub reward: Range<usize>,
    /// `[lanes]`, `u32`: 1 where the latest step terminated the episode, plus 2 where it reached the step
    /// limit.
    pub flags: Range<usize>,
    /// `[lanes, observation]`: what was seen at the end of the lane's latest episode that ended.
    pub final_observation: Range<usize>,
    /// `[3, lanes]`: of the latest run of a [random program](Herd::random_program), the sum of rewards
    /// (`f32`), the count of terminated and that of truncated episodes (`u32`).
    pub tallies: Range<usize>,
}

impl Made {
    pub(super) fn new<W: GpuWorld>(lanes: usize) -> Self {
        let mut end = 0;
        let mut next = |each: usize| {
            let start = end;
            end += each * lanes;
            start..end
        };
        Self {
            observation: next(W::OBSERVATION_LEN),
            reward: next(1),
            flags: next(1),
            final_observation: next(W::OBSERVATION_LEN),
            tallies: next(3),
        }
    }
}

/// What the lanes did during a run of a random program.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// The sum of all rewards.
    pub rewards: f64,
    /// Episodes that ended by the rules.
    pub terminated: u64,
    /// Episodes that reached the limit on steps.
    pub truncated: u64,
}

impl<W: GpuWorld> Herd<W> {
    /// Writes what the latest step made, once it is done: all of `out`, as [`VectorEnv::step`] does.
    ///
    /// # Errors
    /// [`EnvError::Length`] if a buffer does not fit, or the device's.
    pub async fn read(&self, out: &mut StepOut<'_>) -> Result<(), HerdError> {
        self.check(out)?;
        let words = self.gpu.read(&self.made, 0..self.made_at().tallies.start).await?;
        self.write_out(&words, out);
        Ok(())
    }

    /// [`read`](Herd::read), waiting on the calling thread.
    ///
    /// # Errors
    /// Those of [`read`](Herd::read).
    #[cfg(not(target_arch = "wasm32"))]
    pub fn read_blocking(&self, out: &mut StepOut<'_>) -> Result<(), HerdError> {
        self.check(out)?;
        let words = self.gpu.read_blocking(&self.made, 0..self.made_at().tallies.start)?;
        self.write_out(&words, out);
        Ok(())
    }

    /// The tally of the latest run of a random program, once it is done.
    ///
    /// # Errors
    /// The device's.
    pub async fn tally(&self) -> Result<Tally, GpuError> {
        Ok(self.tally_of(&self.gpu.read(&self.made, self.made_at().tallies).await?))
    }

    /// [`tally`](Herd::tally), waiting on the calling thread.
    ///
    /// # Errors
    /// The device's.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn tally_blocking(&self) -> Result<Tally, GpuError> {
        Ok(self.tally_of(&self.gpu.read_blocking(&self.made, self.made_at().tallies)?))
    }

    /// Everything that there is to know of it, once everything submitted is done: an environment that
    /// [`VectorEnv::restore`] makes of it goes on from there.
    ///
    /// # Errors
    /// The device's.
    pub async fn snapshot(&self) -> Result<Snapshot, GpuError> {
        let (mut ring, mut words) = (self.staged()?, Vec::new());
        ring.next(&mut words).await?;
        Ok(self.snapshot_of(&words))
    }

    /// [`snapshot`](Herd::snapshot), waiting on the calling thread.
    ///
    /// # Errors
    /// The device's.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn snapshot_blocking(&self) -> Result<Snapshot, GpuError> {
        let (mut ring, mut words) = (self.staged()?, Vec::new());
        ring.wait(&mut words)?;
        Ok(self.snapshot_of(&words))
    }

    /// The herd of a snapshot, which may come from outside, of an environment or of a herd.
    ///
    /// # Errors
    /// Those of [`VectorEnv::restore`], or the device's.
    pub fn restore(gpu: &Gpu, snapshot: &Snapshot) -> Result<Self, HerdError> {
        Self::of(gpu, &VectorEnv::restore(snapshot)?)
    }

    fn check(&self, out: &StepOut) -> Result<(), EnvError> {
        let (lanes, rows) = (self.lanes, self.lanes * W::OBSERVATION_LEN);
        for (what, got, expected) in [
            ("the buffer of observations", out.observation.len(), rows),
            ("the buffer of rewards", out.reward.len(), lanes),
            ("the buffer of terminated flags", out.terminated.len(), lanes),
            ("the buffer of truncated flags", out.truncated.len(), lanes),
            ("the buffer of final observations", out.final_observation.len(), rows),
        ] {
            if got != expected {
                return Err(EnvError::Length { what, got, expected });
            }
        }
        Ok(())
    }

    fn write_out(&self, words: &[u32], out: &mut StepOut) {
        let (made, width) = (self.made_at(), W::OBSERVATION_LEN);
        out.observation.copy_from_slice(floats(&words[made.observation]));
        out.reward.copy_from_slice(floats(&words[made.reward]));
        let last = floats(&words[made.final_observation]);
        for (lane, &flags) in words[made.flags].iter().enumerate() {
            out.terminated[lane] = flags & 1 != 0;
            out.truncated[lane] = flags & 2 != 0;
            if flags != 0 {
                let row = lane * width..(lane + 1) * width;
                out.final_observation[row.clone()].copy_from_slice(&last[row]);
            }
        }
    }

    fn tally_of(&self, words: &[u32]) -> Tally {
        let (rewards, ends) = words.split_at(self.lanes);
        let (terminated, truncated) = ends.split_at(self.lanes);
        let sum = |counts: &[u32]| counts.iter().map(|&count| u64::from(count)).sum();
        Tally {
            rewards: floats(rewards).iter().map(|&reward| f64::from(reward)).sum(),
            terminated: sum(terminated),
            truncated: sum(truncated),
        }
    }

    /// The words of all lanes and of the count of steps, on their way.
    fn staged(&self) -> Result<Ring, GpuError> {
        let mut ring = Ring::new(&self.gpu, self.herd.len() + 2, 1)?;
        let parts = [(&self.herd, 0..self.herd.len()), (&self.board, 2..4)];
        self.gpu.submit(|encoder| ring.copy(encoder, &parts))?;
        ring.submitted();
        Ok(ring)
    }

    fn snapshot_of(&self, words: &[u32]) -> Snapshot {
        let lanes = self.lanes;
        let dimension = |index: usize| &words[index * lanes..(index + 1) * lanes];
        let states = floats(&words[..W::STATE_LEN * lanes]);
        let tick = &words[self.herd.len()..];
        Snapshot {
            world: W::NAME.to_owned(),
            params: self.params.numbers(),
            seed: self.seed,
            first_lane: self.first_lane,
            autoreset: self.autoreset,
            tick: u64::from(tick[1]) << 32 | u64::from(tick[0]),
            states: (0..lanes).flat_map(|lane| states.iter().skip(lane).step_by(lanes).copied()).collect(),
            ages: dimension(W::STATE_LEN).to_vec(),
            next_episodes: dimension(W::STATE_LEN + 1).to_vec(),
            pushes: floats(dimension(W::STATE_LEN + 2)).to_vec(),
            ended: dimension(W::STATE_LEN + 3).iter().map(|&ended| ended != 0).collect(),
        }
    }
}

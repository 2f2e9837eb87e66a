//! Random environment steps on the device, for benchmarks and the self-check.

use vivarium_envs::{ActionSpace, CompiledWorld, EnvSpec, VectorEnv};

use super::rules::{action_key, constant_words, reset_key, step_key, world_wgsl};
use crate::builder::Shader;
use crate::constant::ShaderPart;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::memory::Buffer;
use crate::program::{GpuProgram, GpuRecorder, dispatch_size};
use crate::readback::floats;

/// Number of invocations in a workgroup of the kernel that takes random steps; each invocation has one environment.
const GROUP: usize = 256;
/// Number of counters stored for each environment: length of its current episode in steps, and index of its next
/// episode.
const EXTRA: usize = 2;

/// Environments of type `W` on the device that take uniformly random actions, and reset in the step that ends an
/// episode. They take the same steps as [`VectorEnv::random_steps`]: the same random numbers and step limits, within
/// the rounding stated at [`world_wgsl`](super::world_wgsl).
pub struct RandomSteps<W: CompiledWorld> {
    gpu: Gpu,
    num_envs: usize,
    /// States and counters of the environments: `[STATE_LEN + EXTRA, num_envs]`, row-major.
    envs: Buffer,
    /// Buffer with the data that all environments share, the WGSL struct `Board`: number of environments, step count,
    /// keys of the random generator, and physical constants.
    board: Buffer,
    made: Buffer,
    world: std::marker::PhantomData<W>,
}

/// Results of random environment steps, read back from the device.
#[derive(Clone, Debug, PartialEq)]
pub struct RandomStepsResult {
    /// States of the environments after the last step: `[num_envs, STATE_LEN]`, row-major.
    pub states: Vec<f32>,
    /// Length in steps of each environment's current episode so far, `[num_envs]`.
    pub ages: Vec<u32>,
    /// Index of each environment's next episode, from 0, `[num_envs]`.
    pub next_episodes: Vec<u32>,
    /// Observations of the environments after the last step: `[num_envs, OBSERVATION_LEN]`, row-major.
    pub observation: Vec<f32>,
    /// Reward of each environment in the last step, `[num_envs]`.
    pub reward: Vec<f32>,
    /// End of the episode in the last step, `[num_envs]`: 1 if the step terminated the episode, plus 2 if it reached
    /// the step limit.
    pub flags: Vec<u32>,
    /// Sum of rewards over all environments, and over all steps of the last run of the recorded program.
    pub rewards: f64,
    /// Number of episodes that terminated in the last run of the recorded program.
    pub terminated: u64,
    /// Number of episodes that reached the step limit (were truncated) in the last run of the recorded program.
    pub truncated: u64,
}

impl<W: CompiledWorld> RandomSteps<W> {
    /// Uploads the current states of the CPU environments `envs`. External forces on the environments are not uploaded.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn of(gpu: &Gpu, env: &VectorEnv<W>) -> Result<Self, GpuError> {
        let (snapshot, num_envs) = (env.snapshot(), env.num_envs());
        let mut words = vec![0u32; (W::STATE_LEN + EXTRA) * num_envs];
        let (states, extra) = words.split_at_mut(W::STATE_LEN * num_envs);
        for (env_index, state) in snapshot.states.chunks_exact(W::STATE_LEN).enumerate() {
            for (dimension, value) in state.iter().enumerate() {
                states[dimension * num_envs + env_index] = value.to_bits();
            }
        }
        extra[..num_envs].copy_from_slice(&snapshot.ages);
        extra[num_envs..].copy_from_slice(&snapshot.next_episodes);
        let mut board = vec![num_envs as u32, snapshot.first_env];
        board.extend([snapshot.tick as u32, (snapshot.tick >> 32) as u32]);
        board.extend([reset_key, action_key, step_key].map(|key| key(snapshot.seed)).as_flattened());
        board.extend(constant_words::<W>(env.params()).into_iter().map(f32::to_bits));
        Ok(Self {
            gpu: gpu.clone(),
            num_envs,
            envs: gpu.upload("environment states", &words)?,
            board: gpu.upload("shared environment state", &board)?,
            made: gpu.zeros("results of random steps", (W::OBSERVATION_LEN + 5) * num_envs)?,
            world: std::marker::PhantomData,
        })
    }

    /// Returns a program that takes `steps` random steps in every environment, in one dispatch, and then advances the
    /// step count in a second dispatch. During the dispatch, one invocation keeps the state of an environment in
    /// registers.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn program(&self, steps: u32) -> Result<GpuProgram, GpuError> {
        let mut recorder = GpuRecorder::new(&self.gpu);
        let groups = dispatch_size(self.num_envs.div_ceil(GROUP));
        let steps = ("steps", steps as usize);
        Shader::own("random steps", &[crate::shader!("board.wgsl", "random.wgsl")])
            .part(&world_wgsl(EnvSpec::of::<W>())?)
            .part(&random_actions(W::ACTIONS))
            .buffers([("envs", &self.envs), ("board", &self.board), ("made", &self.made)])
            .uniforms([steps])
            .constants([("GROUP", GROUP)])
            .record(&mut recorder, groups)?;
        Shader::own("clock", &[crate::shader!("board.wgsl", "clock.wgsl")])
            .constants([("CONSTANTS_LEN", constant_words::<W>(&W::Params::default()).len())])
            .buffers([("board", &self.board)])
            .uniforms([steps])
            .record(&mut recorder, [1, 1, 1])?;
        recorder.finish()
    }

    /// Returns the device buffer to which the [programs](Self::program) write observations, rewards, ends of episodes
    /// and totals. A read of this buffer waits for all submitted steps.
    pub fn made(&self) -> &Buffer {
        &self.made
    }

    /// Reads the states of the environments and the results of the last run back from the device, after all submitted
    /// work is complete.
    ///
    /// # Errors
    /// Errors of the device.
    pub async fn read(&self) -> Result<RandomStepsResult, GpuError> {
        let (n, seen) = (self.num_envs, W::OBSERVATION_LEN);
        let envs = self.gpu.read(&self.envs, 0..(W::STATE_LEN + EXTRA) * n).await?;
        let made = self.gpu.read(&self.made, 0..(seen + 5) * n).await?;
        let states = floats(&envs[..W::STATE_LEN * n]);
        let part = |first: usize| &made[first * n..(first + 1) * n];
        let count = |counts: &[u32]| counts.iter().map(|&count| u64::from(count)).sum();
        Ok(RandomStepsResult {
            states: (0..n).flat_map(|env| states.iter().skip(env).step_by(n).copied()).collect(),
            ages: envs[W::STATE_LEN * n..(W::STATE_LEN + 1) * n].to_vec(),
            next_episodes: envs[(W::STATE_LEN + 1) * n..].to_vec(),
            observation: floats(&made[..seen * n]).to_vec(),
            reward: floats(part(seen)).to_vec(),
            flags: part(seen + 1).to_vec(),
            rewards: floats(part(seen + 2)).iter().map(|&reward| f64::from(reward)).sum(),
            terminated: count(part(seen + 3)),
            truncated: count(part(seen + 4)),
        })
    }
}

/// Returns the WGSL of `random_action(word: u32, digit: u32) -> f32`, which extracts a random action from a random
/// word: a word yields several actions, numbered by `digit`. Also declares the constant `PERIOD`, the number of
/// environment steps for which the two words of a random block suffice.
fn random_actions(space: ActionSpace) -> ShaderPart {
    let (bits, actions, [low, high]) = match space {
        ActionSpace::Discrete(2) => (6, 2, [0.0; 2]),
        ActionSpace::Discrete(3) => (4, 3, [0.0; 2]),
        ActionSpace::Discrete(n) => (1, n, [0.0; 2]),
        ActionSpace::Box { low, high } => (1, 0, [low, high]),
    };
    ShaderPart::new(&[crate::shader!("random_action.wgsl")])
        .constants([
            ("PERIOD_BITS", bits),
            ("ACTIONS", actions),
            ("POWER_2", actions.pow(2)),
            ("POWER_4", actions.pow(4)),
        ])
        .constants([("RANGE", high - low), ("LOW", low)])
        .constants([("IS_BINARY", actions == 2), ("IS_BOX", actions == 0)])
        .constants([("IS_DISCRETE", actions > 2 || actions == 1)])
}

//! A world on the device under random actions: its rules alone, as a benchmark times them and the self-check compares them.

use vivarium_envs::{ActionSpace, VectorEnv};

use super::rules::{GpuWorld, action_key, reset_key, world_wgsl};
use crate::device::Gpu;
use crate::error::GpuError;
use crate::memory::Buffer;
use crate::program::{Program, Recorder, spread};
use crate::readback::floats;
use crate::wgsl::fill;

/// Invocations in a workgroup.
const GROUP: usize = 256;
/// A lane's counters: its age and its next episode.
const EXTRA: usize = 2;

/// Lanes of the world `W` on the device that take uniformly random steps, and begin a new episode in the step that ends
/// one. From the same state they take the steps of [`VectorEnv::random_steps`]: with the same random numbers and step
/// limits, and within the rounding stated at [`world_wgsl`](super::world_wgsl).
pub struct RandomSteps<W: GpuWorld> {
    gpu: Gpu,
    lane_count: usize,
    /// `[STATE_LEN + EXTRA][lanes]`.
    lanes: Buffer,
    /// What all lanes share, the count of steps among it, in the words 2 and 3.
    board: Buffer,
    made: Buffer,
    world: std::marker::PhantomData<W>,
}

/// Where random steps have led.
#[derive(Clone, Debug, PartialEq)]
pub struct Stepped {
    /// `[lanes, state]`, row-major.
    pub states: Vec<f32>,
    /// `[lanes]`: how many steps the episode has taken.
    pub ages: Vec<u32>,
    /// `[lanes]`: the number of the next episode.
    pub next_episodes: Vec<u32>,
    /// `[lanes, observation]`, row-major.
    pub observation: Vec<f32>,
    /// `[lanes]`: the reward of the last step.
    pub reward: Vec<f32>,
    /// `[lanes]`: 1 where the last step terminated the episode, plus 2 where it reached the step limit.
    pub flags: Vec<u32>,
    /// The sum of the rewards of the last program's steps.
    pub rewards: f64,
    /// How many episodes its steps terminated.
    pub terminated: u64,
    /// How many episodes reached the step limit in it.
    pub truncated: u64,
}

impl<W: GpuWorld> RandomSteps<W> {
    /// The lanes of an environment, as they are, on the device. An external force on a lane is left out.
    ///
    /// # Errors
    /// The device's.
    pub fn of(gpu: &Gpu, env: &VectorEnv<W>) -> Result<Self, GpuError> {
        let (snapshot, lanes) = (env.snapshot(), env.lanes());
        let mut words = vec![0u32; (W::STATE_LEN + EXTRA) * lanes];
        let (states, extra) = words.split_at_mut(W::STATE_LEN * lanes);
        for (lane, state) in snapshot.states.chunks_exact(W::STATE_LEN).enumerate() {
            for (dimension, value) in state.iter().enumerate() {
                states[dimension * lanes + lane] = value.to_bits();
            }
        }
        extra[..lanes].copy_from_slice(&snapshot.ages);
        extra[lanes..].copy_from_slice(&snapshot.next_episodes);
        let ([reset_low, reset_high], [action_low, action_high]) =
            (reset_key(snapshot.seed), action_key(snapshot.seed));
        let mut board = vec![lanes as u32, snapshot.first_lane];
        board.extend([snapshot.tick as u32, (snapshot.tick >> 32) as u32]);
        board.extend([reset_low, reset_high, action_low, action_high]);
        board.extend(W::constant_words(env.params()).into_iter().map(f32::to_bits));
        Ok(Self {
            gpu: gpu.clone(),
            lane_count: lanes,
            lanes: gpu.upload("lanes", &words)?,
            board: gpu.upload("what lanes share", &board)?,
            made: gpu.zeros("results of random steps", (W::OBSERVATION_LEN + 5) * lanes)?,
            world: std::marker::PhantomData,
        })
    }

    /// The program of so many steps of every lane, in one dispatch (and one that counts them), each lane in the registers
    /// of one invocation.
    ///
    /// # Errors
    /// The device's.
    pub fn program(&self, steps: u32) -> Result<Program, GpuError> {
        let mut recorder = Recorder::new(&self.gpu);
        let groups = spread(self.lane_count.div_ceil(GROUP));
        let buffers = [&self.lanes, &self.board, &self.made];
        let steps = ("steps", steps as usize);
        recorder.run("random steps", &[&text::<W>()], &buffers, &[steps], groups)?;
        recorder.run("clock", &[crate::shader!("clock.wgsl")], &[&self.board], &[steps], [1, 1, 1])?;
        recorder.finish()
    }

    /// A buffer that the steps write to, to wait for them by.
    pub fn made(&self) -> &Buffer {
        &self.made
    }

    /// Where the lanes are, once everything submitted is done.
    ///
    /// # Errors
    /// The device's.
    pub async fn read(&self) -> Result<Stepped, GpuError> {
        let (n, seen) = (self.lane_count, W::OBSERVATION_LEN);
        let lanes = self.gpu.read(&self.lanes, 0..(W::STATE_LEN + EXTRA) * n).await?;
        let made = self.gpu.read(&self.made, 0..(seen + 5) * n).await?;
        let states = floats(&lanes[..W::STATE_LEN * n]);
        let part = |first: usize| &made[first * n..(first + 1) * n];
        let count = |counts: &[u32]| counts.iter().map(|&count| u64::from(count)).sum();
        Ok(Stepped {
            states: (0..n).flat_map(|lane| states.iter().skip(lane).step_by(n).copied()).collect(),
            ages: lanes[W::STATE_LEN * n..(W::STATE_LEN + 1) * n].to_vec(),
            next_episodes: lanes[(W::STATE_LEN + 1) * n..].to_vec(),
            observation: floats(&made[..seen * n]).to_vec(),
            reward: floats(part(seen)).to_vec(),
            flags: part(seen + 1).to_vec(),
            rewards: floats(part(seen + 2)).iter().map(|&reward| f64::from(reward)).sum(),
            terminated: count(part(seen + 3)),
            truncated: count(part(seen + 4)),
        })
    }
}

/// The shader, with what is done number by number written out: an array with a running index may be kept in memory instead
/// of registers.
fn text<W: GpuWorld>() -> String {
    let each = |count: usize, line: &dyn Fn(usize) -> String| (0..count).map(line).collect::<String>();
    let lane = |i: usize| format!("lanes[{i}u * n + index]");
    let shader = fill(
        crate::shader!("random.wgsl"),
        &[
            ("$GROUP", &GROUP.to_string()),
            ("$LOAD", &each(W::STATE_LEN, &|i| format!("state[{i}] = bitcast<f32>({});\n", lane(i)))),
            ("$STORE", &each(W::STATE_LEN, &|i| format!("{} = bitcast<u32>(state[{i}]);\n", lane(i)))),
            (
                "$STORE_OBSERVATION",
                &each(W::OBSERVATION_LEN, &|i| format!("made[row + {i}u] = bitcast<u32>(seen[{i}]);\n")),
            ),
        ],
    );
    format!("{}{}{shader}", world_wgsl::<W>(), random_actions(W::ACTIONS))
}

/// `random_action(word: u32, digit: u32) -> f32`, and for how many steps the two words of a block last. As on
/// the CPU, a discrete action is a digit of the word read as a fraction in base n.
fn random_actions(space: ActionSpace) -> String {
    let (bits, action) = match space {
        ActionSpace::Discrete(2) => (6, "f32((word << digit) >> 31u)".to_owned()),
        ActionSpace::Discrete(n) => {
            let bits = if n == 3 { 4 } else { 1 };
            let power = |digit: u32| format!("select(1u, {}u, (digit & {digit}u) != 0u)", n.pow(digit));
            let power = format!("{} * {} * {}", power(1), power(2), power(4));
            (bits, format!("f32((((word * {power}) >> 16u) * {n}u) >> 16u)"))
        }
        ActionSpace::Box { low, high } => {
            (1, format!("random_uniform(word) * f32({}) + f32({low})", high - low))
        }
    };
    format!(
        "const PERIOD_BITS: u32 = {bits}u;\nconst PERIOD: u32 = 1u << PERIOD_BITS;\n\
         fn random_action(word: u32, digit: u32) -> f32 {{ return {action}; }}\n"
    )
}

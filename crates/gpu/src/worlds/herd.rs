//! Lanes of a world that live on the device.

use vivarium_envs::{Autoreset, EnvError, Params, VectorEnv};

use super::reading::Made;
use super::rules::{GpuWorld, action_key, reset_key};
use super::text;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::memory::Buffer;
use crate::program::{Program, Recorder, spread};

/// Invocations in a workgroup of the herd's kernels.
const GROUP: usize = 256;
/// Words of the board before the constants.
const BOARD: usize = 8;
/// What a lane has beside its state: age, next episode, push, and whether the next step resets it.
const EXTRA: usize = 4;

/// A refusal by a herd; the herd is as it was before.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum HerdError {
    /// What was handed in does not fit the world.
    #[error(transparent)]
    Env(#[from] EnvError),
    /// The device refused, or is gone.
    #[error(transparent)]
    Gpu(#[from] GpuError),
}

/// Lanes of the world `W` on the device, stepped together: a [`VectorEnv`] there.
///
/// For the same seed, lanes and actions it makes what a `VectorEnv` makes: the same random numbers, first
/// states and step limits, and after each step from the same state the same numbers within the rounding
/// stated at [`world_wgsl`](super::world_wgsl). A herd and a `VectorEnv` can be made of each other's
/// snapshots.
///
/// Nothing here waits for the device but what says so.
pub struct Herd<W: GpuWorld> {
    pub(super) gpu: Gpu,
    pub(super) params: W::Params,
    pub(super) seed: u64,
    pub(super) first_lane: u32,
    pub(super) lanes: usize,
    pub(super) autoreset: Autoreset,
    /// `[STATE_LEN + EXTRA][lanes]`.
    pub(super) herd: Buffer,
    /// What all lanes share, the count of steps among it, in the words 2 and 3.
    pub(super) board: Buffer,
    actions: Buffer,
    pub(super) made: Buffer,
    step: Program,
}

impl<W: GpuWorld> Herd<W> {
    /// `lanes` lanes, numbered from `first_lane` among all lanes of the run, each at the start of its first
    /// episode.
    ///
    /// # Errors
    /// Those of [`VectorEnv::new`], or the device's.
    pub fn new(
        gpu: &Gpu,
        params: W::Params,
        seed: u64,
        first_lane: u32,
        lanes: usize,
        autoreset: Autoreset,
    ) -> Result<Self, HerdError> {
        Self::of(gpu, &VectorEnv::new(params, seed, first_lane, lanes, autoreset)?)
    }

    /// The lanes of an environment, as they are, on the device.
    ///
    /// # Errors
    /// The device's.
    pub fn of(gpu: &Gpu, env: &VectorEnv<W>) -> Result<Self, HerdError> {
        let (snapshot, lanes) = (env.snapshot(), env.lanes());
        let mut words = vec![0u32; (W::STATE_LEN + EXTRA) * lanes];
        let (states, extra) = words.split_at_mut(W::STATE_LEN * lanes);
        for (lane, state) in snapshot.states.chunks_exact(W::STATE_LEN).enumerate() {
            for (dimension, value) in state.iter().enumerate() {
                states[dimension * lanes + lane] = value.to_bits();
            }
        }
        for lane in 0..lanes {
            extra[lane] = snapshot.ages[lane];
            extra[lanes + lane] = snapshot.next_episodes[lane];
            extra[2 * lanes + lane] = snapshot.pushes[lane].to_bits();
            extra[3 * lanes + lane] = snapshot.ended[lane].into();
        }
        let ([reset_low, reset_high], [action_low, action_high]) =
            (reset_key(snapshot.seed), action_key(snapshot.seed));
        let mut board = vec![lanes as u32, snapshot.first_lane];
        board.extend([snapshot.tick as u32, (snapshot.tick >> 32) as u32]);
        board.extend([reset_low, reset_high, action_low, action_high]);
        board.extend(W::constant_words(env.params()).into_iter().map(f32::to_bits));

        let herd = gpu.upload("the lanes of a herd", &words)?;
        let board = gpu.upload("the board of a herd", &board)?;
        let actions = gpu.zeros("the actions of a herd", lanes)?;
        let made = gpu.zeros("what a herd's steps make", Made::new::<W>(lanes).tallies.end)?;

        let kernel = gpu.kernel("step", &text::given::<W>(), &constants(snapshot.autoreset))?;
        let mut recorder = Recorder::new(gpu);
        recorder.dispatch(&kernel, &[&herd, &board, &made, &actions], &[], groups(lanes));
        tick(&mut recorder, &board, 1)?;
        let step = recorder.finish()?;
        Ok(Self {
            gpu: gpu.clone(),
            params: *env.params(),
            seed: snapshot.seed,
            first_lane: snapshot.first_lane,
            lanes,
            autoreset: snapshot.autoreset,
            herd,
            board,
            actions,
            made,
            step,
        })
    }

    /// How many lanes there are.
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// The params in use.
    pub fn params(&self) -> &W::Params {
        &self.params
    }

    /// Changes the world while it runs: from what is submitted next on.
    ///
    /// # Errors
    /// [`EnvError::OutOfRange`] naming the field; the params stay as they were.
    pub fn set_params(&mut self, params: W::Params) -> Result<(), EnvError> {
        params.check()?;
        self.params = params;
        self.gpu.write(&self.board, BOARD, &W::constant_words(&params));
        Ok(())
    }

    /// Sets the external force on a lane during its next step, in the unit of
    /// [`World::PUSH`](vivarium_envs::World::PUSH).
    ///
    /// # Errors
    /// [`EnvError`] if there is no such lane or the force is out of range.
    pub fn push(&mut self, lane: usize, force: f32) -> Result<(), EnvError> {
        if lane >= self.lanes {
            return Err(EnvError::Lane { lane, last: self.lanes - 1 });
        }
        // An environment of one lane knows what is allowed.
        VectorEnv::<W>::new(self.params, 0, 0, 1, self.autoreset)?.push(0, force)?;
        self.gpu.write(&self.herd, (W::STATE_LEN + 2) * self.lanes + lane, &[force]);
        Ok(())
    }

    /// `[lanes]`: the actions that [`step_program`](Herd::step_program) takes. Whoever writes them there by a
    /// kernel sees to it that the action space holds them.
    pub fn actions(&self) -> &Buffer {
        &self.actions
    }

    /// What the latest step made; its parts lie as [`made_at`](Herd::made_at) says.
    pub fn made(&self) -> &Buffer {
        &self.made
    }

    /// Where the parts of [`made`](Herd::made) lie.
    pub fn made_at(&self) -> Made {
        Made::new::<W>(self.lanes)
    }

    /// Moves every lane on by one step under [`actions`](Herd::actions).
    pub fn step_program(&self) -> &Program {
        &self.step
    }

    /// Moves every lane on by `steps` steps under uniformly random actions from the lane's own random
    /// numbers, in one dispatch (and one that counts them), each lane in the registers of one invocation.
    ///
    /// Each step does what [`step_program`](Herd::step_program) does, except that of what it makes only the
    /// last step's is written (and each lane's latest final observation), and the tallies of all. The program
    /// belongs to this herd.
    ///
    /// # Errors
    /// The device's.
    pub fn random_program(&self, steps: u32) -> Result<Program, GpuError> {
        let kernel = self.gpu.kernel("random steps", &text::random::<W>(), &constants(self.autoreset))?;
        let mut recorder = Recorder::new(&self.gpu);
        recorder.dispatch(&kernel, &[&self.herd, &self.board, &self.made], &[steps], groups(self.lanes));
        tick(&mut recorder, &self.board, steps)?;
        recorder.finish()
    }

    /// Submits one step under `actions` `[lanes]`.
    ///
    /// # Errors
    /// [`EnvError::Length`] or [`EnvError::Action`] where the actions do not fit, or the device's.
    pub fn step(&mut self, actions: &[f32]) -> Result<(), HerdError> {
        let (got, expected) = (actions.len(), self.lanes);
        if got != expected {
            return Err(EnvError::Length { what: "the buffer of actions", got, expected }.into());
        }
        if let Some(lane) = actions.iter().position(|&action| !W::ACTIONS.accepts(action)) {
            let (value, allowed) = (actions[lane], W::ACTIONS.to_string());
            return Err(EnvError::Action { lane, value, allowed }.into());
        }
        self.gpu.write(&self.actions, 0, actions);
        Ok(self.gpu.submit(|encoder| encoder.run(&self.step))?)
    }
}

/// Moves the count of steps on.
fn tick(recorder: &mut Recorder, board: &Buffer, steps: u32) -> Result<(), GpuError> {
    let kernel = recorder.gpu().kernel("clock", text::CLOCK, &[])?;
    recorder.dispatch(&kernel, &[board], &[steps], [1, 1, 1]);
    Ok(())
}

fn groups(lanes: usize) -> [u32; 3] {
    spread(lanes.div_ceil(GROUP))
}

fn constants(autoreset: Autoreset) -> [(&'static str, f64); 1] {
    [("NEXT_STEP", if autoreset == Autoreset::NextStep { 1.0 } else { 0.0 })]
}

//! Deep Q-learning (DQN) in one file, on CartPole: Mnih et al. 2015, "Human-level control through deep reinforcement
//! learning", <https://doi.org/10.1038/nature14236>, with Adam instead of RMSProp.
//!
//! `cargo run --release -p vivarium-agents --example dqn` prints the learning curve. A test requires that
//! `vivarium_agents::dqn::Dqn` without its extensions computes the same weights bit for bit.

use std::error::Error;
use vivarium_envs::{Autoreset::SameStep, CartPole, StepBuffers, VectorEnv, World};
use vivarium_graph::{Cpu, Graph, Initializer, Plan, Workspaces};
use vivarium_kernels::adam::AdamStep;
use vivarium_kernels::rng::{self, Stream};
use vivarium_learn::{Loss, Network, PrioritizedReplay, Trainer, schedule};

const NUM_ENVS: usize = 16;
const HIDDEN: [usize; 2] = [128, 64];
const REPLAY_CAPACITY: usize = 65_536;
const WARM_UP: usize = 2_048;
const MINIBATCH: usize = 64;
const GAMMA: f32 = 0.99;
const FINAL_EPSILON: f32 = 0.05;
const EPSILON_STEPS: u64 = 50_000;
const TARGET_EVERY: u64 = 500;
const LEARNING_RATE: f32 = 2.5e-4;
const MAX_GRADIENT_NORM: f32 = 10.0;
const STATE: usize = CartPole::OBSERVATION_LEN;
const ACTIONS: usize = 2;

/// A transition in the replay buffer. `discount` is the factor of the next state's value in the target: γ, or 0 if
/// the next state is terminal.
struct ReplayedStep {
    state: [f32; STATE],
    action: usize,
    reward: f32,
    next: [f32; STATE],
    discount: f32,
}

fn main() -> Result<(), Box<dyn Error>> {
    train(5_000, 1).map(|_| ())
}

/// Returns the network inputs of environment `env`: its observation, scaled so that the usual range of each dimension
/// becomes −1 to 1.
fn state(observations: &[f32], env: usize) -> [f32; STATE] {
    std::array::from_fn(|i| {
        let (value, range) = (observations[env * STATE + i], CartPole::OBSERVATION[i]);
        (2.0 * value - (range.high + range.low)) / (range.high - range.low)
    })
}

/// Trains the online network for `updates` gradient steps. Returns the weights of the online network and of the
/// target network.
pub fn train(updates: u64, seed: u64) -> Result<[Vec<f32>; 2], Box<dyn Error>> {
    // The network computes Q(s, ·). The loss of a sample is the Huber loss of δ = target − Q(s, a).
    let mut g = Graph::new();
    let s = g.input("state", &[STATE]);
    let [action, target] = ["action", "target"].map(|name| g.input(name, &[1]));
    let mut h = s;
    for (layer, width) in HIDDEN.into_iter().enumerate() {
        h = g.linear(&format!("hidden.{layer}"), h, width);
        h = g.relu(h);
    }
    let q = g.linear_with("values", h, ACTIONS, Initializer::Orthogonal { gain: 0.01 });
    let q_of_action = g.gather(q, action);
    let error = g.sub(target, q_of_action);
    let loss = g.huber(error, 1.0);

    let (cpu, mut workspaces) =
        (Cpu::new(std::thread::available_parallelism()?.get()), Workspaces::default());
    let [weights, world, exploring, sampling] = [30, 31, 32, 33].map(|stream| rng::derive(seed, stream));
    let mut online = Network::new(&g, vec![Plan::for_cache(&g, &[q])?], weights)?;
    let mut target = online.clone();
    let plan = Plan::compile(&g.gradient(loss), &[loss], MINIBATCH)?;
    let mut trainer = Trainer::new(&online, vec![Loss { plan, names: &["the loss"] }]);
    let mut env = VectorEnv::<CartPole>::new(cpu.level(), Default::default(), world, 0, NUM_ENVS, SameStep)?;
    let mut replay = PrioritizedReplay::new(REPLAY_CAPACITY);

    let mut out = StepBuffers::new::<CartPole>(NUM_ENVS);
    env.observations(cpu.level(), &mut out.observation)?;
    let mut states: Vec<[f32; STATE]> = (0..NUM_ENVS).map(|env| state(&out.observation, env)).collect();
    let (mut returns, mut finished) = ([0.0; NUM_ENVS], Vec::new());
    let (mut tick, mut update) = (0, 0);
    while update < updates {
        // A step of every environment: a random action with probability ε, else argmax Q(s, ·).
        let mut values = [0.0; NUM_ENVS * ACTIONS];
        online.evaluate(&cpu, &mut workspaces, 0, NUM_ENVS, &[states.as_flattened()], &mut [&mut values]);
        let steps = tick * NUM_ENVS as u64;
        let epsilon = schedule::linear(1.0, FINAL_EPSILON, steps, EPSILON_STEPS);
        let actions: [usize; NUM_ENVS] = std::array::from_fn(|env| {
            let [chance, choice] = rng::block(exploring, env as u32, tick as u32);
            if rng::uniform(chance) < epsilon {
                choice as usize >> 31
            } else {
                usize::from(values[env * ACTIONS + 1] > values[env * ACTIONS])
            }
        });
        env.step(cpu.level(), &actions.map(|action| action as f32), &mut out.out())?;
        tick += 1;
        for env in 0..NUM_ENVS {
            let (terminated, truncated) = (out.terminated[env], out.truncated[env]);
            let now = state(&out.observation, env);
            replay.push(ReplayedStep {
                state: states[env],
                action: actions[env],
                reward: out.reward[env],
                next: if terminated || truncated { state(&out.final_observation, env) } else { now },
                discount: if terminated { 0.0 } else { GAMMA },
            });
            states[env] = now;
            returns[env] += out.reward[env];
            if terminated || truncated {
                finished.push(std::mem::take(&mut returns[env]));
            }
        }
        if replay.len() < WARM_UP {
            continue;
        }

        // A gradient step on a minibatch of the replay, sampled uniformly: all priorities stay equal.
        let (mut picks, mut weights) = ([0; MINIBATCH], [0.0; MINIBATCH]);
        replay.draw(&mut Stream::new(sampling, update as u32), 0.0, &mut picks, &mut weights);
        let samples = picks.map(|pick| &replay.samples()[pick as usize]);
        let (s, next) = (samples.map(|sample| sample.state), samples.map(|sample| sample.next));
        let mut values = [0.0; MINIBATCH * ACTIONS];
        target.evaluate(&cpu, &mut workspaces, 0, MINIBATCH, &[next.as_flattened()], &mut [&mut values]);
        // The target is r + γ·max Q_target(s', ·).
        let targets: [f32; MINIBATCH] = std::array::from_fn(|i| {
            samples[i].reward + samples[i].discount * values[i * ACTIONS].max(values[i * ACTIONS + 1])
        });
        let actions = samples.map(|sample| sample.action as f32);
        trainer.differentiate(&cpu, &online, 0, MINIBATCH, &[s.as_flattened(), &actions, &targets]);
        update += 1;
        let adam = AdamStep { learning_rate: LEARNING_RATE, step: update, ..AdamStep::default() };
        trainer.step(&cpu, &mut online, &adam, MAX_GRADIENT_NORM)?;
        if update.is_multiple_of(TARGET_EVERY) {
            target.polyak_update(&cpu, &online, 1.0);
        }
        if update.is_multiple_of(250) {
            let mean = finished.iter().sum::<f32>() / finished.len() as f32;
            println!("{:7} steps, mean return {mean:6.1}", tick * NUM_ENVS as u64);
            finished.clear();
        }
    }
    Ok([online.weights().to_vec(), target.weights().to_vec()])
}

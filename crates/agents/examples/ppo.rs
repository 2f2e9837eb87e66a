//! Proximal policy optimization (PPO) in one file, on CartPole: Schulman et al. 2017, "Proximal Policy Optimization
//! Algorithms", <https://arxiv.org/abs/1707.06347>, with the details of Huang et al. 2022, "The 37 Implementation
//! Details of PPO", <https://iclr-blog-track.github.io/2022/03/25/ppo-implementation-details/>, and the advantages
//! GAE(λ) of Schulman et al. 2015, <https://arxiv.org/abs/1506.02438>.
//!
//! `cargo run --release -p vivarium-agents --example ppo` prints the learning curve. A test requires that
//! `vivarium_agents::ppo::Ppo` computes the same weights bit for bit.

use std::error::Error;
use vivarium_envs::{Autoreset::SameStep, CartPole, StepBuffers, VectorEnv, World};
use vivarium_graph::{Cpu, Graph, Initializer::Orthogonal, Plan, Value, Workspaces};
use vivarium_kernels::{adam::AdamStep, math, reduce, rng, rng::Permutation};
use vivarium_learn::{Loss, Network, Trainer, schedule};

const NUM_ENVS: usize = 64;
const HORIZON: usize = 64;
const BATCH: usize = NUM_ENVS * HORIZON;
const MINIBATCH: usize = 512;
const EPOCHS: usize = 4;
const LEARNING_RATE: f32 = 2.5e-3;
const GAMMA: f32 = 0.99;
const GAE_LAMBDA: f32 = 0.95;
const CLIP: f32 = 0.2;
const VALUE_COEFFICIENT: f32 = 0.5;
const ENTROPY_COEFFICIENT: f32 = 0.01;
const MAX_GRADIENT_NORM: f32 = 0.5;
const STATE: usize = CartPole::OBSERVATION_LEN;

fn main() -> Result<(), Box<dyn Error>> {
    train(100, 1).map(|_| ())
}

/// Adds two hidden layers of 64 tanh units to the graph; `name` is the prefix of their parameters. Returns the output.
fn torso(g: &mut Graph, name: &str, state: Value) -> Value {
    (0..2).fold(state, |x, layer| {
        let y = g.linear_with(&format!("{name}.{layer}"), x, 64, Orthogonal { gain: 2f32.sqrt() });
        g.tanh(y)
    })
}

/// Trains for `iterations` iterations, each a rollout and an update. Returns the weights of the network.
pub fn train(iterations: usize, seed: u64) -> Result<Vec<f32>, Box<dyn Error>> {
    // Actor and critic.
    let mut g = Graph::new();
    let state = g.input("state", &[STATE]);
    let [action, old_log_p, advantage, target] = ["a", "ln π_old", "A", "R"].map(|name| g.input(name, &[1]));
    let [actor, critic] = ["actor", "critic"].map(|name| torso(&mut g, name, state));
    let logits = g.linear_with("policy", actor, 2, Orthogonal { gain: 0.01 });
    let value = g.linear_with("value", critic, 1, Orthogonal { gain: 1.0 });
    let log_pi = g.log_softmax(logits);

    // Loss of a sample: −min(r·A, clip(r, 1 − ε, 1 + ε)·A) + c₁·½(V − R)² − c₂·H(π), with r = π(a|s) / π_old(a|s).
    let log_p = g.gather(log_pi, action);
    let log_ratio = g.sub(log_p, old_log_p);
    let ratio = g.exp(log_ratio);
    let clipped_ratio = g.clamp(ratio, 1.0 - CLIP, 1.0 + CLIP);
    let [free, clipped] = [ratio, clipped_ratio].map(|ratio| g.mul(ratio, advantage));
    let objective = g.min(free, clipped);
    let error = g.sub(value, target);
    let squared_error = g.square(error);
    let value_loss = g.scale(squared_error, 0.5 * VALUE_COEFFICIENT);
    let pi = g.exp(log_pi);
    let terms = g.mul(pi, log_pi);
    let negative_entropy = g.sum(terms);
    let bonus = g.scale(negative_entropy, ENTROPY_COEFFICIENT);
    let loss = g.sub(value_loss, objective);
    let loss = g.add(loss, bonus);

    let (cpu, mut workspaces) =
        (Cpu::new(std::thread::available_parallelism()?.get()), Workspaces::default());
    let [weights, world, sampling, shuffling] = [10, 11, 12, 13].map(|stream| rng::derive(seed, stream));
    let mut network = Network::new(&g, vec![Plan::compile(&g, &[log_pi, value], 256)?], weights)?;
    let plan = Plan::compile(&g.gradient(loss), &[loss], 128)?;
    let mut adam = AdamStep { epsilon: 1e-5, step: 0, ..AdamStep::default() };
    let mut trainer = Trainer::new(&network, vec![Loss { plan, names: &["the loss"] }]);
    let mut env = VectorEnv::<CartPole>::new(cpu.level(), Default::default(), world, 0, NUM_ENVS, SameStep)?;

    // The samples of a rollout, [HORIZON][NUM_ENVS].
    let mut states = vec![0.0; (BATCH + NUM_ENVS) * STATE];
    let [mut values, mut advantages] = [(); 2].map(|()| vec![0.0; BATCH + NUM_ENVS]);
    let [mut actions, mut log_ps, mut rewards, mut continues] = [(); 4].map(|()| vec![0.0; BATCH]);
    let [mut final_values, mut returns] = [(); 2].map(|()| vec![0.0; BATCH]);
    let (mut log_pis, mut uniform) = ([0.0; NUM_ENVS * 2], [0.0; NUM_ENVS]);
    let mut episode_returns = [0.0; NUM_ENVS];
    let mut out = StepBuffers::new::<CartPole>(NUM_ENVS);
    env.observations(cpu.level(), &mut out.observation)?;

    for iteration in 0..iterations {
        // Rollout: a ~ π(·|s) in every environment.
        let mut finished = Vec::new();
        let mut evaluate = |s: &[f32], log_pi: &mut [f32], v: &mut [f32]| {
            network.evaluate(&cpu, &mut workspaces, 0, NUM_ENVS, &[s], &mut [log_pi, v]);
        };
        for t in 0..HORIZON {
            let now = t * NUM_ENVS..(t + 1) * NUM_ENVS;
            states[now.start * STATE..now.end * STATE].copy_from_slice(&out.observation);
            evaluate(&out.observation, &mut log_pis, &mut values[now.clone()]);
            rng::fill_uniform(cpu.level(), sampling, (iteration * HORIZON + t) as u32, 0, &mut uniform);
            let mut probabilities = log_pis;
            math::exp_in_place(cpu.level(), &mut probabilities);
            for (env, i) in now.clone().enumerate() {
                let action = usize::from(probabilities[env * 2] <= uniform[env]);
                (actions[i], log_ps[i]) = (action as f32, log_pis[env * 2 + action]);
            }
            env.step(cpu.level(), &actions[now.clone()], &mut out.out())?;
            rewards[now.clone()].copy_from_slice(&out.reward);
            // A terminal state has the value 0. An episode that the time limit ended has the value of its last state.
            evaluate(&out.final_observation, &mut log_pis, &mut final_values[now.clone()]);
            for (env, i) in now.enumerate() {
                let (terminated, truncated) = (out.terminated[env], out.truncated[env]);
                continues[i] = f32::from(!terminated && !truncated);
                final_values[i] *= f32::from(truncated && !terminated);
                episode_returns[env] += out.reward[env];
                if terminated || truncated {
                    finished.push(std::mem::take(&mut episode_returns[env]));
                }
            }
        }
        evaluate(&out.observation, &mut log_pis, &mut values[BATCH..]);
        let (steps, episodes) = ((iteration + 1) * BATCH, finished.len() as f32);
        println!("{steps:7} steps, mean return {:6.1}", finished.iter().sum::<f32>() / episodes);

        // Advantages: δ_t = r_t + γ·V(s_{t+1}) − V(s_t), A_t = δ_t + γλ·A_{t+1}.
        for i in (0..BATCH).rev() {
            let next_value = continues[i] * values[i + NUM_ENVS] + final_values[i];
            let delta = rewards[i] + GAMMA * next_value - values[i];
            advantages[i] = delta + GAMMA * GAE_LAMBDA * continues[i] * advantages[i + NUM_ENVS];
            returns[i] = advantages[i] + values[i];
        }

        // Update: epochs of minibatches in random order.
        adam.learning_rate = schedule::linear(LEARNING_RATE, 0.0, steps as u64, 400_000);
        for epoch in iteration * EPOCHS..(iteration + 1) * EPOCHS {
            let order = Permutation::new(shuffling, epoch as u32, BATCH);
            let order: Vec<usize> = (0..BATCH as u32).map(|place| order.at(place) as usize).collect();
            for picks in order.chunks(MINIBATCH) {
                let s: Vec<f32> = picks.iter().flat_map(|i| states[i * STATE..][..STATE].to_vec()).collect();
                let [a, old, mut adv, ret] = [&actions, &log_ps, &advantages, &returns]
                    .map(|column| picks.iter().map(|&i| column[i]).collect::<Vec<f32>>());
                let (mean, variance) = reduce::mean_and_variance(cpu.level(), &adv);
                let scale = 1.0 / (variance.sqrt() + 1e-8);
                adv.iter_mut().for_each(|a| *a = (*a - mean) * scale);
                trainer.differentiate(&cpu, &network, 0, MINIBATCH, &[&s, &a, &old, &adv, &ret]);
                adam.step += 1;
                trainer.step(&cpu, &mut network, &adam, MAX_GRADIENT_NORM)?;
            }
        }
    }
    Ok(network.weights().to_vec())
}

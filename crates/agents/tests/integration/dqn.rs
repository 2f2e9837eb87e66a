//! DQN: a run is a function of config, options and seed; every extension has its effect; training succeeds.

use crate::configs::dqn as config;
use crate::learning::climb;
use vivarium_agents::Learner;
use vivarium_agents::LearnerError;
use vivarium_agents::dqn::{ControlProblem, Dqn, DqnConfig, DqnReport, DqnWork};
use vivarium_envs::{CartPole, CartPoleParams, CompiledWorld, Environment, MountainCar, Pendulum};
use vivarium_graph::{Cpu, Tensor, TensorData, TensorError};

type ControlDqn = Dqn<ControlProblem>;

fn environment() -> Environment {
    Environment::of::<CartPole>()
}

fn learner(config: DqnConfig) -> ControlDqn {
    Dqn::new(config, environment(), 11).unwrap()
}

fn run(config: DqnConfig, threads: usize, iterations: usize) -> (Vec<DqnReport>, Vec<Tensor>) {
    let cpu = Cpu::new(threads);
    let mut learner = learner(config);
    let reports = (0..iterations).map(|_| learner.iterate(&cpu).unwrap()).collect();
    (reports, learner.save())
}

fn find<'a>(tensors: &'a [Tensor], name: &str) -> &'a TensorData {
    &tensors.iter().find(|tensor| tensor.name == name).unwrap().values
}

#[test]
fn threads_change_nothing() {
    let one = run(config(), 1, 4);
    for threads in [2, 5] {
        assert!(one == run(config(), threads, 4), "differs on {threads} threads");
    }
}

#[test]
fn seeds_change_everything() {
    let cpu = Cpu::new(1);
    let mut other = ControlDqn::new(config(), environment(), 12).unwrap();
    assert_ne!(other.iterate(&cpu).unwrap(), run(config(), 1, 1).0[0]);
}

#[test]
fn a_restored_run_continues_exactly() {
    let cpu = Cpu::new(1);
    let mut whole = learner(config());
    let mut kinds = Vec::new();
    // Saves before and after the replay buffer is full, within an iteration, and before each kind of work.
    for slices in [0, 7, 30, 40, 1, 1, 500] {
        for _ in 0..slices {
            kinds.push(whole.next_work());
            whole.advance(&cpu).unwrap();
        }
        let mut resumed = ControlDqn::restore(config(), environment(), 11, &whole.save()).unwrap();
        assert!(whole.save() == resumed.save());
        for _ in 0..2 {
            assert_eq!(whole.iterate(&cpu).unwrap(), resumed.iterate(&cpu).unwrap());
        }
        assert!(whole.save() == resumed.save());
    }
    assert!(kinds.contains(&DqnWork::Act) && kinds.contains(&DqnWork::Learn));
    assert!(whole.counters().steps > 1_000, "the replay has not been full");
}

#[test]
fn a_mismatched_state_is_rejected() {
    let cpu = Cpu::new(1);
    let mut whole = learner(config());
    whole.iterate(&cpu).unwrap();
    let refused = |name: &str, change: &dyn Fn(&mut Tensor)| {
        let mut tensors = whole.save();
        change(tensors.iter_mut().find(|tensor| tensor.name == name).unwrap());
        match ControlDqn::restore(config(), environment(), 11, &tensors) {
            Err(LearnerError::State(TensorError { tensor, problem })) => (tensor, problem),
            other => panic!("{name}: {:?}", other.err()),
        }
    };
    let first = |tensor: &mut Tensor, to: f32| match &mut tensor.values {
        TensorData::F32(values) => values[0] = to,
        TensorData::U32(values) => values[0] = to.to_bits(),
        _ => panic!(),
    };
    let nan = |tensor: &mut Tensor| first(tensor, f32::NAN);
    for name in ["weights/hidden.0.weight", "target/value.bias", "replay/transitions", "lanes/states"] {
        assert_eq!(refused(name, &nan).0, name);
    }
    let (tensor, problem) = refused("adam/first_moment/value.bias", &|tensor| tensor.shape = vec![2]);
    assert_eq!(tensor, "adam/first_moment/value.bias");
    assert!(problem.contains("[2]") && problem.contains("[1] is needed"), "{problem}");
    assert_eq!(refused("replay/priorities", &|tensor| first(tensor, 0.0)).0, "replay/priorities");
    assert_eq!(refused("replay/places", &|tensor| first(tensor, 9.0)).0, "replay/places");
    assert_eq!(refused("counters", &|tensor| tensor.name = "other".to_owned()).1, "it is missing");
}

#[test]
fn network_options_remove_parts_of_the_network() {
    let names = |config| {
        let learner = learner(config);
        let specs = learner.network().parameters().specs();
        specs.iter().map(|spec| spec.name.clone()).collect::<Vec<_>>().join(" ")
    };
    let all = names(config());
    assert!(all.contains("hidden.1.norm.weight") && all.contains("advantages.weight"), "{all}");
    assert!(!names(DqnConfig { layer_norm: false, ..config() }).contains("norm"));
    let plain = names(DqnConfig { dueling: false, ..config() });
    assert!(plain.contains("values.weight") && !plain.contains("advantages"), "{plain}");
}

#[test]
fn options_of_the_learner_change_the_weights() {
    let base = run(config(), 1, 3);
    type Change = fn(&mut DqnConfig);
    let changes: [(&str, Change); 8] = [
        ("double", |c| c.double = false),
        ("huber", |c| c.huber = 0.0),
        ("max_gradient_norm", |c| c.max_gradient_norm = 0.01),
        ("importance_exponent", |c| (c.importance_exponent, c.importance_samples) = (0.0, 0)),
        ("watkins_cutoff", |c| c.watkins_cutoff = false),
        ("target_rate", |c| c.target_rate = 0.1),
        ("epsilon", |c| (c.epsilon, c.final_epsilon) = (0.0, 0.0)),
        ("anneal_samples", |c| (c.anneal_samples, c.final_learning_rate) = (1_000, 0.0)),
    ];
    for (name, change) in changes {
        let mut changed = config();
        change(&mut changed);
        // Double and single targets differ once the networks differ.
        assert!(run(changed, 1, 3).0 != base.0, "{name} has no effect");
    }
}

#[test]
fn returns_have_the_configured_number_of_steps() {
    let steps = |n_step, watkins_cutoff| {
        let changed = DqnConfig { n_step, watkins_cutoff, ..config() };
        let (_, tensors) = run(changed, 1, 3);
        let TensorData::U32(words) = find(&tensors, "replay/transitions") else { panic!() };
        let mut counts = [0; 6];
        words.chunks_exact(10).for_each(|row| counts[row[9].to_le_bytes()[0] as usize] += 1);
        counts
    };
    let [_, one, rest @ ..] = steps(1, false);
    assert!(one > 100 && rest == [0; 4]);
    let whole = steps(3, false);
    assert!(whole[3] > 4 * (whole[1] + whole[2]) && whole[4..] == [0, 0], "{whole:?}");
    let cut = steps(3, true);
    // ε is about one half. Half of the random actions are greedy by chance and do not cut the n-step return.
    assert!(2 * (cut[1] + cut[2]) > 3 * (whole[1] + whole[2]), "{cut:?} {whole:?}");
}

#[test]
fn without_priorities_all_transitions_are_alike() {
    let alike = |priority_exponent| {
        let (_, tensors) = run(DqnConfig { priority_exponent, ..config() }, 1, 3);
        let TensorData::F32(priorities) = find(&tensors, "replay/priorities") else { panic!() };
        priorities.iter().all(|&priority| priority == priorities[0])
    };
    assert!(alike(0.0) && !alike(0.5));
}

#[test]
fn the_target_network_is_updated_as_configured() {
    let cpu = Cpu::new(1);
    let distances = |target_every, target_rate| {
        let mut learner = learner(DqnConfig { target_every, target_rate, ..config() });
        let distance = |learner: &ControlDqn| {
            let both = learner
                .network()
                .parameters()
                .flat()
                .iter()
                .zip(learner.target_network().parameters().flat());
            both.map(|(a, b)| (a - b).abs()).sum::<f32>()
        };
        let mut found = Vec::new();
        while found.len() < 14 {
            let work = learner.next_work();
            learner.advance(&cpu).unwrap();
            if work == DqnWork::Learn {
                found.push(distance(&learner));
            }
        }
        found
    };
    let copied = distances(7, 0.0);
    let equal: Vec<usize> = (0..14).filter(|&step| copied[step] == 0.0).collect();
    assert_eq!(equal, [6, 13]);
    let followed = distances(7, 0.5);
    assert!(
        followed.iter().all(|&distance| distance > 0.0) && followed[13] < copied[12],
        "{followed:?} {copied:?}"
    );
    // An unused target network is never updated.
    let none = distances(0, 0.0);
    assert!(none.windows(2).all(|pair| pair[0] < pair[1]), "{none:?}");
}

#[test]
fn a_problem_without_a_solver_gives_no_demonstrations() {
    let refused = ControlDqn::new(DqnConfig { demonstrations: 1, ..config() }, environment(), 1);
    let error = refused.err().unwrap().to_string();
    assert!(error.contains("demonstrations") && error.contains("cartpole has no solver"), "{error}");
}

#[test]
fn environments_with_continuous_actions_are_refused() {
    let error = ControlDqn::new(config(), Environment::of::<Pendulum>(), 1).err().unwrap();
    assert!(error.to_string().contains("the actions of pendulum are continuous"), "{error}");
}

#[test]
fn a_learner_keeps_its_kind_of_environment() {
    let mut learner = learner(config());
    let heavy =
        Environment::with_params::<CartPole>(&CartPoleParams { pole_mass: 0.5, ..Default::default() });
    learner.set_environment(heavy.clone()).unwrap();
    assert!(learner.set_environment(Environment::of::<MountainCar>()).is_err());
    assert_eq!(learner.params(), &heavy);
}

#[test]
fn only_live_config_fields_change_during_a_run() {
    let cpu = Cpu::new(1);
    let mut learner = learner(config());
    learner.iterate(&cpu).unwrap();
    learner.set_config(DqnConfig { epsilon: 0.0, final_epsilon: 0.0, ..config() }).unwrap();
    assert_eq!(learner.iterate(&cpu).unwrap().epsilon, 0.0);
    let error = learner.set_config(DqnConfig { num_envs: 11, ..config() }).unwrap_err().to_string();
    assert!(error.contains("num_envs") && error.contains("10"), "{error}");
}

/// Trains DQN until the mean return of 100 fresh greedy episodes reaches `target`; fails after `budget` environment
/// steps.
fn reaches<W: CompiledWorld>(seed: u64, target: f64, budget: u64) {
    let cpu = Cpu::new(2);
    let config = DqnConfig::default();
    let mut learner = ControlDqn::new(config, Environment::of::<W>(), seed).unwrap();
    climb(&format!("{} with seed {seed}", W::NAME), target, budget, || {
        let report = learner.iterate(&cpu).unwrap();
        let episodes = learner.evaluate(&cpu, 100, report.counters.iterations).unwrap();
        (report.counters.steps, episodes)
    });
}

/// Trains until a mean return of 475, the threshold at which CartPole counts as solved. A random policy has a mean
/// return of about 20.
#[test]
fn cartpole_is_solved() {
    reaches::<CartPole>(1, 475.0, 150_000);
}

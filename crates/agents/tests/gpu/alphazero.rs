//! Compares AlphaZero on the GPU with AlphaZero on the CPU; results agree within rounding.

use crate::common::{finish, gpu, open};
use crate::configs;
use crate::tensors::{assert_close, numbers};
use vivarium_agents::Learner;
use vivarium_agents::LearnerError;
use vivarium_agents::alphazero::gpu_evaluator::{GpuBatch, GpuStateEvaluator, Outputs};
use vivarium_agents::alphazero::gpu_trainer::AlphaZeroGpuTrainer;
use vivarium_agents::alphazero::{
    AlphaZero, AlphaZeroConfig, AlphaZeroNetwork, AlphaZeroWork, ForwardPass, NetworkSize, Report,
    SelfPlayGame,
};
use vivarium_envs::backgammon::State;
use vivarium_envs::connect_four::ConnectFour;
use vivarium_graph::{Cpu, TensorData};
use vivarium_kernels::gemm::SparseRows;
use vivarium_kernels::rng::Stream;
use vivarium_mcts::{GameStatus, Leaves};

fn config() -> AlphaZeroConfig {
    AlphaZeroConfig { generation: 256, ..configs::alphazero() }
}

/// Returns search leaves from random games: states, some at chance nodes, and their legal actions.
fn leaves<G: SelfPlayGame>(count: usize) -> Leaves<G> {
    let (mut random, mut scratch) = (Stream::new(7, 0), G::Scratch::default());
    let (mut leaves, mut state) = (Leaves::new(count), G::START);
    while leaves.len() < count {
        let mut branches = Vec::new();
        match state.status() {
            GameStatus::Over(_) => {
                state = G::START;
                continue;
            }
            GameStatus::Decision => {
                state.branches(&mut scratch, |branch, _| branches.push(branch));
                leaves.push(state, branches.iter().copied());
            }
            GameStatus::Chance => {
                state.branches(&mut scratch, |branch, _| branches.push(branch));
                leaves.push(state, []);
            }
        }
        state = state.after(branches[random.below(branches.len() as u32) as usize]);
    }
    leaves
}

/// Compares the network's logits and values of `count` search leaves on GPU and CPU. The GPU takes `pieces`
/// submissions.
fn compare<G: SelfPlayGame>(count: usize, pieces: usize) {
    let network = AlphaZeroNetwork::<G>::new(NetworkSize { width: 16, blocks: 1 }, 3).unwrap();
    let leaves = leaves::<G>(count);
    let (mut logits, mut values) = (vec![0.0; leaves.actions().len()], vec![0.0; count]);
    ForwardPass::new(&network, 64).evaluate(&network, &leaves, &mut logits, &mut values);
    let mut rows = SparseRows::with_capacity(1, G::INPUTS);
    leaves.states().iter().for_each(|state| rows.add(G::INPUTS, |row| state.write_inputs(row)));
    let mut batch = GpuBatch::default();
    batch.add(&rows, leaves.actions(), leaves.ends());
    let mut evaluator = GpuStateEvaluator::new(gpu(), &network).unwrap();
    for outputs in [Outputs::LogitsAndHeads, Outputs::Heads] {
        let (mut found_heads, mut found_logits) = (Vec::new(), Vec::new());
        let (mut first, mut taken) = (0, 0);
        while first < count {
            let under_way = evaluator.submit(&batch, outputs, first).unwrap();
            assert!(evaluator.take(&under_way, &mut found_heads, &mut found_logits).unwrap());
            (first, taken) = (under_way.rows.end, taken + 1);
        }
        assert_eq!(taken, pieces);
        G::remove_impossible_outcomes_of(leaves.states(), &mut found_heads);
        let equities = found_heads.chunks_exact(G::HEADS).map(G::equity).map(f64::from);
        let wide = |numbers: &[f32]| numbers.iter().copied().map(f64::from).collect::<Vec<_>>();
        assert_close(&equities.collect::<Vec<_>>(), &wide(&values));
        match outputs {
            Outputs::LogitsAndHeads => assert_close(&wide(&found_logits), &wide(&logits)),
            Outputs::Heads => assert!(found_logits.is_empty()),
        }
    }
}

#[test]
fn leaves_are_evaluated_as_on_the_cpu() {
    for count in [1, 64, 65, 300] {
        compare::<State>(count, 1);
    }
    compare::<ConnectFour>(100, 1);
    // The number of states exceeds the largest program size.
    compare::<ConnectFour>(20_000, 2);
}

/// Runs an iteration (a generation of self-play games) on the GPU. Returns the report and the kinds of work done.
fn iterate<G: SelfPlayGame>(
    trainer: &mut AlphaZeroGpuTrainer<G>,
    learner: &mut AlphaZero<G>,
) -> (Report, Vec<AlphaZeroWork>) {
    let cpu = Cpu::new(2);
    finish(|| trainer.advance(&cpu, learner))
}

/// Checks that several iterations (generations of self-play games) give the same results on GPU and CPU.
fn agree<G: SelfPlayGame>(config: &AlphaZeroConfig, generations: usize) {
    let cpu = Cpu::new(1);
    let [mut there, mut here] = [0, 1].map(|_| AlphaZero::<G>::new(config.clone(), 5).unwrap());
    // Both learners make a part of an iteration on the CPU, before one of them moves to the GPU.
    for learner in [&mut there, &mut here] {
        for _ in 0..50 {
            learner.advance(&cpu).unwrap();
        }
    }
    let mut trainer = AlphaZeroGpuTrainer::new(gpu(), &there).unwrap();
    let mut all = Vec::new();
    for _ in 0..generations {
        let (found, kinds) = iterate(&mut trainer, &mut there);
        let expected = here.iterate(&cpu).unwrap();
        all.extend(kinds);
        assert_eq!(found.counters, expected.counters, "{}", G::NAME);
        assert_eq!(found.score, expected.score);
        assert_eq!(there.newest_updates(), here.newest_updates());
        assert_close(&[found.policy_loss, found.value_loss], &[expected.policy_loss, expected.value_loss]);
        assert_close(&numbers(there.save()), &numbers(here.save()));
    }
    assert!(
        here.counters().updates > 0
            && all.contains(&AlphaZeroWork::SelfPlay)
            && all.contains(&AlphaZeroWork::Match)
    );
    drop(trainer);
    let [there, here] = [there, here].map(|mut learner| learner.iterate(&cpu).unwrap());
    assert_eq!(there.counters, here.counters);
}

#[test]
fn backgammon_is_learned_as_on_the_cpu() {
    agree::<State>(&config(), 4);
}

#[test]
fn connect_four_is_learned_as_on_the_cpu() {
    agree::<ConnectFour>(&config(), 4);
}

#[test]
fn single_worker_with_all_moves_searched() {
    let config = AlphaZeroConfig {
        workers: 1,
        search_share: 1.0,
        trace: 1.0,
        final_trace: 1.0,
        match_every: 1,
        match_pairs: 1,
        ..config()
    };
    agree::<ConnectFour>(&config, 1);
}

#[test]
fn leaving_the_device_within_a_round_continues_it() {
    let cpu = Cpu::new(2);
    // Numbers of calls of `advance` after which leaves, afterstates and gradient steps are in flight.
    for turns in [1, 2, 3, 10, 33, 100, 333] {
        let mut learner = AlphaZero::<ConnectFour>::new(config(), 5).unwrap();
        learner.iterate(&cpu).unwrap();
        let mut trainer = AlphaZeroGpuTrainer::new(gpu(), &learner).unwrap();
        let mut known = (learner.newest_updates(), learner.newest().weights().to_vec());
        for _ in 0..turns {
            trainer.advance(&cpu, &mut learner).unwrap();
            // The number of gradient steps identifies the network.
            let now = (learner.newest_updates(), learner.newest().weights().to_vec());
            assert!(now == known || now.0 > known.0);
            known = now;
        }
        drop(trainer);
        // Training moves back to the device, which continues the iteration.
        let mut trainer = AlphaZeroGpuTrainer::new(gpu(), &learner).unwrap();
        trainer.advance(&cpu, &mut learner).unwrap();
        drop(trainer);
        let counters = learner.iterate(&cpu).unwrap().counters;
        assert!(counters.learned <= counters.samples && counters.learned == 64 * counters.updates);
        assert_eq!(counters.begun, counters.games + 12);
    }
}

#[test]
fn no_device_allocations_after_warm_up() {
    let gpu = open();
    let mut learner = AlphaZero::<ConnectFour>::new(config(), 5).unwrap();
    let mut trainer = AlphaZeroGpuTrainer::new(&gpu, &learner).unwrap();
    iterate(&mut trainer, &mut learner);
    let made = (gpu.memory(), gpu.kernels_compiled());
    for _ in 0..3 {
        iterate(&mut trainer, &mut learner);
    }
    assert_eq!((gpu.memory(), gpu.kernels_compiled()), made);
    assert!(trainer.cost().dispatches > 0 && trainer.cost_of_batch().iter().all(|&cost| cost > 0.0));
}

#[test]
fn a_batch_allocates_only_if_its_size_is_new() {
    let gpu = open();
    let network = AlphaZeroNetwork::<State>::new(NetworkSize { width: 16, blocks: 1 }, 3).unwrap();
    let mut evaluator = GpuStateEvaluator::new(&gpu, &network).unwrap();
    let mut evaluate = |count: usize, outputs: Outputs| {
        let (leaves, made) = (leaves::<State>(count), gpu.memory().buffers_created);
        let mut rows = SparseRows::with_capacity(1, State::INPUTS);
        leaves.states().iter().for_each(|state| rows.add(State::INPUTS, |row| state.write_inputs(row)));
        let mut batch = GpuBatch::default();
        batch.add(&rows, leaves.actions(), leaves.ends());
        let pending = evaluator.submit(&batch, outputs, 0).unwrap();
        assert!(evaluator.take(&pending, &mut Vec::new(), &mut Vec::new()).unwrap());
        (pending.rows.len() == count).then(|| gpu.memory().buffers_created - made)
    };
    for outputs in [Outputs::LogitsAndHeads, Outputs::Heads] {
        let first = [64, 256, 1024].map(|count| evaluate(count, outputs).unwrap());
        assert!(first.iter().all(|&buffers| buffers > 0 && buffers == first[0]), "{first:?}");
        for count in [1, 65, 300, 17, 200, 1000] {
            assert_eq!(evaluate(count, outputs), Some(0), "{count} states");
        }
    }
}

/// Returns the bytes copied per gradient step, and the bytes of a dense minibatch.
fn bytes_of_a_step<G: SelfPlayGame>() -> [u64; 2] {
    let mut learner = AlphaZero::<G>::new(config(), 5).unwrap();
    let mut trainer = AlphaZeroGpuTrainer::new(gpu(), &learner).unwrap();
    // The first iterations may have too few samples for a gradient step.
    while learner.counters().updates == 0 {
        iterate(&mut trainer, &mut learner);
    }
    let whole = (G::INPUTS + 2 * G::ACTIONS + G::HEADS) as u64;
    let bytes = [trainer.cost().bytes_copied, 4 * u64::from(config().minibatch) * whole];
    println!("{}: {bytes:?}", G::NAME);
    bytes
}

#[test]
fn minibatches_are_uploaded_as_sparse_rows() {
    let [sent, whole] = bytes_of_a_step::<State>();
    assert!(0 < sent && sent < whole / 6, "{sent} bytes of {whole}");
    let [sent, whole] = bytes_of_a_step::<ConnectFour>();
    assert!(0 < sent && sent < whole, "{sent} bytes of {whole}");
}

#[test]
fn non_finite_losses_end_training() {
    let cpu = Cpu::new(1);
    let mut learner = AlphaZero::<ConnectFour>::new(config(), 3).unwrap();
    let mut tensors = learner.save();
    for tensor in &mut tensors {
        if let TensorData::F32(values) = &mut tensor.values
            && tensor.name.starts_with("weights/")
        {
            values.fill(f32::MAX);
        }
    }
    learner = AlphaZero::restore(config(), 3, &tensors).unwrap();
    let mut trainer = AlphaZeroGpuTrainer::new(gpu(), &learner).unwrap();
    let error = loop {
        if let Err(error) = trainer.advance(&cpu, &mut learner) {
            break error;
        }
    };
    assert!(matches!(error, LearnerError::NotFinite(_)), "{error}");
}

//! Device memory: a run allocates no memory after its first iterations, and frees all memory except compiled kernels.

use crate::field::assert_names_a_field;
use crate::learners::{LEARNERS, Learner};
use crate::open::open;
use crate::rows::rows;
use vivarium_lab::Engine;
use vivarium_lab::protocol::EngineInfo;

/// Moves a run between GPU and CPU three times. Checks that training on the GPU for `count` metric rows allocates no
/// device memory, and that the move to the CPU frees all buffers.
fn check(learner: &Learner, count: usize) {
    let (name, gpu) = (learner.experiment, open());
    let mut experiment = learner.make();
    let (mut bytes, mut kernels) = (Vec::new(), Vec::new());
    for stay in 1..=3 {
        let made = gpu.memory().buffers_created;
        experiment.set_engine(Engine::Gpu(gpu.clone())).unwrap();
        rows(&mut *experiment, learner.warm);
        let held = (gpu.memory(), gpu.kernels_compiled());
        rows(&mut *experiment, count);
        assert_eq!((gpu.memory(), gpu.kernels_compiled()), held, "{name}, stay {stay}");
        assert!(held.0.buffers_created > made, "{name}, stay {stay}: no GPU buffers were created");
        assert_ne!(experiment.engine(), EngineInfo::Cpu, "{name}, stay {stay}");
        bytes.push(held.0.bytes);
        kernels.push(held.1);
        experiment.set_engine(Engine::Cpu).unwrap();
        assert_eq!(gpu.memory().bytes, 0, "{name}, stay {stay}: after it has moved back");
        rows(&mut *experiment, 1);
    }
    let mut other = learner.make_on(&gpu);
    rows(&mut *other, learner.warm);
    bytes.push(gpu.memory().bytes);
    kernels.push(gpu.kernels_compiled());
    drop(other);
    assert_eq!(gpu.memory().bytes, 0, "{name}: after the experiment was closed");
    assert!(bytes.iter().all(|&each| each == bytes[0]), "{name}: {bytes:?}");
    assert!(kernels.iter().all(|&each| each == kernels[0]), "{name}: {kernels:?}");
}

#[test]
fn device_memory_of_a_run_is_constant_and_released() {
    LEARNERS.iter().for_each(|learner| check(learner, 30));
}

#[test]
#[ignore = "takes minutes on a software adapter"]
fn device_memory_is_constant_over_ten_thousand_gradient_steps() {
    for learner in &LEARNERS {
        let (name, gpu) = (learner.experiment, open());
        let mut experiment = learner.make_on(&gpu);
        rows(&mut *experiment, learner.warm);
        let (held, before) = ((gpu.memory(), gpu.kernels_compiled()), experiment.progress().updates);
        while experiment.progress().updates < before + 10_000 {
            rows(&mut *experiment, 1);
        }
        assert_eq!((gpu.memory(), gpu.kernels_compiled()), held, "{name}");
        println!("{name}: {} gradient steps, {:?}", experiment.progress().updates - before, gpu.memory());
        experiment.set_engine(Engine::Cpu).unwrap();
        assert_eq!(gpu.memory().bytes, 0, "{name}");
    }
}

#[test]
fn a_learner_that_does_not_fit_frees_the_gpu_and_keeps_its_engine() {
    for learner in &LEARNERS {
        let (name, gpu) = (learner.experiment, open());
        gpu.limit_memory(8192);
        let mut experiment = learner.make();
        // A language model has to train its tokenizer before its network exists.
        let cpu = vivarium_graph::Cpu::new(1);
        while experiment.progress().updates == 0 {
            experiment.advance(&cpu).unwrap();
        }
        let error = experiment.set_engine(Engine::Gpu(gpu.clone())).unwrap_err();
        assert_names_a_field(&error, &experiment.config());
        let error = error.to_string();
        assert!(error.contains("out of memory") && error.contains("limit 8192"), "{name}: {error}");
        assert_eq!((gpu.memory().bytes, experiment.engine()), (0, EngineInfo::Cpu), "{name}");
        gpu.check().unwrap();
        gpu.limit_memory(u64::MAX);
        experiment.set_engine(Engine::Gpu(gpu)).unwrap();
        rows(&mut *experiment, 1);
    }
}

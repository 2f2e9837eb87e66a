//! GPU training matches CPU training.

#[path = "../../../gpu/tests/shared/open.rs"]
mod open;
#[path = "../shared/sums.rs"]
mod sums;

use open::open;
use sums::sums as sequences;
use vivarium_graph::{Cpu, TensorData};
use vivarium_learn::NotFinite;
use vivarium_lm::gpu_trainer::LanguageGpuTrainer;
use vivarium_lm::{Advance, LanguageConfig, LanguageError, LanguageNorm, LanguageTrainer, StepMetrics};

fn small() -> LanguageConfig {
    LanguageConfig { context: 40, width: 24, batch: 5, ..sums::small() }
}

fn finished(advance: Advance<(), StepMetrics>) -> StepMetrics {
    match advance {
        Advance::Finished(learned) => learned,
        _ => panic!("native calls block"),
    }
}

#[test]
fn a_gradient_step_in_several_submissions_is_equal_and_can_be_dropped_between_them() {
    let (gpu, cpu, config) = (open(), Cpu::new(1), small());
    let trainer = LanguageTrainer::new(config.clone(), 7, 1).unwrap();
    let mut whole = LanguageGpuTrainer::in_parts(&gpu, &trainer, 1).unwrap();
    let mut parts = LanguageGpuTrainer::in_parts(&gpu, &trainer, 5).unwrap();
    for step in 0..3 {
        let sequences = sequences(&config, step);
        whole.submit(&sequences).unwrap();
        parts.submit(&sequences).unwrap();
        assert!(parts.is_begun() && !parts.can_submit() && parts.submitted() == parts.updates());
        assert_eq!(parts.advance().unwrap(), Advance::Waiting, "a part is not a step");
        let learned = loop {
            if let Advance::Finished(learned) = parts.advance().unwrap() {
                break learned;
            }
        };
        assert_eq!(learned, finished(whole.advance().unwrap()));
    }
    let [mut a, mut b] = [0, 1].map(|_| LanguageTrainer::new(config.clone(), 7, 1).unwrap());
    for (resident, trainer) in [(&mut whole, &mut a), (&mut parts, &mut b)] {
        resident.request_readback().unwrap();
        assert!(resident.take_readback(&cpu, trainer).unwrap());
    }
    assert_eq!(apart(&a, &b), 0.0);
}

/// Returns the maximum absolute difference between corresponding weights of two trainers.
fn apart(a: &LanguageTrainer, b: &LanguageTrainer) -> f32 {
    let [a, b] = [a, b].map(|trainer| trainer.model().parameters().flat());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

#[test]
fn the_first_steps_match_the_cpu() {
    let (gpu, cpu) = (open(), Cpu::new(2));
    for (tied, norm, max_gradient_norm) in [(true, LanguageNorm::Layer, 0.5), (false, LanguageNorm::Rms, 0.0)]
    {
        let config = LanguageConfig { tied, bias: tied, norm, max_gradient_norm, ..small() };
        let mut trainer = LanguageTrainer::new(config.clone(), 7, 3).unwrap();
        let mut same = LanguageTrainer::new(config.clone(), 7, 4).unwrap();
        // Training has started on the CPU.
        trainer.step(&cpu, &sequences(&config, 99)).unwrap();
        let mut on_gpu = LanguageGpuTrainer::new(&gpu, &trainer).unwrap();
        let mut curves = [Vec::new(), Vec::new()];
        for step in 0..20 {
            let sequences = sequences(&config, step);
            on_gpu.submit(&sequences).unwrap();
            curves[0].push(finished(on_gpu.advance().unwrap()));
            curves[1].push(trainer.step(&cpu, &sequences).unwrap());
            if step == 0 {
                on_gpu.request_readback().unwrap();
                assert!(on_gpu.take_readback(&cpu, &mut same).unwrap());
                assert_eq!(same.updates(), 2);
                let apart = apart(&same, &trainer);
                assert!(apart < 2e-5, "tied {tied}: weights are {apart} apart after a step");
            }
        }
        for (step, (found, expected)) in curves[0].iter().zip(&curves[1]).enumerate() {
            let apart = (found.loss - expected.loss).abs();
            // Rounding differences grow with every step.
            let allowed = if step < 3 { 1e-4 } else { 2e-2 };
            assert!(apart < allowed * expected.loss, "tied {tied}, step {step}: {found:?} and {expected:?}");
            assert_eq!(found.learning_rate, expected.learning_rate);
            let apart = (found.gradient_norm - expected.gradient_norm).abs();
            assert!(step > 2 || apart < 1e-3 * expected.gradient_norm, "{found:?} and {expected:?}");
        }
        let [first, last] = [0, 19].map(|step: usize| curves[0][step].loss);
        assert!(last < 0.8 * first, "the loss falls: {first} to {last}");
        assert_eq!((on_gpu.updates(), trainer.updates()), (21, 21));
    }
}

#[test]
fn steps_can_be_in_flight_during_a_readback() {
    let (gpu, cpu, config) = (open(), Cpu::new(1), small());
    let mut trainer = LanguageTrainer::new(config.clone(), 7, 3).unwrap();
    let mut on_gpu = LanguageGpuTrainer::new(&gpu, &trainer).unwrap();
    assert_eq!(on_gpu.advance(), Ok(Advance::Waiting));
    assert_eq!(on_gpu.take_readback(&cpu, &mut trainer), Ok(false));
    for step in 0..2 {
        on_gpu.submit(&sequences(&config, step)).unwrap();
    }
    on_gpu.request_readback().unwrap();
    assert!(!on_gpu.can_submit());
    on_gpu.submit(&sequences(&config, 2)).unwrap();
    assert_eq!((on_gpu.submitted(), on_gpu.updates()), (2, 0), "submissions above the limit are ignored");
    finished(on_gpu.advance().unwrap());
    on_gpu.submit(&sequences(&config, 2)).unwrap();
    assert!(on_gpu.take_readback(&cpu, &mut trainer).unwrap());
    assert_eq!(trainer.updates(), 2, "the third step was submitted after the readback");
    // The GPU trainer and the CPU trainer compute the same third step.
    let found = [0, 1].map(|_| finished(on_gpu.advance().unwrap()));
    let expected = trainer.step(&cpu, &sequences(&config, 2)).unwrap();
    assert!((found[1].loss - expected.loss).abs() < 1e-4, "{found:?} and {expected:?}");
}

#[test]
fn training_creates_no_gpu_resources() {
    let (gpu, config) = (open(), small());
    let trainer = LanguageTrainer::new(config.clone(), 7, 3).unwrap();
    let mut on_gpu = LanguageGpuTrainer::new(&gpu, &trainer).unwrap();
    let mut memory = None;
    for step in 0..6 {
        on_gpu.submit(&sequences(&config, step)).unwrap();
        finished(on_gpu.advance().unwrap());
        let now = (gpu.memory(), gpu.kernels_compiled());
        assert_eq!(*memory.get_or_insert(now), now, "step {step}");
    }
    assert!(on_gpu.bytes() > 0 && on_gpu.cost().dispatches > 0);
}

#[test]
fn invalid_arguments_are_rejected_without_effect() {
    let (gpu, cpu, config) = (open(), Cpu::new(1), small());
    let mut trainer = LanguageTrainer::new(config.clone(), 7, 3).unwrap();
    let mut on_gpu = LanguageGpuTrainer::new(&gpu, &trainer).unwrap();
    let mut wrong = sequences(&config, 0);
    let fewer = &wrong[..41 * 4];
    assert_eq!(on_gpu.submit(fewer), Err(LanguageError::Rows { rows: 4, batch: 5 }));
    wrong[5] = 7;
    assert_eq!(on_gpu.submit(&wrong), Err(LanguageError::Token { place: 5, token: 7, vocabulary: 7 }));
    let deeper = LanguageConfig { layers: 3, ..config.clone() };
    assert!(matches!(on_gpu.set_config(deeper), Err(LanguageError::Config(_))));
    on_gpu.submit(&sequences(&config, 0)).unwrap();
    let found = finished(on_gpu.advance().unwrap());
    let expected = trainer.step(&cpu, &sequences(&config, 0)).unwrap();
    assert!((found.loss - expected.loss).abs() < 1e-4, "{found:?} and {expected:?}");
}

#[test]
fn divergence_and_device_loss_are_reported_by_every_call() {
    let (gpu, config) = (open(), small());
    let mut tensors = LanguageTrainer::new(config.clone(), 7, 3).unwrap().save();
    for tensor in tensors.iter_mut().filter(|tensor| tensor.name == "ln_f.weight") {
        tensor.values = TensorData::F32(vec![3e38; config.width as usize]);
    }
    let trainer = LanguageTrainer::restore(config.clone(), 7, &tensors).unwrap();
    let mut on_gpu = LanguageGpuTrainer::new(&gpu, &trainer).unwrap();
    on_gpu.submit(&sequences(&config, 0)).unwrap();
    for _ in 0..2 {
        let error = on_gpu.advance().unwrap_err();
        assert!(matches!(error, LanguageError::NotFinite(NotFinite { updates: 0, .. })), "{error}");
    }
    let trainer = LanguageTrainer::new(config.clone(), 7, 3).unwrap();
    let mut on_gpu = LanguageGpuTrainer::new(&gpu, &trainer).unwrap();
    gpu.destroy();
    assert!(matches!(on_gpu.submit(&sequences(&config, 0)), Err(LanguageError::Gpu(_))));
    assert!(matches!(on_gpu.request_readback(), Err(LanguageError::Gpu(_))));
}

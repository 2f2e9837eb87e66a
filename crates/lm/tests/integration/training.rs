//! CPU training: convergence, determinism, gradient accumulation, optimizers, saved state.

use crate::sums::{small, sums};
use vivarium_graph::Cpu;
use vivarium_lm::{LanguageConfig, LanguageError, LanguageOptimizer, LanguageTrainer};

#[test]
fn a_model_learns_a_task_that_needs_attention() {
    for (tied, optimizer) in
        [(false, LanguageOptimizer::AdamW), (true, LanguageOptimizer::AdamW), (true, LanguageOptimizer::Muon)]
    {
        let config = LanguageConfig { tied, bias: tied, optimizer, ..small() };
        let cpu = Cpu::new(1);
        let mut trainer = LanguageTrainer::new(config.clone(), 7, 3).unwrap();
        let unseen = sums(&config, 1_000);
        let before = trainer.model_mut().loss(&cpu, &unseen).unwrap();
        assert!((before - 7f64.ln()).abs() < 0.05, "initial loss {before}");
        for step in 0..120 {
            trainer.step(&cpu, &sums(&config, step)).unwrap();
        }
        let after = trainer.model_mut().loss(&cpu, &unseen).unwrap();
        // The first target of a sequence is not predictable.
        let least = 7f64.ln() / f64::from(config.context);
        assert!(
            after < least + 0.15,
            "tied {tied}, {optimizer:?}: {before} became {after}, no less than {least}"
        );
    }
}

#[test]
fn a_step_reports_the_loss_before_the_update() {
    let (config, cpu) = (small(), Cpu::new(2));
    let mut trainer = LanguageTrainer::new(config.clone(), 7, 3).unwrap();
    for step in 0..3 {
        let sequences = sums(&config, step);
        let before = trainer.model_mut().loss(&cpu, &sequences).unwrap();
        let learned = trainer.step(&cpu, &sequences).unwrap();
        assert!((learned.loss - before).abs() < 1e-5, "{} instead of {before}", learned.loss);
        assert_eq!(learned.learning_rate, config.learning_rate_at(step.into()));
    }
    assert_eq!(trainer.updates(), 3);
}

#[test]
fn an_incremental_step_equals_a_step_in_one_call() {
    for (threads, batch) in [(1, 6), (2, 6), (3, 50), (3, 1)] {
        let (config, cpu) = (LanguageConfig { batch, ..small() }, Cpu::new(threads));
        let [mut whole, mut sliced] = [(); 2].map(|()| LanguageTrainer::new(config.clone(), 7, 3).unwrap());
        for step in 0..3 {
            let sequences = sums(&config, step);
            let learned = whole.step(&cpu, &sequences).unwrap();
            // A discarded step has no effect.
            sliced.begin_step(&sums(&config, step + 100)).unwrap();
            assert_eq!(sliced.advance(&cpu), Ok(None));
            sliced.begin_step(&sequences).unwrap();
            let mut slices = 0;
            let found = loop {
                slices += 1;
                assert!(sliced.is_step_in_progress());
                if let Some(found) = sliced.advance(&cpu).unwrap() {
                    break found;
                }
            };
            assert_eq!(found, learned);
            assert!(slices >= 2 && !sliced.is_step_in_progress(), "{slices} slices");
        }
        assert_eq!(whole.save(), sliced.save());
        assert_eq!(sliced.advance(&cpu), Ok(None), "no step is in progress");
    }
}

#[test]
fn the_number_of_threads_makes_no_difference() {
    for optimizer in [LanguageOptimizer::AdamW, LanguageOptimizer::Muon] {
        let config = LanguageConfig { optimizer, ..small() };
        let [one, three] = [1, 3].map(|threads| {
            let cpu = Cpu::new(threads);
            let mut trainer = LanguageTrainer::new(config.clone(), 7, 3).unwrap();
            let learned: Vec<_> =
                (0..4).map(|step| trainer.step(&cpu, &sums(&config, step)).unwrap()).collect();
            (learned, trainer.model().parameters().flat().to_vec())
        });
        assert_eq!(one, three);
    }
}

#[test]
fn muon_updates_the_matrices_of_the_blocks_and_adamw_the_rest() {
    let cpu = Cpu::new(1);
    let [adamw, muon] = [LanguageOptimizer::AdamW, LanguageOptimizer::Muon].map(|optimizer| {
        let config = LanguageConfig { optimizer, ..small() };
        let mut trainer = LanguageTrainer::new(config.clone(), 7, 3).unwrap();
        trainer.step(&cpu, &sums(&config, 0)).unwrap();
        trainer.model().parameters().clone()
    });
    for spec in adamw.specs() {
        let is_matrix = spec.name.starts_with("h.") && spec.dims.len() == 2;
        assert_eq!(adamw.get(&spec.name) != muon.get(&spec.name), is_matrix, "{}", spec.name);
    }
}

#[test]
fn weight_decay_applies_to_matrices_only() {
    // At a tiny learning rate and a weight decay of 1, the gradient is negligible.
    let config =
        LanguageConfig { learning_rate: 1e-4, warm_up: 0, anneal_updates: 0, weight_decay: 1.0, ..small() };
    let cpu = Cpu::new(1);
    let [plain, decayed] = [0.0, 1.0].map(|weight_decay| {
        let config = LanguageConfig { weight_decay, ..config.clone() };
        let mut trainer = LanguageTrainer::new(config.clone(), 7, 3).unwrap();
        let before = trainer.model().parameters().clone();
        trainer.step(&cpu, &sums(&config, 0)).unwrap();
        (before, trainer.model().parameters().clone())
    });
    let get = |of: &vivarium_graph::Parameters, name: &str| of.get(name).unwrap().to_vec();
    for name in ["wte.weight", "wpe.weight", "h.0.attn.c_attn.weight", "h.1.mlp.c_proj.weight"] {
        let (before, plain, decayed) = (get(&plain.0, name), get(&plain.1, name), get(&decayed.1, name));
        for ((before, plain), decayed) in before.iter().zip(plain).zip(decayed) {
            assert!((decayed - (plain - 1e-4 * before)).abs() < 1e-7, "{name}: {decayed}, {plain}, {before}");
        }
    }
    for name in ["h.0.attn.c_attn.bias", "h.1.ln_2.weight", "ln_f.bias"] {
        assert_eq!(get(&plain.1, name), get(&decayed.1, name), "{name}");
    }
}

#[test]
fn invalid_arguments_are_rejected_without_effect() {
    let (config, cpu) = (small(), Cpu::new(1));
    assert!(
        LanguageTrainer::new(config.clone(), 0, 3)
            .is_err_and(|error| { error.to_string() == "vocabulary size 0; allowed: 1 to 1048576" })
    );
    let wrong = LanguageConfig { heads: 3, ..config.clone() };
    assert!(matches!(LanguageTrainer::new(wrong, 7, 3), Err(LanguageError::Config(_))));
    let mut trainer = LanguageTrainer::new(config.clone(), 7, 3).unwrap();
    let before = trainer.model().parameters().flat().to_vec();
    let mut sequences = sums(&config, 0);
    sequences[5] = 7;
    let error = trainer.step(&cpu, &sequences).unwrap_err();
    assert_eq!(error, LanguageError::Token { place: 5, token: 7, vocabulary: 7 });
    assert!(trainer.step(&cpu, &sequences[1..]).is_err());
    assert!(trainer.set_config(LanguageConfig { width: 32, ..config.clone() }).is_err());
    trainer.set_config(LanguageConfig { learning_rate: 0.5, ..config }).unwrap();
    assert_eq!((trainer.updates(), trainer.model().parameters().flat()), (0, &before[..]));
}

#[test]
fn a_restored_trainer_resumes_exactly() {
    for optimizer in [LanguageOptimizer::AdamW, LanguageOptimizer::Muon] {
        restored(LanguageConfig { optimizer, ..small() });
    }
}

fn restored(config: LanguageConfig) {
    let cpu = Cpu::new(1);
    let mut trainer = LanguageTrainer::new(config.clone(), 7, 3).unwrap();
    for step in 0..3 {
        trainer.step(&cpu, &sums(&config, step)).unwrap();
    }
    let saved = trainer.save();
    let mut restored = LanguageTrainer::restore(config.clone(), 7, &saved).unwrap();
    for step in 3..6 {
        let [one, other] =
            [&mut trainer, &mut restored].map(|of| of.step(&cpu, &sums(&config, step)).unwrap());
        assert_eq!(one, other);
    }
    assert_eq!(trainer.save(), restored.save());
    let names: Vec<&str> = saved.iter().map(|tensor| tensor.name.as_str()).collect();
    for name in ["wte.weight", "wpe.weight", "h.1.attn.c_attn.weight", "h.0.mlp.c_proj.bias", "ln_f.bias"] {
        assert!(names.contains(&name), "{name} is missing among {names:?}");
    }

    // A mismatched or missing tensor.
    let before = trainer.save();
    let mut wrong = saved.clone();
    wrong[4].shape.push(1);
    let error = trainer.model_mut().adopt(&wrong).unwrap_err();
    assert!(error.to_string().starts_with(&wrong[4].name), "{error}");
    assert_eq!(trainer.save(), before);
    let fewer = &saved[..saved.len() - 1];
    assert!(
        LanguageTrainer::restore(config, 7, fewer).is_err_and(|error| error.to_string().contains("counters"))
    );
}

//! The learner draws its batches from the text, and resumes exactly.

use std::sync::Arc;
use vivarium_graph::Cpu;
use vivarium_lm::{
    Advance, BatchStream, ByteSource, Characters, Corpus, DataSplit, LanguageConfig, LanguageLearner,
    LanguageStepWork, LanguageTrainer, Learner, MemorySource, Tokenizer, Windows,
};

const VOCABULARY: usize = 11;

fn config() -> LanguageConfig {
    LanguageConfig { context: 8, layers: 1, heads: 2, width: 16, batch: 3, ..LanguageConfig::default() }
}

fn windows() -> Windows {
    let text: String = (0..2_000).map(|number| format!("{number}\n")).collect();
    let sources: Vec<Box<dyn ByteSource>> = vec![Box::new(MemorySource::new("numbers", text.as_bytes()))];
    let corpus = Arc::new(Corpus::new(sources).unwrap());
    let tokenizer = Tokenizer::Characters(Characters::new("0123456789\n".chars()).unwrap());
    let holdout = corpus.holdout();
    Windows::open(corpus, Arc::new(tokenizer), holdout, DataSplit::Training, 8, 5)
}

fn learner() -> LanguageLearner {
    let mut learner = LanguageLearner::new(config(), VOCABULARY, 3).unwrap();
    learner.set_text(BatchStream::new(windows()));
    learner
}

#[test]
fn a_learner_takes_the_steps_of_the_trainer_on_the_windows_of_its_text() {
    let (cpu, mut learner, mut windows) = (Cpu::new(2), learner(), windows());
    let mut trainer = LanguageTrainer::new(config(), VOCABULARY, 3).unwrap();
    for step in 1..=4 {
        let mut sequences = Vec::new();
        for _ in 0..3 {
            sequences.extend_from_slice(windows.next_window().unwrap());
        }
        let report = learner.iterate(&cpu).unwrap();
        assert_eq!((report, report.updates), (trainer.step(&cpu, &sequences).unwrap(), step));
        assert_eq!(learner.position(), windows.position());
    }
    assert_eq!(learner.trainer().save(), trainer.save());
    assert_eq!((learner.progress().steps, learner.progress().updates), (4 * 3 * 8, 4));
}

#[test]
fn a_learner_that_was_saved_within_a_step_resumes_exactly() {
    let (cpu, mut learner) = (Cpu::new(1), learner());
    learner.iterate(&cpu).unwrap();
    while learner.next_work() == LanguageStepWork::ReadText {
        assert!(learner.advance(&cpu).unwrap().finished().is_none());
    }
    let mut restored = learner.restored(config(), &learner.save()).unwrap();
    assert_eq!(restored.advance(&cpu).unwrap(), Advance::Waiting, "without text");
    assert_eq!(restored.position(), learner.position());
    let mut text = BatchStream::new(windows());
    text.seek(restored.position()).unwrap();
    restored.set_text(text);
    for _ in 0..3 {
        assert_eq!(restored.iterate(&cpu).unwrap(), learner.iterate(&cpu).unwrap());
    }
    assert_eq!(restored.save(), learner.save());
}

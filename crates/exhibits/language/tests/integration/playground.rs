//! Playground: generated texts, samples during training, attention weights.

use crate::texts::*;
use serde_json::json;
use vivarium_exhibit_language::Model;
use vivarium_exhibit_language::protocol::LanguageCommand as Command;
use vivarium_exhibit_language::protocol::{
    LanguageAuthor, LanguageDocuments, LanguageDraft, LanguageDraftStatus, LanguageSamples, LanguageSampling,
    LanguageView,
};
use vivarium_exhibit_language::{FAMILY, LanguageExhibit};
use vivarium_graph::Cpu;
use vivarium_lab::protocol::Frame;

use vivarium_lm::Sampling;

/// Creates an experiment and trains it on 200 verses for `updates` gradient steps. `vocabulary` is the vocabulary size
/// of the BPE tokenizer; 0 selects a character tokenizer.
fn verse_writer(vocabulary: u32, updates: u64) -> Box<LanguageExhibit> {
    let mut experiment = waiting_for_verses(json!({ "learner": { "vocabulary": vocabulary } }));
    experiment.bring_data(text(&verses(200))).unwrap();
    train(experiment.as_mut(), updates);
    experiment
}

fn write(experiment: &mut LanguageExhibit, prompt: &str, temperature: f32, tokens: u32) {
    let sampling = sampling(temperature, tokens);
    experiment.command(Command::Generate { prompt: prompt.into(), sampling }).unwrap();
}

/// Returns the generated text in the JSON document `draft`, without the prompt.
fn text_of(draft: &LanguageDraft) -> String {
    draft.tokens.iter().filter(|token| !token.prompt).map(|token| token.text.as_str()).collect()
}

fn prompt_of(draft: &LanguageDraft) -> String {
    draft.tokens.iter().filter(|token| token.prompt).map(|token| token.text.as_str()).collect()
}

#[test]
fn playground_and_native_generation_are_equal() {
    let mut experiment = verse_writer(0, 150);
    write(experiment.as_mut(), "the nig", 0.0, 40);
    let draft = written(experiment.as_mut());
    assert!(text_of(&draft).starts_with("ht was"), "{draft:?}");
    let cpu = Cpu::new(1);
    let model = Model::open(&experiment.save()).unwrap();
    let mut writing = model.begin(&cpu, "the nig", Sampling { temperature: 0.0, top_k: 0 }, 1).unwrap();
    let parts = std::iter::from_fn(|| model.advance(&cpu, &mut writing).unwrap());
    assert_eq!(text_of(&draft), parts.take(40).collect::<String>());
    assert_eq!((draft.by, draft.updates), (LanguageAuthor::Person, 150));
    assert_eq!(draft.status, LanguageDraftStatus::Done);
}

#[test]
fn tokens_have_the_probabilities_of_the_model() {
    let mut experiment = verse_writer(300, 60);
    write(experiment.as_mut(), "Verse 12: the sea", 1.0, 30);
    let draft = written(experiment.as_mut());
    assert_eq!(prompt_of(&draft), "Verse 12: the sea");
    assert_eq!(draft.tokens.iter().filter(|token| !token.prompt).count(), 30);
    assert_eq!((draft.tokens[0].probability, draft.tokens[0].alternatives.len()), (None, 0));
    let mut likely = 0;
    for token in &draft.tokens[1..] {
        let probability = token.probability.unwrap();
        let alternatives = &token.alternatives;
        assert_eq!(alternatives.len(), 8);
        assert!(alternatives.is_sorted_by(|one, other| one.probability >= other.probability));
        assert!(alternatives.iter().map(|other| other.probability).sum::<f32>() <= 1.0 + 1e-5);
        match alternatives.iter().find(|other| other.text == token.text) {
            Some(same) => assert_eq!(same.probability, probability),
            None => assert!(probability <= alternatives[7].probability),
        }
        likely += u32::from(probability > 0.2);
    }
    assert!(likely > 5, "it has learned something: {draft:?}");
}

/// Returns a text of a model that was trained on documents of one line each, and that generates the most probable tokens.
fn line_of(min_tokens: u32) -> LanguageDraft {
    let mut experiment = waiting_for_verses(json!({ "learner": { "vocabulary": 300 } }));
    let lines: Vec<_> = (0..60).flat_map(|_| text("the sea was calm.\n")).collect();
    experiment.bring_data(lines).unwrap();
    train(experiment.as_mut(), 60);
    let sampling = LanguageSampling { min_tokens, ..sampling(0.0, 40) };
    experiment.command(Command::Generate { prompt: "the".into(), sampling }).unwrap();
    written(experiment.as_mut())
}

#[test]
fn a_text_ends_at_the_end_of_the_document_but_not_before_its_minimum_length() {
    let generated = |draft: &LanguageDraft| draft.tokens.iter().filter(|token| !token.prompt).count();
    let short = line_of(0);
    assert!(generated(&short) < 20, "the document ends: {short:?}");
    let long = line_of(30);
    assert!(generated(&long) >= 30, "{long:?}");
    // The alternatives have the model's probabilities, of which the end has the highest.
    assert_eq!(long.tokens[short.tokens.len()].alternatives[0].text, "⟨end⟩");
}

#[test]
fn text_is_generated_in_frames_until_it_is_stopped() {
    let mut experiment = verse_writer(300, 5);
    let experiment = experiment.as_mut();
    write(experiment, "", 1.0, 2_000);
    frame(experiment, DOCUMENTS, 0.1);
    let some: LanguageDraft = current_document(experiment, "draft");
    assert!(some.tokens.len() > 2 && some.tokens.len() < 60, "some tokens a frame: {}", some.tokens.len());
    assert_eq!((some.status, some.tokens[0].text.as_str()), (LanguageDraftStatus::Writing, "⟨end⟩"));
    experiment.command(Command::StopGenerating).unwrap();
    let stopped: LanguageDraft = current_document(experiment, "draft");
    assert_eq!(stopped.status, LanguageDraftStatus::Stopped);
    // A new text replaces the stopped text. A stop command after the end of the new text shows the samples again.
    write(experiment, "the", 1.0, 3);
    let other = written(experiment);
    assert!(other.id > stopped.id && prompt_of(&other) == "the");
    experiment.command(Command::StopGenerating).unwrap();
    assert_eq!(written(experiment).by, LanguageAuthor::Sample);
    assert_eq!(experiment.progress().updates, 5, "generation does not train");
}

fn continue_from(draft: u32, place: usize, token: u32) -> Command {
    Command::ContinueFrom { draft, position: place as u32, token, sampling: sampling(0.0, 12) }
}

#[test]
fn a_text_continues_from_another_token_as_from_a_prompt() {
    let mut experiment = verse_writer(0, 60);
    let experiment = experiment.as_mut();
    write(experiment, "the nig", 1.0, 40);
    let before = written(experiment);
    let n = before.tokens[4].token;
    experiment.command(continue_from(before.id, 6, n)).unwrap();
    let draft = written(experiment);
    assert_eq!((&draft.tokens[..6], draft.tokens[6].token), (&before.tokens[..6], n));
    assert!(draft.tokens[6].prompt && draft.tokens[6].alternatives == before.tokens[6].alternatives);
    write(experiment, "the nin", 0.0, 12);
    assert_eq!((prompt_of(&draft).as_str(), text_of(&draft)), ("the nin", text_of(&written(experiment))));
}

#[test]
fn a_long_text_continues_from_an_incomplete_character() {
    let mut experiment = verse_writer(300, 60);
    let experiment = experiment.as_mut();
    write(experiment, "Verse 12: the sea", 1.0, 60);
    let before = written(experiment);
    let (place, part) = (before.tokens.len() - 5, 0xc3);
    experiment.command(continue_from(before.id, place, part)).unwrap();
    let draft = written(experiment);
    assert_eq!(draft.tokens[..place], before.tokens[..place]);
    let chosen = &draft.tokens[place];
    assert_eq!((chosen.token, chosen.prompt, chosen.alternatives.len()), (part, true, 8));
    assert_eq!((draft.tokens.len() - place - 1, draft.by), (12, LanguageAuthor::Person));
}

#[test]
fn a_document_contains_only_new_tokens() {
    let mut experiment = verse_writer(300, 5);
    let experiment = experiment.as_mut();
    write(experiment, "", 1.0, 40);
    let mut written = Vec::new();
    while written.len() < 40 {
        let Some(draft) = document::<LanguageDraft>(&frame(experiment, DOCUMENTS, 0.1), "draft") else {
            break;
        };
        assert_eq!(draft.first as usize, written.len());
        written.extend(draft.tokens);
    }
    let whole: LanguageDraft = current_document(experiment, "draft");
    assert_eq!((whole.first, whole.tokens), (0, written));
}

#[test]
fn documents_are_sent_when_they_have_changed() {
    let mut experiment = verse_writer(300, 3);
    let experiment = experiment.as_mut();
    write(experiment, "", 1.0, 4);
    written(experiment);
    // Complete the periodic sample that is due.
    (0..200).for_each(|_| _ = frame(experiment, DOCUMENTS, 0.3));
    assert_eq!(frame(experiment, DOCUMENTS, 0.3), Frame::from(Vec::new()));
    train(experiment, 4);
    let changed = |frame: Frame<LanguageDocuments>| match frame.documents {
        Some(documents) => *documents,
        other => panic!("{other:?}"),
    };
    let run_and_sample = changed(frame(experiment, DOCUMENTS, 0.3));
    assert!(run_and_sample.language.is_some() && run_and_sample.draft.is_some());
    let rest = LanguageDocuments { language: None, draft: None, ..run_and_sample };
    assert_eq!(rest, LanguageDocuments::default());
    assert_eq!(frame(experiment, LanguageView::default(), 0.0), Frame::from(Vec::new()));
    let LanguageDocuments { language, draft, samples, quiz, embeddings } =
        changed(frame(experiment, DOCUMENTS, 0.0));
    assert!(language.is_some() && draft.is_some() && samples.is_some() && quiz.is_some());
    assert_eq!(embeddings, None);
}

#[test]
fn samples_are_generated_periodically_during_training() {
    let mut experiment = verse_writer(0, 0);
    let experiment = experiment.as_mut();
    let command = Command::SetSamples {
        prompt: "the nig".into(),
        sampling: sampling(0.0, 6),
        every_seconds: Some(2.0),
    };
    experiment.command(command).unwrap();
    for updates in [0, 1, 150] {
        train(experiment, updates);
        while experiment.progress().updates == 0 && experiment.phase() != "update" {
            experiment.advance(&Cpu::new(1)).unwrap();
        }
        (0..20).for_each(|_| _ = frame(experiment, DOCUMENTS, 0.5));
    }
    let kept: LanguageSamples = current_document(experiment, "samples");
    let updates: Vec<u64> = kept.samples.iter().map(|sample| sample.updates).collect();
    assert_eq!(updates, [0, 1, 150], "one sample per model state");
    assert_eq!(kept.samples[0].loss, None);
    assert!(kept.samples[1].loss.unwrap() > kept.samples[2].loss.unwrap() + 1.0, "{kept:?}");
    let [first, .., last] = &kept.samples[..] else { panic!("too few") };
    assert_ne!(first.text, last.text);
    assert_eq!(last.text, "ht was");
    // The checkpoint contains the samples.
    let mut opened = FAMILY.open(&experiment.save()).unwrap();
    assert_eq!(current_document::<LanguageSamples>(opened.as_mut(), "samples"), kept);
    let off = Command::SetSamples { prompt: String::new(), sampling: sampling(0.0, 12), every_seconds: None };
    experiment.command(off).unwrap();
    train(experiment, 152);
    (0..20).for_each(|_| _ = frame(experiment, DOCUMENTS, 0.5));
    assert_eq!(current_document::<LanguageSamples>(experiment, "samples").samples.len(), 3);
}

#[test]
fn attention_weights_cover_the_tokens_of_the_draft() {
    let mut experiment = verse_writer(300, 30);
    let experiment = experiment.as_mut();
    let view = LanguageView { documents: true, attention: Some(0), embeddings: false };
    write(experiment, "Verse 7:", 1.0, 40);
    let draft = written(experiment);
    let shown = frame(experiment, view, 0.0);
    let (weights, first) = (shown.get("attention").unwrap(), shown.get("attention/first").unwrap());
    let [heads, rows, columns] = weights.shape[..] else { panic!("three dimensions") };
    assert_eq!((heads, rows), (2, columns));
    assert!((8..=16).contains(&rows), "as many as it sees: {rows}");
    assert_eq!(first.floats().unwrap(), [(draft.tokens.len() - rows as usize) as f32]);
    let bytes = weights.bytes().unwrap();
    for (place, row) in bytes.chunks_exact(columns as usize).enumerate() {
        let (seen, ahead) = row.split_at(place % rows as usize + 1);
        let sum: u32 = seen.iter().map(|&byte| u32::from(byte)).sum();
        assert!(sum.abs_diff(255) <= 8 && ahead.iter().all(|&byte| byte == 0), "{row:?}");
    }
    assert!(frame(experiment, view, 0.1).get("attention").is_none(), "unchanged");
    let other = LanguageView { attention: Some(1), ..view };
    assert!(frame(experiment, other, 0.1).get("attention").is_none(), "the layer does not exist");
    assert!(frame(experiment, view, 0.1).get("attention").is_some());
}

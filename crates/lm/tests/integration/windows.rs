//! Windows: each token once per epoch, in a reproducible order that resumes from a saved position.

use std::collections::BTreeSet;
use std::sync::Arc;
use vivarium_lm::{
    Bpe, ByteSource, Characters, Corpus, DataError, DataSplit, MemorySource, TextPosition, Tokenizer, Windows,
};

/// Returns a text of `count` numbered lines, in which each window is unique, and its corpus.
fn numbers(count: usize) -> (String, Arc<Corpus>) {
    let text: String = (0..count).map(|number| format!("{number:07}\n")).collect();
    let source: Box<dyn ByteSource> = Box::new(MemorySource::new("numbers", text.as_bytes()));
    (text, Arc::new(Corpus::new(vec![source]).unwrap()))
}

fn characters(text: &str) -> Arc<Tokenizer> {
    Arc::new(Tokenizer::Characters(Characters::of_text(text).unwrap()))
}

fn windows(corpus: &Arc<Corpus>, tokenizer: &Arc<Tokenizer>, part: DataSplit, length: usize) -> Windows {
    Windows::open(corpus.clone(), tokenizer.clone(), corpus.holdout(), part, length, 5).prepared().unwrap()
}

fn batch(windows: &mut Windows, size: usize, length: usize) -> (Vec<u32>, Vec<u32>) {
    let (mut inputs, mut targets) = (Vec::new(), Vec::new());
    for _ in 0..size {
        let window = windows.next_window().unwrap();
        inputs.extend_from_slice(&window[..length]);
        targets.extend_from_slice(&window[1..]);
    }
    (inputs, targets)
}

#[test]
fn an_epoch_contains_each_window_once_in_a_new_order() {
    let (text, corpus) = numbers(5000);
    let tokenizer = characters(&text);
    for (part, share) in [(DataSplit::Training, 0.9), (DataSplit::Validation, 0.1)] {
        let mut windows = windows(&corpus, &tokenizer, part, 64);
        let mut orders = Vec::new();
        for epoch in 0..3 {
            windows.seek(TextPosition { epoch, buffer: 0, window: 0 }).unwrap();
            let count = windows.per_epoch().unwrap();
            assert!((f64::from(count) * 64.0 / (text.len() as f64 * share) - 1.0).abs() < 0.06, "{count}");
            let mut places = Vec::new();
            for _ in 0..count {
                let (input, target) = batch(&mut windows, 1, 64);
                assert_eq!(input[1..], target[..63]);
                let all = tokenizer.text(&[&input[..1], &target].concat()).unwrap();
                places.push(text.find(&all).expect("windows are substrings of the text"));
            }
            let different: BTreeSet<_> = places.iter().collect();
            assert_eq!(different.len(), places.len());
            let (first, last) = (**different.first().unwrap(), **different.last().unwrap());
            assert_eq!((last - first) / 64, places.len() - 1, "adjacent windows");
            assert_ne!(places, different.into_iter().copied().collect::<Vec<_>>());
            match part {
                DataSplit::Training => assert!(last < text.len() * 92 / 100),
                DataSplit::Validation => assert!(first > text.len() * 89 / 100),
            }
            // The next window starts the next epoch.
            assert_eq!(windows.position(), TextPosition { epoch, buffer: 0, window: count });
            let next = batch(&mut windows, 1, 64);
            assert_eq!(windows.position(), TextPosition { epoch: epoch + 1, buffer: 0, window: 1 });
            windows.seek(TextPosition { epoch: epoch + 1, buffer: 0, window: 0 }).unwrap();
            assert_eq!(batch(&mut windows, 1, 64), next);
            orders.push(places);
        }
        assert_ne!(orders[0], orders[1]);
        assert_ne!(orders[1], orders[2]);
    }
}

#[test]
fn a_text_larger_than_the_shuffle_buffer_is_read_completely_and_resumes() {
    // About nine megabytes, with shuffle buffers of four.
    let (text, corpus) = numbers(1_100_000);
    let tokenizer = characters(&text);
    let mut all = windows(&corpus, &tokenizer, DataSplit::Training, 4000);
    assert_eq!(all.per_epoch(), None);
    let (mut seen, mut pools, mut places) = (0, BTreeSet::new(), Vec::new());
    let mut kept = Vec::new();
    while all.position().epoch == 0 {
        let before = all.position();
        let (inputs, _) = batch(&mut all, 3, 4000);
        seen += inputs.len();
        pools.insert(before.buffer);
        // The first complete number in the first window.
        let digits = tokenizer.text(&inputs[..16]).unwrap();
        let number = digits.split_once('\n').unwrap().1.get(..7).unwrap().parse::<usize>().unwrap();
        places.push(number as f64 / 1_100_000.0);
        kept.push((before, inputs));
    }
    assert_eq!(pools.into_iter().collect::<Vec<_>>(), [0, 1]);
    let share = seen as f64 / text.len() as f64;
    assert!((0.88..0.91).contains(&share), "{share}");
    // Each shuffle buffer has chunks from the whole text.
    for half in places.chunks(places.len().div_ceil(2)) {
        let mean = half.iter().sum::<f64>() / half.len() as f64;
        assert!((mean - 0.45).abs() < 0.05, "{mean}");
    }
    // Resume from a serialized position.
    for (position, inputs) in kept.into_iter().step_by(97).rev() {
        let file = serde_json::to_string(&position).unwrap();
        let mut other = windows(&corpus, &tokenizer, DataSplit::Training, 4000);
        other.seek(serde_json::from_str(&file).unwrap()).unwrap();
        assert_eq!(batch(&mut other, 3, 4000).0, inputs);
    }
}

#[test]
fn incremental_loading_equals_loading_in_one_call() {
    let (text, corpus) = numbers(1_100_000);
    let tokenizer = characters(&text);
    let place = TextPosition { epoch: 1, buffer: 1, window: 7 };
    let mut whole = windows(&corpus, &tokenizer, DataSplit::Training, 4000);
    let first = whole.tokens().to_vec();
    whole.seek(place).unwrap();
    let mut sliced =
        Windows::open(corpus.clone(), tokenizer.clone(), corpus.holdout(), DataSplit::Training, 4000, 5);
    assert_eq!((sliced.done(), sliced.tokens().len()), (0.0, 0));
    let read = |windows: &mut Windows| {
        let mut done = vec![windows.done()];
        while windows.read(100).unwrap() {
            done.push(windows.done());
        }
        assert!(done.is_sorted() && done.len() > 3 && done.iter().all(|&done| done < 1.0), "{done:?}");
        assert_eq!(windows.done(), 1.0);
    };
    read(&mut sliced);
    assert_eq!(sliced.tokens(), first);
    sliced.seek(place).unwrap();
    // `next_window` reads the remaining chunks in one call.
    assert!(sliced.read(10).unwrap());
    assert_eq!(batch(&mut sliced, 2, 4000), batch(&mut whole, 2, 4000));
    assert_eq!(sliced.tokens(), whole.tokens());
    sliced.seek(TextPosition { epoch: 0, buffer: 0, window: 0 }).unwrap();
    read(&mut sliced);
    assert_eq!(sliced.tokens(), first);
}

#[test]
fn documents_end_with_the_end_of_document_token() {
    let files = ["one text", "another"]
        .map(|text| Box::new(MemorySource::new(text, text.as_bytes())) as Box<dyn ByteSource>);
    let corpus = Arc::new(Corpus::new(files.into()).unwrap());
    let tokenizer = Arc::new(Tokenizer::bpe_of_text("a", Bpe::MIN_VOCABULARY).unwrap());
    let windows = windows(&corpus, &tokenizer, DataSplit::Training, 2);
    assert_eq!(tokenizer.text(windows.tokens()).unwrap(), "one text");
    assert_eq!(windows.tokens().last(), tokenizer.end_of_document().as_ref());
}

#[test]
fn unusable_texts_are_rejected() {
    let (text, corpus) = numbers(1000);
    let tokenizer = characters(&text);
    let make = |tokenizer: &Arc<Tokenizer>, part, length| {
        Windows::open(corpus.clone(), tokenizer.clone(), corpus.holdout(), part, length, 0)
            .prepared()
            .map(|_| ())
    };
    assert_eq!(make(&tokenizer, DataSplit::Training, 2000), Ok(()));
    let error = make(&tokenizer, DataSplit::Validation, 2000).unwrap_err();
    assert!(matches!(error, DataError::TooShort { needed: 2001, .. }), "{error}");
    let message = error.to_string();
    assert!(message.starts_with("the text is too short: the validation split has "), "{message}");
    assert!(message.contains(" tokens (a window needs 2001); use more text"), "{message}");
    let other = characters("0123456\n");
    let message = make(&other, DataSplit::Training, 8).unwrap_err().to_string();
    let start = "cannot tokenize numbers from byte 0 on: the character '7' at byte 62 is not";
    assert!(message.starts_with(start), "{message}");

    let mut windows = windows(&corpus, &tokenizer, DataSplit::Training, 64);
    let before = windows.position();
    let count = windows.per_epoch().unwrap();
    for (buffer, window, place) in [(1, 0, "shuffle buffer 1"), (0, count + 1, "window ")] {
        let message = windows.seek(TextPosition { epoch: 3, buffer, window }).unwrap_err().to_string();
        assert!(message.starts_with(place) && message.contains("is not in this text"), "{message}");
    }
    windows.seek(before).unwrap();
}

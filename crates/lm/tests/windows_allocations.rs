//! Batches are drawn without allocation. In a test binary of its own, for it counts every allocation of the process.
#![cfg(not(target_arch = "wasm32"))]

#[path = "../../../tests/fixtures/counting_allocator.rs"]
mod counting_allocator;

use counting_allocator::counted;
use std::sync::Arc;
use vivarium_lm::{ByteSource, Corpus, DataSplit, MemorySource, Tokenizer, Windows};

#[test]
fn batches_allocate_nothing() {
    let text = "The owl sat in the oak and said what owls say.\n".repeat(2000);
    let source: Box<dyn ByteSource> = Box::new(MemorySource::new("owls", text.as_bytes()));
    let corpus = Arc::new(Corpus::new(vec![source]).unwrap());
    let tokenizer = Arc::new(Tokenizer::bpe_of_text(&text, 280).unwrap());
    let holdout = corpus.holdout();
    let mut windows =
        Windows::open(corpus, tokenizer, holdout, DataSplit::Training, 64, 1).prepared().unwrap();
    let count = windows.per_epoch().unwrap();
    // Two epochs and a bit, so that the ends of epochs are among them.
    let ((), allocated) = counted(|| {
        for _ in 0..2 * count + 24 {
            windows.next_window().unwrap();
        }
    });
    assert!(windows.position().epoch >= 2, "{:?}", windows.position());
    assert_eq!(allocated.count, 0);
}

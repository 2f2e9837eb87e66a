//! Windows are returned without allocation. A separate test binary, because all allocations of the process are counted.
#![cfg(not(target_arch = "wasm32"))]

#[path = "../../../tests/fixtures/counting_allocator.rs"]
mod counting_allocator;

use counting_allocator::counted;
use std::sync::Arc;
use vivarium_lm::{ByteSource, Corpus, DataSplit, MemorySource, Tokenizer, Windows};

#[test]
fn windows_do_not_allocate() {
    let text = "The owl sat in the oak and said what owls say.\n".repeat(2000);
    let source: Box<dyn ByteSource> = Box::new(MemorySource::new("owls", text.as_bytes()));
    let corpus = Arc::new(Corpus::new(vec![source]).unwrap());
    let tokenizer = Arc::new(Tokenizer::bpe_of_text(&text, 280).unwrap());
    let holdout = corpus.holdout();
    let mut windows =
        Windows::open(corpus, tokenizer, holdout, DataSplit::Training, 64, 1).prepared().unwrap();
    let count = windows.per_epoch().unwrap();
    // More than two epochs, to include epoch boundaries.
    let ((), allocated) = counted(|| {
        for _ in 0..2 * count + 24 {
            windows.next_window().unwrap();
        }
    });
    assert!(windows.position().epoch >= 2, "{:?}", windows.position());
    assert_eq!(allocated.count, 0);
}

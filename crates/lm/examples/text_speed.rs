//! Prints how fast byte pairs are learnt from a text and applied to it, and writes the tokenizer where it is told to:
//! `cargo run --profile fast -p vivarium-lm --example text_speed -- FILE [VOCABULARY] [TOKENIZER.json]`.

use std::hint::black_box;
use std::time::Instant;
use vivarium_lm::{Characters, Tokenizer, WordCache};

/// Best of three: megabytes of the text for each second.
fn time(name: &str, text: &str, mut work: impl FnMut()) {
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let start = Instant::now();
        work();
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("{name:24} {:8.2} MB/s {:8.1} ms", text.len() as f64 / 1e6 / best, best * 1e3);
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let text = std::fs::read_to_string(arguments.next().ok_or("which FILE?")?)?;
    let vocabulary = arguments.next().map_or(Ok(2048), |argument| argument.parse())?;
    let characters = Tokenizer::Characters(Characters::of_text(&text)?);
    let pairs = Tokenizer::bpe_of_text(&text, vocabulary)?;
    time("characters, learn", &text, || _ = black_box(Characters::of_text(&text)));
    time("byte pairs, learn", &text, || _ = black_box(Tokenizer::bpe_of_text(&text, vocabulary)));
    for (name, tokenizer) in [("characters", &characters), ("byte pairs", &pairs)] {
        let tokens = tokenizer.tokens(&text)?;
        let per_token = text.len() as f64 / tokens.len() as f64;
        println!("{name}: {}, {} tokens of the text, {per_token:.3} bytes each", tokenizer, tokens.len());
        time("encode", &text, || _ = black_box(tokenizer.tokens(&text)));
        let (mut cache, mut out) = (WordCache::default(), Vec::new());
        time("encode, words known", &text, || {
            out.clear();
            _ = tokenizer.encode(&text, &mut cache, &mut out);
        });
        time("decode", &text, || _ = black_box(tokenizer.text(&tokens)));
    }
    if let Some(path) = arguments.next() {
        std::fs::write(path, pairs.to_json())?;
    }
    Ok(())
}

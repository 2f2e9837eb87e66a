//! Tests of the public interface, in one binary to reduce link time.

mod byte_pairs;
mod characters;
mod corpus;
mod curve;
mod decoding;
mod embedding_map;
mod encyclopedia;
mod example;
mod generation;
mod learner;
mod pytorch_curve;
#[path = "../shared/sums.rs"]
mod sums;
mod tokenizer_files;
mod training;
mod wikitext;
mod windows;

//! The tests of the public interface, in one program, so that it is compiled and linked once.

mod byte_pairs;
mod characters;
mod corpus;
mod curve;
mod encyclopedia;
mod map;
mod pytorch_curve;
mod reading;
#[path = "../shared/sums.rs"]
mod sums;
mod tokenizer_files;
mod training;
mod wikitext;
mod windows;
mod writing;

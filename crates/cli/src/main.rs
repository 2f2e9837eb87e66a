//! The native door: the program `vivarium`.
fn main() {}

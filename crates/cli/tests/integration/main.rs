//! Tests of the program `vivarium`. All tests are in one binary, which is compiled and linked once.

mod analysis;
mod common;
mod continued;
mod cube;
mod export;
mod games;
mod language;
#[cfg(unix)]
mod logic_ca;
#[cfg(unix)]
mod manage;
mod openings;
#[cfg(unix)]
mod operation;
#[cfg(unix)]
mod provenance;
#[cfg(unix)]
mod runs;
mod settings;
mod study;
mod ubgi;
mod usage;

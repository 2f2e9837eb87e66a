//! What holds for all exhibits, in one program, so that it is compiled and linked once.

mod config;
mod evaluations;
mod readings;

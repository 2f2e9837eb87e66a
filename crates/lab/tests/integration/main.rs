//! The tests of the public interface, in one program, so that it is compiled and linked once.

mod any_config;
mod automaton;
mod bad_input;
mod checkpoint;
mod config;
mod control;
mod cube;
mod cube_bad_input;
mod cube_kept;
mod cubes;
mod games;
mod games_bad_input;
mod games_kept;
mod language;
mod language_bad_input;
mod language_desk;
mod language_kept;
mod language_views;
mod logic_ca;
mod logic_ca_bad_input;
mod logic_ca_files;
mod logic_ca_frames;
mod logic_ca_stage;
mod presets;
mod table;
mod texts;

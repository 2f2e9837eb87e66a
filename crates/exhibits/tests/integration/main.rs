//! Tests of all exhibits, in one program to compile and link once.

mod config;
mod evaluations;
mod goal;
mod readings;
mod shipped_networks;

//! `vivarium scramble`: prints random-state scrambles.

use crate::error::CliError;
use crate::terminal;
use crate::values::{random_seed, whole};
use clap::Args;
use vivarium_envs::cube::{Cube2Scrambler, Cube3Scrambler, StateScrambler, format_turns};
use vivarium_kernels::rng::Stream;

/// Command-line arguments of `vivarium scramble`.
#[derive(Args, Debug)]
#[command(
    after_help = "Random-state scrambles, as at competitions of the World Cube Association: the state is drawn uniformly \
    at random. Scrambles of cube2 have 11 turns, and the solved state is at least 4 turns away; scrambles of cube3 are \
    inverses of solutions of the two-phase algorithm, and the solved state is at least 2 turns away.\n\
    Example: vivarium scramble cube3 --count 5 --seed 7"
)]
pub struct ScrambleArgs {
    /// Name of the cube: cube2 or cube3
    pub experiment: String,
    /// Number of scrambles, one a line, 1 to 1000000
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = whole(1, 1_000_000u32))]
    pub count: u32,
    /// Random seed; equal seeds give equal scrambles [default: random; standard error receives it]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(0, u64::MAX))]
    pub seed: Option<u64>,
}

/// Runs `vivarium scramble`.
///
/// # Errors
/// [`CliError::Usage`] for an unknown cube.
pub fn run(args: &ScrambleArgs) -> Result<(), CliError> {
    match args.experiment.as_str() {
        "cube2" => print(args, &Cube2Scrambler::default()),
        "cube3" => print(args, &Cube3Scrambler::default()),
        other => return Err(super::not_a_cube(other)),
    }
    Ok(())
}

fn print(args: &ScrambleArgs, scrambler: &impl StateScrambler) {
    let seed = args.seed.unwrap_or_else(|| {
        let seed = random_seed();
        terminal::print_message(&format!("Seed {seed}; to repeat the scrambles: --seed {seed}"));
        seed
    });
    for stream in 0..args.count {
        let scramble = scrambler.scramble(&mut Stream::new(seed, stream));
        terminal::print_line(&format_turns(&scramble.turns));
    }
}

//! `vivarium scramble`: prints random-state scrambles.

use super::{experiment_name, parse_cube_name, sticker_letters};
use crate::terminal;
use crate::values::{random_seed, whole};
use clap::Args;
use serde_json::json;
use vivarium_envs::cube::{
    Cube2, Cube2Scrambler, Cube3, Cube3Scrambler, CubePuzzle, CubeSize, StateScrambler, format_turns,
};
use vivarium_kernels::rng::Stream;

/// Command-line arguments of `vivarium scramble`.
#[derive(Args, Debug)]
#[command(
    after_help = "Random-state scrambles, as at competitions of the World Cube Association: the state is drawn uniformly \
    at random. Scrambles of cube2 have 11 turns, and the solved state is at least 4 turns away; scrambles of cube3 are \
    inverses of solutions of the two-phase algorithm, and the solved state is at least 2 turns away.\n\
    Example: vivarium scramble 333 --count 5 --seed 7"
)]
pub struct ScrambleArgs {
    /// Cube: cube2 or cube3, also 222 or 333, 2x2x2 or 3x3x3
    #[arg(value_name = "CUBE", value_parser = parse_cube_name)]
    pub size: CubeSize,
    /// Number of scrambles, one a line, 1 to 1000000
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = whole(1, 1_000_000u32))]
    pub count: u32,
    /// Random seed; equal seeds give equal scrambles [default: random, printed on standard error]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(0, u64::MAX))]
    pub seed: Option<u64>,
    /// Print one JSON object per scramble: turns, stickers, seed and number
    #[arg(long)]
    pub json: bool,
}

/// Runs `vivarium scramble`.
pub fn run(args: &ScrambleArgs) {
    match args.size {
        CubeSize::Two => print::<Cube2>(args, &Cube2Scrambler::default()),
        CubeSize::Three => print::<Cube3>(args, &Cube3Scrambler::default()),
    }
}

fn print<C: CubePuzzle>(args: &ScrambleArgs, scrambler: &impl StateScrambler) {
    let seed = args.seed.unwrap_or_else(|| {
        let seed = random_seed();
        terminal::print_message(&format!("Seed {seed}; to repeat the scrambles: --seed {seed}"));
        seed
    });
    for stream in 0..args.count {
        let turns = scrambler.scramble(&mut Stream::new(seed, stream)).turns;
        let scramble = format_turns(&turns);
        terminal::print_line(&if args.json {
            let cube = turns.iter().fold(C::SOLVED, |cube, &turn| cube.after(turn));
            let value = json!({
                "experiment": experiment_name(args.size),
                "scramble": scramble,
                "stickers": sticker_letters(&cube.faces()),
                "seed": seed,
                "number": stream + 1,
            });
            value.to_string()
        } else {
            scramble
        });
    }
}

//! `vivarium solve`: computes a solution, verifies it and prints it.

use crate::engine;
use crate::engine::args::SearchEngineArgs;
use crate::error::CliError;
use crate::run::read_checkpoint;
use crate::values::{MAX_BEAM_WIDTH, beam};
use crate::{terminal, text};
use clap::Args;
use std::path::{Path, PathBuf};
#[cfg(feature = "gpu")]
use vivarium_agents::cube3::GpuBeamSearch;
use vivarium_agents::cube3::{BeamSearch, BeamSearchSettings, SearchStatus};
use vivarium_agents::dqn::CubeProblem;
use vivarium_envs::cube::{Cube2, Cube3, CubePuzzle, FaceTurn, format_turns, parse_turns};
use vivarium_exhibit_cube::{Cube2Solver, read_cube3_network};
use vivarium_graph::Cpu;
use vivarium_lab::LabError;
use vivarium_lab::spelling;

/// Command-line arguments of `vivarium solve`.
#[derive(Args, Debug)]
#[command(
    after_help = "Face turns are U R F D L B, alone (clockwise), with ' (counterclockwise) or with 2 (half turn): \
    vivarium solve cube2 \"R U2 F'\". The 2×2×2 cube uses U, R and F only.\n\
    Standard output receives the solution, standard error the comments."
)]
pub struct SolveArgs {
    /// Name of the cube: cube2 or cube3
    pub experiment: String,
    /// Scramble as face turns, such as "R U2 F'" in quotes
    pub turns: Vec<String>,
    /// Stickers of the cube before the scramble, 24 or 54 letters of faces or colors: U, R, F, D, L, B row by row [default: solved]
    #[arg(long, value_name = "LETTERS")]
    pub stickers: Option<String>,
    /// Checkpoint or weights file; required for cube3 [default: the exact solver of cube2]
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Beam width in states, 1 to 262144 (cube3 only) [default: 1024]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = beam)]
    pub beam: Option<u32>,
    #[command(flatten)]
    engine: SearchEngineArgs,
}

/// Solution of a cube, and a description of the solver.
struct Solution {
    turns: Vec<FaceTurn>,
    how: String,
}

/// Runs `vivarium solve`.
///
/// # Errors
/// [`CliError::Usage`] for an impossible cube or invalid turns; [`CliError::Failed`] if no solution is found or a file
/// cannot be read.
pub fn run(args: &SolveArgs) -> Result<(), CliError> {
    let cpu = Cpu::new(args.engine.threads());
    match args.experiment.as_str() {
        "cube2" => solve(args, |cube| solve_two(&cpu, args, cube)),
        "cube3" => solve(args, |cube| solve_three(&cpu, args, cube)),
        other => {
            let hint = spelling::nearest(other, ["cube2", "cube3"]);
            let hint = hint.map_or(String::new(), |name| format!("; did you mean {name}?"));
            Err(CliError::usage(format!("{other} is not a cube; use cube2 or cube3{hint}")))
        }
    }
}

/// Solves the cube of the command line with `solver`, verifies the solution and prints it.
fn solve<C: CubePuzzle>(
    args: &SolveArgs,
    solver: impl FnOnce(C) -> Result<Solution, CliError>,
) -> Result<(), CliError> {
    let cube: C = parse_cube(args)?;
    let solution = solver(cube)?;
    print(&solution, solution.turns.iter().fold(cube, |cube, &turn| cube.after(turn)).is_solved())
}

/// Parses the cube of the command line: the scramble, applied to the stickers of `--stickers` or else to the solved
/// cube.
///
/// # Errors
/// [`CliError::Usage`] if no cube is given, or if the stickers or turns are invalid.
fn parse_cube<C: CubePuzzle>(args: &SolveArgs) -> Result<C, CliError> {
    let start = match &args.stickers {
        Some(text) => C::parse(text).map_err(|error| CliError::usage(format!("--stickers: {error}")))?,
        None if args.turns.is_empty() => {
            return Err(CliError::usage(
                "no cube given: specify the scramble, such as \"R U2 F'\", or --stickers",
            ));
        }
        None => C::SOLVED,
    };
    let text = args.turns.join(" ");
    let turns = parse_turns(&text, C::SIZE).map_err(|error| CliError::usage(error.to_string()))?;
    Ok(turns.iter().fold(start, |cube, &turn| cube.after(turn)))
}

/// Solves the 2×2×2 cube with the greedy policy of the network in `--checkpoint`, or with the exact solver if the
/// option is missing.
fn solve_two(cpu: &Cpu, args: &SolveArgs, start: Cube2) -> Result<Solution, CliError> {
    for (option, is_given) in [("--beam", args.beam.is_some()), ("--engine", args.engine.is_given())] {
        if is_given {
            let why = format!("{option}: cube2 is solved without a search; {option} applies to cube3 only");
            return Err(CliError::usage(why));
        }
    }
    let distances = CubeProblem::distances();
    let Some(path) = &args.checkpoint else {
        return Ok(Solution { turns: distances.solution(start), how: "by the exact solver".into() });
    };
    let policy = Cube2Solver::open(&read_checkpoint(path)?).map_err(|error| file_error(path, &error))?;
    let turns = policy.solution(cpu, start).map_err(|moves| {
        CliError::failed(format!(
            "the network of {} does not solve this cube: its policy cycles after {}; omit --checkpoint to use the exact \
             solver",
            path.display(),
            text::count(moves as u64, "move")
        ))
    })?;
    let fewest = distances.of(start);
    let how = format!("by the network of {} without search; the minimum is {fewest}", path.display());
    Ok(Solution { turns, how })
}

/// Solves the 3×3×3 cube by a beam search with the policy network in `--checkpoint`.
fn solve_three(cpu: &Cpu, args: &SolveArgs, start: Cube3) -> Result<Solution, CliError> {
    let Some(path) = args.checkpoint.as_deref() else {
        return Err(CliError::usage(
            "cube3 needs a network: specify --checkpoint FILE, such as the best.safetensors of a run of \
             vivarium train cube3",
        ));
    };
    let read = read_cube3_network(&read_checkpoint(path)?);
    let (network, metric) = read.map_err(|error| file_error(path, &error))?;
    let width = args.beam.unwrap_or(1024);
    let settings = BeamSearchSettings { metric, width: width as usize, ..BeamSearchSettings::default() };
    let mut search = BeamSearch::new(settings, start);
    let place = match engine::choose_for_search(args.engine.request())? {
        vivarium_lab::Engine::Cpu => {
            search.run(cpu, &network);
            String::new()
        }
        #[cfg(feature = "gpu")]
        vivarium_lab::Engine::Gpu(gpu) => {
            let mut device =
                GpuBeamSearch::new(&gpu, &network, metric, width as usize).map_err(CliError::failed_by)?;
            device.run(cpu, &mut search).map_err(CliError::failed_by)?;
            format!(" on {}", gpu.adapter_info().name)
        }
    };
    if search.status() != SearchStatus::Solved {
        return Err(no_solution(&search, path, width));
    }
    let turns = search.solution().unwrap_or_default().to_vec();
    let how = format!("with beam width {width}{place}, after {} states", text::whole(search.evaluated()));
    Ok(Solution { turns, how })
}

fn file_error(path: &Path, error: &LabError) -> CliError {
    CliError::failed(format!("{}: {error}", path.display()))
}

fn no_solution(search: &BeamSearch, path: &Path, width: u32) -> CliError {
    let wider = if width < MAX_BEAM_WIDTH {
        format!("; try a wider beam: --beam {}", width.saturating_mul(4).min(MAX_BEAM_WIDTH))
    } else {
        String::new()
    };
    CliError::failed(format!(
        "no solution of up to {} moves found with beam width {width} and the network of {}{wider}",
        search.moves(),
        path.display()
    ))
}

/// Prints a solution. `solves` is the result of the verification; returns an error if the solution does not solve the
/// cube.
fn print(Solution { turns, how }: &Solution, solves: bool) -> Result<(), CliError> {
    if !solves {
        return Err(CliError::failed(format!(
            "internal error: the solution {} was found {how}, but does not solve the cube; please report this bug",
            format_turns(turns)
        )));
    }
    if turns.is_empty() {
        terminal::print_line("This cube is solved.");
    } else {
        terminal::print_line(&format_turns(turns));
        terminal::print_message(&format!(
            "{} {how}. Verified: the cube is solved.",
            text::count(turns.len() as u64, "turn")
        ));
    }
    Ok(())
}

//! `vivarium solve`: computes a solution, verifies it and prints it.

pub mod args;
mod output;
mod solution;
mod solvers;

use crate::batch::{STANDARD_INPUT, for_each_line};
use crate::error::CliError;
use args::{SolveArgs, SolveMethod};
use solution::{GivenCube, Solution};
use solvers::Solver;
use vivarium_envs::cube::{
    CubeAlgorithm, CubePuzzle, CubeSize, FaceTurn, FramedTurns, format_turns, simplify_turns,
};
use vivarium_graph::Cpu;

/// Runs `vivarium solve`.
///
/// # Errors
/// [`CliError::Usage`] for an impossible cube or an invalid scramble; [`CliError::Failed`] if no solution is found, a
/// file cannot be read or a line of a batch failed.
pub fn run(args: &SolveArgs) -> Result<(), CliError> {
    let (size, scramble) = args.cube_and_scramble()?;
    let cpu = Cpu::new(args.engine.threads());
    match size {
        CubeSize::Two => match args.method {
            SolveMethod::Network => solve(args, &scramble, || solvers::network_of_two(&cpu, args)),
            SolveMethod::Exact => solve(args, &scramble, || solvers::exact(args)),
            SolveMethod::TwoPhase => {
                Err(CliError::usage("--method two-phase applies to cube3 only; use --method exact"))
            }
        },
        CubeSize::Three => match args.method {
            SolveMethod::Network => solve(args, &scramble, || solvers::network_of_three(&cpu, args)),
            SolveMethod::TwoPhase => solve(args, &scramble, || solvers::two_phase(args)),
            SolveMethod::Exact => {
                Err(CliError::usage("--method exact applies to cube2 only; use --method two-phase"))
            }
        },
    }
}

/// Solves the cube of the command line, or each cube of standard input, with the solver that `create` returns.
fn solve<'a, C: CubePuzzle>(
    args: &SolveArgs,
    scramble: &str,
    create: impl FnOnce() -> Result<Solver<'a, C>, CliError>,
) -> Result<(), CliError> {
    let stickers = args.stickers.as_deref();
    match (scramble == STANDARD_INPUT, stickers == Some(STANDARD_INPUT)) {
        (true, true) => Err(CliError::usage("standard input has scrambles or stickers; specify - only once")),
        (true, false) => {
            let mut solver = create()?;
            output::print_heading(args);
            for_each_line(None, |line, scramble| {
                solve_one(args, stickers, scramble, Some(line), |given| solver(given))
            })
        }
        (false, true) => {
            let mut solver = create()?;
            output::print_heading(args);
            for_each_line(None, |line, stickers| {
                solve_one(args, Some(stickers), scramble, Some(line), |given| solver(given))
            })
        }
        (false, false) => solve_one(args, stickers, scramble, None, |given| create()?(given)),
    }
}

/// Solves a cube, verifies the solution and prints it. `line` is the number of the line of standard input with the cube.
fn solve_one<C: CubePuzzle>(
    args: &SolveArgs,
    stickers: Option<&str>,
    scramble: &str,
    line: Option<u64>,
    solver: impl FnOnce(&GivenCube<C>) -> Result<Solution, CliError>,
) -> Result<(), CliError> {
    let given = parse_cube::<C>(stickers, scramble)?;
    let cube = given.cube;
    let mut solution = solver(&given)?;
    solution.turns = simplify_turns(&solution.turns);
    let solves = |turns: &[FaceTurn]| turns.iter().fold(cube, |cube, &turn| cube.after(turn)).is_solved();
    let rival = solution.rival.as_ref().map(|rival| &rival.turns);
    let wrong = [Some(&solution.turns), rival].into_iter().flatten().find(|turns| !solves(turns));
    if let Some(turns) = wrong {
        return Err(CliError::failed(format!(
            "internal error: the solution {} was found {}, but does not solve the cube; please report this bug",
            format_turns(turns),
            solution.how
        )));
    }
    match line {
        _ if args.json => output::print_json(&given, [stickers, Some(scramble)], line, &solution),
        Some(line) => output::print_row(line, args.metric(), given.orientation, &solution),
        None => output::print(args.metric(), given.orientation, &solution),
    }
    solution.stopped.map_or(Ok(()), |signal| Err(CliError::Interrupted(signal)))
}

/// Parses a cube: the scramble, applied to the stickers or else to the solved cube.
///
/// # Errors
/// [`CliError::Usage`] if no cube is given, or if the stickers or the scramble are invalid.
fn parse_cube<C: CubePuzzle>(stickers: Option<&str>, scramble: &str) -> Result<GivenCube<C>, CliError> {
    let start = match stickers {
        Some(text) => C::parse(text).map_err(|error| CliError::usage(format!("--stickers: {error}")))?,
        None if scramble.is_empty() => {
            return Err(CliError::usage(
                "no cube given: specify the scramble, such as \"R U2 F'\", or --stickers",
            ));
        }
        None => C::SOLVED,
    };
    let scramble = CubeAlgorithm::parse(scramble, C::SIZE);
    let scramble = scramble.map_err(|error| CliError::usage(format!("scramble: {error}")))?;
    let FramedTurns { turns, orientation } = scramble.framed_turns();
    let inverse = turns.iter().rev().map(|turn| turn.inverse()).collect::<Vec<_>>();
    Ok(GivenCube {
        cube: turns.iter().fold(start, |cube, &turn| cube.after(turn)),
        orientation,
        inverse: stickers.is_none().then(|| simplify_turns(&inverse)),
    })
}

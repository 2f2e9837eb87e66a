//! `vivarium solve`: computes a solution, verifies it and prints it.

use super::{experiment_name, parse_cube_name};
use crate::batch::{STANDARD_INPUT, for_each_line};
use crate::checkpoint_file::CheckpointFile;
use crate::engine;
use crate::engine::args::SearchEngineArgs;
use crate::error::CliError;
use crate::signals::{Interrupt, Signal};
use crate::values::{MAX_BEAM_WIDTH, whole};
use crate::{terminal, text};
use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use serde_json::json;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
#[cfg(feature = "gpu")]
use vivarium_agents::cube3::GpuBeamSearch;
use vivarium_agents::cube3::{BeamSearch, BeamSearchSettings, SearchStatus};
use vivarium_envs::cube::{
    Cube2, Cube3, CubeAlgorithm, CubeOrientation, CubePuzzle, CubeSize, DistanceTable, FaceTurn, FramedTurns,
    LayerMove, TurnMetric, TwoPhaseObserver, TwoPhaseSolver, format_turns, simplify_turns,
};
use vivarium_exhibit_cube::{Cube2Solver, read_cube3_network};
use vivarium_graph::Cpu;

/// Number of search nodes of the two-phase search whose solution is printed beside the network's solution.
const COMPARISON_NODES: u64 = 200_000;

/// Solver of the 3×3×3 cube: value of `--method`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SolveMethod {
    /// Policy network with beam search; on cube2 the greedy policy of the network
    Network,
    /// Table of all states, without a network: solutions of minimum length (cube2 only)
    Exact,
    /// Kociemba's two-phase algorithm, without a network (cube3 only)
    TwoPhase,
}

/// Turn metric: value of `--metric`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MetricChoice {
    /// A half turn is one move (also htm)
    #[value(alias = "htm")]
    Half,
    /// A half turn is two moves (also qtm)
    #[value(alias = "qtm")]
    Quarter,
}

/// Command-line arguments of `vivarium solve`.
#[derive(Args, Debug)]
#[command(after_help = "Scrambles: the notation of vivarium alg, such as R U2 F', [R, U] or x Rw M'.\n\
    Rotations of the whole cube are free: cube2 is solved in every orientation, and minimum lengths count turns only. \
    If the scramble rotates the whole cube, the solution begins with the rotation to the standard orientation, which is not counted.\n\
    Examples: vivarium solve cube2 \"R U2 F'\", vivarium solve cube3 \"[R: [U, M']]\"\n\
    Standard output receives the solution, standard error the comments. With more --nodes than the default, standard error also \
    receives each shorter solution as it is found, and Ctrl-C prints the best solution so far (exit code 130).\n\
    Batches: with - as the scramble, every line of standard input is a scramble; with --stickers -, every line is a cube. \
    The network is loaded once. Standard output receives a table with a row per cube, or with --json one object per cube: \
    number of the line, length in the half-turn and the quarter-turn metric, and solution. An invalid line is reported with its \
    number, the next line follows, and the exit code is 1 at the end. Empty lines and lines that begin with # are \
    ignored.\n\
    Example: vivarium scramble cube3 --count 100 | vivarium solve cube3 - --json")]
pub struct SolveArgs {
    /// Cube: cube2 or cube3, also 222 or 333, 2x2x2 or 3x3x3
    #[arg(value_name = "CUBE", value_parser = parse_cube_name)]
    pub size: CubeSize,
    /// Scramble in the notation of the WCA, such as "R U2 F'" in quotes; - reads one scramble a line of standard input
    #[arg(value_name = "SCRAMBLE")]
    pub turns: Vec<String>,
    /// Stickers of the cube before the scramble, 24 or 54 letters of faces or colors: U, R, F, D, L, B row by row; - reads one cube a line of standard input [default: solved]
    #[arg(long, value_name = "LETTERS")]
    pub stickers: Option<String>,
    /// Solver
    #[arg(long, value_enum, value_name = "METHOD", default_value = "network", hide_possible_values = false)]
    pub method: SolveMethod,
    /// Turn metric in which exact and two-phase minimize the solution, and in which its length is printed
    #[arg(
        long,
        value_enum,
        value_name = "METRIC",
        default_value = "half",
        ignore_case = true,
        hide_possible_values = false
    )]
    pub metric: MetricChoice,
    /// Search nodes of two-phase, such as 2000000 or 2e6, up to 1e11: more nodes find shorter solutions; the first solution is completed even if it needs more nodes, at most about 11 million [default: 2000000]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1, 100_000_000_000u64))]
    pub nodes: Option<u64>,
    /// Checkpoint file, weights file or run folder of --method network [default: the network of the program]
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Beam width in states, 1 to 262144 (cube3 with --method network only) [default: 1024]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1, MAX_BEAM_WIDTH))]
    pub beam: Option<u32>,
    /// Print one JSON object per cube: input, solution, number of moves in both metrics, solver
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    engine: SearchEngineArgs,
}

/// Cube of the command line or of a line of standard input.
struct GivenCube<C> {
    cube: C,
    /// Orientation of the whole cube after the scramble.
    orientation: CubeOrientation,
    /// Simplified inverse of the scramble, which solves the cube; `None` with `--stickers`. For comparison only: a solution
    /// depends on the state of the cube, not on the scramble that leads to it.
    inverse: Option<Vec<FaceTurn>>,
}

/// Solution of a cube, and a description of the solver.
struct Solution {
    turns: Vec<FaceTurn>,
    how: String,
    /// Minimum number of moves in the metric of the command line, if known.
    minimum: Option<u32>,
    /// Another solution for comparison, and its name.
    rival: Option<(String, Vec<FaceTurn>)>,
    /// Signal that stopped the search, of which the solution is the best one.
    stopped: Option<Signal>,
}

/// Reporter of a long two-phase search: prints improvements and a progress bar on standard error. A termination signal stops the
/// search.
struct SearchReporter {
    bar: ProgressBar,
    metric: TurnMetric,
    orientation: CubeOrientation,
    interrupt: Interrupt,
}

impl TwoPhaseObserver for SearchReporter {
    fn improved(&mut self, turns: &[FaceTurn], nodes: u64) {
        let message = format!(
            "{} after {} nodes: {}",
            text::count(self.metric.length(turns).into(), "move"),
            text::whole(nodes),
            moves_text(self.orientation, turns)
        );
        self.bar.suspend(|| terminal::print_message(&message));
    }

    fn is_stopped(&mut self, nodes: u64) -> bool {
        self.bar.set_position(nodes);
        self.interrupt.stop.load(Ordering::Relaxed)
    }
}

impl SolveArgs {
    fn metric(&self) -> TurnMetric {
        match self.metric {
            MetricChoice::Half => TurnMetric::Half,
            MetricChoice::Quarter => TurnMetric::Quarter,
        }
    }

    /// Returns whether standard input has a cube a line.
    fn is_batch(&self) -> bool {
        self.turns == [STANDARD_INPUT] || self.stickers.as_deref() == Some(STANDARD_INPUT)
    }

    /// Returns an error for the first option that is given and that the chosen solver, described by `why`, does not use.
    fn refuse(&self, unused: &[&str], why: &str) -> Result<(), CliError> {
        let given = [
            ("--checkpoint", self.checkpoint.is_some()),
            ("--beam", self.beam.is_some()),
            ("--engine", self.engine.is_given()),
            ("--nodes", self.nodes.is_some()),
        ];
        match given.into_iter().find(|(option, is_given)| *is_given && unused.contains(option)) {
            Some((option, _)) => Err(CliError::usage(format!("{option}: {why}; omit {option}"))),
            None => Ok(()),
        }
    }
}

/// Solver that is reused for all cubes of a batch: maps a cube to a solution.
type Solver<'a, C> = Box<dyn FnMut(&GivenCube<C>) -> Result<Solution, CliError> + 'a>;

/// Runs `vivarium solve`.
///
/// # Errors
/// [`CliError::Usage`] for an impossible cube or an invalid scramble; [`CliError::Failed`] if no solution is found, a
/// file cannot be read or a line of a batch failed.
pub fn run(args: &SolveArgs) -> Result<(), CliError> {
    let cpu = Cpu::new(args.engine.threads());
    match args.size {
        CubeSize::Two => match args.method {
            SolveMethod::Network => solve(args, || solver_of_two(&cpu, args)),
            SolveMethod::Exact => solve(args, || exact_solver(args)),
            SolveMethod::TwoPhase => {
                Err(CliError::usage("--method two-phase applies to cube3 only; use --method exact"))
            }
        },
        CubeSize::Three => match args.method {
            SolveMethod::Network => solve(args, || solver_of_three(&cpu, args)),
            SolveMethod::TwoPhase => solve(args, || two_phase_solver(args)),
            SolveMethod::Exact => {
                Err(CliError::usage("--method exact applies to cube2 only; use --method two-phase"))
            }
        },
    }
}

/// Solves the cube of the command line, or each cube of standard input, with the solver that `create` returns.
fn solve<'a, C: CubePuzzle>(
    args: &SolveArgs,
    create: impl FnOnce() -> Result<Solver<'a, C>, CliError>,
) -> Result<(), CliError> {
    let scramble = args.turns.join(" ");
    let stickers = args.stickers.as_deref();
    match (scramble == STANDARD_INPUT, stickers == Some(STANDARD_INPUT)) {
        (true, true) => Err(CliError::usage("standard input has scrambles or stickers; specify - only once")),
        (true, false) => {
            let mut solver = create()?;
            print_heading(args);
            for_each_line(None, |line, scramble| {
                solve_one(args, stickers, scramble, Some(line), |given| solver(given))
            })
        }
        (false, true) => {
            let mut solver = create()?;
            print_heading(args);
            for_each_line(None, |line, stickers| {
                solve_one(args, Some(stickers), &scramble, Some(line), |given| solver(given))
            })
        }
        (false, false) => solve_one(args, stickers, &scramble, None, |given| create()?(given)),
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
    let rival = solution.rival.as_ref().map(|(_, turns)| turns);
    let wrong = [Some(&solution.turns), rival].into_iter().flatten().find(|turns| !solves(turns));
    if let Some(turns) = wrong {
        return Err(CliError::failed(format!(
            "internal error: the solution {} was found {}, but does not solve the cube; please report this bug",
            format_turns(turns),
            solution.how
        )));
    }
    if args.json {
        let mut value = json!({
            "experiment": experiment_name(args.size),
            "scramble": scramble,
            "stickers": stickers,
            "solution": moves_text(given.orientation, &solution.turns),
            "half_turns": TurnMetric::Half.length(&solution.turns),
            "quarter_turns": TurnMetric::Quarter.length(&solution.turns),
            "minimum": solution.minimum,
            "how": solution.how,
        });
        if let Some(line) = line {
            value["line"] = line.into();
        }
        terminal::print_line(&value.to_string());
    } else {
        match line {
            Some(line) => terminal::print_line(&table_row(line, given.orientation, &solution.turns)),
            None => print(args.metric(), given.orientation, &solution),
        }
    }
    solution.stopped.map_or(Ok(()), |signal| Err(CliError::Interrupted(signal)))
}

/// Prints the heading of the table of a batch.
fn print_heading(args: &SolveArgs) {
    if !args.json {
        terminal::print_line("  line  htm  qtm  solution");
    }
}

/// Formats a solution of a batch as a row of the table: line of standard input, length in both metrics, and moves.
fn table_row(line: u64, orientation: CubeOrientation, turns: &[FaceTurn]) -> String {
    let [half, quarter] = [TurnMetric::Half, TurnMetric::Quarter].map(|metric| metric.length(turns));
    let moves = moves_text(orientation, turns);
    format!("{line:>6} {half:>4} {quarter:>4}  {}", if moves.is_empty() { "–" } else { &moves })
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

/// Returns the solver of the 2×2×2 cube with the greedy policy of a network.
fn solver_of_two<'a>(cpu: &'a Cpu, args: &SolveArgs) -> Result<Solver<'a, Cube2>, CliError> {
    args.refuse(&["--beam", "--engine", "--nodes"], "cube2 is solved without a search")?;
    let file = network(args, "exact")?;
    let policy = Cube2Solver::open(file.bytes()).map_err(|error| file.refuse(error))?;
    let distances = DistanceTable::new(args.metric());
    Ok(Box::new(move |given| {
        let turns = policy.solution(cpu, given.cube).map_err(|moves| {
            CliError::failed(format!(
                "{} does not solve this cube: its policy cycles after {}; use the exact solver: --method exact",
                file.description(),
                text::count(moves as u64, "move")
            ))
        })?;
        let fewest = distances.of(given.cube);
        let how = format!("by {} without search; the minimum is {fewest}", file.description());
        Ok(Solution { turns, how, minimum: Some(fewest.into()), rival: None, stopped: None })
    }))
}

/// Returns the solver of the 2×2×2 cube with the minimum number of moves, by the table of all states.
fn exact_solver<'a>(args: &SolveArgs) -> Result<Solver<'a, Cube2>, CliError> {
    args.refuse(
        &["--checkpoint", "--beam", "--engine", "--nodes"],
        "--method exact uses no network and no search",
    )?;
    let distances = DistanceTable::new(args.metric());
    Ok(Box::new(move |given| {
        let minimum = Some(distances.of(given.cube).into());
        let turns = distances.solution(given.cube);
        Ok(Solution { turns, how: "by the exact solver".into(), minimum, rival: None, stopped: None })
    }))
}

/// Opens the network of `--checkpoint`, or else the network of the program. An error because the program has no network
/// suggests the solver `other`.
fn network(args: &SolveArgs, other: &str) -> Result<CheckpointFile, CliError> {
    CheckpointFile::open(args.checkpoint.as_deref(), experiment_name(args.size)).map_err(
        |error| match error {
            CliError::Usage(why) => CliError::Usage(format!("{why}, or use --method {other}")),
            error => error,
        },
    )
}

/// Returns the solver of the 3×3×3 cube by the two-phase algorithm. If the inverse of the scramble is shorter, the inverse is
/// printed for comparison.
fn two_phase_solver<'a>(args: &SolveArgs) -> Result<Solver<'a, Cube3>, CliError> {
    args.refuse(&["--checkpoint", "--beam", "--engine"], "--method two-phase uses no network")?;
    let (metric, nodes) = (args.metric(), args.nodes.unwrap_or(TwoPhaseSolver::DEFAULT_NODES));
    let solver = TwoPhaseSolver::new(metric);
    let interrupt = (nodes > TwoPhaseSolver::DEFAULT_NODES && !args.is_batch()).then(Interrupt::listen);
    Ok(Box::new(move |given| {
        let (solution, stopped) = match &interrupt {
            None => (solver.solve(&given.cube, nodes), None),
            Some(interrupt) => {
                let (interrupt, orientation) = (interrupt.clone(), given.orientation);
                let bar = terminal::progress_bar(
                    nodes,
                    "{wide_bar} {human_pos}/{human_len} nodes, at most {eta} left",
                );
                let mut reporter = SearchReporter { bar, metric, orientation, interrupt };
                let solution = solver.solve_observed(&given.cube, nodes, &mut reporter);
                reporter.bar.finish_and_clear();
                (solution, reporter.interrupt.signal.get().copied())
            }
        };
        let length = |turns: &[FaceTurn]| metric.length(turns);
        let inverse = given.inverse.clone();
        let shorter_inverse = inverse.filter(|inverse| length(inverse) < length(&solution.turns));
        let rival = shorter_inverse.map(|inverse| ("the inverse of the scramble".to_owned(), inverse));
        let proof = if solution.is_optimal {
            ", which proves that no shorter solution exists"
        } else {
            ", which may have missed shorter solutions"
        };
        let end = stopped.map_or(String::new(), |signal| format!(", stopped by {}", signal.name()));
        let how = format!("by two-phase search of {} nodes{proof}{end}", text::whole(solution.nodes));
        let minimum = solution.is_optimal.then(|| length(&solution.turns));
        Ok(Solution { turns: solution.turns, how, minimum, rival, stopped })
    }))
}

/// Returns the solver of the 3×3×3 cube by a beam search with a policy network. A single solution for a reader is
/// compared with a solution of the two-phase algorithm.
fn solver_of_three<'a>(cpu: &'a Cpu, args: &SolveArgs) -> Result<Solver<'a, Cube3>, CliError> {
    args.refuse(&["--nodes"], "it applies to --method two-phase only")?;
    let file = network(args, "two-phase")?;
    let (network, metric) = read_cube3_network(file.bytes()).map_err(|error| file.refuse(error))?;
    let width = args.beam.unwrap_or(1024);
    let settings = BeamSearchSettings { metric, width: width as usize, ..BeamSearchSettings::default() };
    let mut device = match engine::choose_for_search(args.engine.request())? {
        vivarium_lab::Engine::Cpu => None,
        #[cfg(feature = "gpu")]
        vivarium_lab::Engine::Gpu(gpu) => {
            let device =
                GpuBeamSearch::new(&gpu, &network, metric, width as usize).map_err(CliError::failed_by)?;
            Some((device, format!(" on {}", gpu.adapter_info().name)))
        }
    };
    let comparison = (!args.is_batch() && !args.json).then(|| TwoPhaseSolver::new(args.metric()));
    Ok(Box::new(move |given| {
        let mut search = BeamSearch::new(settings, given.cube);
        let place = match &mut device {
            None => {
                search.run(cpu, &network);
                ""
            }
            #[cfg(feature = "gpu")]
            Some((device, place)) => {
                device.run(cpu, &mut search).map_err(CliError::failed_by)?;
                place
            }
            #[cfg(not(feature = "gpu"))]
            Some(()) => "",
        };
        if search.status() != SearchStatus::Solved {
            return Err(no_solution(&search, &file, width));
        }
        let turns = search.solution().unwrap_or_default().to_vec();
        let how = format!("with beam width {width}{place}, after {} states", text::whole(search.evaluated()));
        let rival = comparison.as_ref().map(|solver| {
            let name = format!("two-phase search of {} nodes", text::whole(COMPARISON_NODES));
            (name, solver.solve(&given.cube, COMPARISON_NODES).turns)
        });
        Ok(Solution { turns, how, minimum: None, rival, stopped: None })
    }))
}

fn no_solution(search: &BeamSearch, file: &CheckpointFile, width: u32) -> CliError {
    let wider = if width < MAX_BEAM_WIDTH {
        format!("; try a wider beam: --beam {}", width.saturating_mul(4).min(MAX_BEAM_WIDTH))
    } else {
        String::new()
    };
    CliError::failed(format!(
        "no solution of up to {} moves found with beam width {width} and {}{wider}",
        search.moves(),
        file.description()
    ))
}

/// Formats a solution. `orientation` is the orientation of the whole cube before the solution.
fn moves_text(orientation: CubeOrientation, turns: &[FaceTurn]) -> String {
    let moves = orientation.to_standard().into_iter().chain(turns.iter().map(|&turn| turn.into()));
    moves.map(|layers: LayerMove| layers.to_string()).collect::<Vec<_>>().join(" ")
}

/// Prints a verified solution, and its length on standard error. `orientation` is the orientation of the whole cube before
/// the solution.
fn print(metric: TurnMetric, orientation: CubeOrientation, solution: &Solution) {
    let Solution { turns, how, rival, .. } = solution;
    let moves = moves_text(orientation, turns);
    if moves.is_empty() {
        terminal::print_line("This cube is solved.");
        return;
    }
    terminal::print_line(&moves);
    let rotations = match orientation.to_standard().len() {
        0 => "",
        1 => " The rotation of the whole cube is not counted.",
        _ => " The rotations of the whole cube are not counted.",
    };
    terminal::print_message(&format!(
        "{} {how}.{rotations} Verified: the cube is solved.",
        lengths(metric, turns)
    ));
    if let Some((name, rival)) = rival {
        let comparison = match metric.length(rival).cmp(&metric.length(turns)) {
            std::cmp::Ordering::Less => format!("{}: {}", lengths(metric, rival), format_turns(rival)),
            std::cmp::Ordering::Equal => "no shorter solution".into(),
            std::cmp::Ordering::Greater => format!("{}, more", lengths(metric, rival)),
        };
        terminal::print_message(&format!("For comparison, {name}: {comparison}."));
    }
}

/// Returns the length of a solution in both metrics, `metric` first.
fn lengths(metric: TurnMetric, turns: &[FaceTurn]) -> String {
    let moves = text::count(metric.length(turns).into(), "move");
    let name = |metric| match metric {
        TurnMetric::Half => "half-turn metric",
        TurnMetric::Quarter => "quarter-turn metric",
    };
    let other = match metric {
        TurnMetric::Half => TurnMetric::Quarter,
        TurnMetric::Quarter => TurnMetric::Half,
    };
    format!("{moves} ({}; {} in the {})", name(metric), other.length(turns), name(other))
}

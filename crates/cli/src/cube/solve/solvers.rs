//! Solvers of `vivarium solve`.

use super::args::SolveArgs;
use super::output::moves_text;
use super::solution::{GivenCube, RivalSolution, Solution};
use crate::checkpoint_file::CheckpointFile;
use crate::cube::experiment_name;
use crate::engine;
use crate::error::CliError;
use crate::signals::Interrupt;
use crate::values::MAX_BEAM_WIDTH;
use crate::{terminal, text};
use indicatif::ProgressBar;
use std::sync::atomic::Ordering;
#[cfg(feature = "gpu")]
use vivarium_agents::cube3::GpuBeamSearch;
use vivarium_agents::cube3::{BeamSearch, BeamSearchSettings, SearchStatus};
use vivarium_envs::cube::{
    Cube2, Cube3, CubeOrientation, CubeSize, DistanceTable, FaceTurn, TurnMetric, TwoPhaseObserver,
    TwoPhaseSolver,
};
use vivarium_exhibit_cube::{Cube2Solver, read_cube3_network};
use vivarium_graph::Cpu;

/// Number of search nodes of the two-phase search whose solution is printed for comparison with the network's solution.
const COMPARISON_NODES: u64 = 200_000;

/// Solver that is reused for all cubes of a batch: maps a cube to a solution.
pub type Solver<'a, C> = Box<dyn FnMut(&GivenCube<C>) -> Result<Solution, CliError> + 'a>;

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

/// Returns the solver of the 2×2×2 cube with the greedy policy of a network.
pub fn network_of_two<'a>(cpu: &'a Cpu, args: &SolveArgs) -> Result<Solver<'a, Cube2>, CliError> {
    args.refuse(&["--beam", "--engine", "--nodes"], "cube2 is solved without a search")?;
    let file = network(args, CubeSize::Two, "exact")?;
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
pub fn exact<'a>(args: &SolveArgs) -> Result<Solver<'a, Cube2>, CliError> {
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
fn network(args: &SolveArgs, size: CubeSize, other: &str) -> Result<CheckpointFile, CliError> {
    CheckpointFile::open(args.checkpoint.as_deref(), experiment_name(size)).map_err(|error| match error {
        CliError::Usage(why) => CliError::Usage(format!("{why}, or use --method {other}")),
        error => error,
    })
}

/// Returns the solver of the 3×3×3 cube by the two-phase algorithm. If the inverse of the scramble is shorter, the inverse is
/// printed for comparison.
pub fn two_phase<'a>(args: &SolveArgs) -> Result<Solver<'a, Cube3>, CliError> {
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
        let rival =
            shorter_inverse.map(|turns| RivalSolution { turns, how: "the inverse of the scramble".into() });
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

/// Returns the solver of the 3×3×3 cube by a beam search with a policy network. Each solution is compared
/// with a solution of the two-phase algorithm.
pub fn network_of_three<'a>(cpu: &'a Cpu, args: &SolveArgs) -> Result<Solver<'a, Cube3>, CliError> {
    args.refuse(&["--nodes"], "it applies to --method two-phase only")?;
    let file = network(args, CubeSize::Three, "two-phase")?;
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
    let comparison = TwoPhaseSolver::new(args.metric());
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
        let rival = RivalSolution {
            turns: comparison.solve(&given.cube, COMPARISON_NODES).turns,
            how: format!("two-phase search of {} nodes", text::whole(COMPARISON_NODES)),
        };
        Ok(Solution { turns, how, minimum: None, rival: Some(rival), stopped: None })
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

//! The class `NativeSolver`: a trained solver of a cube.

use super::common::{OpenModel, open_model};
use crate::error::{detached, invalid, lab_exception};
use crate::threads;
use numpy::prelude::*;
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use vivarium_agents::cube3::{BeamSearch, BeamSearchSettings, Cube3Network, SearchStatus};
use vivarium_envs::cube::{Cube2, Cube3, CubePuzzle, FaceTurn, TurnMetric, parse_turns};
use vivarium_exhibit_cube::{Cube2Solver, read_cube3_network};
use vivarium_lab::LabError;
use vivarium_lab::config::shorten;

/// Maximum beam width, in states.
const MAX_BEAM_WIDTH: usize = 262_144;

/// Network of one of the cubes.
enum SolverNetwork {
    Cube2(Cube2Solver),
    Cube3(Cube3Network, TurnMetric),
}

/// Trained solver of a cube: the native part of the Python class `vivarium_ml.Solver`.
#[pyclass(module = "vivarium_ml._core", frozen)]
pub(crate) struct NativeSolver {
    network: SolverNetwork,
}

#[pymethods]
impl NativeSolver {
    #[new]
    fn new(py: Python<'_>, checkpoint: &[u8]) -> PyResult<Self> {
        detached(py, || Self::open(checkpoint).map_err(lab_exception))
    }

    /// Returns the names of the turns that count as one move, in the order of the network's outputs.
    #[getter]
    fn turns(&self) -> Vec<String> {
        let turns = match self.network {
            SolverNetwork::Cube2(_) => Cube2::turns(TurnMetric::Quarter),
            SolverNetwork::Cube3(_, metric) => Cube3::turns(metric),
        };
        turns.iter().map(ToString::to_string).collect()
    }

    /// Solves a cube: the cube with the stickers `stickers` (default: solved) after the turns `scramble`. Returns the
    /// turns of the solution, or `None` if the network finds no solution.
    #[pyo3(signature = (scramble, stickers, beam_width))]
    fn solve(
        &self,
        py: Python<'_>,
        scramble: &str,
        stickers: Option<&str>,
        beam_width: usize,
    ) -> PyResult<Option<Vec<String>>> {
        if !(1..=MAX_BEAM_WIDTH).contains(&beam_width) {
            return Err(invalid("beam_width", beam_width, &format!("allowed is 1 to {MAX_BEAM_WIDTH}")));
        }
        let turns = match &self.network {
            SolverNetwork::Cube2(policy) => {
                let (start, cpu) = (cube::<Cube2>(scramble, stickers)?, threads::cpu()?);
                detached(py, || Ok(policy.solution(cpu, start).ok()))?
            }
            SolverNetwork::Cube3(network, metric) => {
                let start = cube::<Cube3>(scramble, stickers)?;
                search(py, network, *metric, start, beam_width)?
            }
        };
        Ok(turns.map(|turns| turns.iter().map(FaceTurn::to_string).collect()))
    }

    /// Returns the Q-values (`float32` `[n, turns]`) of the cubes that result from applying each of `scrambles` to the
    /// solved cube.
    fn values<'py>(&self, py: Python<'py>, scrambles: Vec<String>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let SolverNetwork::Cube2(policy) = &self.network else {
            return Err(PyValueError::new_err("the network of cube3 has no values; use a network of cube2"));
        };
        let cubes = scrambles.iter().map(|scramble| cube(scramble, None));
        let (cubes, cpu) = (cubes.collect::<PyResult<Vec<Cube2>>>()?, threads::cpu()?);
        let values = detached(py, || Ok(policy.values(cpu, &cubes)))?;
        PyArray1::from_vec(py, values).reshape([cubes.len(), Cube2::turns(TurnMetric::Quarter).len()])
    }
}

impl NativeSolver {
    fn open(checkpoint: &[u8]) -> Result<Self, LabError> {
        let table: [(_, OpenModel<_>); 2] = [
            ("cube2", |bytes| Ok(SolverNetwork::Cube2(Cube2Solver::open(bytes)?))),
            ("cube3", |bytes| {
                let (network, metric) = read_cube3_network(bytes)?;
                Ok(SolverNetwork::Cube3(network, metric))
            }),
        ];
        Ok(Self { network: open_model(checkpoint, &table)? })
    }
}

/// Returns the cube that results from applying the turns `scramble` to the cube with the stickers `stickers` (default:
/// solved).
fn cube<C: CubePuzzle>(scramble: &str, stickers: Option<&str>) -> PyResult<C> {
    let refuse = |name: &str, text: &str, why: String| invalid(name, format!("{:?}", shorten(text)), &why);
    let start = match stickers {
        Some(text) => C::parse(text).map_err(|error| refuse("stickers", text, error.to_string()))?,
        None => C::SOLVED,
    };
    let turns = parse_turns(scramble, C::SIZE);
    let turns = turns.map_err(|error| refuse("scramble", scramble, error.to_string()))?;
    Ok(turns.iter().fold(start, |cube, &turn| cube.after(turn)))
}

/// Solves `start` by a beam search of the given width. Returns `None` if the search finds no solution.
fn search(
    py: Python<'_>,
    network: &Cube3Network,
    metric: TurnMetric,
    start: Cube3,
    width: usize,
) -> PyResult<Option<Vec<FaceTurn>>> {
    let settings = BeamSearchSettings { metric, width, ..BeamSearchSettings::default() };
    let (mut search, cpu) = (BeamSearch::new(settings, start), threads::cpu()?);
    while detached(py, || Ok(search.advance(cpu, network)))? == SearchStatus::Searching {
        py.check_signals()?;
    }
    Ok(search.solution().map(<[FaceTurn]>::to_vec))
}

//! `vivarium eval` for cubes: compute engine of the beam search, and export of the network's weights.

use crate::error::CliError;
use crate::eval::args::EvalArgs;
use crate::eval::export::Export;
use crate::eval::family::EvalFamily;
use vivarium_agents::dqn::CubeProblem;
use vivarium_exhibit_cube::protocol::CubeCommand;

/// Part of `vivarium eval` that is specific to cubes: export of the network's weights, and checks of options.
pub struct CubeEval;

impl EvalFamily for CubeEval {
    fn kind(&self) -> &'static str {
        "cube"
    }

    fn names(&self) -> [&'static str; 2] {
        ["cube", "cubes"]
    }

    fn check(&self, args: &EvalArgs) -> Result<(), CliError> {
        if args.experiment != CubeProblem::NAME {
            return Ok(());
        }
        args.check_no_engine()?;
        args.check_no_episodes("is always evaluated in all of its 3,674,160 states; omit --episodes")
    }

    fn exports(&self, args: &EvalArgs) -> Result<Vec<Export>, CliError> {
        let weights = args.export_weights.clone().into_iter();
        weights.map(|path| Export::new("--export-weights", path, &CubeCommand::ExportPlayer)).collect()
    }
}

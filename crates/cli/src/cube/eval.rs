//! `vivarium eval` for cubes: checks of the options.

use crate::error::CliError;
use crate::eval::args::EvalArgs;
use crate::eval::family::EvalFamily;
use vivarium_agents::dqn::CubeProblem;

/// Part of `vivarium eval` that is specific to cubes: checks of the options.
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
}

//! Table of the families of experiments that contribute to `vivarium eval`.

use crate::cube::eval::CubeEval;
use crate::eval::family::EvalFamily;
use crate::games::eval::GamesEval;
use crate::language::eval::LanguageEval;
use crate::logic_ca::LogicEval;
use clap::{Arg, Command};

/// Families of experiments (such as the board games) whose descriptions declare that they have an evaluation of their
/// own. Any other family is evaluated with the common options.
pub static FAMILIES: [&dyn EvalFamily; 4] = [&LanguageEval, &LogicEval, &CubeEval, &GamesEval];

/// Returns the command-line options of all families.
pub fn options() -> Vec<Arg> {
    // Without a display order of their own, the options follow the common options in the help text.
    let empty = Command::new("").next_display_order(None);
    let command = FAMILIES.into_iter().fold(empty, |command, family| family.augment(command));
    command.get_arguments().cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command_line::{self, Cli};
    use crate::eval::family::check_options;
    use clap::Parser;

    /// With a wrong name, or without an entry in [`FAMILIES`], the experiments of a family would be evaluated with the
    /// common options, without an error.
    #[test]
    fn families_are_those_with_an_evaluation_of_their_own() {
        let declared = vivarium_exhibits::DESCRIPTIONS.iter().filter(|family| family.has_own_eval);
        let mut declared: Vec<String> =
            declared.map(|family| (family.experiments[0].info)().family().to_owned()).collect();
        let mut known = FAMILIES.map(EvalFamily::kind);
        declared.sort();
        known.sort_unstable();
        assert_eq!(known.as_slice(), declared);
    }

    #[test]
    fn every_option_of_a_family_is_refused_for_the_others() {
        let check = |experiment: &str, option: &str| {
            let typed = ["vivarium", "eval", experiment, "--checkpoint", "x", option, "4"];
            let command = Cli::try_parse_from(typed).unwrap().command;
            let Some(command_line::Command::Eval(args)) = command else { panic!("no eval") };
            check_options(&FAMILIES, &args, &vivarium_exhibits::info(experiment).unwrap())
        };
        for family in FAMILIES {
            for option in family.augment(Command::new("")).get_arguments() {
                let option = format!("--{}", option.get_long().unwrap());
                for name in vivarium_exhibits::REGISTRY.names() {
                    let is_own = vivarium_exhibits::info(name).unwrap().family() == family.kind();
                    assert_eq!(check(name, &option).is_ok(), is_own, "{name} {option}");
                }
            }
        }
    }
}

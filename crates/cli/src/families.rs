//! Table of the families of experiments that have options or an evaluation of their own in `vivarium eval`.

use crate::cube::eval::CubeEval;
use crate::eval::family::EvalFamily;
use crate::games::eval::GamesEval;
use crate::language::eval::LanguageEval;
use crate::logic_ca::LogicEval;
use clap::{Arg, Command};

/// Families of experiments (such as board games) with options or an evaluation of their own. Experiments of all other
/// families have only the common options and the common evaluation.
pub static FAMILIES: [&dyn EvalFamily; 4] = [&LanguageEval, &LogicEval, &CubeEval, &GamesEval];

/// Returns the family-specific options of `vivarium eval`, of all families.
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

    #[test]
    fn every_option_of_a_family_is_refused_for_the_others() {
        let check = |experiment: &str, option: &str| {
            let typed = ["vivarium", "eval", experiment, "--checkpoint", "x", option, "4"];
            let command = Cli::try_parse_from(typed).unwrap().command;
            let Some(command_line::Command::Eval(args)) = command else { panic!("no eval") };
            check_options(&FAMILIES, &args, &vivarium_exhibits::info(experiment).unwrap())
        };
        let names: Vec<_> = vivarium_exhibits::REGISTRY.names().collect();
        for family in FAMILIES {
            let is_own = |name: &str| vivarium_exhibits::info(name).unwrap().family() == family.kind();
            assert!(names.iter().any(|name| is_own(name)), "no experiment of the family {}", family.kind());
            for option in family.augment(Command::new("")).get_arguments() {
                let option = format!("--{}", option.get_long().unwrap());
                for name in &names {
                    assert_eq!(check(name, &option).is_ok(), is_own(name), "{name} {option}");
                }
            }
        }
    }
}

//! Check of commands that an experiment must reject.

use std::fmt::Debug;
use vivarium_lab::Exhibit;

/// Executes a command that must fail, and returns the error message. Checks that the value of `seen`, such as a JSON
/// document, is equal before and after.
pub fn why<E: Exhibit + ?Sized, T: PartialEq + Debug>(
    experiment: &mut E,
    command: E::Command,
    seen: impl Fn(&mut E) -> T,
) -> String
where
    E::Command: Clone + Debug,
{
    let before = seen(experiment);
    let error = match experiment.command(command.clone()) {
        Err(error) => error.to_string(),
        Ok(reply) => panic!("{command:?} was done: {reply:?}"),
    };
    assert_eq!(seen(experiment), before, "{command:?}");
    error
}

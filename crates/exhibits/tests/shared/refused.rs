//! Rejected commands.

use std::fmt::Debug;
use vivarium_lab::Exhibit;

/// Returns the error of a command, which must not change `seen`.
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

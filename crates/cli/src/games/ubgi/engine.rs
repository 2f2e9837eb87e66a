//! Engine of the interface: state between the lines of input.

use super::answer::best_action;
use crate::error::CliError;
use crate::games::adviser_args::AdviserArgs;
use crate::games::adviser_args::NUM_HINTS;
use crate::games::equity_table::EquityTable;
use crate::{machine, terminal};
use vivarium_envs::backgammon::{Rawboard, Xgid};
use vivarium_exhibit_games::advice::{Adviser, StopSignal};

/// Reply to a line that has no other reply.
const SORRY: &str = "sorry";

/// Engine that replies to lines of input on standard output.
pub struct UbgiEngine {
    args: AdviserArgs,
    equity_table: EquityTable,
    stop: StopSignal,
    /// Adviser; `None` before the command `ubgi`.
    adviser: Option<Box<dyn Adviser>>,
}

impl UbgiEngine {
    /// Creates an engine. `stop` ends its searches.
    pub fn new(args: AdviserArgs, equity_table: EquityTable, stop: StopSignal) -> Self {
        Self { args, equity_table, stop, adviser: None }
    }

    /// Replies to a line of input, and prints the reason of the reply `sorry` to standard error.
    pub fn reply(&mut self, line: &str) {
        let reply = match line {
            "ubgi" => self.initialize(),
            position => self.decide(position),
        };
        let reply = reply.unwrap_or_else(|message| {
            terminal::print_message(&format!("vivarium: {message}"));
            SORRY.to_owned()
        });
        terminal::print_line(&reply);
        self.stop.finish();
    }

    /// Prints the identification and reads the network.
    fn initialize(&mut self) -> Result<String, String> {
        terminal::print_line("id name Vivarium");
        terminal::print_line("id author The Vivarium founders");
        terminal::print_line(&format!("id version {}", machine::VERSION));
        if self.adviser.is_none() {
            let evaluator = self.args.evaluator();
            let adviser =
                evaluator.and_then(|evaluator| self.args.adviser(evaluator, NUM_HINTS, self.stop.clone()));
            let message = |error: CliError| error.message().unwrap_or_default().to_owned();
            self.adviser = Some(adviser.map_err(message)?);
        }
        Ok("readyok".to_owned())
    }

    /// Returns the best action in a position.
    fn decide(&mut self, text: &str) -> Result<String, String> {
        let xgid = if Rawboard::has_prefix(text) {
            let Rawboard { position, state } = Rawboard::parse(text).map_err(|error| error.to_string())?;
            Xgid::new(position, state)
        } else if text.contains(':') {
            Xgid::parse(text).map_err(|error| error.to_string())?
        } else {
            return Err(format!(
                "{text:?} is not a command; send ubgi, stop, quit, an XGID or a rawboard of FIBS"
            ));
        };
        let Some(adviser) = &mut self.adviser else {
            return Err("the network is not loaded; send ubgi before the first position".to_owned());
        };
        best_action(&xgid, adviser.as_mut(), &self.equity_table)
    }
}

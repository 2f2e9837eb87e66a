//! Dialog in the terminal: prompts, lines of input and output.

use std::io::{self, BufRead, Write};

/// Input and output of a game in the terminal.
pub struct Console<'a> {
    input: &'a mut dyn BufRead,
    output: &'a mut dyn Write,
}

impl<'a> Console<'a> {
    /// Creates a console that reads lines from `input` and prints to `output`.
    pub fn new(input: &'a mut dyn BufRead, output: &'a mut dyn Write) -> Self {
        Self { input, output }
    }

    /// Prints a prompt and reads a line of input. Returns `None` at the end of the input.
    pub fn prompt(&mut self, prompt: &str) -> Option<String> {
        // Errors of a closed output are ignored.
        let _ = write!(self.output, "{prompt}");
        let _ = self.output.flush();
        let mut line = String::new();
        match self.input.read_line(&mut line) {
            Ok(0) => {
                self.print_line("");
                None
            }
            Ok(_) => Some(line),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => Some("?".to_owned()),
            Err(_) => None,
        }
    }

    /// Prints a line.
    pub fn print_line(&mut self, words: &str) {
        let _ = writeln!(self.output, "{words}");
    }

    /// Prompts for the next game. Returns `false` if the human player quits.
    pub fn prompt_next_game(&mut self) -> bool {
        loop {
            let Some(line) = self.prompt("> ") else { return false };
            match line.trim().to_lowercase().as_str() {
                "" => return true,
                "quit" | "exit" | "q" => return false,
                _ => self.print_line("press Enter for another game, or enter quit"),
            }
        }
    }
}

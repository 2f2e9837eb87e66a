//! Reference sections of the commands: exit codes, environment variables, files and examples. `--help`, the man pages
//! and `docs/cli.md` are generated from them.

pub mod examples;

use crate::error::EXIT_CODES;
use crate::run::RUN_FILES;
use clap::Command;

/// Environment variable that the program reads.
pub struct Variable {
    pub name: &'static str,
    pub meaning: &'static str,
    /// Commands that read the variable.
    commands: &'static [&'static str],
}

/// Environment variables that the program reads.
pub const VARIABLES: [Variable; 2] = [
    Variable {
        name: "VIVARIUM_CACHE",
        meaning: "folder of the engine speeds that --engine auto measures [default: vivarium in the user's cache folder]",
        commands: &["train", "eval", "solve", "info"],
    },
    Variable {
        name: "VIVARIUM_GNUBG",
        meaning: "path of GNU Backgammon, for opponents and evaluations named gnubg and gnubg-2ply [default: gnubg]",
        commands: &["analyze", "eval", "hint", "play", "ubgi"],
    },
];

/// Commands that read or write run folders.
const RUN_COMMANDS: [&str; 5] = ["train", "eval", "export", "monitor", "runs"];

/// Maximum width of a line of help, in characters.
pub const HELP_WIDTH: usize = 100;

/// Reference section of a command.
pub struct Section {
    /// Heading in `--help`.
    pub heading: &'static str,
    /// Heading in man pages: the standard name of `man-pages(7)`.
    pub man_heading: &'static str,
    /// Entries: a name, such as an exit code or a command line, and its meaning.
    pub entries: Vec<(String, String)>,
    /// Whether `--help` of the command has the section; otherwise only the man page and the help of the program have it.
    in_help: bool,
}

/// Returns the reference sections of a command that have entries. `path` is the name of the command without the name of
/// the program, such as `["runs", "list"]`; empty for the program.
pub fn sections(path: &[&str]) -> Vec<Section> {
    let command = path.first().copied();
    let of = |commands: &[&str]| command.is_none_or(|command| commands.contains(&command));
    let codes = EXIT_CODES.iter().filter(|code| code.commands.is_empty() || of(code.commands));
    let has_own_code = EXIT_CODES.iter().any(|code| of(code.commands));
    let variables = VARIABLES.iter().filter(|variable| of(variable.commands));
    let files = RUN_FILES.iter().filter(|_| of(&RUN_COMMANDS));
    let section = |heading, man_heading, entries, in_help| Section { heading, man_heading, entries, in_help };
    let all = [
        section(
            "Exit codes",
            "EXIT STATUS",
            codes.map(|code| (format!("{:>3}", code.code), code.meaning.to_owned())).collect(),
            command.is_none() || has_own_code,
        ),
        section(
            "Environment variables",
            "ENVIRONMENT",
            variables.map(|variable| (variable.name.to_owned(), variable.meaning.to_owned())).collect(),
            true,
        ),
        section(
            "Files of a run folder",
            "FILES",
            files.map(|(name, contents)| ((*name).to_owned(), (*contents).to_owned())).collect(),
            command == Some("train"),
        ),
        section("Examples", "EXAMPLES", examples::of(path), command.is_some()),
    ];
    all.into_iter().filter(|section| !section.entries.is_empty()).collect()
}

/// Adds the reference sections to `--help` of `command` and of its subcommands. `path` is the name of the command without
/// the name of the program.
pub fn with_sections(mut command: Command, path: &[&str]) -> Command {
    let names: Vec<_> = command.get_subcommands().map(|each| each.get_name().to_owned()).collect();
    for name in &names {
        let path = [path, &[name]].concat();
        command = command.mut_subcommand(name, |subcommand| with_sections(subcommand, &path));
    }
    let prose = command.get_after_help().map(ToString::to_string);
    let sections = sections(path);
    let shown = sections.iter().filter(|section| section.in_help).map(format_section);
    let parts: Vec<_> = prose.into_iter().chain(shown).collect();
    if parts.is_empty() { command } else { command.after_help(parts.join("\n\n")) }
}

/// Formats a section as text: two columns, or the meaning below the name if a line would be too long.
fn format_section(section: &Section) -> String {
    let width = |text: &str| text.chars().count();
    let names = section.entries.iter().map(|(name, _)| width(name)).max().unwrap_or(0);
    let fits = section.entries.iter().all(|(_, meaning)| names + width(meaning) + 4 <= HELP_WIDTH);
    let lines = section.entries.iter().map(|(name, meaning)| match fits {
        true => format!("  {name:<names$}  {meaning}"),
        false => format!("  {name}\n      {meaning}"),
    });
    format!("{}:\n{}", section.heading, lines.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(path: &[&str], heading: &str) -> Vec<String> {
        let sections = sections(path);
        let section = sections.into_iter().find(|section| section.man_heading == heading);
        section.map_or(Vec::new(), |section| section.entries.into_iter().map(|(name, _)| name).collect())
    }

    #[test]
    fn a_command_has_the_entries_that_apply_to_it() {
        assert!(entries(&["train"], "EXIT STATUS").contains(&"  3".to_owned()));
        assert!(!entries(&["eval"], "EXIT STATUS").contains(&"  3".to_owned()));
        for command in ["play", "hint"] {
            assert_eq!(entries(&[command], "ENVIRONMENT"), ["VIVARIUM_GNUBG"]);
        }
        assert_eq!(entries(&["notices"], "ENVIRONMENT"), [""; 0]);
        assert_eq!(entries(&["alg"], "FILES"), [""; 0]);
        assert!(entries(&["runs", "list"], "FILES").contains(&"best.safetensors".to_owned()));
        let compare = entries(&["runs", "compare"], "EXAMPLES");
        assert!(!compare.is_empty() && compare.iter().all(|line| line.starts_with("vivarium runs compare ")));
        assert!(entries(&["runs"], "EXAMPLES").len() > compare.len());
    }

    #[test]
    fn the_table_of_files_in_the_documents_is_current() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/checkpoints.md");
        let text = std::fs::read_to_string(path).unwrap();
        for (name, contents) in RUN_FILES {
            let row = format!("| `{name}` | {contents} |");
            assert!(text.contains(&row), "docs/checkpoints.md lacks the row\n{row}");
        }
    }
}

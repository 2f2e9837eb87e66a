//! Example command lines, for the overview, `--help` and the man pages.

/// Example command line: words after the name of the program, and their meaning.
pub type Example = (&'static str, &'static str);

/// Examples in the overview of the program.
pub const OVERVIEW: [Example; 18] = [
    ("train cartpole", "train until solved"),
    ("train cartpole --set preset=moon", "with a preset, or a config field: --set world.gravity=12"),
    ("fields cartpole", "config fields for --set; presets: vivarium presets cartpole"),
    ("monitor runs/cartpole-1-1", "monitor the run in another terminal"),
    ("runs", "list the runs; vivarium runs compare RUN RUN"),
    ("eval cartpole --checkpoint runs/cartpole-1-1/best.safetensors", "evaluate the best checkpoint"),
    ("train logic-ca --set preset=checkerboard", "learn a circuit"),
    (
        "eval logic-ca --checkpoint runs/logic-ca-1-1/best.safetensors --gif board.gif",
        "animation of the learned circuit",
    ),
    (
        "eval backgammon --checkpoint runs/backgammon-1-1/best.safetensors --against pubeval",
        "games against another player",
    ),
    (
        "play backgammon --checkpoint runs/backgammon-1-1/best.safetensors",
        "play against the network of a run",
    ),
    (
        "hint 4HPwATDgc/ABMA --dice 64",
        "rank the plays of a backgammon position; without dice, the doubling decision",
    ),
    ("rollout 4HPwATDgc/ABMA --dice 64", "compare the plays by random games, with standard errors"),
    ("analyze match.mat", "errors and luck of a recorded backgammon match"),
    ("analyze match.mat --worst 10 --player Ann", "ten largest errors of a player, with XGIDs"),
    ("train cube2 --set preset=demonstrations --until 'solved>=0.999'", "train to a goal"),
    ("solve cube2 R U2 F2 R", "solve a scrambled cube"),
    ("alg \"[R U: [M', U2]]\"", "expand, simplify, invert and measure an algorithm of a cube"),
    ("train language --set data=FILE", "your own text [default: the built-in synthetic encyclopedia]"),
];

/// Further examples, in the help of their commands only.
const FURTHER: [Example; 32] = [
    ("train cartpole --seeds 1-5 --out study", "five runs, and their mean with a 95 % confidence interval"),
    ("train --resume runs/cartpole-1-1 --steps 2e6", "resume a run, up to a total of 2,000,000 steps"),
    (
        "train --resume runs/cartpole-1-1 --set ppo.learning_rate=1e-4 --minutes 5",
        "resume with another value",
    ),
    ("train --from runs/cartpole-1-1 --out fork", "start a new run from the best checkpoint of another run"),
    (
        "train cartpole --json --steps 1e6 > log.jsonl",
        "progress for other programs, one JSON object per line",
    ),
    (
        "eval --checkpoint runs/cartpole-1-1 --set world.gravity=12",
        "evaluate the best checkpoint of a run in a changed task",
    ),
    (
        "eval --checkpoint study",
        "evaluate each run of a study of seeds, and the mean with a 95 % confidence interval",
    ),
    ("export runs/cartpole-1-1 --to onnx --out policy.onnx", "network as an ONNX model"),
    ("export runs/cartpole-1-1 --to csv --out metrics.csv", "metrics as a table"),
    (
        "export sweep --to csv --out sweep.csv",
        "metrics of all runs in a folder, with the settings that differ",
    ),
    ("play connect-four --against minimax-6", "play; the network of the program gives hints"),
    ("generate --prompt 'The river'", "text by the language model of the program"),
    (
        "generate --checkpoint runs/language-1-1/best.safetensors --prompt 'The river'",
        "text by a model of a run",
    ),
    ("monitor runs/a --against runs/b runs/c", "curves of three runs in one chart"),
    ("monitor study", "curves of all runs of a study of seeds"),
    ("runs list study --json", "one JSON object per run"),
    ("runs compare runs/cartpole-1-1 runs/cartpole-2-1", "results and differences of the configs"),
    (
        "runs compare sweep --sort best --metric eval_return_mean",
        "the studies in a folder, the best one first",
    ),
    (
        "runs compare sweep --at common --threshold 'return>=475' --baseline sweep/default --format latex",
        "equal numbers of steps, steps until solved, and differences, for a paper",
    ),
    (
        "runs compare sweep --metric return --rows metrics --transpose --format latex",
        "a table with the final return of each study only",
    ),
    ("scramble cube3 --count 5", "five random-state scrambles"),
    ("solve cube3 \"R U2 F' L\"", "solve a cube of 3×3×3"),
    ("solve cube2 \"R U2 F'\" --method exact", "find a shortest solution of a cube of 2×2×2"),
    ("solve cube3 \"R U2 F' L\" --method two-phase --nodes 1e7", "find a short solution of a cube of 3×3×3"),
    ("solve \"R U2 F'\" --checkpoint runs/cube3-1-1", "solve a cube by the network of a run"),
    ("bench control", "one suite; vivarium bench all runs all suites"),
    ("presets cartpole", "presets for --set preset=NAME"),
    ("completions bash", "completion script; the help names the file of each shell"),
    ("analyze match.mat --by gnubg-2ply", "errors by GNU Backgammon, if it is installed"),
    ("analyze match.mat --worst 10 --xgids", "positions of the ten largest errors, for hint -"),
    ("met --csv", "match equity table for other programs"),
    ("man ~/.local/share/man/man1", "install the man pages for one user"),
];

/// Returns the examples of a command as (command line, meaning). `path` is the name of the command without the name of the
/// program, such as `["runs", "list"]`; of the program itself, returns the examples of the overview.
pub fn of(path: &[&str]) -> Vec<(String, String)> {
    let further = FURTHER.iter().filter(|_| !path.is_empty());
    let examples = OVERVIEW.iter().chain(further);
    let of_path = examples.filter(|(line, _)| {
        let mut words = line.split(' ');
        path.iter().all(|name| words.next() == Some(name))
    });
    of_path.map(|(line, meaning)| (format!("vivarium {line}"), (*meaning).to_owned())).collect()
}

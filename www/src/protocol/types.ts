// What the page and its training worker say to each other. Written from the crates of the exhibits and crates/lab by
// `UPDATE_PROTOCOL=1 cargo test -p vivarium-exhibits`; a test fails when it is out of date.

/** What is to be drawn. */
export type ViewRequest = ControlView | LogicView | GameView | CubeView | LanguageView;

/** The documents of a frame: structured data that is not an array of numbers. One that has not changed since the last frame is left out. */
export type Documents = GameDocuments | CubeDocuments | LanguageDocuments;

/** What a person may ask of a running experiment, besides other values of live fields. Each kind of experiment knows its own. */
export type Command = ControlCommand | LogicCommand | GameCommand | CubeCommand | LanguageCommand;

/** The outcome of an evaluation. */
export type Evaluation = ReturnsEvaluation | LogicEvaluation | GamesEvaluation | CubeEvaluation | LanguageEvaluation;

/** What is special about a kind of world. The kind is also the family of learners that a module of the page holds. */
export type WorldInfo = ControlInfo | LogicCaInfo | GameInfo | CubeInfo | LanguageInfo;

/** How far a run is. */
export type Progress = {
  /** Environment steps so far, or the learner's own unit of experience: epochs of a logic CA, samples that a cube's
  * network learned from, tokens that a language model did. */
  steps: number,
  /** Optimizer updates so far. */
  updates: number,
  /** Episodes finished so far. */
  episodes: number,
  /** Steps after which the run ends by itself; `None` where it goes on until stopped. */
  total_steps: number | null,
};

/** What a run computes on. */
export type EngineInfo = { "kind": "cpu" }
  | { "kind": "gpu",
  /** Its name, as its driver or the browser gives it. */
  adapter: string,
  /** Whether it is a program on the processor that imitates one. */
  software: boolean,
};

/** One row of named measurements, taken together. */
export type MetricRow = {
  /** [`Progress::steps`] at the time. */
  steps: number,
  /** Name and value; the names are those of [`MetricInfo`]. */
  values: Array<[string, number]>,
  /** Something that a person should know, such as a roll-back by the collapse guard. */
  notice?: string,
};

/** What a metric means, reported once per experiment. */
export type MetricInfo = {
  /** Such as `return_mean`. */
  name: string,
  /** For a person, such as "Mean return". */
  label: string,
  /** Such as "reward per episode", "nat"; empty for a pure number. */
  unit: string,
  /** One sentence that says what it measures. */
  help: string,
};

/** The experiment that was created or opened, with every config field filled in. */
export type OpenedRun = {
  /** Its registered name. */
  name: string,
  /** The whole config. */
  config: Record<string, unknown>,
  /** The seed of its random numbers, at most 2⁵³. */
  seed: number,
  /** How far the run is. */
  progress: Progress,
};

/** A GPU that was opened, and how its results compare with the CPU's. */
export type GpuReport = {
  /** Its name, as its driver or the browser gives it. */
  name: string,
  /** The interface that it is driven by. */
  backend: string,
  /** Whether it is a program on the CPU that imitates a GPU. */
  software: boolean,
  /** Bytes of the largest buffer that a shader may see. */
  largest_buffer: number,
  /** How many computations were compared with the CPU's. */
  checked: number,
  /** One sentence for each computation whose result differs; empty where all agree. */
  disagreements: Array<string>,
};

/** A measured figure. Names are those of `vivarium bench`. */
export type Figure = {
  /** Such as `control/cartpole/raw/1`. */
  name: string,
  /** In `unit`. */
  value: number,
  /** Such as `GFLOP/s`. In a unit of time less is better, in every other more. */
  unit: string,
  /** CPU threads that did the work; left out for a GPU. */
  threads?: number,
  /** What the figure is compared with, measured in the same run. */
  rival?: Rival,
};

/** What a figure is compared with. */
export type Rival = {
  /** Such as `gemm 0.19`. */
  name: string,
  /** In the unit of the figure. */
  value: number,
};

/** An error for a person: what was wrong, and what to do about it. */
export type Problem = {
  /** What was wrong, as a sentence. */
  message: string,
  /** What to do about it; empty where the message says it all. */
  hint: string,
  /** Dotted path of the config field at fault, if there is one. */
  field?: string,
  /** What that field may be, as part of a sentence. */
  allowed?: string,
  /** `true` where the engine is at fault: the same request would succeed on another one. */
  engine?: boolean,
};

/** What a session throws. The tag sets a problem apart from everything else that JavaScript throws, such as the error of
* a module that broke down. */
export type ThrownProblem = { "problem": Problem };

/** The answer to a command. */
export type Reply = { "kind": "done" }
  | { "kind": "file",
  /** What to call it, with its ending. */
  name: string,
  /** Its media type. */
  mime: string,
  /** Its bytes. */
  bytes: Uint8Array<ArrayBuffer>,
};

/** Everything about one experiment that does not change while it runs. */
export type ExperimentInfo = {
  /** The registered name, such as `mountain-car`. */
  name: string,
  /** For a person, such as "Mountain car". */
  title: string,
  /** One or two sentences: what happens here and what is hard about it. */
  summary: string,
  /** What is special about its kind of world, in the family's own words; an object with a `kind`, which is the family. */
  world: WorldInfo,
  /** Every config field, in the order in which to show them. */
  fields: Array<FieldInfo>,
  /** Fields that had other paths in earlier versions, whose links, files and command lines still open. */
  renamed_fields: Array<RenamedField>,
  /** Values of choice fields with a different name in earlier versions. The former values stay valid likewise. */
  renamed_values: Array<RenamedValue>,
  /** Configs that are known to work. */
  presets: Array<PresetInfo>,
  /** What each metric means. */
  metrics: Array<MetricInfo>,
  /** The measurements that front ends show. */
  readings: Readings,
  /** The whole default config. */
  defaults: Record<string, unknown>,
};

/** Description of a config field. */
export type FieldInfo = {
  /** Dotted path, such as `world.gravity`. */
  path: string,
  /** Label, such as "Gravity". */
  label: string,
  /** Unit, such as "m/s²"; empty for a pure number. */
  unit: string,
  /** Help text of one or two sentences: effect, and how to tune it. */
  help: string,
  /** Whether the field can change during a run. */
  live: boolean,
  /** Type and range. */
  kind: FieldKind,
  /** Default value. */
  default: unknown,
};

/** Type and range of a config field. All bounds are inclusive. */
export type FieldKind = { "type": "number",
  /** Minimum. */
  low: number,
  /** Maximum. */
  high: number,
  /** Whether sliders use a logarithmic scale. */
  logarithmic: boolean,
}
  | { "type": "integer",
  /** Minimum. */
  low: number,
  /** Maximum. */
  high: number,
  /** Whether sliders use a logarithmic scale. */
  logarithmic: boolean,
}
  | { "type": "flag" }
  | { "type": "choice",
  /** Allowed words. */
  options: Array<string>,
}
  | { "type": "integers",
  /** Minimum number of entries. */
  shortest: number,
  /** Maximum number of entries. */
  longest: number,
  /** Minimum of each entry. */
  low: number,
  /** Maximum of each entry. */
  high: number,
}
  | { "type": "text",
  /** Maximum length in bytes. */
  longest: number,
};

/** A path that a config field had in an earlier version. */
export type RenamedField = {
  /** The path that it had. */
  former: string,
  /** Its path today. */
  path: string,
};

/** Former and current value of a choice field. */
export type RenamedValue = {
  /** Path of the field. */
  path: string,
  /** Value in an earlier version. */
  former: string,
  /** Current value. */
  value: string,
};

/** A config that is known to work, and what there is to see in it. */
export type PresetInfo = {
  /** As in `--set preset=…`. */
  name: string,
  /** The name that it had in earlier versions, whose links and command lines still open. */
  former: string | null,
  /** For a person. */
  label: string,
  /** One sentence about what to see. */
  help: string,
  /** The fields that differ from the defaults. */
  config: Record<string, unknown>,
};

/** The measurements of a run that front ends show. */
export type Readings = {
  /** What the run's steps are called, in the plural. */
  unit: string,
  /** The number that is shown first and largest; `None` where the exhibit has words of its own for it. */
  headline: Reading | null,
  /** Rows of further numbers. */
  figures: Array<Array<Reading>>,
  /** Metrics of the large chart; none where a family draws a chart of its own. */
  large: Array<string>,
  /** Metrics of the small charts, at most four. The first entry whose condition a config meets holds for it. */
  small: Array<Curves>,
  /** Metrics that say how well a learner does, the most telling first: the first that was measured describes a run. */
  results: Array<string>,
  /** When a run counts as solved; `None` where there is always more to learn. */
  solved: Threshold | null,
};

/** A number with its words. */
export type Reading = {
  /** Where the number comes from. */
  source: ReadingSource,
  /** Its name there: a field of the progress or `speed`, a metric, or the exhibit's own name for it. */
  name: string,
  /** For a person. */
  label: string,
  /** One sentence that says what it measures; empty where the label says it all, or the metric has one. */
  help: string,
  /** Whether it is left out while it is unknown or 0. */
  optional: boolean,
};

/** Where a [`Reading`] comes from. */
export type ReadingSource = "progress" | "metric" | "exhibit";

/** Metrics to draw, for some configs or for all. */
export type Curves = {
  /** The configs that it holds for; `None`: all. */
  when: FieldCondition | null,
  /** The names of the metrics. */
  metrics: Array<string>,
};

/** Configs in which a field has a value. */
export type FieldCondition = {
  /** The dotted path of the field. */
  path: string,
  /** Its value. */
  value: unknown,
};

/** A value of a metric that is worth reaching. */
export type Threshold = {
  /** The metric. */
  metric: string,
  /** Its smallest value that counts. */
  from: number,
};

/** What is to be drawn of a control experiment. */
export type ControlView = { "kind": "control",
  /** How many environments. */
  members: number,
  /** Which of them is in focus. */
  focus: number,
  /** The two state dimensions of the heat maps, and their resolution; `None` for no map. */
  map: MapRequest | null,
};

/** Heat maps of policy and value over two state dimensions, the others as in the focused member. */
export type MapRequest = {
  /** State dimension along the horizontal axis. */
  x: number,
  /** State dimension along the vertical axis. */
  y: number,
  /** Cells a side. */
  size: number,
};

/** What a person may do to the environments that are shown. */
export type ControlCommand = { "kind": "push",
  /** Index of the environment; `None` pushes all of them. */
  member: number | null,
  /** Signed force (torque for the pendulum), as a multiple of the strongest action. */
  force: number,
}
  | { "kind": "reset_preview" };

/** The outcome of evaluation episodes. */
export type ReturnsEvaluation = { "kind": "returns",
  /** Mean undiscounted return. */
  mean: number,
  /** Standard deviation of the returns. */
  std: number,
  /** Smallest return. */
  min: number,
  /** Largest return. */
  max: number,
  /** Episodes that reached a terminal state, as a share. */
  terminated: number,
  /** Mean episode length in steps. */
  length: number,
  /** Episodes run. */
  episodes: number,
};

/** A world in which a learner acts. */
export type ControlInfo = { "kind": "control",
  /** The dimensions of the world's state, in the order of the frame arrays' columns. */
  dimensions: Array<DimensionInfo>,
  /** The two dimensions, horizontal and vertical, that a heat map shows if nobody chooses others. */
  map: [number, number],
  /** What the learner can do in the world. */
  action: ActionInfo,
  /** World time of one step, in seconds. */
  step_seconds: number,
  /** Steps after which an episode is cut off. */
  max_steps: number,
  /** Mean return from which the world counts as solved. */
  solved: number,
  /** Worst return that an episode can have, or nearly: the other end of the scale that "how it is doing" uses. */
  worst: number,
};

/** One dimension of a world's state. */
export type DimensionInfo = {
  /** Such as `pole_angle`. */
  name: string,
  /** For a person, such as "Pole angle". */
  label: string,
  /** Such as "m/s". */
  unit: string,
  /** Smallest value worth showing. */
  low: number,
  /** Largest value worth showing. */
  high: number,
  /** Whether the dimension is an angle that goes round, in radians. */
  angle: boolean,
};

/** What a learner can do in a world. */
export type ActionInfo = { "type": "discrete",
  /** A name for each, from the most negative to the most positive, such as "push left". */
  labels: Array<string>,
}
  | { "type": "continuous",
  /** Such as "Torque". */
  label: string,
  /** Such as "N·m". */
  unit: string,
  /** Strongest action to the negative side, with the default config. */
  low: number,
  /** Strongest action to the positive side, with the default config. */
  high: number,
};

/** What is to be drawn of a logic CA. */
export type LogicView = { "kind": "logic_ca",
  /** The channel of the cells' states that is shown; `None`: those that the target has, one as grey or three as
  * red, green and blue. */
  channel: number | null,
  /** Column and row of the cell of the stage whose signals in the circuit are wanted. */
  cell: [number, number] | null,
  /** Whether the circuit is wanted. */
  circuit: boolean,
};

/** What a person may do on a logic automaton's stage.
*
* Places on the stage are counted in cells from its upper left corner, columns first; a cell's middle lies half a cell further. */
export type LogicCommand = { "kind": "resize_sandbox",
  /** Columns. */
  width: number,
  /** Rows. */
  height: number,
}
  | { "kind": "set_sandbox_speed",
  /** Steps per second of view time; `None`: as many as there is time for. */
  steps_per_second: number | null,
}
  | { "kind": "set_sandbox_fire_rate",
  /** From 0 to 1; 1 updates all cells together. */
  rate: number,
}
  | { "kind": "step_sandbox",
  /** How many. */
  steps: number,
}
  | { "kind": "reset_sandbox",
  /** How it looks then. */
  start: SandboxStart,
}
  | { "kind": "clear_sandbox" }
  | { "kind": "brush",
  /** Where the stroke begins. */
  from: [number, number],
  /** Where it ends. */
  to: [number, number],
  /** In cells. */
  radius: number,
  /** What becomes of the cells. */
  paint: Paint,
  /** The channel that is painted; `None`: all of them, and those that the target has where it is to draw. */
  channel: number | null,
}
  | { "kind": "place",
  /** Its name. */
  pattern: string,
  /** Column of the cell. */
  x: number,
  /** Row of the cell. */
  y: number,
}
  | { "kind": "set_target",
  /** Columns. */
  width: number,
  /** Rows. */
  height: number,
  /** 1, or 3 for red, green and blue. */
  channels: number,
  /** 0 or 1 for every channel, row and column, in this order, columns last. */
  cells: Array<number>,
}
  | { "kind": "open_circuit",
  /** The text of the file. */
  json: string,
}
  | { "kind": "use_trained_circuit" }
  | { "kind": "export",
  /** Which. */
  format: ExportFormat,
};

/** How a stage looks when it starts. */
export type SandboxStart = "as_trained" | "noise" | "zeros" | "seed";

/** What a brush does to cells. */
export type Paint = "erase" | "noise" | "draw" | "invert";

/** A file that a logic CA can be made into. */
export type ExportFormat = "json" | "verilog" | "gif";

/** How well a hard circuit does what it was taught, and what it was not. */
export type LogicEvaluation = { "kind": "logic",
  /** Share of cells whose target channels are all right after the steps of the config, on boards that no epoch has
  * seen, or on all 512 neighborhoods where the rule of Life is learned. */
  accuracy: number,
  /** Wrong bits over all boards. */
  wrong_bits: number,
  /** Boards that it was tried on. */
  boards: number,
  /** Gates of the circuit, everything superfluous left out. */
  gates: number,
  /** Gates one after another, at most. */
  depth: number,
  /** Harder tests, those that make sense for what is learned. */
  tests: Array<LogicTest>,
};

/** One test of a hard circuit. */
export type LogicTest = {
  /** Such as `damage`. */
  name: string,
  /** For a person, such as "Damage". */
  label: string,
  /** Share of what is tested that is right; `None` where that takes too long to find out. */
  accuracy: number | null,
  /** One or two sentences: what is done and what counts. */
  help: string,
};

/** What a logic CA's exhibit has to offer. */
export type LogicCaInfo = { "kind": "logic_ca",
  /** Patterns of Conway's Life that can be put on the stage. */
  patterns: Array<PatternInfo>,
  /** What the sixteen functions of a gate are called, by number. */
  gate_names: Array<string>,
  /** The most columns and rows of a stage. */
  largest_side: number,
  /** Pictures that can be learned. */
  targets: Array<TargetInfo>,
};

/** A pattern of cells. */
export type PatternInfo = {
  /** As in [`Command::Place`](super::LogicCommand::Place). */
  name: string,
  /** For a person, such as "Glider". */
  label: string,
  /** Its rows, all of one length: `#` is a living cell, `.` a dead one. */
  rows: Array<string>,
};

/** A picture that can be learned. */
export type TargetInfo = {
  /** As the config's target. */
  name: string,
  /** Its cells, as the config's drawing. */
  drawing: string,
  /** Whether it goes on and on over a board of any size; else it stands in the middle. */
  repeated: boolean,
};

/** What is to be drawn of a board game. */
export type GameView = { "kind": "games",
  /** How many games of self-play. */
  wall: number,
  /** Whether [`GameDocuments`] are wanted, `tree` apart. A document comes where it has changed since the last frame that
  * brought it, or the last frame did not ask for it. */
  documents: boolean,
  /** The turn whose analysis is wanted, counted as in [`GameTable::history`](super::GameTable::history); `None`: the
  * present one. */
  turn: number | null,
  /** What is wanted of the tree of the present search; `None` for nothing. The document `tree` comes where it has
  * changed. */
  tree: TreeRequest | null,
};

/** Which part of a tree is unfolded. */
export type TreeRequest = {
  /** The nodes whose children are wanted, each as the branches that lead there from the root
  * ([`GameNode::branch`](super::GameNode::branch)). The root's always are. At most 64; where the search has not been,
  * there is nothing to unfold. */
  open: Array<Array<number>>,
  /** The most children of each, those with the most visits; 1 to 32. */
  branches: number,
};

/** What has changed since the last frame that brought it; a field that has not is left out. */
export type GameDocuments = { "kind": "games",
  /** The table. */
  table?: GameTable,
  /** The analysis of the turn that was asked for; `null` where there is no decision to analyze. */
  analysis?: GameAnalysis | null,
  /** The part of the search tree that was asked for. */
  tree?: GameTree,
  /** The matches that were asked for last. */
  matches?: Array<GameMatch>,
  /** How training goes. */
  run?: GameRun,
};

/** What a person may do at a table of board games. */
export type GameCommand = { "kind": "new_game",
  /** Who sits at seat 0 and at seat 1; others than before sit down at no points. */
  seats: [GamePlayer, GamePlayer],
  /** Whose turn is first; `None`: whoever throws the higher die in backgammon, the two by turns in Connect Four. */
  first: number | null,
}
  | { "kind": "set_seats",
  /** Who sits at seat 0 and at seat 1 from now on. */
  seats: [GamePlayer, GamePlayer],
}
  | { "kind": "set_position",
  /** Which. */
  position: GamePosition,
  /** Whose turn it is; `None`: what a match ID says, or as many moves of Connect Four do, and seat 0 otherwise. */
  seat: number | null,
  /** What is rolled; `None`: what a match ID says, or nothing yet. */
  dice: [number, number] | null,
}
  | { "kind": "roll",
  /** What they show, of an opening roll seat 0's first; `None`: as they fall. */
  dice: [number, number] | null,
}
  | { "kind": "move",
  /** As in [`GameTarget`](super::GameTarget). */
  from: number,
  /** As in [`GameTarget`](super::GameTarget). */
  to: number,
}
  | { "kind": "undo_move" }
  | { "kind": "confirm_turn" }
  | { "kind": "take_back",
  /** Counted as in the history; `None`: the last turn that a person played. */
  turn: number | null,
}
  | { "kind": "resign",
  /** Who does. */
  seat: number,
  /** What it costs: 1 up to what [`GameTable::max_loss`](super::GameTable::max_loss) says. */
  points: number,
}
  | { "kind": "move_now" }
  | { "kind": "seed_dice",
  /** Any number, the same one for the same dice. */
  seed: number,
}
  | { "kind": "set_dice_mode",
  /** Which way. */
  mode: DiceMode,
}
  | { "kind": "set_pace",
  /** 0 to 60; `None`: until [`GameCommand::MoveNow`]. */
  seconds: number | null,
}
  | { "kind": "set_analysis",
  /** A network; its simulations, 1 at least, are made for every decision. */
  analyst: GamePlayer,
  /** Simulations in a second, 1 to 100,000; `None`: as many as there is time for. */
  speed: number | null,
}
  | { "kind": "analyze_again" }
  | { "kind": "start_matches",
  /** Who plays whom; at most 16 matches. */
  players: Array<[GamePlayer, GamePlayer]>,
  /** Pairs of games in each. */
  pairs: number,
}
  | { "kind": "stop_matches" }
  | { "kind": "export_player" };

/** Who plays. `simulations` are those of the search for each of its decisions; 0 plays by the network alone, without a
* search. */
export type GamePlayer = { "kind": "person" }
  | { "kind": "newest",
  /** Of its search. */
  simulations: number,
}
  | { "kind": "best",
  /** Of its search. */
  simulations: number,
}
  | { "kind": "earlier",
  /** How many had been promoted before it. */
  promotion: number,
  /** Of its search. */
  simulations: number,
}
  | { "kind": "opened",
  /** Of its search. */
  simulations: number,
}
  | { "kind": "random" }
  | { "kind": "pips" }
  | { "kind": "pubeval" }
  | { "kind": "minimax",
  /** How many plies, 1 to 8. */
  depth: number,
};

/** A position that a person enters. */
export type GamePosition = { "kind": "id",
  /** Spaces around it do no harm. */
  id: string,
}
  | { "kind": "checkers",
  /** As in [`GameBoard::Backgammon`]. */
  checkers: [Array<number>, Array<number>],
};

/** How rolls come about. */
export type DiceMode = "ask" | "roll" | "by_hand";

/** The document `table`: all that there is to see and to do at the table. */
export type GameTable = {
  /** Counts the games and positions that were put on this table: with another one it is another game. */
  game: number,
  /** Who sits at seat 0 and at seat 1. */
  seats: [GamePlayer, GamePlayer],
  /** The board as it is now, with the moves of a turn under way. */
  board: GameBoard,
  /** As others read it: the position ID and match ID of GNU Backgammon, `4HPwATDgc/ABMA:cAkAAAAAAAAA`, of the position
  * before the turn under way; the columns from 1 of all moves, `4433`, in Connect Four. */
  id: string,
  /** What is waited for. */
  stage: GameStage,
  /** Whose turn it is; of a game that is over, whose it would be. */
  seat: number,
  /** The roll to be played, the higher die first, of an opening roll seat 0's; `None` where there is none. Never in
  * Connect Four. */
  dice: [number, number] | null,
  /** The dice that have not been played yet, the higher one first; those that cannot be played stay. */
  dice_left: Array<number>,
  /** The moves of the turn under way, one for each die. */
  moves: Array<GameMove>,
  /** Where a person may move now. Empty where it is no person's move. */
  targets: Array<GameTarget>,
  /** Whether there is a move of this turn to take back by [`Command::UndoMove`](crate::protocol::Command::UndoMove). */
  can_undo: boolean,
  /** Whether the turn is complete and may be handed over by
  * [`Command::ConfirmTurn`](crate::protocol::Command::ConfirmTurn). With nothing to play it is complete at once. */
  can_confirm: boolean,
  /** How the game ended. */
  outcome: GameOutcome | null,
  /** The most points that seat 0 and seat 1 can still lose, and so resign: in backgammon 3 while a backgammon is
  * possible, 2 while a gammon is; 0 when the game is over. */
  max_loss: [number, number],
  /** Points won at this table since the players sat down, for seat 0 and seat 1. */
  score: [number, number],
  /** The turns so far, the oldest first: those of the game since its beginning or since its position was set up. */
  history: Array<GameTurn>,
  /** How rolls come about. */
  dice_mode: DiceMode,
  /** Seconds for which a move that was decided is held back, so that a person can follow; `None`: a computer waits for
  * [`Command::MoveNow`](crate::protocol::Command::MoveNow). */
  pace: number | null,
  /** Who looks at a person's decisions, and with how many simulations. */
  analyst: GamePlayer,
  /** Simulations of the analysis in a second; `None`: as many as there is time for. */
  analysis_speed: number | null,
  /** Something about the game on the table that a person should know, such as what of a match ID is left out. */
  notice: string | null,
};

/** The stones or checkers. */
export type GameBoard = { "kind": "backgammon",
  /** The checkers of seat 0 and of seat 1 at each of the 26 places, each as that player counts them. */
  checkers: [Array<number>, Array<number>],
  /** How many pips each has to go. */
  pips: [number, number],
}
  | { "kind": "connect_four",
  /** 42 cells, 6 · column + row: 0 is empty, 1 holds a stone of seat 0, 2 one of seat 1. */
  cells: Array<number>,
  /** The cells of the rows of four that won; empty where none did. */
  winning: Array<number>,
};

/** What is waited for. */
export type GameStage = "roll" | "person" | "computer" | "over";

/** A move of one checker by one die, or a stone. */
export type GameMove = {
  /** The place that it comes from, as the player who moves counts; in Connect Four the column. */
  from: number,
  /** The place that it goes to; in Connect Four the column again. */
  to: number,
  /** Whether it hits. */
  hits: boolean,
};

/** A way in which a person may move. */
export type GameTarget = {
  /** As in [`GameMove`]. One place can have several targets. */
  from: number,
  /** As in [`GameMove`]. */
  to: number,
  /** The moves that it takes, one for each die: a checker may be put down where several dice bring it. */
  moves: Array<GameMove>,
};

/** How a game ended. */
export type GameOutcome = {
  /** The seat that won; `None` for a draw. */
  winner: number | null,
  /** What it counts: 1 to 3 in backgammon; 0 for a draw. */
  points: number,
  /** Such as "gammon", "four in a row", "resigned". */
  how: string,
};

/** A turn that was played. */
export type GameTurn = {
  /** Whose it was. */
  seat: number,
  /** What was rolled for it. */
  dice: [number, number] | null,
  /** The play as it is written; `cannot move` where nothing could be played. */
  text: string,
  /** Its moves. */
  moves: Array<GameMove>,
  /** The position before it, as in [`GameTable::id`]. */
  id: string,
  /** The equity that it lost against the best play that the analysis found, at least 0; `None` where that did not look
  * at enough, or there was no choice. */
  lost: number | null,
  /** That best play; `None` where it was the one played or `lost` is. */
  best: string | null,
  /** The equity for seat 0 after the turn, as far as it is known: the course of the game. */
  equity: number | null,
};

/** The document `analysis`: what is thought of a decision. While it is a network's turn to play, it is that player's own
* search; otherwise the analyst's. */
export type GameAnalysis = {
  /** The turn that it is about, as in [`GameTable::history`](super::GameTable::history). */
  turn: number,
  /** Whose decision it is; equities and outcome_probabilities are this seat's. */
  seat: number,
  /** Whose search it is. */
  player: GamePlayer,
  /** How often the network had been updated when this search began: a later one knows more. 0 for an opened one. */
  updates: number,
  /** Simulations made so far. */
  made: number,
  /** Simulations that are to be made. An analysis that is complete stays as it is. */
  wanted: number,
  /** Whether memory ran out before they were made; what was found so far holds. */
  full: boolean,
  /** What the best play is worth, the first candidate if there is one. */
  equity: number,
  /** The outcome_probabilities after it, one for each of [`GameInfo::outcome_probabilities`](crate::info::GameInfo::outcome_probabilities), 0 to 1, which stand for
  * the same equity. */
  outcome_probabilities: Array<number>,
  /** Whether both are what the search found; the network's own estimate before that. */
  searched: boolean,
  /** The plays, the one that was visited most first; at most 24, those that are not visited left out. */
  candidates: Array<GameCandidate>,
  /** Legal plays in all. */
  plays: number,
};

/** A play that a search considers. In backgammon a whole turn, both halves of a double together. */
export type GameCandidate = {
  /** As it is written: `8/5 6/5`, or the column of Connect Four from 1. */
  text: string,
  /** In an order in which they can be made. */
  moves: Array<GameMove>,
  /** The branches from the root of the tree, as [`TreeRequest::open`](super::TreeRequest::open) takes them: one, or two
  * for a double. */
  branches: Array<number>,
  /** Simulations that went this way. */
  visits: number,
  /** The network's probability for it before any search. */
  prior: number,
  /** The mean of those simulations, or exact where a table knows the state after it. */
  equity: number,
  /** How much less than the first candidate; negative where it is a little more, which few visits can do. */
  lost: number,
  /** The outcome_probabilities after it, which stand for its equity; empty until they are known. The five candidates of the most visits
  * get them. */
  outcome_probabilities: Array<number>,
};

/** The document `tree`: the part of the search's tree that was asked for. */
export type GameTree = {
  /** The turn that it is about: with another one it is another tree. */
  turn: number,
  /** The root first, each node after its parent, siblings by their visits, the most first. */
  nodes: Array<GameNode>,
  /** States that the whole tree holds. */
  size: number,
  /** The most that it has room for. */
  capacity: number,
};

/** A node of the tree and the branch that leads to it. */
export type GameNode = {
  /** Its place among the nodes; the root is its own parent. */
  parent: number,
  /** The number of the branch from its parent; 0 for the root. */
  branch: number,
  /** The branch as it is written: a play, half of one for a double, a roll `3-1`; empty for the root. */
  text: string,
  /** What comes next there. */
  kind: NodeKind,
  /** Whose move it is there. */
  seat: number,
  /** Simulations that went through it. */
  visits: number,
  /** The prior of the branch, or the probability of a roll; 1 for the root. */
  prior: number,
  /** The mean of its simulations for the seat of the tree's root; `None` before the first. */
  equity: number | null,
  /** Branches that were visited: what there is to unfold. */
  children: number,
};

/** What comes next in a state of a game. */
export type NodeKind = "decision" | "chance" | "over";

/** A match under way or over: pairs of games in which both get the same dice and change seats. The document `matches` is a
* list of them, those that were asked for last, in the order in which they are played. */
export type GameMatch = {
  /** The two players. */
  players: [GamePlayer, GamePlayer],
  /** What they are called. */
  labels: [string, string],
  /** Pairs of games to be played. */
  pairs: number,
  /** Pairs of games that are over. */
  played: number,
  /** Mean points that the first player won a game; `None` before the first pair. */
  points: number | null,
  /** From where to where its true mean lies with 95 % confidence; `None` before the second pair. */
  interval: [number, number] | null,
  /** The share of games that the first player won, a draw counting half. */
  wins: number,
  /** Games that ended as gammons or backgammons, won by the first and by the second player, as shares of all games; 0 in
  * Connect Four. */
  gammons: [number, number],
};

/** The document `run`: how training goes, beside what metrics say. */
export type GameRun = {
  /** Rounds of self-play and learning so far. */
  generation: number,
  /** Networks promoted so far. */
  promotions: number,
  /** Everybody who can play at present, besides a person; with 0 simulations where a search is possible. */
  players: Array<PlayerChoice>,
  /** Every measurement of strength so far, the oldest first. */
  ladder: Array<LadderRow>,
};

/** Somebody who can play. */
export type PlayerChoice = {
  /** As commands take it. */
  player: GamePlayer,
  /** For a person, such as "Best so far". */
  label: string,
  /** One sentence about it. */
  help: string,
  /** Whether it can search: its number of simulations may be chosen. */
  searches: boolean,
};

/** How the network did against one opponent, without search, both changing seats with the same dice. */
export type LadderRow = {
  /** [`Progress::steps`](crate::protocol::Progress::steps) at the time. */
  steps: number,
  /** Rounds of learning at the time. */
  generation: number,
  /** The opponent. */
  opponent: GamePlayer,
  /** What it is called. */
  label: string,
  /** Games played. */
  games: number,
  /** Mean points that the network won a game. */
  points: number,
  /** Its interval of 95 % confidence. */
  interval: [number, number],
  /** The share of games that the network won, a draw counting half. */
  wins: number,
};

/** How the best network so far does against every opponent of the ladder, without search. */
export type GamesEvaluation = { "kind": "games",
  /** A match against each. */
  matches: Array<GameMatch>,
};

/** What a board game's exhibit has to offer. */
export type GameInfo = { "kind": "games",
  /** What the value heads of the network predict, in the order of
  * [`GameAnalysis::outcome_probabilities`](super::GameAnalysis::outcome_probabilities). */
  outcomes: Array<OutcomeInfo>,
  /** What the value heads make of a game at most: the equity of the highest win. */
  most_equity: number,
  /** Such as "points". */
  equity_unit: string,
  /** Everybody who can play without having learned it here. Networks come and go:
  * [`GameRun::players`](super::GameRun::players) has all. */
  opponents: Array<PlayerChoice>,
  /** The most simulations of a decision that memory is kept for. */
  largest_search: number,
  /** The most games of self-play that can be shown. */
  largest_wall: number,
  /** The most pairs of games of a match. */
  largest_match: number,
};

/** One of the outcome_probabilities that a network gives. */
export type OutcomeInfo = {
  /** Such as `win_gammon`. */
  name: string,
  /** For a person, such as "Win a gammon". */
  label: string,
  /** One sentence that says what counts. */
  help: string,
};

/** What is to be drawn of a cube. */
export type CubeView = { "kind": "cube",
  /** Whether the documents `cube`, `exhaustive` and `run` are wanted. They come where they have changed since the last frame
  * that brought them, or the last frame did not ask for them. */
  documents: boolean,
  /** Whether the map of all states is wanted; the cube of 3×3×3 has none. */
  map: boolean,
  /** How many cubes of the wall, at most [`CubeInfo::largest_wall`](crate::info::CubeInfo::largest_wall). */
  wall: number,
};

/** What has changed since the last frame that brought it; a field that has not is left out. */
export type CubeDocuments = { "kind": "cube",
  /** The cube on the table. */
  cube?: CubeTable,
  /** The evaluation of the 2×2×2 cube; `null` before the first. */
  exhaustive?: CubeExhaustiveEvaluation | null,
  /** How training goes. */
  run?: CubeRun,
};

/** What a person may do with the cube on the table. */
export type CubeCommand = { "kind": "move_now" }
  | { "kind": "set_pace",
  /** 0 to 60; `None`: until [`CubeCommand::MoveNow`]. */
  seconds: number | null,
}
  | { "kind": "export_player" }
  | { "kind": "turn",
  /** One of [`CubeInfo::all_turns`](super::CubeInfo::all_turns), such as `R'`. */
  turn: string,
}
  | { "kind": "apply",
  /** At most 1,000 turns. */
  turns: string,
}
  | { "kind": "cube_step",
  /** From 0, where the history began, to its length. */
  to: number,
}
  | { "kind": "scramble",
  /** Random turns, 1 up to [`CubeInfo::largest_scramble`](super::CubeInfo::largest_scramble); `None`: another
  * cube is put on the table, in any state, each as likely as the others. */
  moves: number | null,
}
  | { "kind": "set_cube",
  /** 24 or 54 letters of `URFDLB`, in the order of [`CubeTable::stickers`](super::CubeTable::stickers); those
  * of colors (`WRGYOB`) will do, and blanks do no harm. The cube may be held in any way. */
  stickers: string,
}
  | { "kind": "reset_cube" }
  | { "kind": "solve",
  /** By whom. */
  by: CubeSolver,
}
  | { "kind": "stop_solving" }
  | { "kind": "set_player",
  /** Whose. */
  player: CubePlayer,
}
  | { "kind": "set_evaluation",
  /** Whether they do. */
  on: boolean,
};

/** Which network looks at the cube on the table. */
export type CubePlayer = "newest" | "opened";

/** Who solves the cube on the table. */
export type CubeSolver = { "kind": "greedy" }
  | { "kind": "beam",
  /** Ways that are followed side by side: 1 up to the largest of [`CubeInfo::beams`](crate::info::CubeInfo::beams). */
  width: number,
}
  | { "kind": "exact" };

/** The document `cube`: all that there is to see of the cube on the table. */
export type CubeTable = {
  /** Counts the cubes that were put on this table by other means than a turn: with another one the history is another. */
  cube: number,
  /** Its stickers, one of `URFDLB` each. */
  stickers: string,
  /** Whether each face is of one color. */
  solved: boolean,
  /** The fewest quarter turns that solve it; `None` for the cube of 3×3×3, of which nobody knows. */
  distance: number | null,
  /** The turns so far, the oldest first, those that were taken back among them. At most 1,000: the oldest are forgotten. */
  history: Array<CubeMove>,
  /** How many turns of the history are made: less than all of them where some were taken back. */
  at: number,
  /** What the network thinks of each of its moves, in the order of its values. */
  values: Array<CubeValue>,
  /** Whose values these are, and who moves where the network solves. */
  player: CubePlayer,
  /** Gradient steps of that network; 0 for one that was opened. */
  updates: number,
  /** How it is being solved, or was at last; `None` once it was turned or another one was put on the table. */
  solving: CubeSolving | null,
  /** Seconds between two moves of a solution; `None`: each waits for [`Command::MoveNow`](crate::protocol::Command::MoveNow). */
  pace: number | null,
};

/** A turn that was made. */
export type CubeMove = {
  /** Such as `R'`. */
  turn: string,
  /** Who made it. */
  by: CubeActor,
};

/** Who turns. */
export type CubeActor = "person" | "scramble" | "solver";

/** What the network thinks of a move. */
export type CubeValue = {
  /** Such as `R'`. */
  turn: string,
  /** In the unit of [`CubeInfo::value_unit`](crate::info::CubeInfo::value_unit). */
  value: number,
  /** Whether it is the move that the network makes here. */
  best: boolean,
  /** Whether no other leads to the solved state sooner; `None` for the cube of 3×3×3. */
  optimal: boolean | null,
};

/** How the cube on the table is being solved. */
export type CubeSolving = {
  /** Who does. */
  by: CubeSolver,
  /** How it stands. */
  status: CubeStatus,
  /** States that were evaluated so far. */
  evaluated: number,
  /** Moves that a search has looked ahead, or that the network has thought of so far. */
  ahead: number,
  /** What is to be done: empty before it is known. Of a network that does not solve it, its moves until it gives up. */
  solution: Array<string>,
  /** How many moves of it are made. */
  made: number,
  /** The fewest moves that solve it from where this began, in quarter turns; `None` for the cube of 3×3×3. */
  optimal: number | null,
  /** Why it gave up, as a sentence; `None` where it did not. */
  why: string | null,
};

/** How the solving stands. */
export type CubeStatus = "searching" | "playing" | "solved" | "gave_up";

/** The document `exhaustive`: a network is asked for its move in each of the 3,674,160 states, those nearest to the solved one
* first, and its moves are followed. It goes on beside training, with the weights that there were when it began. */
export type CubeExhaustiveEvaluation = {
  /** Whether it is under way; otherwise this is what it came to. */
  running: boolean,
  /** Whose evaluation it is. */
  player: CubePlayer,
  /** Gradient steps of that network; 0 for one that was opened. */
  updates: number,
  /** Samples that it had learned from; 0 for one that was opened. */
  samples: number,
  /** The share of states of which it is known what becomes of them, 0 to 1. */
  done: number,
  /** The share of those that are solved; `None` before there are any. */
  solved: number | null,
  /** Moves that a solution has on average beyond the fewest; `None` before there is any. */
  mean_excess: number | null,
  /** By distance from the solved state, from 0 on. */
  depths: Array<CubeDepth>,
  /** Cycles in which states end that are never solved, the shortest first; the 64 shortest lengths. */
  cycles: Array<CubeCycle>,
  /** Finished evaluations of the network that learns, the oldest first. */
  finished: Array<CubeEvaluationRow>,
};

/** The states at one distance. */
export type CubeDepth = {
  /** In quarter turns. */
  distance: number,
  /** States that there are. */
  states: number,
  /** Of them, those of which it is known what becomes of them. */
  known: number,
  /** Of them, those that are solved. */
  solved: number,
  /** Moves that a solution has on average beyond the fewest; `None` where none is solved. */
  mean_excess: number | null,
};

/** Cycles of one length. */
export type CubeCycle = {
  /** In moves. */
  length: number,
  /** How many there are. */
  count: number,
  /** States that end in one of them, their own included. */
  states: number,
};

/** The result of an evaluation. */
export type CubeEvaluationRow = {
  /** Samples that the network had learned from. */
  samples: number,
  /** Its gradient steps. */
  updates: number,
  /** The share of all states that it solves. */
  solved: number,
  /** Moves that a solution has on average beyond the fewest; `None` where there is none. */
  mean_excess: number | null,
};

/** The document `run`: how training goes, beside what metrics say. Parts that an experiment has not are empty. */
export type CubeRun = {
  /** Samples learned from. */
  samples: number,
  /** Optimizer steps. */
  updates: number,
  /** Samples that the opened network had learned from, as its file says; `None` where none was opened. */
  opened: number | null,
  /** 2×2×2: demonstrations of the solver learned from, and how many there are; both 0 where there are none. */
  demonstrations: [number, number],
  /** 2×2×2: the longest scramble that is tried so far, as a level of the curriculum; the last level begins in any state. */
  open_level: number,
  /** 2×2×2: the levels of the curriculum from 1 on, as the last iteration found them. */
  levels: Array<CubeLevel>,
  /** 2×2×2: the share of moves that are tried at random. */
  epsilon: number | null,
  /** 3×3×3: the share of scrambles of which the network guesses the last move right, by their length from 1 on. */
  accuracy_by_depth: Array<number>,
  /** 3×3×3: every test so far, the oldest first. */
  tests: Array<CubeTest>,
  /** 3×3×3: cubes of the test under way that are done, and how many there are; both 0 where none is. */
  testing: [number, number],
};

/** A level of the curriculum. */
export type CubeLevel = {
  /** Moves of the scramble that an episode begins with; the last level begins in any state. */
  level: number,
  /** Episodes that ended. */
  episodes: number,
  /** Those of them that ended with a solved cube. */
  successes: number,
  /** Moves of such episodes that are kept to learn from. */
  kept: number,
};

/** How well a network solves a fixed set of random cubes. */
export type CubeTest = {
  /** Samples that the network had learned from. */
  samples: number,
  /** Ways that its search followed side by side. */
  width: number,
  /** Cubes that it was tried on. */
  cubes: number,
  /** Those that it solved. */
  solved: number,
  /** Moves of a solution on average; `None` where there was none. */
  mean_length: number | null,
};

/** How many cubes the newest network solves: of 2×2×2 all 3,674,160 states, each by its best move again and again; of 3×3×3
* random ones, with a search. */
export type CubeEvaluation = { "kind": "cube",
  /** Cubes that it was tried on. */
  cubes: number,
  /** The share of them that it solved. */
  solved: number,
  /** Moves of a solution on average; `None` where there was none. */
  mean_length: number | null,
  /** Of 2×2×2: moves beyond the fewest on average. */
  mean_excess: number | null,
  /** Of 3×3×3: ways that the search followed side by side. */
  width: number | null,
  /** Of 2×2×2: by distance from the solved state, from 0 on. */
  depths: Array<CubeDepth>,
  /** Of 2×2×2: the cycles in which the others end, the shortest first. */
  cycles: Array<CubeCycle>,
};

/** What a cube's exhibit has to offer. */
export type CubeInfo = { "kind": "cube",
  /** Pieces along an edge: 2 or 3. */
  size: number,
  /** The moves of the network with the default config, in the order of its values. */
  turns: Array<string>,
  /** All turns that a person may make. */
  all_turns: Array<string>,
  /** How a network's values are called, such as "Value". */
  value_label: string,
  /** What they are in, such as "reward". */
  value_unit: string,
  /** One sentence that says what they show. */
  value_help: string,
  /** The most random turns of a scramble that was asked for. */
  largest_scramble: number,
  /** The most cubes of the wall. */
  largest_wall: number,
  /** Whether evaluations are exhaustive, of all states, and there is a map of them. */
  exhaustive: boolean,
  /** How many states there are at each distance from the solved one, in quarter turns; empty where nobody counts them. */
  states: Array<number>,
  /** Widths of a beam search to choose from; empty where there is none. */
  beams: Array<number>,
  /** A sentence about what is known of the fewest moves. */
  literature: string,
};

/** What is to be drawn of a language model. */
export type LanguageView = { "kind": "language",
  /** Whether the documents `language`, `draft`, `samples` and `quiz` are wanted. They come where they have changed since the
  * last frame that brought them, or the last frame did not ask for them. */
  documents: boolean,
  /** The layer whose attention over the draft is wanted. It comes where it has changed in the same way. */
  attention: number | null,
  /** Whether the map of tokens is wanted. It comes at first, and then every so many gradient steps. */
  embeddings: boolean,
};

/** What has changed since the last frame that brought it; a field that has not is left out. */
export type LanguageDocuments = { "kind": "language",
  /** How training goes. */
  language?: LanguageRun,
  /** The draft; `null` before anything is written. */
  draft?: LanguageDraft | null,
  /** Texts written every so often. */
  samples?: LanguageSamples,
  /** The quiz; `null` for a text without questions. */
  quiz?: LanguageQuizView | null,
  /** The tokens of the map; their positions are the array `embeddings/positions`. */
  embeddings?: LanguageEmbeddings,
};

/** What a person may ask of a language model. */
export type LanguageCommand = { "kind": "generate",
  /** Empty: the beginning of a document. */
  prompt: string,
  /** 0 to 2, as in [`LanguageSampling`](super::LanguageSampling). */
  temperature: number,
  /** Only so many of the likeliest tokens may be chosen; 0: all of them. */
  top_k: number,
  /** The most tokens that are written, 1 to 2,000. */
  tokens: number,
}
  | { "kind": "continue_from",
  /** Which text, as [`LanguageDraft::id`](super::LanguageDraft::id). */
  draft: number,
  /** The place in it, counted from 0. */
  position: number,
  /** The token that stands there from now on. */
  token: number,
  /** As in [`LanguageCommand::Generate`]. */
  temperature: number,
  /** As in [`LanguageCommand::Generate`]. */
  top_k: number,
  /** As in [`LanguageCommand::Generate`]. */
  tokens: number,
}
  | { "kind": "stop_generating" }
  | { "kind": "set_samples",
  /** As in [`LanguageCommand::Generate`]. One that the model cannot read once it is there is replaced by none. */
  prompt: string,
  /** 0 to 2. */
  temperature: number,
  /** Only so many of the likeliest tokens may be chosen; 0: all of them. */
  top_k: number,
  /** The most tokens that are written, 1 to 2,000. */
  tokens: number,
  /** Seconds of view time between two of them, 1 to 600; `None`: none are written. */
  every_seconds: number | null,
};

/** The document `language`: how training goes, beside what metrics say. */
export type LanguageRun = {
  /** What goes on. */
  stage: LanguageStage,
  /** How much of that stage is done, 0 to 1; of training 0 where it goes on until somebody stops it. */
  done: number,
  /** The text; `None` before there is one. */
  text: LanguageText | null,
  /** What cuts it into tokens; `None` before it is made. */
  tokenizer: LanguageTokenizer | null,
  /** What learns; `None` before there is a tokenizer. */
  model: LanguageModel | null,
  /** What counting achieves on held-out text; `None` before it is read, and where there is too little of it. */
  baselines: LanguageBaselines | null,
  /** Gradient steps. */
  updates: number,
  /** Tokens learned from. */
  tokens: number,
  /** How often the text has been read, with what has been read of it since; `None` before it is cut into tokens, as after
  * a reload. */
  epoch: number | null,
  /** Every evaluation so far, the oldest first. Where there are more than 512, earlier ones are thinned out. */
  validation: Array<LanguageEvaluationRow>,
};

/** What goes on. */
export type LanguageStage = "text" | "missing" | "tokenizer" | "reading" | "training";

/** A text. */
export type LanguageText = {
  /** What it is called. */
  name: string,
  /** Whether it is the one that writes itself. */
  built_in: boolean,
  /** How long it is. */
  bytes: number,
  /** Pieces of some kilobytes that it is read in. */
  chunks: number,
};

/** What cuts text into tokens. */
export type LanguageTokenizer = {
  /** Of which kind. */
  kind: LanguageTokenizerKind,
  /** How many tokens it knows. */
  vocabulary: number,
  /** The first tokens of the text, at most 60, as [`LanguageToken::text`](super::LanguageToken::text). */
  example: Array<string>,
};

/** What tokens are. */
export type LanguageTokenizerKind = "characters" | "byte_pairs";

/** What learns. */
export type LanguageModel = {
  /** Numbers that it learns. */
  parameters: number,
  /** Blocks that a token passes through. */
  layers: number,
  /** Ways in which each of them looks back at once. */
  heads: number,
  /** Numbers that stand for a token between two of them. */
  width: number,
  /** Tokens that it sees at once. */
  context: number,
  /** Bytes held for training: weights, gradient, optimizer and working memory. */
  memory_bytes: number,
  /** Floating point operations of a gradient step for each of its tokens. */
  flops_per_token: number,
};

/** Losses of models that only count, in nats a token. */
export type LanguageBaselines = {
  /** All tokens are alike. */
  uniform: number,
  /** Tokens are as likely as they are frequent. */
  unigram: number,
  /** They depend on the token before. */
  bigram: number,
  /** They depend on the two tokens before. */
  trigram: number,
};

/** The result of an evaluation beside training. */
export type LanguageEvaluationRow = {
  /** Tokens that had been learned from. */
  tokens: number,
  /** Gradient steps before it. */
  updates: number,
  /** Mean cross-entropy on held-out text, in nats a token. */
  loss: number,
  /** The share of questions that it answered rightly; `None` where there were none. */
  quiz: number | null,
};

/** The document `draft`: what is being written, or was last. */
export type LanguageDraft = {
  /** Counts the texts that were begun. */
  id: number,
  /** Who asked for it. */
  by: LanguageAuthor,
  /** Gradient steps of the model when it began. As the model learns on, the rest is written by newer weights. */
  updates: number,
  /** How it stands. */
  status: LanguageDraftStatus,
  /** How many tokens of this text earlier documents have sent. */
  first: number,
  /** The others: those of the prompt, and those that were written. */
  tokens: Array<LanguageToken>,
};

/** Who asks for a text. */
export type LanguageAuthor = "person" | "sample";

/** How a text stands. */
export type LanguageDraftStatus = "writing" | "done" | "stopped";

/** A token of a text. */
export type LanguageToken = {
  /** Its number in the vocabulary. */
  token: number,
  /** Its characters. Bytes that are no whole character stand as `⟨e4⟩`, and the end of a document as `⟨end⟩`. */
  text: string,
  /** Whether it was in the prompt, or a person chose it. */
  prompt: boolean,
  /** How likely the model found it there, at temperature 1; `None` for the first token of all. */
  probability: number | null,
  /** The eight likeliest tokens at its place, the likeliest first. */
  alternatives: Array<LanguageAlternative>,
};

/** A token that could have stood there. */
export type LanguageAlternative = {
  /** As [`LanguageToken::token`]. */
  token: number,
  /** As [`LanguageToken::text`]. */
  text: string,
  /** How likely the model finds it, at temperature 1. */
  probability: number,
};

/** How tokens are chosen, and how many. */
export type LanguageSampling = {
  /** 0 takes the likeliest; 1 takes tokens as often as the model finds them likely; more makes all of them more alike. At
  * most 2. */
  temperature: number,
  /** Only so many of the likeliest tokens may be chosen; 0: all of them. */
  top_k: number,
  /** The most tokens that are written, 1 to 2,000. */
  tokens: number,
};

/** The document `samples`: texts that are written every so often, all from the same prompt. */
export type LanguageSamples = {
  /** What they go on from. */
  prompt: string,
  /** How tokens are chosen. */
  settings: LanguageSampling,
  /** Seconds between two of them; `None`: none are written. */
  every_seconds: number | null,
  /** The oldest first, at most 64. The more there were, the fewer of the later ones are kept, since the model learns most at
  * first; the newest always is. */
  samples: Array<LanguageSample>,
};

/** What the model wrote at one time. */
export type LanguageSample = {
  /** Gradient steps of the model when it began. */
  updates: number,
  /** Tokens that it had learned from. */
  tokens: number,
  /** Its loss on what it learned from at that time, in nats a token; `None` before it has learned anything. */
  loss: number | null,
  /** What it wrote where the prompt ends. */
  text: string,
};

/** The document `quiz`: how the model answers questions, in the evaluation under way or else in the last one. */
export type LanguageQuizView = {
  /** Whether there are more questions to come. */
  running: boolean,
  /** Questions so far. */
  asked: number,
  /** Those that were answered rightly. */
  right: number,
  /** The same by what they ask for, such as "capitals of countries". */
  topics: Array<[string, LanguageScore]>,
  /** The first of them, at most 64. */
  answers: Array<LanguageAnswer>,
};

/** The beginning of a sentence, four ways to end it, and which one the model finds likeliest. */
export type LanguageAnswer = {
  /** How the sentence begins. */
  prompt: string,
  /** How it may end. A question has its ends in the same order every time. */
  endings: [string, string, string, string],
  /** How likely the model finds each of them beside the others, by byte; together 1. */
  probabilities: [number, number, number, number],
  /** The place of the right one. */
  right: number,
  /** The place of the likeliest. */
  chosen: number,
  /** What is asked for, such as "capitals of countries". */
  topic: string,
  /** Whether the text states it only in articles about something else. */
  elsewhere: boolean,
};

/** The document `embeddings`: the tokens that lie on the map, as many as 512, the most frequent first. Where they lie is the
* array `embeddings/positions`. Axes keep their sense from one map to the next. */
export type LanguageEmbeddings = {
  /** As [`LanguageToken::text`](super::LanguageToken::text). */
  tokens: Array<string>,
  /** What each of them is. */
  kinds: Array<LanguageTokenKind>,
  /** The share of the text's tokens that each of them has. */
  counts: Array<number>,
  /** Gradient steps of the model. */
  updates: number,
};

/** What a token is. */
export type LanguageTokenKind = "letter" | "digit" | "punctuation" | "space" | "word" | "subword";

/** How well a model predicts text that was held out, and what it knows. */
export type LanguageEvaluation = { "kind": "language",
  /** Mean cross-entropy in nats a token. */
  loss: number,
  /** e to the power of the loss: among how many tokens it is as unsure as if all of them were alike. */
  perplexity: number,
  /** Standard deviation of the mean loss of a window of text, in nats a token. */
  std: number,
  /** Windows of text. */
  windows: number,
  /** Tokens that it had to predict in all of them. */
  tokens: number,
  /** Tokens of its vocabulary. */
  vocabulary: number,
  /** What counting achieves on the same text; `None` where there was too little of it. */
  baselines: LanguageBaselines | null,
  /** Questions about the built-in text; `None` for any other. */
  quiz: LanguageQuiz | null,
};

/** How many questions were answered rightly, each with one of four answers. */
export type LanguageQuiz = {
  /** All questions. */
  all: LanguageScore,
  /** Those whose fact is stated only in articles about something else. */
  elsewhere: LanguageScore,
  /** By what they ask for, such as "capitals of countries". */
  topics: Array<[string, LanguageScore]>,
};

/** Questions, and right answers. */
export type LanguageScore = {
  /** Of these, */
  asked: number,
  /** so many. */
  right: number,
};

/** What a language model's exhibit has to offer. */
export type LanguageInfo = { "kind": "language",
  /** What the built-in text is called. */
  built_in: string,
  /** What its questions ask for, each as a phrase such as "capitals of countries". */
  topics: Array<string>,
  /** The share of questions that guessing answers rightly. */
  guess_accuracy: number,
  /** The most bytes that a text may have in a page, which holds all of it in memory. */
  max_text_bytes: number,
  /** The highest temperature. */
  max_temperature: number,
  /** The most tokens that are written in one go. */
  max_generated_tokens: number,
  /** Seconds between two samples: the fewest, and the most. */
  sample_interval_seconds: [number, number],
};

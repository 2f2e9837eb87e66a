// Messages between the page and its training worker. Generated from the crates of the exhibits and crates/lab by
// `UPDATE_PROTOCOL=1 cargo test -p vivarium-exhibits`; a test fails when it is out of date.

/** Selects the contents of a frame. */
export type ViewRequest = ControlView | LogicView | GameView | CubeView | LanguageView;

/** Documents of a frame: structured data. A document that has not changed since the last frame is omitted. */
export type Documents = GameDocuments | CubeDocuments | LanguageDocuments;

/** User commands of a running experiment, except changes of live config fields. */
export type Command = ControlCommand | LogicCommand | GameCommand | CubeCommand | LanguageCommand;

/** Result of an evaluation. */
export type Evaluation = ReturnsEvaluation | LogicEvaluation | GamesEvaluation | CubeEvaluation | LanguageEvaluation;

/** Family-specific description of an environment. The kind is also the name of the family's module. */
export type WorldInfo = ControlInfo | LogicCaInfo | GameInfo | CubeInfo | LanguageInfo;

/** Action space of a control environment: discrete actions, or one real number. */
export type ActionInfo = { "type": "discrete",
  /** Labels of the discrete actions, from the most negative to the most positive action, such as "push left". */
  labels: Array<string>,
}
  | { "type": "continuous",
  /** Label of the action, such as "Torque". */
  label: string,
  /** Unit of the action, such as "N·m". */
  unit: string,
  /** Lower bound of the action in `unit`, with the default config. */
  low: number,
  /** Upper bound of the action in `unit`, with the default config. */
  high: number,
};

/** Rated action of a player. */
export type AnalyzedAction = {
  /** Player 0 or 1. */
  player: number,
  /** XGID of the position before the action; with the roll if the action is a play. */
  position: string,
  /** Kind of the action. */
  action: AnalyzedKind,
  /** Search depth of the evaluation, in plies. */
  plies: number,
  /** Equity loss against the best action, at least 0. */
  error: number,
  /** Mark of the error: `?!`, `?` or `??`; `None` for a small error. */
  mark: string | null,
  /** Best action; `None` if the action loses nothing. */
  best: string | null,
  /** Best plays of the roll, the best first, and the play itself; empty for a doubling action. */
  candidates: Array<AnalyzedCandidate>,
  /** Equities of a doubling action; `None` for a play. */
  doubling: AnalyzedDoubling | null,
  /** Roll of a play, the higher die first. */
  roll: [number, number] | null,
  /** Notation of a play. */
  play: string | null,
  /** Luck of the roll of a play. */
  luck: number | null,
  /** Whether a play was the only legal one. */
  forced: boolean | null,
};

/** Legal play of a roll, evaluated for the player on roll. */
export type AnalyzedCandidate = {
  /** Notation of the play. */
  play: string,
  /** Equity of the play. */
  equity: number,
  /** Equity loss against the best play, at least 0. */
  loss: number,
  /** Cubeless probabilities after the play: win, gammon and backgammon won, gammon and backgammon lost. */
  probabilities: [number, number, number, number, number],
  /** Whether the play was searched; equities with and without a search are not comparable. */
  searched: boolean,
  /** Whether the player has made the play. */
  played: boolean,
};

/** Doubling decision, with equities of the player on roll, who may double. */
export type AnalyzedDoubling = {
  /** Equity without a double. */
  no_double: number,
  /** Equity of a double that the opponent takes. */
  double_take: number,
  /** Equity of a double that the opponent passes. */
  double_pass: number,
  /** Best action of both players. */
  best: string,
  /** Cubeless probabilities of the player on roll before the roll: win, gammon, backgammon, lost gammon, lost backgammon. */
  probabilities: [number, number, number, number, number],
};

/** Game of an [`AnalyzedMatch`]. */
export type AnalyzedGame = {
  /** Points of players 0 and 1 before the game. */
  score: [number, number],
  /** Whether this is the Crawford game. */
  crawford: boolean,
  /** Rated actions, oldest first. */
  actions: Array<AnalyzedAction>,
  /** Sums over the actions of players 0 and 1 in the game. */
  totals: [AnalyzedTotal, AnalyzedTotal],
  /** Winner and points of the game; `None` if the game is unfinished. */
  result: AnalyzedWin | null,
};

/** Kind of an [`AnalyzedAction`]. */
export type AnalyzedKind = "play" | "double" | "no double" | "take" | "pass";

/** Analysis of a match, in progress or complete. */
export type AnalyzedMatch = {
  /** Name of the experiment of the network. */
  experiment: string,
  /** Checkpoint file of the network; `None` for the network of the program, and without a network. */
  checkpoint: string | null,
  /** Source of all figures: `network`, or `gnubg` for GNU Backgammon. */
  evaluator: string,
  /** Search depth in plies. */
  plies: number,
  /** Search depth at which actions with a marked error are evaluated again, in plies; at most `plies`: not again. */
  recheck_plies: number,
  /** Names of players 0 and 1. */
  players: [string, string],
  /** Match length in points; 0 in a money session. */
  length: number,
  /** Games, with the actions that have been rated. */
  games: Array<AnalyzedGame>,
  /** Sums over the actions of players 0 and 1. */
  totals: [AnalyzedTotal, AnalyzedTotal],
  /** Result of the finished games; `None` during the analysis, or if no game is finished. */
  result: AnalyzedResult | null,
};

/** Result of the finished games of players 0 and 1: points of a money session, or match winning probabilities after the games. */
export type AnalyzedResult = {
  /** Unit of the results. */
  unit: string,
  /** Results as played. */
  actual: [number, number],
  /** Results without the luck of the rolls. */
  luck_adjusted: [number, number],
};

/** Result of a step of the analysis, which rates one action of the record. */
export type AnalyzedStep = {
  /** Index of the game in [`AnalyzedMatch::games`]. */
  index: number,
  /** The game, with the new actions only: the rated action, and a decision not to double before a play. */
  game: AnalyzedGame,
  /** As [`AnalyzedMatch::totals`], after the step. */
  totals: [AnalyzedTotal, AnalyzedTotal],
  /** As [`AnalyzedMatch::result`], after the step. */
  result: AnalyzedResult | null,
};

/** Sums over the actions of a player. */
export type AnalyzedTotal = {
  /** Number of plays with a choice. */
  plays: number,
  /** Sum of their errors. */
  play_error: number,
  /** Number of doubles, takes, passes, and decisions not to double that were close or wrong. */
  doubling_decisions: number,
  /** Sum of their errors. */
  doubling_error: number,
  /** Number of errors with the marks `??` and `?`. */
  blunders: number,
  /** Mean error per decision; `None` without decisions. */
  error_rate: number | null,
  /** Performance rating of eXtreme Gammon, half the error rate; `None` without decisions. */
  performance_rating: number | null,
  /** Sum of the luck of all rolls. */
  luck: number,
};

/** Winner of an [`AnalyzedGame`]. */
export type AnalyzedWin = {
  /** Winner: player 0 or 1. */
  winner: number,
  /** Points of the win, including the doubling cube. */
  points: number,
};

/** Command to the preview: the environments that a front end displays. */
export type ControlCommand = { "kind": "push",
  /** Index of the displayed environment, from 0; `None` for all displayed environments. */
  member: number | null,
  /** Signed force (a torque for Pendulum and Acrobot), as a multiple of the strongest action, −10 to 10. */
  force: number,
}
  | { "kind": "reset_preview" };

/** Static description of a control environment: state dimensions, action space, time limit, range of returns. */
export type ControlInfo = { "kind": "control",
  /** State dimensions, in the order of the columns of the frame array `preview/state`. */
  dimensions: Array<DimensionInfo>,
  /** Indices of the state dimensions of the default heat map: horizontal, vertical. */
  map: [number, number],
  /** Action space: discrete actions or one real number. */
  action: ActionInfo,
  /** Number of tiles per side if the state is the column and the row of a tile; `None` for other environments. The
  * config field `world.map` holds the tiles. */
  grid: number | null,
  /** Simulated duration of an environment step, in seconds. */
  step_seconds: number,
  /** Time limit of an episode, in environment steps. */
  max_steps: number,
  /** Mean return per episode at which the environment counts as solved. */
  solved: number,
  /** Approximately the worst return of an episode. Lower end of the range in which front ends draw returns. */
  worst: number,
};

/** Requested contents of a frame: displayed environments and heat maps. */
export type ControlView = { "kind": "control",
  /** Number of displayed environments (the preview). */
  members: number,
  /** Index of the displayed environment whose state supplies the values of the state dimensions that are not on an
  * axis of the heat maps. */
  focus: number,
  /** Requested heat maps of policy and value; `None` for no maps. */
  map: MapRequest | null,
};

/** Originator of a turn of the interactive cube. */
export type CubeActor = "person" | "scramble" | "solver";

/** Commands to the interactive cube and its solvers. */
export type CubeCommand = { "kind": "move_now" }
  | { "kind": "set_pace",
  /** Delay in seconds per move, 0 to 60; `None` waits for [`CubeCommand::MoveNow`]. */
  seconds: number | null,
}
  | { "kind": "export_player" }
  | { "kind": "turn",
  /** Turn to apply, in standard notation, such as `R'`; one of
  * [`CubeInfo::all_turns`](super::CubeInfo::all_turns). */
  turn: string,
}
  | { "kind": "apply",
  /** Face turns, wide turns, slice turns, rotations, commutators and conjugates: at most 1,000 moves. A comment after `//`
  * names the moves of its line. */
  turns: string,
  /** Originator of the turns in the history: [`CubeActor::Scramble`] for turns that set up a scramble. Default:
  * [`CubeActor::Person`]. */
  by: CubeActor,
}
  | { "kind": "cube_step",
  /** Number of turns of the history to apply, from 0 (initial state) to the length of the history. */
  to: number,
}
  | { "kind": "scramble",
  /** Number of random turns, 1 to [`CubeInfo::largest_scramble`](super::CubeInfo::largest_scramble). `None`
  * replaces the cube by a state drawn uniformly at random. */
  moves: number | null,
}
  | { "kind": "set_cube",
  /** 24 or 54 letters of `URFDLB` (faces) or `WRGYOB` (colors), in the order of
  * [`CubeTable::stickers`](super::CubeTable::stickers); blanks are ignored. The cube may be held in any
  * orientation. */
  stickers: string,
}
  | { "kind": "reset_cube" }
  | { "kind": "solve",
  /** Solver to use: greedy policy, beam search or optimal solver. */
  by: CubeSolver,
}
  | { "kind": "play_solution",
  /** Turns in standard notation, of the faces that the user sees, that solve the interactive cube's current state. */
  turns: string,
}
  | { "kind": "stop_solving" }
  | { "kind": "set_player",
  /** Network to select: the network in training or the opened network. */
  player: CubePlayer,
}
  | { "kind": "set_evaluation",
  /** Whether evaluations of all states run during training. */
  on: boolean,
};

/** All cycles of one length in which the greedy policy ends. A cycle is a sequence of states that the policy repeats
* forever without solving the cube. */
export type CubeCycle = {
  /** Length of the cycles: number of moves after which the greedy policy returns to the same state. */
  length: number,
  /** Number of different cycles that have the length `length`. */
  count: number,
  /** Number of states from which the greedy policy ends in a cycle of length `length`, including the states of the
  * cycles. */
  states: number,
};

/** Evaluation results for the states at one distance from the solved state. */
export type CubeDepth = {
  /** Distance from the solved state in quarter turns. */
  distance: number,
  /** Number of cube states at distance `distance` from the solved state. */
  states: number,
  /** Number of states at distance `distance` that the evaluation has classified so far: solved or not solved by the
  * greedy policy. */
  known: number,
  /** Number of states at distance `distance` that the greedy policy solves. */
  solved: number,
  /** Mean number of moves beyond an optimal solution, over the solved states at distance `distance`; `None` if no
  * state is solved. */
  mean_excess: number | null,
};

/** JSON documents of a frame. Documents that have not changed since they were last sent are omitted. */
export type CubeDocuments = { "kind": "cube",
  /** State of the interactive cube, its history and its solution. */
  cube?: CubeTable,
  /** Exhaustive evaluation of the 2×2×2 cube; `null` before the first evaluation. */
  exhaustive?: CubeExhaustiveEvaluation | null,
  /** Training progress in addition to the metrics. */
  run?: CubeRun,
};

/** Solve rate and solution lengths of the newest network. 2×2×2: greedy policy on all 3,674,160 states. 3×3×3: beam
* search on random cubes. */
export type CubeEvaluation = { "kind": "cube",
  /** Number of cubes that the network had to solve. */
  cubes: number,
  /** Fraction of the evaluated cubes that the network solved, 0 to 1. */
  solved: number,
  /** Mean solution length in moves; `None` if no cube was solved. */
  mean_length: number | null,
  /** 2×2×2: mean number of moves beyond an optimal solution; `None` for the 3×3×3 cube. */
  mean_excess: number | null,
  /** 3×3×3: beam width of the search; `None` for the 2×2×2 cube. */
  width: number | null,
  /** 2×2×2: results for the states at each distance from the solved state, starting with distance 0; empty for the
  * 3×3×3 cube. */
  depths: Array<CubeDepth>,
  /** 2×2×2: cycles of states in which the greedy policy ends if it does not solve the cube, grouped by cycle length,
  * shortest first; empty for the 3×3×3 cube. */
  cycles: Array<CubeCycle>,
};

/** Result of a completed evaluation of the network in training on all states of the 2×2×2 cube. */
export type CubeEvaluationRow = {
  /** Number of samples on which the evaluated network was trained. */
  samples: number,
  /** Number of gradient steps with which the evaluated network was trained. */
  updates: number,
  /** Fraction of all states that the greedy policy solves, 0 to 1. */
  solved: number,
  /** Mean number of moves beyond an optimal solution, over the solved states; `None` if no state is solved. */
  mean_excess: number | null,
};

/** JSON document `exhaustive`: result of following the greedy policy from each of the 3,674,160 states of the 2×2×2
* cube, in ascending order of their distance from the solved state. The evaluation runs in the background of training,
* with the weights at its start. All results are of one evaluation: the last completed one, or else the evaluation in
* progress. */
export type CubeExhaustiveEvaluation = {
  /** Whether the evaluation of all states is in progress. */
  running: boolean,
  /** Network whose greedy policy is evaluated: the network in training or the opened network. */
  player: CubePlayer,
  /** Whether the results are of a completed evaluation. */
  complete: boolean,
  /** Number of gradient steps with which the evaluated network was trained; 0 for an opened network. */
  updates: number,
  /** Number of samples on which the evaluated network was trained; 0 for an opened network. */
  samples: number,
  /** Fraction of all states that the newest evaluation has classified so far: solved or not solved by the greedy
  * policy. 1 if it is complete. */
  done: number,
  /** Fraction of states that the greedy policy solves, among the states classified so far; `None` if no state is
  * classified. */
  solved: number | null,
  /** Mean number of moves beyond an optimal solution, over the solved states; `None` if no state is solved. */
  mean_excess: number | null,
  /** Results for the states at each distance from the solved state, starting with distance 0. */
  depths: Array<CubeDepth>,
  /** Cycles of states in which the greedy policy ends if it does not solve the cube, grouped by cycle length: the 64
  * shortest lengths, shortest first. */
  cycles: Array<CubeCycle>,
  /** Results of the completed evaluations of the network in training, oldest first. */
  finished: Array<CubeEvaluationRow>,
};

/** Static description of a cube experiment: cube size, turns, beam widths, limits. */
export type CubeInfo = { "kind": "cube",
  /** Number of pieces along an edge of the cube: 2 or 3. */
  size: number,
  /** Moves among which the network chooses if the config has its default values, in the order of the network's
  * outputs. */
  turns: Array<string>,
  /** All turns that the user can apply to the interactive cube. */
  all_turns: Array<string>,
  /** Label of the displayed move values, such as "Value". */
  value_label: string,
  /** Unit of the network's outputs: "reward", or "nat" for log-probabilities, which are displayed as probabilities. */
  value_unit: string,
  /** Explanation of the displayed move values, in one sentence. */
  value_help: string,
  /** Maximum number of random turns of a scramble of the interactive cube. */
  largest_scramble: number,
  /** Maximum number of thumbnails (small pictures of cubes) in a frame. */
  max_thumbnails: number,
  /** Whether evaluations cover all states of the cube, and front ends can request a map of all states: true for 2×2×2
  * only. */
  exhaustive: boolean,
  /** Number of cube states at each distance from the solved state, starting with distance 0; distances are in quarter
  * turns. Empty for the 3×3×3 cube. */
  states: Array<number>,
  /** Beam widths that the user can choose for a search; empty if the experiment has no beam search. */
  beams: Array<number>,
  /** One sentence about God's number and the mean optimal solution length. */
  literature: string,
};

/** Results of the episodes that ended in one training iteration, for one curriculum level (scramble length). */
export type CubeLevel = {
  /** Curriculum level: scramble length at the start of an episode; at the last level episodes start in random states. */
  level: number,
  /** Number of episodes of the level `level` that were completed in the training iteration. */
  episodes: number,
  /** Number of completed episodes of the level `level` that ended with a solved cube. */
  successes: number,
  /** Number of transitions in the replay buffer that come from episodes of the level `level`. */
  kept: number,
};

/** Move in the history of the interactive cube. */
export type CubeMove = {
  /** Move in standard notation, such as `R'`, `Rw`, `M` or `x`, of the layers that the user sees. */
  turn: string,
  /** Originator of the move: user, scramble or solver. */
  by: CubeActor,
  /** Name of the stage of an algorithm that ends with this move; omitted if none. */
  stage?: string,
};

/** Network that computes the move values of the interactive cube and solves the cube. */
export type CubePlayer = "newest" | "opened";

/** JSON document `run`: training progress in addition to the metrics. Fields that do not apply to an experiment are
* empty. */
export type CubeRun = {
  /** Number of samples on which the network in training was trained so far. */
  samples: number,
  /** Number of gradient steps of the network in training so far. */
  updates: number,
  /** Number of samples that the opened network was trained on, according to its file; `None` if no network was
  * opened. */
  opened: number | null,
  /** 2×2×2: number of solver demonstrations that the network was trained on so far, and total number according to the
  * config; both 0 without demonstrations. */
  demonstrations: [number, number],
  /** 2×2×2: highest open level of the curriculum (scramble length); at the last level episodes start in random
  * states. */
  open_level: number,
  /** 2×2×2: episode results of the last training iteration for each curriculum level, starting with level 1. */
  levels: Array<CubeLevel>,
  /** 2×2×2: exploration rate ε, the fraction of random moves in training. */
  epsilon: number | null,
  /** 3×3×3: top-1 accuracy of the predicted move, which undoes the last turn of a scramble, by scramble length,
  * starting with 1. */
  accuracy_by_depth: Array<number>,
  /** 3×3×3: results of all tests on random cubes during training, oldest first. */
  tests: Array<CubeTest>,
  /** 3×3×3: number of completed cubes and number of all cubes in the current test; both 0 if no test is in progress. */
  testing: [number, number],
};

/** Solver that the user can start for the interactive cube. */
export type CubeSolver = { "kind": "greedy" }
  | { "kind": "beam",
  /** Beam width: 1 to the largest of [`CubeInfo::beams`](super::CubeInfo::beams). */
  width: number,
}
  | { "kind": "exact" }
  | { "kind": "exact_half" }
  | { "kind": "two_phase" };

/** Progress of solving the interactive cube: search for a solution, then playback. */
export type CubeSolving = {
  /** Solver that computes the solution. */
  by: CubeSolver,
  /** Status of solving: search, playback of the solution, or end. */
  status: CubeStatus,
  /** Number of cube states that the solver has evaluated with the network so far. */
  evaluated: number,
  /** Beam search: depth that the search has reached, in moves. Other solvers: number of moves found so far. */
  ahead: number,
  /** Moves of the solution, of the faces that the user sees; empty until a solution is found. If the solver gave up, the
  * moves that the solver had found. */
  solution: Array<string>,
  /** Number of moves of the solution that are already applied to the cube. */
  made: number,
  /** Length of an optimal solution, in quarter turns, of the state in which solving started; `None` for the 3×3×3
  * cube. */
  optimal: number | null,
  /** Reason why the solver gave up, as a sentence; `None` if the solver did not give up. */
  why: string | null,
};

/** Status of the task of solving the interactive cube. */
export type CubeStatus = "searching" | "playing" | "solved" | "gave_up";

/** JSON document `cube`: state, history and move values of the interactive cube, and the progress of solving the cube. */
export type CubeTable = {
  /** Identifier of the interactive cube: number of times that the cube was replaced other than by turns. Each
  * replacement starts a new history. */
  cube: number,
  /** Colors of the stickers that the user sees, as letters of `URFDLB`, face by face (U, R, F, D, L, B) and row by row
  * within a face. Moves such as `x` rotate the whole cube. */
  stickers: string,
  /** Whether the interactive cube is solved. */
  solved: boolean,
  /** Distance of the cube from the solved state in quarter turns; `None` for the 3×3×3 cube, whose distances are not
  * computed. */
  distance: number | null,
  /** Moves applied to the cube, oldest first, including undone moves. Limited to the last 1,000. */
  history: Array<CubeMove>,
  /** Number of moves of `history` that are applied; less than the length of `history` after an undo. */
  at: number,
  /** The network's value of each move, in the order of the network's outputs. */
  values: Array<CubeValue>,
  /** Network that computes the values and the greedy solution. */
  player: CubePlayer,
  /** Number of gradient steps of the network `player`; 0 for an opened network. */
  updates: number,
  /** Current or last solution; `None` after a turn or a replacement of the cube. */
  solving: CubeSolving | null,
  /** Playback delay of a solution, in seconds per move; `None` waits for
  * [`CubeCommand::MoveNow`](super::CubeCommand::MoveNow). */
  pace: number | null,
};

/** Result of a test on a fixed set of random cubes with one beam width. */
export type CubeTest = {
  /** Number of samples on which the network had been trained at the start of the test. */
  samples: number,
  /** Beam width of the searches that solved the test's cubes. */
  width: number,
  /** Number of random cubes in the test. */
  cubes: number,
  /** Number of random cubes that the test solved with beam width `width`. */
  solved: number,
  /** Mean solution length in moves; `None` if no cube was solved. */
  mean_length: number | null,
};

/** The network's value of one move of the interactive cube. */
export type CubeValue = {
  /** Move in standard notation, such as `R'`, of the face that the user sees. */
  turn: string,
  /** Value of the move according to the network, in the unit of
  * [`CubeInfo::value_unit`](super::CubeInfo::value_unit). */
  value: number,
  /** Whether this move has the highest value of all moves (greedy move). */
  best: boolean,
  /** Whether an optimal solution starts with this move; `None` for the 3×3×3 cube. */
  optimal: boolean | null,
};

/** View of a cube experiment: the parts of a frame that a front end requests. */
export type CubeView = { "kind": "cube",
  /** Whether to send the JSON documents `cube`, `exhaustive` and `run`. A document is sent if it changed since it was
  * last sent, or if the last frame did not request documents. */
  documents: boolean,
  /** Whether to send the map of all states (2×2×2 only). */
  map: boolean,
  /** Number of thumbnails (small pictures of cubes) to send, at most
  * [`CubeInfo::max_thumbnails`](super::CubeInfo::max_thumbnails). */
  thumbnails: number,
};

/** List of metrics that front ends draw in the small charts, for all configs or only for configs that satisfy a
* condition. */
export type Curves = {
  /** Condition on the config under which front ends draw `metrics`; `None` for all configs. */
  when: FieldCondition | null,
  /** Names of the metrics to draw as curves. */
  metrics: Array<string>,
};

/** Source of the dice rolls at the table. */
export type DiceMode = "ask" | "roll" | "by_hand";

/** Description of one dimension of the environment's state: name, unit, plotting range. */
export type DimensionInfo = {
  /** Identifier of the state dimension, such as `pole_angle`. */
  name: string,
  /** Label of the state dimension, such as "Pole angle". */
  label: string,
  /** Unit of the state dimension, such as "m/s". */
  unit: string,
  /** Lower end of the state dimension's plotting range, in `unit`. */
  low: number,
  /** Upper end of the state dimension's plotting range, in `unit`. */
  high: number,
  /** Whether the dimension is an angle in radians that wraps around. */
  angle: boolean,
};

/** Doubling decision of a player. */
export type DoublingChoice = "no_double" | "double" | "take" | "drop";

/** Doubling decision with its equities, which Janowski's formula computes from the cubeless probabilities of a network. */
export type DoublingReport = {
  /** Seat that decides. */
  seat: number,
  /** The decision; `None` if it has not been made. */
  chosen: DoublingChoice | null,
  /** Best decision of the seat. */
  best: DoublingChoice,
  /** Whether the seat to move is too good to double: playing for a gammon is worth more than the drop. */
  too_good: boolean,
  /** Network that evaluated the position: the network that decides, or the analyst. */
  player: GamePlayer,
  /** Cubeless probabilities of win, gammon, backgammon, lost gammon and lost backgammon before the roll, for the seat to move: of the
  * bear-off table, or of the network. */
  probabilities: [number, number, number, number, number],
  /** Equities of no double, double and take, double and drop, for the seat to move: 1 is the value of winning the
  * present doubling cube. In a match, 1 and −1 stand for the match winning probabilities after winning and losing
  * the cube. */
  equities: [number, number, number],
  /** Equity losses of no double, double, take and drop, each for the seat that decides; 0 for the best decision. */
  costs: [number, number, number, number],
};

/** Compute engine that trains a run. */
export type EngineInfo = { "kind": "cpu" }
  | { "kind": "gpu",
  /** Adapter name from the driver or the browser. */
  adapter: string,
  /** Whether the adapter is a software rasterizer on the CPU. */
  software: boolean,
};

/** Static description of an experiment: names, config fields, presets, metrics. */
export type ExperimentInfo = {
  /** Registered name of the experiment, such as `mountain-car`. */
  name: string,
  /** Display name of the experiment, such as "MountainCar". */
  title: string,
  /** Summary of the experiment in one or two sentences: task and difficulty. */
  summary: string,
  /** Family-specific description of the environment: an object whose field `kind` is the name of the family. */
  world: WorldInfo,
  /** All config fields of the experiment, in display order. */
  fields: Array<FieldInfo>,
  /** Fields with a different path in earlier versions. Links, files and command lines with the former paths stay
  * valid. */
  renamed_fields: Array<RenamedField>,
  /** Choice-field values that were renamed since earlier versions. Links, files and command lines with the old
  * values stay valid. */
  renamed_values: Array<RenamedValue>,
  /** Named configs that the user can select. */
  presets: Array<PresetInfo>,
  /** Descriptions of all metrics that the experiment reports. */
  metrics: Array<MetricInfo>,
  /** Measurements and charts that front ends display. */
  readings: Readings,
  /** The complete default config of the experiment. */
  defaults: Record<string, unknown>,
};

/** File format in which the sandbox circuit is exported. */
export type ExportFormat = "json" | "verilog" | "gif";

/** Condition on a config: the field at a given path has a given value. */
export type FieldCondition = {
  /** Dotted path of the config field whose value is compared, such as `task.start`. */
  path: string,
  /** Value of the config field for which the condition holds. */
  value: unknown,
};

/** Description of a config field. */
export type FieldInfo = {
  /** Dotted path of the field in JSON, such as `world.gravity`. */
  path: string,
  /** Label of the field in user interfaces, such as "Gravity". */
  label: string,
  /** Unit of the value, such as "m/s²"; empty for a pure number. */
  unit: string,
  /** Help text of one or two sentences: effect, and how to tune it. */
  help: string,
  /** Whether the field can change during a run. */
  live: boolean,
  /** Type and range of the field's value. */
  kind: FieldKind,
  /** Default value of the field. */
  default: unknown,
};

/** Type and range of a config field. All bounds are inclusive. */
export type FieldKind = { "type": "number",
  /** Minimum of the field's value. */
  low: number,
  /** Maximum of the field's value. */
  high: number,
  /** Whether sliders for the value use a logarithmic scale. */
  logarithmic: boolean,
}
  | { "type": "integer",
  /** Minimum of the field's value. */
  low: number,
  /** Maximum of the field's value. */
  high: number,
  /** Whether sliders for the value use a logarithmic scale. */
  logarithmic: boolean,
}
  | { "type": "flag" }
  | { "type": "choice",
  /** Words that are allowed as values. */
  options: Array<string>,
}
  | { "type": "integers",
  /** Minimum number of integers in the list. */
  shortest: number,
  /** Maximum number of integers in the list. */
  longest: number,
  /** Minimum of each integer in the list. */
  low: number,
  /** Maximum of each integer in the list. */
  high: number,
}
  | { "type": "text",
  /** Maximum length of the string in bytes. */
  longest: number,
};

/** Result of one benchmark of `vivarium bench`. */
export type Figure = {
  /** Name of the benchmark, such as `control/cartpole/raw/1`. */
  name: string,
  /** Measured value of the benchmark, in the unit `unit`. */
  value: number,
  /** Unit, such as `GFLOP/s`. Lower is better for units of time, higher for all other units. */
  unit: string,
  /** Number of CPU threads that the benchmark uses; omitted for a GPU. */
  threads?: number,
  /** Result of a reference implementation for the same task, measured in the same run of the benchmark. */
  rival?: Rival,
};

/** The JSON document `analysis`: search results for a decision. The search uses the network of the player to move. For
* a player without a network, and while a computer waits in an entered position, the analyst (the network that analyzes
* human decisions) is used. */
export type GameAnalysis = {
  /** Index of the turn from 0, as in [`GameTable::history`](super::GameTable::history). */
  turn: number,
  /** Seat to move. Equities and probabilities are from the view of this seat. */
  seat: number,
  /** Player that runs the search: the network player to move, or the analyst (the network that analyzes human
  * decisions). */
  player: GamePlayer,
  /** Number of gradient steps that the network was trained for when the search started; 0 for a network opened from a
  * file. */
  updates: number,
  /** Number of search simulations run so far. */
  made: number,
  /** Number of search simulations after which the analysis is complete. If the network is trained further, a new
  * analysis replaces the complete analysis of a human decision. */
  wanted: number,
  /** Whether the search stopped early because the memory of its tree is full. The results remain valid. */
  full: boolean,
  /** Equity of the best play (the first candidate), as [`GameCandidate::equity`]. */
  equity: number,
  /** Outcome probabilities (0 to 1) after the best play, one for each of
  * [`GameInfo::outcomes`](super::GameInfo::outcomes), cubeless, adjusted to agree with the result of the search. */
  outcome_probabilities: Array<number>,
  /** Whether `equity` and `outcome_probabilities` are search results. Before the first visit of a play they are the
  * network's estimate. */
  searched: boolean,
  /** Plays that the search has visited, with a doubling cube or a score all legal plays; at most 24. Highest equity first,
  * in Connect Four most visits first, as the computer chooses. */
  candidates: Array<GameCandidate>,
  /** Number of legal plays in the analyzed decision. */
  plays: number,
};

/** Board of the game, with its checkers or stones. */
export type GameBoard = { "kind": "backgammon",
  /** Number of checkers of seat 0 and of seat 1 at positions 0 (off) to 25 (bar), in each player's numbering. */
  checkers: [Array<number>, Array<number>],
  /** Pip counts of seat 0 and seat 1. */
  pips: [number, number],
}
  | { "kind": "connect_four",
  /** 42 cells, index 6 · column + row: 0 empty, 1 seat 0, 2 seat 1. */
  cells: Array<number>,
  /** Indices of the cells of all winning rows of four; empty if no player has won. */
  winning: Array<number>,
};

/** Candidate play: in backgammon a complete turn, also for a double, which takes two decisions; in Connect Four one
* move. */
export type GameCandidate = {
  /** Notation of the play, such as `8/5 6/5`; in Connect Four the column, from 1. */
  text: string,
  /** Checker moves of the play, in an order in which they are legal; in Connect Four the dropped stone. */
  moves: Array<GameMove>,
  /** Path of branches from the root of the search tree to the play: one branch, or two for a double in backgammon.
  * See [`GameNode::branch`]. */
  branches: Array<number>,
  /** Number of search simulations that visited the play. */
  visits: number,
  /** Prior: the network's policy probability of the play. */
  prior: number,
  /** Equity of the play. In cubeless games in points: mean value of the visits, the network's estimate if a roll follows the
  * play and there are fewer than 8 visits, or the exact equity if an endgame table contains the resulting state. With a
  * match or money session, by Janowski's formula from the cubeless probabilities that agree with this value: in a match
  * an equity at the score (−1 and 1 are the match winning probabilities after a single game lost and won with the present
  * doubling cube), in a money session points per value of the doubling cube. */
  equity: number,
  /** Equity loss of the play relative to the first candidate; 0 for the best play. Negative if a less visited play of Connect
  * Four has a higher mean value. */
  lost: number,
  /** Outcome probabilities after the play, in the order of [`GameAnalysis::outcome_probabilities`]. Empty except for
  * the five best candidates. */
  outcome_probabilities: Array<number>,
};

/** Commands to a board-game experiment: game at the table, analysis and matches. */
export type GameCommand = { "kind": "new_game",
  /** Players at seat 0 and seat 1. A change resets the score. */
  seats: [GamePlayer, GamePlayer],
  /** Seat that starts; `None`: decided by the opening roll in backgammon, alternating in Connect Four. */
  first: number | null,
}
  | { "kind": "start_match",
  /** Match length in points, 1 to 64; 0: money session; `None`: cubeless money games. */
  length: number | null,
  /** Whether a money session has the Jacoby rule. */
  jacoby: boolean,
}
  | { "kind": "set_seats",
  /** Players at seat 0 and seat 1. */
  seats: [GamePlayer, GamePlayer],
}
  | { "kind": "set_position",
  /** Position to set up, as an ID or by its checkers. */
  position: GamePosition,
  /** Seat to move. `None`: the seat determined by the match ID or by the moves of Connect Four, else seat 0. */
  seat: number | null,
  /** Roll that the seat to move has to play. `None`: the roll in the match ID, or no roll yet if the position has
  * no match ID. */
  dice: [number, number] | null,
}
  | { "kind": "roll",
  /** Roll to enter; for an opening roll, seat 0's die first. `None`: random dice. */
  dice: [number, number] | null,
}
  | { "kind": "double" }
  | { "kind": "take" }
  | { "kind": "drop" }
  | { "kind": "move",
  /** Source of the move, as in [`GameTarget`](super::GameTarget). */
  from: number,
  /** Destination of the move, as in [`GameTarget`](super::GameTarget). */
  to: number,
}
  | { "kind": "undo_move" }
  | { "kind": "confirm_turn" }
  | { "kind": "take_back",
  /** Index of the turn in the history, from 0; `None`: the last decision of a human player, which is a turn or a
  * double, take or drop of the current turn. */
  turn: number | null,
}
  | { "kind": "resign",
  /** Seat that resigns the game. */
  seat: number,
  /** Points offered with a doubling cube of 1: from 1 to [`GameTable::max_loss`](super::GameTable::max_loss). */
  points: number,
}
  | { "kind": "move_now" }
  | { "kind": "seed_dice",
  /** Seed of all future dice. */
  seed: number,
}
  | { "kind": "set_dice_mode",
  /** Source of the rolls: automatic, on request, or entered by hand. */
  mode: DiceMode,
}
  | { "kind": "set_pace",
  /** Delay in seconds, 0 to 60; `None`: wait for [`GameCommand::MoveNow`]. */
  seconds: number | null,
}
  | { "kind": "set_analysis",
  /** Network that analyzes human decisions: a network player with at least 1 simulation per decision. */
  analyst: GamePlayer,
  /** Maximum number of simulations per second, 1 to 100,000; `None`: unlimited. */
  speed: number | null,
}
  | { "kind": "analyze_again" }
  | { "kind": "start_matches",
  /** The two players of each match; at most 16 matches. */
  players: Array<[GamePlayer, GamePlayer]>,
  /** Number of pairs of games per match; the two games of a pair have the same dice and swapped seats. */
  pairs: number,
}
  | { "kind": "stop_matches" }
  | { "kind": "export_player" };

/** JSON documents of a frame. A document that has not changed since it was last sent is `None`, and omitted in JSON. */
export type GameDocuments = { "kind": "games",
  /** State of the game at the table. */
  table?: GameTable,
  /** Analysis of the requested turn; `null` if the turn has no analyzed decision. */
  analysis?: GameAnalysis | null,
  /** Requested part of the current search tree. */
  tree?: GameTree,
  /** Matches that the user requested last. */
  matches?: Array<GameMatch>,
  /** Training status in addition to the metrics. */
  run?: GameRun,
};

/** Match or money session with the doubling cube. */
export type GameDoubling = {
  /** Match length in points; 0 in a money session. */
  length: number,
  /** Whether the Jacoby rule applies: a gammon counts 1 point unless a player has doubled. Money sessions only. */
  jacoby: boolean,
  /** Whether this is the Crawford game, which has no doubling cube: the first game in which a player needs 1 point. */
  crawford: boolean,
  /** Value of the doubling cube, before an offered double is taken. */
  cube: number,
  /** Seat that owns the doubling cube; `None` if the cube is in the middle. */
  owner: number | null,
  /** Whether the seat to move may double now: before the roll, with access to the doubling cube and a use for a
  * double. */
  can_double: boolean,
  /** Points of a single game, a gammon and a backgammon with the present doubling cube. */
  points: [number, number, number],
  /** Seat that has won the match; `None` before the end of the match and in a money session. */
  match_winner: number | null,
  /** Whether [`GameCommand::TakeBack`](super::GameCommand::TakeBack) without a turn returns to a doubling decision of
  * a human player in the current turn. */
  can_take_back: boolean,
  /** Doubling decision that a player has to make now, as evaluated by a network; `None` if there is none. */
  pending: DoublingReport | null,
  /** Doubling decision of the game that was made last; `None` before the first one. */
  last: DoublingReport | null,
};

/** Static description of a board-game experiment. */
export type GameInfo = { "kind": "games",
  /** Outcomes that the value heads predict, in the order of
  * [`GameAnalysis::outcome_probabilities`](super::GameAnalysis::outcome_probabilities). */
  outcomes: Array<OutcomeInfo>,
  /** Largest possible equity: the points of the highest win, 3 in backgammon and 1 in Connect Four. */
  most_equity: number,
  /** Unit of equities: "points" in backgammon, "games" in Connect Four. */
  equity_unit: string,
  /** Reference players. Networks are listed in [`GameRun::players`](super::GameRun::players). */
  opponents: Array<PlayerChoice>,
  /** Maximum number of search simulations per decision of a player, or of the analyst (the network that analyzes
  * human decisions). */
  largest_search: number,
  /** Maximum number of thumbnails (small boards) of self-play games in a frame. */
  max_thumbnails: number,
  /** Maximum number of pairs of games per match. */
  largest_match: number,
};

/** Match between two players, in progress or finished. The two games of a pair have the same dice and swapped seats.
* The JSON document `matches` lists the matches that the user requested last, in the order of play. */
export type GameMatch = {
  /** The two players of the match. */
  players: [GamePlayer, GamePlayer],
  /** Display labels of the two players. */
  labels: [string, string],
  /** Number of pairs of games to play in the match. */
  pairs: number,
  /** Number of pairs of games finished. */
  played: number,
  /** Mean points per game of the first player; `None` before the first pair of games is finished. */
  points: number | null,
  /** 95 % confidence interval of `points`, lower and upper bound; `None` before the second pair of games is finished. */
  interval: [number, number] | null,
  /** Share of finished games that the first player won, 0 to 1; a draw counts half. 0 before a game is finished. */
  wins: number,
  /** Share of games won as gammon or backgammon by the first and by the second player; 0 in Connect Four. */
  gammons: [number, number],
};

/** Move of one checker by one die, or drop of a stone in Connect Four. */
export type GameMove = {
  /** Source position of the checker, in the numbering of the player who moves; in Connect Four the column. */
  from: number,
  /** Destination of the checker, in the numbering of the player who moves; in Connect Four the column. */
  to: number,
  /** Whether the move hits an opponent's blot. */
  hits: boolean,
};

/** Node of the search tree, and the branch (edge) that leads to the node. */
export type GameNode = {
  /** Index of the parent node in [`GameTree::nodes`]; the root is its own parent. */
  parent: number,
  /** Index of the branch that leads to the node, among the actions or rolls at the parent; 0 for the root. */
  branch: number,
  /** Notation of the branch: a play, one decision of a double, or a roll such as `3-1`; empty for the root. */
  text: string,
  /** Kind of the node: decision, roll of the dice, or end of the game. */
  kind: NodeKind,
  /** Seat to move at the node. */
  seat: number,
  /** Number of search simulations that visited the node. */
  visits: number,
  /** Policy probability of the branch, or probability of the roll; 1 for the root. */
  prior: number,
  /** Cubeless mean value of the node's visits in points, from the view of the seat to move at the root; `None` before the
  * first visit. */
  equity: number | null,
  /** Number of child nodes with at least one visit. A [`TreeRequest`](super::TreeRequest) can request these nodes. */
  children: number,
};

/** Outcome of a finished game. */
export type GameOutcome = {
  /** Seat that won; `None` for a draw. */
  winner: number | null,
  /** Points that the winner gets: in backgammon `win` multiplied by the doubling cube (with the Jacoby rule, 1 unless
  * a player has doubled), 1 in Connect Four, 0 for a draw. */
  points: number,
  /** Kind of win: 1 single game, 2 gammon, 3 backgammon; 1 in Connect Four, 0 for a draw. */
  win: number,
  /** Kind of ending, such as "gammon", "four in a row", "resigned" or "dropped". */
  how: string,
};

/** Player at the table or in a match: human, a network with or without search, or a reference player. */
export type GamePlayer = { "kind": "person" }
  | { "kind": "newest",
  /** Number of search simulations per decision; with 0, the network plays without search. */
  simulations: number,
}
  | { "kind": "best",
  /** Number of search simulations per decision; with 0, the network plays without search. */
  simulations: number,
}
  | { "kind": "earlier",
  /** Promotion number: number of promotions of the run when this network became the best network; 0 for the
  * initial network. */
  promotion: number,
  /** Number of search simulations per decision; with 0, the network plays without search. */
  simulations: number,
}
  | { "kind": "opened",
  /** Number of search simulations per decision; with 0, the network plays without search. */
  simulations: number,
}
  | { "kind": "random" }
  | { "kind": "pips" }
  | { "kind": "pubeval" }
  | { "kind": "minimax",
  /** Search depth in plies, 1 to 8. */
  depth: number,
};

/** Position that the user enters. */
export type GamePosition = { "kind": "id",
  /** ID of the position. Surrounding spaces are ignored. */
  id: string,
}
  | { "kind": "checkers",
  /** Number of checkers of seat 0 and of seat 1 at each position, as in [`GameBoard::Backgammon`]. */
  checkers: [Array<number>, Array<number>],
};

/** The JSON document `run`: training status in addition to the metrics. */
export type GameRun = {
  /** Number of finished training generations (self-play, then gradient steps). */
  generation: number,
  /** Number of promotions of the newest network to the best network so far. */
  promotions: number,
  /** Available players except the human player. Network players are listed with 0 simulations. */
  players: Array<PlayerChoice>,
  /** Results of all matches against reference players (the ladder) so far, oldest first. */
  ladder: Array<LadderRow>,
};

/** Stage of the game at the table, named after the event that comes next. */
export type GameStage = "roll" | "doubled" | "person" | "computer" | "over";

/** The JSON document `table`: state of the current game and the available actions. */
export type GameTable = {
  /** Game ID: a number that changes when a game starts or a position is set up. */
  game: number,
  /** Players at seat 0 and seat 1. */
  seats: [GamePlayer, GamePlayer],
  /** Board, including the moves already made in the current turn. */
  board: GameBoard,
  /** Position before the current turn. Backgammon: position ID and match ID of GNU Backgammon, such as
  * `4HPwATDgc/ABMA:cAkAAAAAAAAA`, with doubling cube and score. Connect Four: columns of all moves, numbered from 1,
  * such as `4433`. */
  id: string,
  /** Stage of the game, which is the kind of event that comes next. */
  stage: GameStage,
  /** Seat to move (0 or 1), also while its double is offered; after the game, the seat that would move next. */
  seat: number,
  /** Roll of the seat to move, higher die first, or seat 0's die first in the opening; `None` before the roll and in
  * Connect Four. */
  dice: [number, number] | null,
  /** Dice of the roll that have not been played, higher die first, including dice that cannot be played. */
  dice_left: Array<number>,
  /** Moves of the current turn so far, one per die. */
  moves: Array<GameMove>,
  /** Legal next moves of the human player; empty if no human player is to move. */
  targets: Array<GameTarget>,
  /** Whether the current turn has a move that [`GameCommand::UndoMove`](super::GameCommand::UndoMove) can take back. */
  can_undo: boolean,
  /** Whether the turn is complete: [`GameCommand::ConfirmTurn`](super::GameCommand::ConfirmTurn) can end the turn. A
  * turn without legal moves is complete at once. */
  can_confirm: boolean,
  /** Outcome of the game; `None` while the game is in progress. */
  outcome: GameOutcome | null,
  /** Maximum points that seat 0 and seat 1 can still lose with a doubling cube of 1, which limit the points of a
  * resignation: in backgammon 3 while a backgammon is possible, 2 while a gammon is possible, else 1; 0 after the
  * game and while a double is offered. */
  max_loss: [number, number],
  /** Points won by seat 0 and seat 1 since the players were seated or the match started. */
  score: [number, number],
  /** Match or money session with the doubling cube; `None` in cubeless games and in Connect Four. */
  doubling: GameDoubling | null,
  /** Finished turns since the start of the game or since a position was set up, oldest first. */
  history: Array<GameTurn>,
  /** Source of the rolls: automatic, on request, or entered by hand. */
  dice_mode: DiceMode,
  /** Delay before computer moves, in seconds; `None`: a computer waits for
  * [`GameCommand::MoveNow`](super::GameCommand::MoveNow). */
  pace: number | null,
  /** Whether a computer waits for [`GameCommand::MoveNow`](super::GameCommand::MoveNow): to move without a delay; to roll, to
  * answer a double or to move in a backgammon position that was entered by an ID. */
  waits: boolean,
  /** Analyst: the network that analyzes human decisions, with its number of simulations. */
  analyst: GamePlayer,
  /** Maximum number of simulations of the analysis per second; `None`: unlimited. */
  analysis_speed: number | null,
  /** Notice about the current game, such as ignored fields of a match ID. */
  notice: string | null,
};

/** Legal move of the human player: one checker moved by one or several dice, or a stone dropped in Connect Four. */
export type GameTarget = {
  /** Source of the move, as in [`GameMove`]. A source can have several targets. */
  from: number,
  /** Destination of the move, as in [`GameMove`]. */
  to: number,
  /** Moves by single dice that lead from the source to the destination. */
  moves: Array<GameMove>,
};

/** The JSON document `tree`: the requested part of the search tree. */
export type GameTree = {
  /** Index of the turn whose decision is searched, from 0. Each turn has its own tree. */
  turn: number,
  /** Nodes of the requested part of the search tree: the root first, each node after its parent, siblings in
  * descending order of visits. */
  nodes: Array<GameNode>,
  /** Number of nodes of the whole search tree. */
  size: number,
  /** Maximum number of nodes that the search tree has memory for. */
  capacity: number,
};

/** A finished turn in the history of the game. */
export type GameTurn = {
  /** Seat that played the turn. */
  seat: number,
  /** Roll that was played in the turn; `None` in Connect Four. */
  dice: [number, number] | null,
  /** Value of the doubling cube after a double of this seat before the roll, which the opponent has taken; `None`
  * without a double. */
  doubled: number | null,
  /** Notation of the play made in the turn; `cannot move` if the player had no legal move. */
  text: string,
  /** Moves that were made in the turn. */
  moves: Array<GameMove>,
  /** Position before the turn, as in [`GameTable::id`]; in the record of a match, an XGID. */
  id: string,
  /** Equity loss of the play relative to the best play of the analysis, at least 0; `None` if only one
  * play was legal or the analysis had too few simulations. */
  lost: number | null,
  /** Notation of the best play according to the analysis; `None` if the best play was made or `lost` is `None`. */
  best: string | null,
  /** Equity for seat 0 after the turn, as [`GameCandidate::equity`](super::GameCandidate::equity); `None` if the analysis had too few simulations. */
  equity: number | null,
};

/** View of a board game: the parts of a frame that a front end requests. */
export type GameView = { "kind": "games",
  /** Number of self-play games of which thumbnails (small boards) are requested. */
  thumbnails: number,
  /** Whether to send the [`GameDocuments`] other than `tree`. A document is sent if it has changed since it was last
  * sent, or if the last frame did not request documents. */
  documents: boolean,
  /** Index of the turn whose analysis is requested, as in [`GameTable::history`](super::GameTable::history); `None`:
  * the current turn. */
  turn: number | null,
  /** Requested part of the current search tree; `None`: no tree. A frame contains the JSON document `tree` if the
  * tree or this request has changed. */
  tree: TreeRequest | null,
};

/** Evaluation result: matches of the newest network, without search, against every reference player of the ladder. */
export type GamesEvaluation = { "kind": "games",
  /** One match of the newest network against each reference player, in ascending order of the opponents' strength. */
  matches: Array<GameMatch>,
};

/** An opened GPU and the result of its self-check. */
export type GpuReport = {
  /** Adapter name from the driver or the browser. */
  name: string,
  /** Name of the graphics API that the GPU is accessed with, such as Vulkan or WebGPU. */
  backend: string,
  /** Whether the adapter is a software rasterizer on the CPU. */
  software: boolean,
  /** Maximum size of a buffer binding in a shader, in bytes. */
  largest_buffer: number,
  /** Number of computations of the self-check whose results were compared with the CPU. */
  checked: number,
  /** One sentence for each computation whose result differs from the CPU; empty if all results agree. */
  disagreements: Array<string>,
};

/** Ladder result: a match of the newest network, without search, against one reference player. The two games of a pair
* have the same dice and swapped seats. */
export type LadderRow = {
  /** Number of self-play decisions at the time of the match, as in
  * [`Progress::steps`](vivarium_lab::protocol::Progress::steps). */
  steps: number,
  /** Number of training generations finished at the time of the match. */
  generation: number,
  /** Reference player that the network played against. */
  opponent: GamePlayer,
  /** Display label of the reference player. */
  label: string,
  /** Number of games played in the match. */
  games: number,
  /** Mean points per game that the network scored against the reference player. */
  points: number,
  /** 95 % confidence interval of `points`, lower and upper bound, in points per game. */
  interval: [number, number],
  /** Share of games that the network won; a draw counts half. */
  wins: number,
};

/** One of the most probable tokens at a position of the displayed text. */
export type LanguageAlternative = {
  /** Index of the alternative token in the vocabulary. */
  token: number,
  /** Characters of the alternative token. Incomplete UTF-8 characters are shown as `⟨e4⟩`, end-of-document as
  * `⟨end⟩`. */
  text: string,
  /** Probability that the model gives the alternative token, at temperature 1. */
  probability: number,
};

/** The model's answer to a multiple-choice quiz question. */
export type LanguageAnswer = {
  /** Start of the sentence that the model completes. */
  prompt: string,
  /** The four possible endings of the sentence, in an order that is the same in every evaluation. */
  endings: [string, string, string, string],
  /** Probability of each ending: softmax over the endings' length-normalized log-likelihoods. */
  probabilities: [number, number, number, number],
  /** Index of the correct ending in `endings`. */
  right: number,
  /** Index of the most probable ending in `endings`. */
  chosen: number,
  /** Topic of the question, such as "capitals of countries". */
  topic: string,
  /** Whether the training text states the asked fact only in articles about other subjects. Example: the capital of a
  * country that only articles about cities state. */
  elsewhere: boolean,
};

/** Origin of a generated text: request of the user, or periodic sample. */
export type LanguageAuthor = "person" | "sample";

/** Held-out losses of n-gram models in nats per token. */
export type LanguageBaselines = {
  /** Loss of the uniform distribution over the vocabulary: ln(vocabulary size). */
  uniform: number,
  /** Loss of the unigram model, which predicts the relative frequency of each token. */
  unigram: number,
  /** Loss of the bigram model, which conditions on the previous token. */
  bigram: number,
  /** Loss of the trigram model, which conditions on the two previous tokens. */
  trigram: number,
};

/** User command to the language-model experiment, which controls the generation of texts. */
export type LanguageCommand = { "kind": "generate",
  /** Prompt that the generated text continues; empty starts a new document. */
  prompt: string,
  /** Sampling settings. */
  sampling: LanguageSampling,
}
  | { "kind": "continue_from",
  /** ID of the text whose token is replaced; must equal the displayed text's
  * [`LanguageDraft::id`](super::LanguageDraft::id). */
  draft: number,
  /** Index of the token to replace in the displayed text, from 0. */
  position: number,
  /** Replacement token: its index in the vocabulary. */
  token: number,
  /** Sampling settings. */
  sampling: LanguageSampling,
}
  | { "kind": "stop_generating" }
  | { "kind": "set_samples",
  /** Prompt that all samples continue; empty starts a new document. If the prompt was set before the tokenizer
  * was built and cannot be encoded, samples use an empty prompt. */
  prompt: string,
  /** Sampling settings of each sample. */
  sampling: LanguageSampling,
  /** Seconds between the starts of two samples, 1 to 600; `None` disables samples. */
  every_seconds: number | null,
};

/** JSON documents of a frame (data for one redraw of the display). Documents that have not changed since the previous
* frame are omitted. */
export type LanguageDocuments = { "kind": "language",
  /** Training state of the run beyond the metrics. */
  language?: LanguageRun,
  /** Displayed text; `null` before the first text. */
  draft?: LanguageDraft | null,
  /** History of the periodic samples of generated text. */
  samples?: LanguageSamples,
  /** Quiz answers: absent if unchanged, `null` for a training text without quiz questions. */
  quiz?: LanguageQuizView | null,
  /** Tokens of the two-dimensional map of the token embeddings; their positions are the array `embeddings/positions`. */
  embeddings?: LanguageEmbeddings,
};

/** JSON document `draft`: the displayed text, whose generation is in progress or complete. */
export type LanguageDraft = {
  /** ID of the displayed text: number of texts started up to and including this text. */
  id: number,
  /** Origin of the text: request of the user, or periodic sample. */
  by: LanguageAuthor,
  /** Number of gradient steps of the model at the start of the text. Later tokens use newer weights if training
  * continues. */
  updates: number,
  /** Status of the text generation: in progress, complete or stopped. */
  status: LanguageDraftStatus,
  /** Index, in the displayed text, of the first element of `tokens`. The preceding tokens were sent in earlier
  * frames. */
  first: number,
  /** Tokens of the displayed text (prompt and generated text) from index `first` on. */
  tokens: Array<LanguageToken>,
};

/** Status of the generation of a text. */
export type LanguageDraftStatus = "writing" | "done" | "stopped";

/** JSON document `embeddings`: the tokens of the two-dimensional embedding map, at most 512, most frequent first. The
* array `embeddings/positions` contains their positions. The signs of the axes are chosen so that successive maps have
* the same orientation. */
export type LanguageEmbeddings = {
  /** Characters of each token on the map. Incomplete UTF-8 characters are shown as `⟨e4⟩`, end-of-document as
  * `⟨end⟩`. */
  tokens: Array<string>,
  /** Kind of each token on the map, such as digit or word. */
  kinds: Array<LanguageTokenKind>,
  /** Number of occurrences of each token on the map, as a fraction of the tokens of the training text. */
  counts: Array<number>,
  /** Number of gradient steps that the model had been trained for when the map was computed. */
  updates: number,
};

/** Result of an evaluation on held-out text and quiz questions. */
export type LanguageEvaluation = { "kind": "language",
  /** Mean cross-entropy on held-out text, in nats per token. */
  loss: number,
  /** Perplexity on held-out text: e to the power of the loss. */
  perplexity: number,
  /** Standard deviation of a window's mean loss over the evaluated windows, in nats per token. */
  std: number,
  /** Number of evaluated windows (sequences of context length) of held-out text. */
  windows: number,
  /** Number of held-out tokens whose loss was computed. */
  tokens: number,
  /** Number of tokens in the tokenizer's vocabulary. */
  vocabulary: number,
  /** Losses of n-gram models on the held-out text of the evaluation; `None` if the text is too short. */
  baselines: LanguageBaselines | null,
  /** Scores of the multiple-choice quiz about the built-in training text; `None` for other training texts. */
  quiz: LanguageQuiz | null,
};

/** Result of one of the periodic evaluations during training. */
export type LanguageEvaluationRow = {
  /** Number of training tokens before the evaluation. */
  tokens: number,
  /** Number of gradient steps before the evaluation. */
  updates: number,
  /** Mean cross-entropy on held-out text, in nats per token. */
  loss: number,
  /** Fraction of quiz questions that were answered correctly, 0 to 1; `None` without quiz questions. */
  quiz: number | null,
};

/** Static description of the language-model experiment: quiz topics, and limits of user requests. */
export type LanguageInfo = { "kind": "language",
  /** Display name of the built-in training text. */
  built_in: string,
  /** Topics of the quiz questions, such as "capitals of countries". */
  topics: Array<string>,
  /** Expected fraction of correct quiz answers if the answers are guessed at random. */
  guess_accuracy: number,
  /** Maximum size in bytes of a training text in a browser, which holds the whole text in memory. */
  max_text_bytes: number,
  /** Maximum sampling temperature that a user can request. */
  max_temperature: number,
  /** Maximum number of tokens of a generated text that a user can request. */
  max_generated_tokens: number,
  /** Minimum and maximum interval between the starts of two periodic samples, in seconds. */
  sample_interval_seconds: [number, number],
};

/** Size of the transformer, its memory and its compute cost. */
export type LanguageModel = {
  /** Number of parameters of the model. */
  parameters: number,
  /** Number of transformer blocks of the model. */
  layers: number,
  /** Number of attention heads per transformer block. */
  heads: number,
  /** Embedding width of the model: the length of a token's vector. */
  width: number,
  /** Context length: maximum number of tokens that the model attends to. */
  context: number,
  /** Memory for training in bytes: weights, gradients, optimizer state, working memory. */
  memory_bytes: number,
  /** Number of floating-point operations of a gradient step, per training token. */
  flops_per_token: number,
};

/** Scores of the model in the multiple-choice quiz about the built-in training text. */
export type LanguageQuiz = {
  /** Score over all quiz questions. */
  all: LanguageScore,
  /** Score over the questions about facts that the training text states only in articles about other subjects.
  * Example: the capital of a country that only articles about cities state. */
  elsewhere: LanguageScore,
  /** Scores of the quiz questions by topic, such as "capitals of countries". */
  topics: Array<[string, LanguageScore]>,
};

/** JSON document `quiz`: quiz answers of the evaluation in progress, or of the last evaluation. */
export type LanguageQuizView = {
  /** Whether the evaluation whose answers are shown is in progress. */
  running: boolean,
  /** Number of quiz questions asked so far. */
  asked: number,
  /** Number of quiz questions answered correctly so far. */
  right: number,
  /** Scores of the quiz questions by topic, such as "capitals of countries". */
  topics: Array<[string, LanguageScore]>,
  /** The first quiz answers of the evaluation, at most 64. */
  answers: Array<LanguageAnswer>,
};

/** JSON document `language`: training state beyond the metrics. */
export type LanguageRun = {
  /** Current stage of the run, such as training of the tokenizer. */
  stage: LanguageStage,
  /** Finished fraction of the run's current stage, 0 to 1. 0 if the stage is training and the number of gradient
  * steps is unlimited. */
  done: number,
  /** Description of the training text; `None` before the text of a new run is available. */
  text: LanguageText | null,
  /** Description of the tokenizer; `None` before the tokenizer is built. */
  tokenizer: LanguageTokenizer | null,
  /** Size of the model; `None` before the tokenizer is built. */
  model: LanguageModel | null,
  /** Losses of n-gram models on held-out text; `None` before these losses are computed, or if the text is too short. */
  baselines: LanguageBaselines | null,
  /** Number of gradient steps of the model so far. */
  updates: number,
  /** Number of training tokens so far; tokens of repeated passes count again. */
  tokens: number,
  /** Number of passes over the training text so far, including the fraction of the current pass. `None` before the
  * text is tokenized, which is also necessary after a checkpoint is opened. */
  epoch: number | null,
  /** Results of the evaluations, oldest first. If there are more than 512, every second result is dropped. */
  validation: Array<LanguageEvaluationRow>,
};

/** Periodic sample: text that the model generated after a certain number of gradient steps. */
export type LanguageSample = {
  /** Number of gradient steps of the model at the start of the sample. */
  updates: number,
  /** Number of training tokens of the model at the start of the sample. */
  tokens: number,
  /** Training loss of the model at the start of the sample, in nats per token; `None` before the first gradient step. */
  loss: number | null,
  /** Generated text of the sample, without the prompt. */
  text: string,
};

/** JSON document `samples`: texts that the model generated from the same prompt at intervals during training. */
export type LanguageSamples = {
  /** Prompt that all samples continue. */
  prompt: string,
  /** Sampling settings: temperature, top-k and length. */
  settings: LanguageSampling,
  /** Seconds between the starts of two samples; `None` disables samples. */
  every_seconds: number | null,
  /** Samples, oldest first, at most 64. A 65th sample drops the sample between whose neighbors the number of gradient
  * steps grows by the smallest factor; the newest sample is always included. */
  samples: Array<LanguageSample>,
};

/** Sampling settings of a text generation: temperature, top-k, maximum and minimum length. */
export type LanguageSampling = {
  /** Sampling temperature, 0 to 2; 0 decodes greedily. */
  temperature: number,
  /** Number of most probable tokens to sample from; 0 samples from all tokens. */
  top_k: number,
  /** Maximum number of generated tokens, 1 to 2,000. */
  tokens: number,
  /** Minimum number of generated tokens: the end-of-document token has probability 0 before. Default: 0. */
  min_tokens: number,
};

/** Score of quiz questions: number of questions, and number of correct answers. */
export type LanguageScore = {
  /** Number of quiz questions asked. */
  asked: number,
  /** Number of quiz questions answered correctly. */
  right: number,
};

/** Stage of a language-model run: the work in progress. */
export type LanguageStage = "text" | "missing" | "tokenizer" | "reading" | "training";

/** Description of the training text: name, size and number of chunks. */
export type LanguageText = {
  /** Display name of the training text. */
  name: string,
  /** Whether the training text is the generated encyclopedia. */
  built_in: boolean,
  /** Size of the training text in bytes. */
  bytes: number,
  /** Number of chunks into which the training text is divided for tokenization. */
  chunks: number,
};

/** Token of the displayed text, with its probability and the alternatives. */
export type LanguageToken = {
  /** Index of the token in the vocabulary. */
  token: number,
  /** Characters of the token. Incomplete UTF-8 characters are shown as `⟨e4⟩`, end-of-document as `⟨end⟩`. */
  text: string,
  /** Whether the token is part of the prompt or was chosen by the user. */
  prompt: boolean,
  /** Probability that the model gave the token, at temperature 1; `None` for the first token. */
  probability: number | null,
  /** The eight most probable tokens at this position of the text, in descending order of probability. */
  alternatives: Array<LanguageAlternative>,
};

/** Kind of a token. The kind determines the color of the token on the embedding map. */
export type LanguageTokenKind = "letter" | "digit" | "punctuation" | "space" | "word" | "subword";

/** Description of the tokenizer: kind, vocabulary size, and an example of its tokens. */
export type LanguageTokenizer = {
  /** Kind of tokenizer: characters or byte-pair encoding. */
  kind: LanguageTokenizerKind,
  /** Number of tokens in the vocabulary of the tokenizer. */
  vocabulary: number,
  /** Characters of the first tokens of the training text, at most 60 tokens. Incomplete UTF-8 characters are shown as
  * `⟨e4⟩`, end-of-document as `⟨end⟩`. */
  example: Array<string>,
};

/** Kind of tokenizer: character-level or byte-pair encoding (BPE). */
export type LanguageTokenizerKind = "characters" | "byte_pairs";

/** View of the language-model experiment: the parts of a frame that a front end requests. */
export type LanguageView = { "kind": "language",
  /** Whether to send the JSON documents `language`, `draft`, `samples` and `quiz` when they have changed. */
  documents: boolean,
  /** Index, from 0, of the layer whose attention weights over the displayed text are sent when they have changed;
  * `None` for no attention weights. */
  attention: number | null,
  /** Whether to send the two-dimensional map of the token embeddings, with the next frame and then periodically
  * during training. */
  embeddings: boolean,
};

/** Static description of the logic-automaton experiment for front ends. */
export type LogicCaInfo = { "kind": "logic_ca",
  /** Game of Life patterns that the user can place in the sandbox. */
  patterns: Array<PatternInfo>,
  /** Names of the sixteen Boolean functions of a gate, by function number. */
  gate_names: Array<string>,
  /** Maximum number of columns and of rows of the sandbox. */
  largest_side: number,
  /** Built-in target patterns that the automaton can be trained to produce. */
  targets: Array<TargetInfo>,
};

/** Commands to a logic-automaton experiment: sandbox, training target, circuit files.
*
* Sandbox coordinates are (column, row) in cells from the upper left corner; the center of cell (0, 0) is (0.5, 0.5). */
export type LogicCommand = { "kind": "resize_sandbox",
  /** Number of columns of the sandbox board. */
  width: number,
  /** Number of rows of the sandbox board. */
  height: number,
}
  | { "kind": "set_sandbox_speed",
  /** Automaton steps per second of display time; `None` for maximum speed. */
  steps_per_second: number | null,
}
  | { "kind": "set_sandbox_fire_rate",
  /** Fire rate, 0 to 1. With fire rate 1 every cell is updated in every step. */
  rate: number,
}
  | { "kind": "step_sandbox",
  /** Number of automaton steps to run, 1 to 10,000. */
  steps: number,
}
  | { "kind": "reset_sandbox",
  /** Initial state to set. */
  start: SandboxStart,
}
  | { "kind": "clear_sandbox" }
  | { "kind": "brush",
  /** Start of the brush stroke, (column, row) in cells. */
  from: [number, number],
  /** End of the brush stroke, (column, row) in cells. */
  to: [number, number],
  /** Radius of the brush in cells. */
  radius: number,
  /** Effect of the brush on the bits of the cells that it covers. */
  paint: Paint,
  /** Channel that the brush affects; `None` for all channels, or for the target channels (which are compared with
  * the target) if the paint is `Draw` or `Invert`. */
  channel: number | null,
}
  | { "kind": "place",
  /** Name of the Game of Life pattern to place, as in [`PatternInfo::name`](super::PatternInfo::name). */
  pattern: string,
  /** Column of the cell at the pattern's center. */
  x: number,
  /** Row of the cell at the pattern's center. */
  y: number,
}
  | { "kind": "set_target",
  /** Number of columns of the pattern. */
  width: number,
  /** Number of rows of the pattern. */
  height: number,
  /** Number of target channels of the pattern: 1, or 3 for red, green and blue. */
  channels: number,
  /** Bits (0 or 1) of the pattern's target channels, `[channel][row][column]`. */
  cells: Array<number>,
}
  | { "kind": "open_circuit",
  /** Content of the circuit's JSON file, as exported. */
  json: string,
}
  | { "kind": "use_trained_circuit" }
  | { "kind": "export",
  /** Format of the exported file. */
  format: ExportFormat,
};

/** Evaluation of the hard circuit (each gate computes its most probable function): accuracy on new boards and
* generalization tests. */
export type LogicEvaluation = { "kind": "logic",
  /** Fraction of cells whose target channels (which are compared with the target) are all correct after the number of
  * automaton steps in training. The boards were not used for training, unless training uses the 512 neighborhoods
  * of 3×3 cells. */
  accuracy: number,
  /** Number of wrong bits in the target channels (which are compared with the target) of all cells, over all
  * evaluated boards. */
  wrong_bits: number,
  /** Number of evaluated boards. */
  boards: number,
  /** Number of gates of the simplified circuit. */
  gates: number,
  /** Logic depth of the simplified circuit: gates on the longest path from input to output. */
  depth: number,
  /** Results of the generalization tests that apply to the training target. */
  tests: Array<LogicTest>,
};

/** Result of a generalization test of the hard circuit (each gate computes its most probable function), for example on
* larger boards or after damage. */
export type LogicTest = {
  /** Name of the test, such as `damage`. */
  name: string,
  /** Label of the test, such as "After damage". */
  label: string,
  /** Fraction of correct cells, 0 to 1; `None` if the test was skipped because of its duration. */
  accuracy: number | null,
  /** Description of the test and of the condition for a correct cell, in one or two sentences. */
  help: string,
};

/** Content of a frame that a front end requests. */
export type LogicView = { "kind": "logic_ca",
  /** Index of the displayed cell channel; `None`: the channels that are compared with the target (one channel as
  * gray, three as red, green and blue). */
  channel: number | null,
  /** Column and row of the sandbox cell for which the frame contains the values of all circuit wires; `None`: no
  * cell. */
  cell: [number, number] | null,
  /** Whether the frame contains the sandbox circuit. */
  circuit: boolean,
};

/** Request for heat maps of policy and value over two state dimensions. All other dimensions have the values of the
* state of environment [`ControlView::focus`]. */
export type MapRequest = {
  /** Index of the state dimension on the horizontal axis. */
  x: number,
  /** Index of the state dimension on the vertical axis. */
  y: number,
  /** Number of cells per side of the heat maps, at most 128. */
  size: number,
  /** Whether to send the probability of every discrete action as well; see the frame array `map/actions`. */
  actions: boolean,
};

/** Description of a metric for front ends: name, label, unit, help and range. */
export type MetricInfo = {
  /** Name of the metric, such as `return_mean`. */
  name: string,
  /** Display name of the metric, such as "Mean return". */
  label: string,
  /** Unit of the metric, such as "nat"; empty for a pure number. */
  unit: string,
  /** Help text of the metric, one sentence. */
  help: string,
  /** Smallest and largest possible value of the metric; `null` if there is no bound. */
  range: [least: number | null, most: number | null],
};

/** Values of all metrics that a run reports at one time, such as the end of an iteration. */
export type MetricRow = {
  /** Number of training steps at the time of the report, in the unit of [`Progress::steps`]. */
  steps: number,
  /** Name (see [`MetricInfo::name`]) and value of each metric. */
  values: Array<[string, number]>,
  /** Notice to the user, such as a rollback after divergence. */
  notice?: string,
};

/** Kind of a search-tree node. */
export type NodeKind = "decision" | "chance" | "over";

/** The run of a session in the page, after it was created or restored. */
export type OpenedRun = {
  /** Registered name of the experiment, such as `cartpole`. */
  name: string,
  /** Complete config of the created or restored run. */
  config: Record<string, unknown>,
  /** Seed of the run's random numbers, below 2⁵³. */
  seed: number,
  /** Training progress of the run: numbers of steps, updates and episodes so far. */
  progress: Progress,
};

/** An outcome that a value head predicts. */
export type OutcomeInfo = {
  /** Identifier of the outcome, such as `win_gammon`. */
  name: string,
  /** Display label of the outcome, such as "Win a gammon". */
  label: string,
  /** Definition of the outcome, in one sentence. */
  help: string,
};

/** Effect of a brush on the bits of the cells that it covers. */
export type Paint = "erase" | "noise" | "draw" | "invert";

/** Game of Life pattern that the user can place in the sandbox. */
export type PatternInfo = {
  /** Name of the pattern in [`LogicCommand::Place`](super::LogicCommand::Place). */
  name: string,
  /** Display label of the pattern, such as "Glider". */
  label: string,
  /** Rows of the pattern, of equal length: `#` is a living cell, `.` a dead cell. */
  rows: Array<string>,
};

/** Position of a double in a [`PlayedGame`]. */
export type PlayedDouble = {
  /** Index of the turn that the double begins; the number of turns if the double ends the game. */
  turn: number,
  /** XGID of the position before the double. */
  id: string,
};

/** Game of a [`PlayedMatch`]. */
export type PlayedGame = {
  /** Points of seat 0 and seat 1 before the game. */
  score: [number, number],
  /** Whether this is the Crawford game, which has no doubling cube. */
  crawford: boolean,
  /** Turns since the starting position, oldest first. */
  turns: Array<GameTurn>,
  /** Positions of the doubles, which the reader of records adds for display; the turns contain the doubles themselves. */
  doubles: Array<PlayedDouble>,
  /** Outcome of the game; `None` if the game is unfinished. */
  outcome: GameOutcome | null,
};

/** Match, money session or series of cubeless games of backgammon. */
export type PlayedMatch = {
  /** Names of seat 0 and seat 1. */
  names: [string, string],
  /** Match length in points; 0 in a money session. */
  length: number,
  /** Whether a money session has the Jacoby rule. */
  jacoby: boolean,
  /** Games in the order in which they were played. */
  games: Array<PlayedGame>,
};

/** Player that the user can choose for a seat or a match. */
export type PlayerChoice = {
  /** Value that identifies the player in commands. */
  player: GamePlayer,
  /** Display label of the player, such as "Best network". */
  label: string,
  /** Description of the player in one sentence. */
  help: string,
  /** Whether the number of search simulations per decision can be chosen for the player. */
  searches: boolean,
};

/** Preset: a named config that the user can select. */
export type PresetInfo = {
  /** Identifier of the preset, as in `--set preset=…`. */
  name: string,
  /** Former name of the preset, still accepted in links and on the command line; `None` if the preset was never
  * renamed. */
  former: string | null,
  /** Display name of the preset. */
  label: string,
  /** Description of the preset in one sentence. */
  help: string,
  /** Values of the config fields in which the preset differs from the defaults. */
  config: Record<string, unknown>,
};

/** A user-facing error: problem and remedy. */
export type Problem = {
  /** The problem, as a sentence. */
  message: string,
  /** The remedy; empty if the message includes the remedy. */
  hint: string,
  /** Code and parameters of the error; `None` for an error that no front end handles in a special way. */
  cause?: ProblemCause,
};

/** Machine-readable code of a user-facing error, with the values that its message contains. */
export type ProblemCause = { "code": "invalid",
  /** Dotted path of the config field, or name of the argument. */
  field: string,
  /** Allowed values, as part of a sentence. */
  allowed: string,
}
  | { "code": "checkpoint",
  /** Description of the defect in the file, as part of a sentence. */
  defect: string,
}
  | { "code": "engine" };

/** Training progress of a run: numbers of steps, optimizer updates and episodes. */
export type Progress = {
  /** Number of training steps so far, in the learner's unit: environment steps, epochs of a logic CA, training
  * samples of a cube network, or training tokens of a language model. */
  steps: number,
  /** Number of optimizer updates (gradient steps) so far. */
  updates: number,
  /** Number of finished training episodes so far. */
  episodes: number,
  /** Number of training steps after which the run ends; `None` if the run has no end. */
  total_steps: number | null,
};

/** Number that front ends display for a run, such as the number of steps or the mean return: its source and its label. */
export type Reading = {
  /** Source of the displayed number: the training progress of the run, a metric, or a JSON document of the exhibit. */
  source: ReadingSource,
  /** Name of the displayed number. If the source is the training progress: `steps`, `updates`, `episodes` or `speed`.
  * If the source is a metric: the metric's name. If the source is a JSON document: a name that the exhibit defines. */
  name: string,
  /** Label with which front ends display the number. */
  label: string,
  /** Explanation of the displayed number in one sentence; empty if the label suffices or the metric has a help text. */
  help: string,
  /** Whether the number is hidden while its value is 0 or not available. */
  optional: boolean,
};

/** Source of a displayed number: the training progress of the run, a metric, or a JSON document of the exhibit. */
export type ReadingSource = "progress" | "metric" | "exhibit";

/** Texts, numbers and charts that front ends display for every run of an experiment. */
export type Readings = {
  /** Unit of the run's training steps in the plural, such as "epochs" or "tokens". */
  unit: string,
  /** Main metric of the experiment, displayed most prominently; `None` if the exhibit displays its main metric
  * itself. */
  headline: Reading | null,
  /** Numbers that front ends display in rows below the main metric: one inner list for each row. */
  figures: Array<Array<Reading>>,
  /** Names of the metrics in the large chart; empty if the family draws its own chart. */
  large: Array<string>,
  /** Names of the metrics in the small charts, at most four per config. If several elements have a condition that the
  * config satisfies, front ends use the first of these elements. */
  small: Array<Curves>,
  /** Names of the metrics that measure the learner's performance, most important first. The first metric that has a
  * value summarizes a run. */
  results: Array<string>,
  /** Metric and its minimum value at which a run counts as solved; `None` if the experiment has no such threshold. */
  solved: Threshold | null,
};

/** Former and current path of a renamed config field. */
export type RenamedField = {
  /** Former path of the field, still accepted in links, files and command lines. */
  former: string,
  /** Current path of the renamed field. */
  path: string,
};

/** Former and current value of a choice field with a renamed value. */
export type RenamedValue = {
  /** Dotted path of the choice field, such as `task.start`. */
  path: string,
  /** Former name of the value, still accepted in links, files and command lines. */
  former: string,
  /** Current name of the renamed value. */
  value: string,
};

/** Reply of an experiment to a user command. */
export type Reply = { "kind": "done" }
  | { "kind": "file",
  /** Name of the file, with its extension. */
  name: string,
  /** Media type (MIME type) of the file. */
  mime: string,
  /** Contents of the file. */
  bytes: Uint8Array<ArrayBuffer>,
};

/** Statistics of the returns and lengths of evaluation episodes. */
export type ReturnsEvaluation = { "kind": "returns",
  /** Mean undiscounted return per episode. */
  mean: number,
  /** Standard deviation of the returns over the evaluated episodes. */
  std: number,
  /** Smallest undiscounted return of an evaluated episode. */
  min: number,
  /** Largest undiscounted return of an evaluated episode. */
  max: number,
  /** Fraction of episodes that ended in a terminal state instead of at the time limit. */
  terminated: number,
  /** Mean episode length, in environment steps. */
  length: number,
  /** Number of evaluated episodes. */
  episodes: number,
};

/** Measured value of a reference implementation, for comparison. */
export type Rival = {
  /** Name and version of the reference implementation, such as `gemm 0.19`. */
  name: string,
  /** Measured value of the reference implementation, in the unit of the [`Figure`]. */
  value: number,
};

/** Doubling decision of a rollout, with equities of the player on roll, who may double. */
export type RolledDoubling = {
  /** Equity without a double. */
  no_double: RolledEquity,
  /** Equity of a double that the opponent takes. */
  double_take: RolledEquity,
  /** Equity of a double that the opponent passes. */
  double_pass: number,
  /** Equity of a double, with the best reply, minus the equity of no double. Equal dice of both cancel, so that the standard error
  * is smaller than that of the equities. */
  gain: RolledEquity,
  /** Best action of both players. */
  best: string,
  /** Cubeless probabilities of the player on roll before the roll: win, gammon, backgammon, lost gammon, lost backgammon. */
  probabilities: [number, number, number, number, number],
};

/** Mean of the trials, with its standard error. */
export type RolledEquity = {
  /** Mean. */
  mean: number,
  /** Standard error; `None` with one trial, and for equities that do not depend on the trials. */
  error: number | null,
};

/** Play of a rollout, estimated for the player on roll. */
export type RolledPlay = {
  /** Notation of the play. */
  play: string,
  /** Equity of the play. */
  equity: RolledEquity,
  /** Equity loss against the best play. Equal dice of both plays cancel, so that its standard error is smaller than that of the
  * equities. */
  loss: RolledEquity,
  /** Cubeless probabilities after the play: win, gammon and backgammon won, gammon and backgammon lost. */
  probabilities: [number, number, number, number, number],
};

/** Rollout of the plays of a roll, or of a position before the roll, in progress or complete. */
export type RolledPosition = {
  /** Number of trials of each play. */
  trials: number,
  /** Plays with their estimates, the best first; empty before the first trial, and before the roll. */
  plays: Array<RolledPlay>,
  /** Doubling decision; `None` with a roll, before the first trial, and if the player on roll may not double. */
  doubling: RolledDoubling | null,
};

/** Initial state of the sandbox board. */
export type SandboxStart = "as_trained" | "noise" | "zeros" | "seed";

/** Built-in pattern that the automaton can be trained to produce. */
export type TargetInfo = {
  /** Name of the target pattern: a value of the config field `task.target`. */
  name: string,
  /** Cells of the pattern in the format of the config field `task.drawing`. */
  drawing: string,
  /** Whether the pattern is tiled over the board; otherwise it is centered. */
  repeated: boolean,
};

/** Metric and its minimum value at which a run counts as solved. */
export type Threshold = {
  /** Name of the metric that decides whether a run counts as solved. */
  metric: string,
  /** Minimum value of the metric at which the run counts as solved. */
  from: number,
};

/** User-facing error that a session in the page throws as a JavaScript exception. The tag distinguishes this exception
* from others, such as a panic of the WebAssembly module. */
export type ThrownProblem = { "problem": Problem };

/** Request for a part of a search tree. */
export type TreeRequest = {
  /** Nodes whose children are requested, at most 64. Each node is given by its path of branches
  * ([`GameNode::branch`](super::GameNode::branch)) from the root. The children of the root are always sent. */
  open: Array<Array<number>>,
  /** Maximum number of children to send per node, 1 to 32, most visits first. */
  branches: number,
};

// What the page and its training worker say to each other. Written from crates/lab/src by
// `UPDATE_PROTOCOL=1 cargo test -p vivarium-lab`; a test fails when it is out of date.

/** How far a run is. */
export type Progress = {
  /** Environment steps so far, or the learner's own unit of experience: epochs of a logic CA. */
  steps: number,
  /** Optimiser updates so far. */
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

/** What a metric means, told once per experiment. */
export type MetricInfo = {
  /** Such as `return_mean`. */
  name: string,
  /** For a person, such as "Mean return". */
  label: string,
  /** Such as "reward per episode", "nat"; empty for a pure number. */
  unit: string,
  /** One sentence that says what it tells. */
  help: string,
};

/** What is to be drawn. A request for another kind of world gives an empty picture. */
export type ViewRequest = { "kind": "control" } & ControlView
  | { "kind": "logic_ca" } & LogicView;

/** What is to be drawn of a control experiment. */
export type ControlView = {
  /** How many members of the herd. */
  herd: number,
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

/** What is to be drawn of a logic CA. */
export type LogicView = {
  /** The channel of the cells' states that is shown; `None`: those that the target has, one as grey or three as
  * red, green and blue. */
  channel: number | null,
  /** Column and row of the cell of the stage whose signals in the circuit are wanted. */
  cell: [number, number] | null,
  /** Whether the circuit is wanted. */
  circuit: boolean,
};

/** What a person may ask of a running experiment. One that another kind of experiment knows is refused; in a module of the
* page, which holds one kind alone, it is not even understood.
*
* Places on a logic CA's stage are counted in cells from its upper left corner, columns first; a cell's middle lies
* half a cell further. */
export type Command = { "kind": "set",
  /** Dotted path to the field. */
  path: string,
  /** The new value. */
  value: unknown,
}
  | { "kind": "push",
  /** Index into the herd; `None` pushes every member. */
  member: number | null,
  /** Signed force (torque for the pendulum), as a multiple of the strongest action. */
  force: number,
}
  | { "kind": "reset_herd" }
  | { "kind": "resize_stage",
  /** Columns. */
  width: number,
  /** Rows. */
  height: number,
}
  | { "kind": "stage_speed",
  /** Steps per second of view time; `None`: as many as there is time for. */
  steps_per_second: number | null,
}
  | { "kind": "stage_fire",
  /** From 0 to 1; 1 updates all cells together. */
  rate: number,
}
  | { "kind": "step_stage",
  /** How many. */
  steps: number,
}
  | { "kind": "reset_stage",
  /** How it looks then. */
  start: StageStart,
}
  | { "kind": "clear_stage" }
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
  | { "kind": "use_learnt_circuit" }
  | { "kind": "export",
  /** Which. */
  format: ExportFormat,
};

/** How a stage looks when it starts. */
export type StageStart = "as_trained" | "noise" | "zeros" | "seed";

/** What a brush does to cells. */
export type Paint = "erase" | "noise" | "draw" | "invert";

/** A file that a logic CA can be made into. */
export type ExportFormat = "json" | "verilog" | "gif";

/** The answer to a [`Command`]. */
export type Reply = { "kind": "done" }
  | { "kind": "file",
  /** What to call it, with its ending. */
  name: string,
  /** Its media type. */
  mime: string,
  /** Its bytes in base64 (RFC 4648). */
  base64: string,
};

/** The outcome of an evaluation. */
export type Evaluation = { "kind": "returns" } & ReturnsEvaluation
  | { "kind": "logic" } & LogicEvaluation;

/** The outcome of evaluation episodes. */
export type ReturnsEvaluation = {
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

/** How well a hard circuit does what it was taught, and what it was not. */
export type LogicEvaluation = {
  /** Share of cells whose target channels are all right after the steps of the config, on boards that no epoch has
  * seen, or on all 512 neighbourhoods where the rule of Life is learnt. */
  accuracy: number,
  /** Wrong bits over all boards. */
  wrong_bits: number,
  /** Boards that it was tried on. */
  boards: number,
  /** Harder tests, those that make sense for what is learnt. */
  tests: Array<LogicTest>,
};

/** One test of a hard circuit. */
export type LogicTest = {
  /** Such as `damage`. */
  name: string,
  /** For a person, such as "Damage". */
  label: string,
  /** Share of cells that are right. */
  accuracy: number,
  /** One or two sentences: what is done and what counts. */
  help: string,
};

/** Everything about one experiment that does not change while it runs. */
export type ExperimentInfo = {
  /** The registered name, such as `mountain-car`. */
  name: string,
  /** For a person, such as "Mountain car". */
  title: string,
  /** One or two sentences: what happens here and what is hard about it. */
  summary: string,
  /** What is special about its kind of world. */
  world: WorldInfo,
  /** Every config field, in the order in which to show them. */
  fields: Array<FieldInfo>,
  /** Configs that are known to work. */
  presets: Array<PresetInfo>,
  /** What each metric means. */
  metrics: Array<MetricInfo>,
  /** The whole default config. */
  defaults: Record<string, unknown>,
};

/** What is special about a kind of world. The kind is also the family of learners that a module of the page holds. */
export type WorldInfo = { "kind": "control" } & ControlInfo
  | { "kind": "logic_ca" } & LogicCaInfo;

/** A world in which a learner acts. */
export type ControlInfo = {
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

/** What a logic CA's exhibit has to offer. */
export type LogicCaInfo = {
  /** Patterns of Conway's Life that can be put on the stage. */
  patterns: Array<PatternInfo>,
  /** What the sixteen functions of a gate are called, by number. */
  gate_names: Array<string>,
  /** The most columns and rows of a stage. */
  largest_side: number,
  /** The most columns and rows of a pattern that a person draws to be learnt. */
  largest_target: number,
};

/** A pattern of cells. */
export type PatternInfo = {
  /** As in [`Command::Place`](crate::protocol::Command::Place). */
  name: string,
  /** For a person, such as "Glider". */
  label: string,
  /** Its rows, all of one length: `#` is a living cell, `.` a dead one. */
  rows: Array<string>,
};

/** One field of a config. */
export type FieldInfo = {
  /** Dotted path, such as `world.gravity`. */
  path: string,
  /** For a person, such as "Gravity". */
  label: string,
  /** Such as "m/s²"; empty for a pure number. */
  unit: string,
  /** One or two sentences: what it does, and which way to turn it. */
  help: string,
  /** Whether it may be set while the run goes on. */
  live: boolean,
  /** Type and range. */
  kind: FieldKind,
  /** The experiment's default. */
  default: unknown,
};

/** Type and range of a config field. All bounds are inclusive. */
export type FieldKind = { "type": "number",
  /** Smallest value. */
  low: number,
  /** Largest value. */
  high: number,
  /** Whether a slider should move by factors instead of amounts. */
  logarithmic: boolean,
}
  | { "type": "integer",
  /** Smallest value. */
  low: number,
  /** Largest value. */
  high: number,
  /** Whether a slider should move by factors instead of amounts. */
  logarithmic: boolean,
}
  | { "type": "flag" }
  | { "type": "choice",
  /** The words. */
  options: Array<string>,
}
  | { "type": "integers",
  /** Fewest entries. */
  shortest: number,
  /** Most entries. */
  longest: number,
  /** Smallest value of an entry. */
  low: number,
  /** Largest value of an entry. */
  high: number,
}
  | { "type": "text",
  /** Most characters. */
  longest: number,
};

/** A config that is known to work, and what there is to see in it. */
export type PresetInfo = {
  /** As in `--set preset=…`. */
  name: string,
  /** For a person. */
  label: string,
  /** One sentence about what to see. */
  help: string,
  /** The fields that differ from the defaults. */
  config: Record<string, unknown>,
};

/** Why something asked of the lab was refused. */
export type LabError = { "kind": "invalid",
  /** Dotted path of the field. */
  field: string,
  /** The value given. */
  value: string,
  /** What is allowed, as a sentence. */
  allowed: string,
}
  | { "kind": "checkpoint",
  /** What was wrong with the file. */
  message: string,
}
  | { "kind": "engine",
  /** Which, why, and what is allowed. */
  message: string,
}
  | { "kind": "diverged",
  /** What went wrong, and what to try. */
  message: string,
};

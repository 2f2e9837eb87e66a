// What the page and its training worker say to each other. Written from crates/lab/src by
// `UPDATE_PROTOCOL=1 cargo test -p vivarium-lab`; a test fails when it is out of date.

/** How far a run is. */
export type Progress = {
  /** Environment steps (or the learner's own unit of experience) so far. */
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

/** What is to be drawn. */
export type ViewRequest = {
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

/** What a person may ask of a running experiment. */
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
  | { "kind": "reset_herd" };

/** The answer to a [`Command`]. */
export type Reply = { "kind": "done" };

/** The outcome of evaluation episodes. */
export type Evaluation = {
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

/** Everything about one experiment that does not change while it runs. */
export type ExperimentInfo = {
  /** The registered name, such as `mountain-car`. */
  name: string,
  /** For a person, such as "Mountain car". */
  title: string,
  /** One or two sentences: what happens here and what is hard about it. */
  summary: string,
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
  /** Every config field, in the order in which to show them. */
  fields: Array<FieldInfo>,
  /** Configs that are known to work. */
  presets: Array<PresetInfo>,
  /** What each metric means. */
  metrics: Array<MetricInfo>,
  /** The whole default config. */
  defaults: Record<string, unknown>,
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

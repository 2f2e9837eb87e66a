// The messages between the page and the worker of the tools: functions that are loaded on request, such as exporters.
import type { AnalyzedMatch, AnalyzedStep, PlayedMatch, Problem, RolledPosition } from '../../protocol/types'

/** The tools, with their arguments and results. */
export interface Tools {
  /** Returns the trained network of a checkpoint as an ONNX file. */
  onnx: { args: { checkpoint: Uint8Array<ArrayBuffer> }; result: Uint8Array<ArrayBuffer> }
  /**
   * Returns the model of a checkpoint as a folder that the library transformers opens: a zip archive. `folder` is the
   * name of the folder.
   */
  huggingFace: {
    args: { checkpoint: Uint8Array<ArrayBuffer>; folder: string }
    result: Uint8Array<ArrayBuffer>
  }
  /** Converts a GPT-2 model in the files of the library transformers to a checkpoint. */
  openHuggingFace: {
    args: Record<'config' | 'weights' | 'tokenizer', Uint8Array<ArrayBuffer>>
    result: Uint8Array<ArrayBuffer>
  }
  /** Converts a checkpoint to a checkpoint with weights only. */
  weights: { args: { checkpoint: Uint8Array<ArrayBuffer> }; result: Uint8Array<ArrayBuffer> }
  /** Returns the XGID of a position ID, or of a position ID and a match ID with a colon between them. */
  xgid: { args: { id: string }; result: string }
  /** Writes a match of backgammon as .mat or SGF. */
  writeMatch: { args: { match: PlayedMatch; format: 'mat' | 'sgf' }; result: string }
  /** Reads the record of a match, .mat or SGF. */
  readMatch: { args: { text: string }; result: PlayedMatch }
  /**
   * Begins the analysis of a match with the network of a checkpoint and a search depth in plies, 0 to 2, and drops the previous
   * analysis. Returns it without actions.
   */
  analyzeMatch: { args: { match: PlayedMatch; checkpoint: Uint8Array; plies: number }; result: AnalyzedMatch }
  /** Rates the next action of the match, and returns what is new; null if all actions have been rated. */
  rateNext: { args: Record<never, never>; result: AnalyzedStep | null }
  /** Returns the analysis so far as text; null without an analysis, as after a failure of the worker. */
  analysisText: { args: Record<never, never>; result: string | null }
  /**
   * Begins the rollout of a position, given by its ID or XGID, with the network of a checkpoint: of `plays`, or of the position
   * before the roll. Resumes an earlier rollout with the same arguments. Trials end after `truncation` turns, null at the end of
   * the game. `cubeless` equities are those of a single game without a doubling cube. Returns the estimates so far.
   */
  rollOut: {
    args: {
      id: string
      checkpoint: Uint8Array
      plays: readonly string[]
      truncation: number | null
      cubeless: boolean
    }
    result: RolledPosition
  }
  /** Plays further trials of the rollout, and returns its estimates. */
  rollFurther: { args: { trials: number }; result: RolledPosition }
  /** Computes the tables of the two-phase solver, once per visit. */
  prepareTwoPhase: { args: Record<never, never>; result: null }
  /** Solves a 3×3×3 cube by the two-phase algorithm: few moves of the half-turn or of the quarter-turn metric. */
  twoPhase: { args: { stickers: string; metric: 'half' | 'quarter'; nodes: number }; result: string }
  /** Returns a random-state scramble. `seed` has 64 random bits, `stream` 32 more. */
  scramble: { args: { size: 2 | 3; seed: bigint; stream: number }; result: string }
}

export type ToolName = keyof Tools

/** A request; its response has the same id. */
export type ToolRequest = { [K in ToolName]: { id: number; tool: K; args: Tools[K]['args'] } }[ToolName]

/** Messages from the worker to the page. */
export type ToolMessage =
  /** The module is loaded. */
  | { kind: 'loaded' }
  | { kind: 'response'; id: number; value: unknown }
  | { kind: 'rejection'; id: number; problem: Problem }
  /** The module was not loaded, or failed and is unusable. */
  | { kind: 'broken'; problem: Problem }

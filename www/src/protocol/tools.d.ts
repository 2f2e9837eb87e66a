// What a wasm module exports. Written by `npm run declarations`.
/**
 * Returns the model of a checkpoint of a language model as the files of a folder that the library `transformers` opens
 * as GPT-2: an object whose keys are the names of the files, and whose values are their contents.
 */
export function huggingFace(checkpoint: Uint8Array | number[]): Record<string, Uint8Array<ArrayBuffer>>;

/**
 * Returns the trained network of a checkpoint as the bytes of an ONNX file.
 */
export function onnx(checkpoint: Uint8Array | number[]): Uint8Array<ArrayBuffer>;

/**
 * Converts a GPT-2 model in the files of `transformers` to a checkpoint, with which a run continues its training.
 */
export function openHuggingFace(config: Uint8Array | number[], weights: Uint8Array | number[], tokenizer: Uint8Array | number[]): Uint8Array<ArrayBuffer>;

/**
 * Computes the tables of the two-phase solver, if they are not computed yet. The tables are used by [`two_phase`] and
 * by scrambles of the 3×3×3 cube.
 */
export function prepareTwoPhase(): void;

/**
 * Reads the record of a match, .mat or SGF, and returns a [`PlayedMatch`].
 */
export function readMatch(text: string): any;

/**
 * Returns a random-state scramble of the 3×3×3 cube if `large`, otherwise of the 2×2×2 cube. `seed` and `stream` are 96
 * random bits, more than the number of states of the cube.
 */
export function scramble(large: boolean, seed: bigint, stream: number): string;

/**
 * Prints panics to the console of the browser.
 */
export function start(): void;

/**
 * Solves the 3×3×3 cube with the 54 sticker colors `stickers` by the two-phase algorithm. Returns the turns in standard
 * notation: few moves of the half-turn metric if `half`, otherwise of the quarter-turn metric.
 */
export function twoPhase(stickers: string, half: boolean, nodes: number): string;

/**
 * Converts a checkpoint to a checkpoint with weights only, if the experiment opens such files.
 */
export function weights(checkpoint: Uint8Array | number[]): Uint8Array<ArrayBuffer>;

/**
 * Writes a match, which is a [`PlayedMatch`], as SGF if `sgf`, otherwise as .mat.
 */
export function writeMatch(played: any, sgf: boolean): string;

/**
 * Returns the XGID of a position ID, or of a position ID and a match ID with a colon between them.
 */
export function xgid(id: string): string;

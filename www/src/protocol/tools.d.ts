// What a wasm module exports. Written by `npm run declarations`.
/**
 * Returns the model of a checkpoint of a language model as the files of a folder that the library `transformers` opens
 * as GPT-2: an object whose keys are the names of the files, and whose values are their contents.
 */
export function huggingFace(checkpoint: Uint8Array | number[]): Record<string, Uint8Array<ArrayBuffer>>;

/**
 * Converts a checkpoint of a language model to a checkpoint with weights only.
 */
export function languageWeights(checkpoint: Uint8Array | number[]): Uint8Array<ArrayBuffer>;

/**
 * Returns the trained network of a checkpoint as the bytes of an ONNX file.
 */
export function onnx(checkpoint: Uint8Array | number[]): Uint8Array<ArrayBuffer>;

/**
 * Prints panics to the console of the browser.
 */
export function start(): void;

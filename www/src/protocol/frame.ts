/** Frames of a session (`frame_to_js` in `crates/web/src/convert.rs`), whose arrays are typed arrays. */
import type { Documents } from './types'

/** Array of a frame, row-major. */
export interface FrameArray {
  shape: number[]
  /** Elements: a byte array for values such as the cells of a board, otherwise a float array. */
  data: Float32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>
}

/** Arrays and JSON documents of one frame. */
export interface Frame {
  /** Arrays by name, such as `preview/state`. */
  arrays: Record<string, FrameArray>
  /** JSON documents that changed since the last frame; null if none changed. */
  documents: Documents | null
}

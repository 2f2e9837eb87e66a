/**
 * Snapshots of a run: checkpoints (safetensors) without the tensors that only training needs. A large snapshot stores
 * its floats as bfloat16. The header is complete, so that a checkpoint can be restored to be shown.
 */

interface TensorInfo {
  dtype: string
  shape: number[]
  data_offsets: [number, number]
}

/**
 * Names of the float tensors that only training needs. Snapshots omit these tensors, and restoring fills them with
 * zeros.
 */
const ofTraining =
  /^(adam|earlier|target|candidate|start)\/|^best\/(adam|weights|target|normali[sz]er)\/|^good\/(adam|logits)\b/

/** Tensors with one row for each transition of the replay buffer, and the tensor that begins with the next row. */
const replay = ['replay/transitions', 'replay/priorities']
const replayNext = 'replay/places'

/** Size in bytes of a snapshot from which floats are stored as bfloat16. */
const large = 1_000_000

interface Layout {
  /** Length of the file's header in bytes. */
  start: number
  /** Length of the checkpoint in bytes. */
  length: number
  /** The tensors of a snapshot, in the order of their data. */
  kept: { from: number; to: number; half: boolean }[]
}

/** Header of a checkpoint: its tensors, and its metadata. */
type Header = Record<string, TensorInfo> & { __metadata__?: unknown }

function readHeader(bytes: Uint8Array): { start: number; header: Header } {
  const start = 8 + Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true))
  return { start, header: JSON.parse(new TextDecoder().decode(bytes.subarray(8, start))) as Header }
}

/** Returns the tensors in the order of their data. */
function tensorsOf({ __metadata__: _, ...tensors }: Header): [string, TensorInfo][] {
  return Object.entries(tensors as Record<string, TensorInfo>).sort(
    ([, a], [, b]) => a.data_offsets[0] - b.data_offsets[0],
  )
}

function layoutOf(bytes: Uint8Array): Layout {
  const { start, header } = readHeader(bytes)
  const tensors = tensorsOf(header)
  // If the weights have a moving average, the displayed networks use the average, so the snapshot omits the weights.
  const averaged = tensors.some(([name]) => name.startsWith('average/'))
  const isLeftOut = (name: string) => ofTraining.test(name) || (averaged && name.startsWith('weights/'))
  const kept = tensors.filter(([name, { dtype }]) => dtype !== 'F32' || !isLeftOut(name))
  const size = kept.reduce((sum, [, { data_offsets }]) => sum + data_offsets[1] - data_offsets[0], 0)
  return {
    start,
    length: start + Math.max(0, ...tensors.map(([, { data_offsets }]) => data_offsets[1])),
    kept: kept.map(([, { dtype, data_offsets }]) => ({
      from: start + data_offsets[0],
      to: start + data_offsets[1],
      half: dtype === 'F32' && size >= large,
    })),
  }
}

/** Returns a checkpoint with an empty replay buffer. */
function withoutReplay(checkpoint: Uint8Array): Uint8Array {
  const { start, header } = readHeader(checkpoint)
  if (!header[replay[0]!]) return checkpoint
  const parts: Uint8Array[] = []
  let end = 0
  for (const [name, tensor] of tensorsOf(header)) {
    const [from, to] = tensor.data_offsets
    const data = replay.includes(name) ? new Uint8Array() : checkpoint.slice(start + from, start + to)
    if (replay.includes(name)) tensor.shape = [0, ...tensor.shape.slice(1)]
    if (name === replayNext) data.fill(0, 0, 4)
    tensor.data_offsets = [end, (end += data.length)]
    parts.push(data)
  }
  const text = new TextEncoder().encode(JSON.stringify(header))
  const length = 8 * Math.ceil(text.length / 8)
  const bytes = new Uint8Array(8 + length + end).fill(0x20, 8, 8 + length)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(length), true)
  bytes.set(text, 8)
  let at = 8 + length
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

const sizeOf = ({ from, to, half }: Layout['kept'][number]): number => (to - from) / (half ? 2 : 1)

/** Returns the snapshot of a checkpoint; null if the checkpoint has no network yet. */
export function packSnapshot(whole: Uint8Array): Uint8Array<ArrayBuffer> | null {
  const checkpoint = withoutReplay(whole)
  const { start, kept } = layoutOf(checkpoint)
  if (kept.length === 0) return null
  const packed = new Uint8Array(kept.reduce((sum, tensor) => sum + sizeOf(tensor), start))
  packed.set(checkpoint.subarray(0, start))
  let at = start
  for (const tensor of kept) {
    const data = checkpoint.slice(tensor.from, tensor.to)
    packed.set(tensor.half ? toHalf(data) : data, at)
    at += sizeOf(tensor)
  }
  return packed
}

/** Returns a checkpoint that can be displayed like the checkpoint of the snapshot, but cannot resume its training. */
export function unpackSnapshot(packed: Uint8Array): Uint8Array<ArrayBuffer> {
  const { start, length, kept } = layoutOf(packed)
  const checkpoint = new Uint8Array(length)
  checkpoint.set(packed.subarray(0, start))
  let at = start
  for (const tensor of kept) {
    const data = packed.slice(at, (at += sizeOf(tensor)))
    checkpoint.set(tensor.half ? fromHalf(data) : data, tensor.from)
  }
  stamp(checkpoint, start)
  return checkpoint
}

/** Rounds floats to bfloat16. */
function toHalf(data: Uint8Array<ArrayBuffer>): Uint8Array {
  const words = new Uint32Array(data.buffer, 0, data.length / 4)
  const halves = new Uint16Array(words.length)
  for (let i = 0; i < words.length; i++) halves[i] = Math.min(words[i]! + 0x8000, 0xffffffff) >>> 16
  return new Uint8Array(halves.buffer)
}

function fromHalf(data: Uint8Array<ArrayBuffer>): Uint8Array {
  const halves = new Uint16Array(data.buffer, 0, data.length / 2)
  const words = new Uint32Array(halves.length)
  for (let i = 0; i < words.length; i++) words[i] = halves[i]! << 16
  return new Uint8Array(words.buffer)
}

const checksumField = String.raw`"vivarium":"{\"checksum\":\"`

/** Writes the checksums of a checkpoint (see `docs/checkpoints.md`): CRC-32C of the header, then of the data. */
function stamp(checkpoint: Uint8Array, start: number): void {
  const header = checkpoint.subarray(0, start)
  // Latin-1 maps each byte to one character, so that positions are the same.
  const found = new TextDecoder('latin1').decode(header).indexOf(checksumField)
  if (found < 0) return
  const at = found + checksumField.length
  const write = (place: number, sum: number) =>
    header.set(new TextEncoder().encode(sum.toString(16).padStart(8, '0')), place)
  write(at + 8, crc32c(checkpoint.subarray(start)))
  write(at, 0)
  write(at, crc32c(header))
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  for (let bit = 0; bit < 8; bit++) byte = byte & 1 ? (byte >>> 1) ^ 0x82f63b78 : byte >>> 1
  return byte
})

/** Returns the CRC-32C (Castagnoli) checksum. */
export function crc32c(bytes: Uint8Array): number {
  let sum = 0xffffffff
  for (let i = 0; i < bytes.length; i++) sum = table[(sum ^ bytes[i]!) & 255]! ^ (sum >>> 8)
  return ~sum >>> 0
}

/**
 * Duration of a WebM file (https://www.matroska.org/technical/elements.html, RFC 9559). A recorder writes the header before the
 * duration is known, and players cannot seek in a video without duration.
 */

/** Element IDs. */
const ids = {
  segment: 0x18538067,
  info: 0x1549a966,
  duration: 0x4489,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  blockGroup: 0xa0,
  block: 0xa1,
  simpleBlock: 0xa3,
}

/** Elements whose children are read. */
const containers: readonly number[] = [ids.segment, ids.info, ids.cluster, ids.blockGroup]

interface WebmElement {
  id: number
  /** Position of the size. */
  sizeAt: number
  /** Position of the content. */
  from: number
  /** Length of the content; NaN if the file does not state it, as in a recording. */
  length: number
}

/**
 * Returns a WebM file with its duration: the end of the last block, each as long as the one before. Returns the file as it is if
 * it has a duration, or states the length of its segment, which has to contain the duration.
 */
export function withDuration(file: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  let info: WebmElement | null = null
  let [clusterTime, last, end] = [0, 0, 0]
  for (const element of elements(view)) {
    const { id, from, length } = element
    const isBlock = id === ids.block || id === ids.simpleBlock
    if (id === ids.duration || (id === ids.segment && !Number.isNaN(length))) return file
    if (id === ids.info) info = element
    else if (id === ids.timestamp) clusterTime = unsigned(view, from, length)
    // The number of the track has one byte.
    else if (isBlock && from + 3 <= file.length) {
      const time = clusterTime + view.getInt16(from + 1)
      if (time > last) [last, end] = [time, 2 * time - last]
    }
  }
  if (!info || Number.isNaN(info.length)) return file
  const header = new DataView(new ArrayBuffer(8))
  // A size of eight bytes begins with a 1; the duration has eleven bytes.
  header.setBigUint64(0, (1n << 56n) | BigInt(info.length + 11))
  const duration = new DataView(new ArrayBuffer(11))
  duration.setUint16(0, ids.duration)
  duration.setUint8(2, 0x88)
  duration.setFloat64(3, end)
  const behind = info.from + info.length
  const parts = [
    file.subarray(0, info.sizeAt),
    header,
    file.subarray(info.from, behind),
    duration,
    file.subarray(behind),
  ]
  const made = new Uint8Array(file.length + 8 - (info.from - info.sizeAt) + 11)
  let at = 0
  for (const part of parts) {
    made.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at)
    at += part.byteLength
  }
  return made
}

/** Returns the elements of a file in their order; {@link containers} come before their children. */
function* elements(view: DataView): Generator<WebmElement> {
  for (let at = 0; at < view.byteLength;) {
    const idLength = Math.clz32(view.getUint8(at)) - 23
    const sizeAt = at + idLength
    if (sizeAt >= view.byteLength) return
    const sizeLength = Math.clz32(view.getUint8(sizeAt)) - 23
    const from = sizeAt + sizeLength
    if (from > view.byteLength) return
    const id = unsigned(view, at, idLength)
    const marked = unsigned(view, sizeAt, sizeLength)
    const unknown = 2 ** (7 * sizeLength) - 1
    const size = marked - 2 ** (7 * sizeLength)
    const length = size === unknown ? NaN : size
    yield { id, sizeAt, from, length }
    at = containers.includes(id) || Number.isNaN(length) ? from : from + length
  }
}

/** Returns a number of up to eight bytes, most significant byte first. */
function unsigned(view: DataView, at: number, length: number): number {
  let value = 0
  for (let i = 0; i < length && at + i < view.byteLength; i++) value = 256 * value + view.getUint8(at + i)
  return value
}

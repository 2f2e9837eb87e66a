/**
 * Duration and index of a WebM file (https://www.matroska.org/technical/elements.html, RFC 9559). A recorder writes the header before
 * the duration and the positions of the key frames are known, and players need both to seek.
 */

/** Element IDs. */
const ids = {
  segment: 0x18538067,
  info: 0x1549a966,
  duration: 0x4489,
  cluster: 0x1f43b675,
  cues: 0x1c53bb6b,
  timestamp: 0xe7,
  blockGroup: 0xa0,
  block: 0xa1,
  simpleBlock: 0xa3,
  referenceBlock: 0xfb,
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

/** A cluster that begins with a key frame. */
interface CuePoint {
  /** Time of the key frame. */
  time: number
  /** Number of the track. */
  track: number
  /** Position of the cluster. */
  at: number
}

/**
 * Returns a WebM file with its duration and an index of its key frames (`Cues`). The duration is the end of the last block, each as
 * long as the one before. Returns the file as it is if it has a duration, or states the length of its segment, which has to contain
 * both.
 */
export function seekable(file: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  let info: WebmElement | null = null
  let [segmentFrom, clusterTime, last, end] = [0, 0, 0, 0]
  /** Position of the last cluster, until its first block. */
  let cluster: number | null = null
  let firstCluster: number | null = null
  /** Whether the last block is the entry of its cluster in the index. */
  let isFirst = false
  const points: CuePoint[] = []
  for (const element of elements(view)) {
    const { id, from, length } = element
    const isBlock = id === ids.block || id === ids.simpleBlock
    if (id === ids.duration || (id === ids.segment && !Number.isNaN(length))) return file
    if (id === ids.segment) segmentFrom = from
    else if (id === ids.info) info = element
    else if (id === ids.cluster) {
      cluster = element.sizeAt - 4
      firstCluster ??= cluster
    } else if (id === ids.timestamp) clusterTime = unsigned(view, from, length)
    // A block in a group depends on the blocks that the group refers to.
    else if (id === ids.referenceBlock && isFirst) points.pop()
    // The number of the track has one byte.
    else if (isBlock && from + 4 <= file.length) {
      const time = clusterTime + view.getInt16(from + 1)
      if (time > last) [last, end] = [time, 2 * time - last]
      const isKey = id === ids.block || (view.getUint8(from + 3) & 0x80) !== 0
      isFirst = cluster !== null && isKey
      if (isFirst) points.push({ time, track: view.getUint8(from) & 0x7f, at: cluster! })
      cluster = null
    }
  }
  if (!info || Number.isNaN(info.length)) return file
  const behind = info.from + info.length
  const head = [file.subarray(0, info.sizeAt), size(info.length + 11), file.subarray(info.from, behind)]
  const duration = new DataView(new ArrayBuffer(11))
  duration.setUint16(0, ids.duration)
  duration.setUint8(2, 0x88)
  duration.setFloat64(3, end)
  const media = firstCluster ?? file.length
  const middle = [bytesOf(duration), file.subarray(behind, media)]
  const cuesLength = points.length > 0 ? 12 + points.length * pointLength : 0
  const moved = lengthOf([...head, ...middle]) + cuesLength - media - segmentFrom
  const cues = points.map((point) => cuePoint({ ...point, at: point.at + moved }))
  return joined([
    ...head,
    ...middle,
    ...(cues.length > 0 ? [number(ids.cues, 4), size(lengthOf(cues)), ...cues] : []),
    file.subarray(media),
  ])
}

/** Length of an entry of the index. */
const pointLength = 27

/** Returns an entry of the index. `at`: position of the cluster in the content of the segment. */
const cuePoint = ({ time, track, at }: CuePoint): Uint8Array =>
  joined([
    Uint8Array.of(0xbb, 0x80 | (pointLength - 2), 0xb3, 0x88),
    number(time, 8),
    Uint8Array.of(0xb7, 0x8d, 0xf7, 0x81, track, 0xf1, 0x88),
    number(at, 8),
  ])

/** Returns the size of an element in eight bytes, which begin with a 1. */
const size = (length: number): Uint8Array => joined([Uint8Array.of(1), number(length, 7)])

/** Returns a number in `length` bytes, most significant byte first. */
const number = (value: number, length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, i) => Math.floor(value / 256 ** (length - 1 - i)) % 256)

const bytesOf = ({ buffer }: DataView): Uint8Array => new Uint8Array(buffer)

const lengthOf = (parts: readonly Uint8Array[]): number => parts.reduce((sum, { length }) => sum + length, 0)

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const made = new Uint8Array(lengthOf(parts))
  let at = 0
  for (const part of parts) {
    made.set(part, at)
    at += part.length
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

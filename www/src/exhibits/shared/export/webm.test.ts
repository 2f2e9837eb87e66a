import { expect, test } from 'vitest'
import { seekable } from './webm'

const unknown = [0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]
/** Returns an element with a size of one byte. */
const element = (id: number[], content: number[]) => [...id, 0x80 | content.length, ...content]
const header = element([0x1a, 0x45, 0xdf, 0xa3], element([0x42, 0x82], [...Buffer.from('webm')]))
const scale = element([0x2a, 0xd7, 0xb1], [0x0f, 0x42, 0x40])
const info = (...more: number[]) => element([0x15, 0x49, 0xa9, 0x66], [...scale, ...more])
const tracks = element([0x16, 0x54, 0xae, 0x6b], [0xae, 0x80])
const block = (time: number, id = 0xa3, flags = 0x80) =>
  element([id], [0x81, time >> 8, time & 255, flags, 7, 7])
const cluster = (time: number, ...blocks: number[][]) => [
  ...[0x1f, 0x43, 0xb6, 0x75, ...unknown],
  ...element([0xe7], [time >> 8, time & 255]),
  ...blocks.flat(),
]
const segment = (...content: number[][]) =>
  Uint8Array.from([...header, 0x18, 0x53, 0x80, 0x67, ...unknown, ...content.flat()])
const durationOf = (ms: number) => {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(ms)
  return element([0x44, 0x89], [...bytes])
}

/** Returns a number in eight bytes. */
const long = (value: number) => [0, 0, 0, 0, 0, 0, value >> 8, value & 255]

test('a recording gets the duration of its blocks and an index of its key frames, and is the same otherwise', () => {
  const clusters = [
    cluster(0, block(0), block(33, 0xa3, 0)),
    cluster(500, block(0, 0xa3, 0)),
    cluster(1000, element([0xa0], block(20, 0xa1, 0)), element([0xa0], block(60, 0xa1, 0))),
    // The first block refers to an earlier one.
    cluster(1100, element([0xa0], [...block(20, 0xa1, 0), ...element([0xfb], [0xff])])),
  ]
  const made = seekable(segment(info(), tracks, ...clusters))
  // The last block is as long as the one before.
  const content = [...scale, ...durationOf(1180)]
  const wanted = [0x15, 0x49, 0xa9, 0x66, 0x01, 0, 0, 0, 0, 0, 0, content.length, ...content]
  const first = wanted.length + tracks.length + 12 + 2 * 27
  const point = (time: number, position: number) =>
    element(
      [0xbb],
      [
        ...element([0xb3], long(time)),
        ...element([0xb7], [...element([0xf7], [1]), ...element([0xf1], long(position))]),
      ],
    )
  const third = first + clusters[0]!.length + clusters[1]!.length
  const cues = [0x1c, 0x53, 0xbb, 0x6b, 0x01, 0, 0, 0, 0, 0, 0, 54, ...point(0, first), ...point(1020, third)]
  expect([...made]).toEqual([...segment(wanted, tracks, cues, ...clusters)])
  expect(seekable(made)).toBe(made)
})

test('a file with a duration or without a header, and a truncated file, are returned as they are', () => {
  const dated = segment(info(...durationOf(5)), tracks)
  expect(seekable(dated)).toBe(dated)
  for (const file of [Uint8Array.of(), segment(tracks), header, Uint8Array.of(0x1a, 0x45)])
    expect([...seekable(Uint8Array.from(file))]).toEqual([...file])
})

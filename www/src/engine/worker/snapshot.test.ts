import { describe, expect, test } from 'vitest'
import { crc32c, packSnapshot, unpackSnapshot } from './snapshot'

const checksums = 'vivarium'

/** Returns a checkpoint with these tensors, without valid checksums. */
function checkpoint(
  tensors: Record<string, { dtype: string; data: ArrayBufferView<ArrayBuffer> }>,
): Uint8Array {
  let end = 0
  const entries = Object.entries(tensors).map(([name, { dtype, data }]) => {
    const info = { dtype, shape: [1], data_offsets: [end, (end += data.byteLength)] }
    return [name, info] as const
  })
  const metadata = { [checksums]: JSON.stringify({ checksum: '0'.repeat(16), steps: 7 }) }
  const header = new TextEncoder().encode(
    JSON.stringify({ __metadata__: metadata, ...Object.fromEntries(entries) }),
  )
  const bytes = new Uint8Array(8 + header.length + end)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(header.length), true)
  bytes.set(header, 8)
  let at = 8 + header.length
  for (const { data } of Object.values(tensors)) {
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), at)
    at += data.byteLength
  }
  return bytes
}

/** Returns the header and the data of a checkpoint. */
function parts(bytes: Uint8Array) {
  const start = 8 + Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true))
  return {
    text: new TextDecoder().decode(bytes.subarray(8, start)),
    header: bytes.slice(0, start),
    data: bytes.slice(start),
  }
}

const floats = (...values: number[]) => ({ dtype: 'F32', data: Float32Array.from(values) })

describe('snapshots', () => {
  test('leave out what only training needs', () => {
    const whole = checkpoint({
      'weights/a': floats(1, 2.5),
      'adam/first_moment/a': floats(3, 4),
      'adam/steps': { dtype: 'U64', data: BigUint64Array.of(9n) },
      'best/weights/a': floats(6, 6),
      'best/stem.weight': floats(7),
    })
    const packed = packSnapshot(whole)!
    expect(parts(packed).text).toBe(parts(whole).text)
    expect(packed.length).toBe(parts(whole).header.length + 8 + 8 + 4)
    const { data, header, text } = parts(unpackSnapshot(packed))
    expect([...new Float32Array(data.buffer, 0, 4)]).toEqual([1, 2.5, 0, 0])
    expect(new BigUint64Array(data.buffer, 16, 1)[0]).toBe(9n)
    expect([...new Float32Array(data.buffer, 24)]).toEqual([0, 0, 7])
    // The checksums are recomputed for the restored file.
    const [, ofHeader, ofData] = text.match(/checksum\\":\\"(.{8})(.{8})/)!
    expect(ofData).toBe(crc32c(data).toString(16).padStart(8, '0'))
    const zeroed = new TextEncoder().encode(text.replace(ofHeader!, '00000000'))
    header.set(zeroed, 8)
    expect(ofHeader).toBe(crc32c(header).toString(16).padStart(8, '0'))
  })

  test('have an empty replay buffer', () => {
    const whole = checkpoint({
      'replay/places': { dtype: 'U32', data: Uint32Array.of(100, 2) },
      'replay/transitions': floats(...Array.from({ length: 1000 }, () => 5)),
      'replay/priorities': floats(3, 3),
      'weights/a': floats(1, 2.5),
    })
    const { data, text } = parts(unpackSnapshot(packSnapshot(whole)!))
    expect(JSON.parse(text)).toMatchObject({
      'replay/places': { data_offsets: [0, 8] },
      'replay/transitions': { shape: [0], data_offsets: [8, 8] },
      'weights/a': { data_offsets: [8, 16] },
    })
    expect([...new Uint32Array(data.buffer, 0, 2)]).toEqual([0, 2])
    expect([...new Float32Array(data.buffer, 8)]).toEqual([1, 2.5])
  })

  test('of large networks are half as large, and nearly the same', () => {
    const values = Float32Array.from({ length: 300_000 }, (_, i) => Math.sin(i) * 10 ** ((i % 9) - 4))
    const whole = checkpoint({
      'weights/a': { dtype: 'F32', data: values },
      counters: { dtype: 'U64', data: BigUint64Array.of(123_456_789n) },
    })
    const packed = packSnapshot(whole)!
    expect(packed.length).toBeLessThan(0.52 * whole.length)
    const { data } = parts(unpackSnapshot(packed))
    const restored = new Float32Array(data.buffer, 0, values.length)
    const worst = values.reduce(
      (most, value, i) => Math.max(most, Math.abs(restored[i]! / value - 1) || 0),
      0,
    )
    expect(worst).toBeLessThan(0.004)
    expect(new BigUint64Array(data.slice(-8).buffer)[0]).toBe(123_456_789n)
  })

  test('need a network', () => {
    expect(packSnapshot(checkpoint({}))).toBeNull()
  })

  test('have the checksum CRC-32C', () => {
    expect(crc32c(new TextEncoder().encode('123456789'))).toBe(0xe3069283)
  })
})

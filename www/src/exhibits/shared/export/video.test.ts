import { afterEach, expect, test, vi } from 'vitest'
import { clock, videoType } from './video'

afterEach(() => vi.unstubAllGlobals())

test('formats the elapsed time', () => {
  expect([0, 9.9, 65, 600].map(clock)).toEqual(['0:00', '0:09', '1:05', '10:00'])
})

test('selects the first format that the browser records', () => {
  const records = (...supported: string[]) => {
    vi.stubGlobal('MediaRecorder', { isTypeSupported: (mime: string) => supported.includes(mime) })
    return videoType()
  }
  vi.stubGlobal('HTMLCanvasElement', { prototype: { captureStream: () => {} } })
  expect(records('video/mp4', 'video/webm;codecs=vp8')?.mime).toBe('video/webm;codecs=vp8')
  expect(records('video/mp4')).toMatchObject({ name: 'MP4', ending: 'mp4' })
  expect(records()).toBeUndefined()
})

test('a browser that cannot record offers no video', () => {
  vi.stubGlobal('HTMLCanvasElement', { prototype: { captureStream: () => {} } })
  expect(videoType()).toBeUndefined()
  vi.stubGlobal('MediaRecorder', { isTypeSupported: () => true })
  vi.stubGlobal('HTMLCanvasElement', { prototype: {} })
  expect(videoType()).toBeUndefined()
})

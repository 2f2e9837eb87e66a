import { describe, expect, test, vi } from 'vitest'
import { between, fit, PanZoom, type Camera } from './camera'
import { actionOf, isFree, keyName } from './keys'
import { Pointers } from './pointers'
import { visible } from './visible'

test('an element is in view by the newest of the reported changes', () => {
  let report: (changes: { isIntersecting: boolean }[]) => void = () => {}
  class Observer {
    constructor(callback: typeof report) {
      report = callback
    }
    observe(): void {}
    disconnect(): void {}
  }
  vi.stubGlobal('IntersectionObserver', Observer)
  const seen: boolean[] = []
  visible((is) => seen.push(is))({} as HTMLElement)
  // A part that projector mode hides and shows again within one frame.
  report([{ isIntersecting: false }, { isIntersecting: true }])
  report([{ isIntersecting: true }, { isIntersecting: false }])
  expect(seen).toEqual([true, false])
  vi.unstubAllGlobals()
})

test('two pointers zoom and move, one alone does neither', () => {
  const pointers = new Pointers()
  expect(pointers.move(1, { x: 0, y: 0 })).toBeNull()
  pointers.down(1, { x: 0, y: 0 })
  expect(pointers.move(1, { x: 10, y: 0 })).toBeNull()
  pointers.down(2, { x: 30, y: 0 })
  expect(pointers.move(2, { x: 50, y: 0 })).toEqual({ zoom: 2, middle: { x: 30, y: 0 }, dx: 10, dy: 0 })
  // The zoom is bounded if both fingers are at the same point.
  expect(pointers.move(2, { x: 10, y: 0 })?.zoom).toBe(1 / 40)
  pointers.up(1)
  expect([pointers.count, pointers.move(2, { x: 0, y: 0 })]).toEqual([1, null])
})

describe('the camera', () => {
  const view = { width: 800, height: 400 }
  const drawing = { width: 1400, height: 300 }
  const margin = { sides: 50, ends: 20 }
  const whole = fit(drawing, view, margin)
  const at = { x: 200, y: 200 }
  /** Returns the point of the drawing under a point of the view. */
  const under = ({ scale, x, y }: Camera) => [(at.x - x) / scale, (at.y - y) / scale]

  /** Returns a camera on the whole drawing. `slack`: fraction of the view that may be empty. */
  function opened(slack: number) {
    const onchange = vi.fn()
    const camera = new PanZoom(slack, onchange)
    camera.resize(drawing, view, whole, 6)
    return { camera, onchange }
  }

  test('fits a drawing, centered', () => {
    expect(whole).toEqual({ scale: 0.5, x: 50, y: 125 })
    expect(fit({ width: 10, height: 10 }, view, margin, 1.5).scale).toBe(1.5)
  })

  test('zooms around a point, between the whole drawing and the maximum', () => {
    const { camera, onchange } = opened(0.5)
    camera.zoom(2, at)
    expect([camera.camera.scale, camera.moved, onchange.mock.calls.length]).toEqual([1, true, 1])
    for (const [i, value] of under(camera.camera).entries()) expect(value).toBeCloseTo(under(whole)[i]!)
    camera.zoom(100, at)
    expect(camera.camera.scale).toBe(6)
    camera.zoom(0.001)
    expect([camera.camera, camera.moved]).toEqual([whole, false])
  })

  test('keeps the drawing in the view', () => {
    const half = opened(0.5).camera
    half.pan(1e6, 0)
    expect([half.camera.x, half.moved]).toEqual([400, true])
    const full = opened(0).camera
    full.zoom(2)
    full.pan(1e6, 1e6)
    // The zoomed drawing is wider than the view and less high.
    expect(full.camera).toEqual({ scale: 1, x: 0, y: 50 })
  })

  test('a whole drawing that fills the view cannot be panned, and is fitted again', () => {
    const { camera } = opened(0)
    camera.pan(30, 30)
    expect([camera.camera, camera.moved]).toEqual([whole, false])
    const small = { width: 400, height: 200 }
    const fitted = fit(drawing, small, margin)
    camera.resize(drawing, small, fitted, 6)
    expect(camera.camera).toBe(fitted)
  })

  test('a moved camera keeps its scale and its middle in a view of another size', () => {
    const { camera } = opened(0.5)
    camera.zoom(2)
    const { x, y } = camera.camera
    camera.resize(drawing, { width: 900, height: 500 }, fit(drawing, { width: 900, height: 500 }), 6)
    expect(camera.camera).toEqual({ scale: 1, x: x + 50, y: y + 50 })
  })

  test('is interpolated', () => {
    const near = { scale: 2, x: 0, y: 25 }
    expect(between(whole, near, 1)).toEqual(near)
    expect(between(whole, near, 0.5)).toEqual({ scale: 1, x: 25, y: 75 })
  })
})

test('a key has the action of its binding, and a name', () => {
  const bindings = {
    next: { keys: ['e', 'ArrowRight'], label: 'Next' },
    last: { keys: ['E'], label: 'Last' },
  }
  expect(['e', 'ArrowRight', 'E', 'x'].map((key) => actionOf(bindings, key))).toEqual([
    'next',
    'next',
    'last',
    undefined,
  ])
  expect(['e', 'E', ' ', 'ArrowLeft', 'Enter', 'Alt+P', '?'].map(keyName)).toEqual([
    'E',
    'Shift+E',
    'Space',
    '←',
    'Enter',
    'Alt+P',
    '?',
  ])
})

test('keys of the page leave fields, pictures with keys, and Enter on controls alone', () => {
  /** Returns whether a key is free with the focus on an element. `path`: selectors of the element and of the elements around it. */
  const isFreeOn = (key: string, ...path: string[]) => {
    const target = {
      matches: (selectors: string) => selectors.split(', ').includes(path[0]!),
      closest: (selectors: string) => selectors.split(', ').find((selector) => path.includes(selector)),
    }
    return isFree({ key, target, defaultPrevented: false } as unknown as KeyboardEvent)
  }
  expect(isFreeOn('r', 'body')).toBe(true)
  expect(isFreeOn('Enter', 'body')).toBe(true)
  for (const field of ['input', 'select', 'textarea']) expect(isFreeOn('r', field, 'body'), field).toBe(false)
  expect(isFreeOn('e', 'button', '[role="menu"]')).toBe(false)
  expect(isFreeOn('d', '[role="application"]')).toBe(false)
  // The button Roll is within the board.
  expect(isFreeOn('r', 'button', '[role="application"]')).toBe(true)
  for (const control of ['button', 'summary', '[tabindex="0"]'])
    expect(isFreeOn('Enter', control, 'body'), control).toBe(false)
  expect(isFree({ key: 'r', target: {}, defaultPrevented: true } as unknown as KeyboardEvent)).toBe(false)
})

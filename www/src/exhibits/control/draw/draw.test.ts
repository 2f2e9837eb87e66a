import { describe, expect, test } from 'vitest'
import { stopOf } from '../../shared/speed'
import { speedStops } from '../speed'
import { AcrobotScene, linkEnd, tipHeight } from './acrobot'
import { CartPoleScene } from './cartpole'
import { hexagons } from './circle'
import { field } from './field'
import { certaintyOf, edgesOf, slopesOf, Trail } from './map'
import { energy, ground, MountainCarScene } from './mountain-car'
import { PendulumScene, tip, uprightness } from './pendulum'
import { experiments } from '../../../protocol/experiments'
import { Places, strongestPush } from './scene'
import { scene } from './scenes'

test('the edges of a map have mean values without the corners', () => {
  const corners = [9, 1, 9]
  const map = new Float32Array([...corners, 3, 7, 5, ...corners])
  expect(edgesOf(map, 3)).toEqual({ ends: 1, sides: 4 })
})

test('the slopes of a map are the differences of opposite edges', () => {
  expect(slopesOf(new Float32Array([0, 0, 0, 1, 2, 3, 6, 7, 8]), 3)).toEqual({ ends: 7, sides: 4 / 3 })
})

describe('a preview in rows', () => {
  test.each([
    [1, 300, 200],
    [7, 390, 300],
    [120, 390, 200],
    [256, 960, 180],
    [300, 1400, 260],
  ])('%d members find a place in %d by %d', (count, width, height) => {
    const made = field(count, width, 40, 40 + height)
    expect(made.rows.reduce((sum, row) => sum + row.count, 0)).toBe(count)
    for (let m = 0; m < count; m++) {
      expect(made.places.xs[m]).toBeGreaterThan(0)
      expect(made.places.xs[m]).toBeLessThan(width)
      expect(made.places.ys[m]).toBeGreaterThanOrEqual(39.9)
      expect(made.places.ys[m]).toBeLessThanOrEqual(40 + height + 0.1)
    }
  })

  test('rows recede: higher, smaller, closer together', () => {
    const { rows } = field(256, 960, 50, 230)
    expect(rows.length).toBeGreaterThan(4)
    for (let i = 1; i < rows.length; i++) {
      expect(rows[i]!.y).toBeLessThan(rows[i - 1]!.y)
      expect(rows[i]!.scale).toBeLessThan(rows[i - 1]!.scale)
      if (i > 1) expect(rows[i - 1]!.y - rows[i]!.y).toBeLessThan(rows[i - 2]!.y - rows[i - 1]!.y)
    }
  })
})

describe('focus selection', () => {
  const places = new Places(9)
  for (let m = 0; m < 9; m++) {
    places.xs[m] = (m % 3) * 10
    places.ys[m] = Math.floor(m / 3) * 10
  }

  test('selects the member at the pointer', () => {
    expect(places.nearest(11, 9, 5)).toBe(4)
    expect(places.nearest(100, 100, 5)).toBeNull()
    expect(places.closest(100, 100)).toBe(8)
  })

  test('arrow keys keep the focus if there is no neighbor', () => {
    expect(places.neighbor(4, 1, 0)).toBe(5)
    expect(places.neighbor(4, -1, 0)).toBe(3)
    expect(places.neighbor(4, 0, -1)).toBe(1)
    expect(places.neighbor(4, 0, 1)).toBe(7)
    expect(places.neighbor(5, 1, 0)).toBe(5)
  })

  test('opposite arrow keys return to the same member, except at the edges', () => {
    const scene = new PendulumScene()
    scene.layout({ width: 900, height: 420, top: 44 }, 256)
    const home = scene.home()
    expect(scene.neighbor(scene.neighbor(home, 1, 0), -1, 0)).toBe(home)
  })
})

describe('environments', () => {
  test('pendulum angle 0 is upright, positive angles are counterclockwise', () => {
    expect(tip(0, 10).y).toBeCloseTo(-10)
    expect(tip(Math.PI / 2, 10).x).toBeCloseTo(-10)
  })

  test('hexagonal grids keep their distance from the edges', () => {
    const points = hexagons(200, 100, 20)
    expect(points.length).toBeGreaterThan(30)
    for (const { x, y } of points) {
      expect(Math.min(x, 200 - x, y, 100 - y)).toBeGreaterThanOrEqual(9.9)
    }
  })

  test('rods are outside of the circle of the focused member', () => {
    const scene = new PendulumScene()
    scene.layout({ width: 900, height: 420, top: 44 }, 256)
    const grip = scene.grip()
    const center = { x: grip.x + grip.width / 2, y: grip.y + grip.height / 2 }
    expect(scene.pick(center.x, center.y)).toBeNull()
    expect(scene.pick(center.x, grip.y + 2)).toBeNull()
  })

  test('energy is 0 at rest in the valley, 1 at the flag, and constant while the car rolls', () => {
    expect(energy(-Math.PI / 6, 0, 0.0025)).toBeCloseTo(0)
    expect(energy(0.5, 0, 0.0025)).toBeCloseTo(1)
    let [x, v] = [-0.9, 0]
    const start = energy(x, v, 0.0025)
    expect(start).toBeGreaterThan(0.2)
    for (let i = 0; i < 60; i++) {
      v -= 0.0025 * Math.cos(3 * x)
      x += v
      expect(Math.abs(energy(x, v, 0.0025) - start)).toBeLessThan(0.06)
    }
  })

  test('quality of a rod grows with its uprightness', () => {
    expect([0, Math.PI, -Math.PI].map(uprightness)).toEqual([1, 0, 0])
    expect(uprightness(0.5)).toBeGreaterThan(uprightness(-1))
  })

  test('link angle 0 hangs down, positive angles are counterclockwise', () => {
    expect(linkEnd(0, 10).y).toBeCloseTo(10)
    expect(linkEnd(Math.PI / 2, 10).x).toBeCloseTo(10)
  })

  test('quality of an acrobot is the height of its tip, up to the line', () => {
    expect(tipHeight(0, 0)).toBeCloseTo(0)
    expect(tipHeight(Math.PI / 2, 0)).toBeCloseTo(2 / 3)
    // Upper link upright, lower link horizontal: the tip is on the line.
    expect(tipHeight(Math.PI, Math.PI / 2)).toBeCloseTo(1)
    expect(tipHeight(Math.PI, 0)).toBe(1)
  })

  test('the valley is deepest at −π/6', () => {
    expect(ground(-Math.PI / 6)).toBeCloseTo(-1)
  })

  test.each([
    ['cartpole', new CartPoleScene(() => 0.5)],
    ['mountain car', new MountainCarScene(() => 0.0025)],
    ['pendulum', new PendulumScene()],
    ['acrobot', new AcrobotScene()],
  ])('%s: dragging pushes, further is harder, up to a limit', (name, scene) => {
    scene.layout({ width: 900, height: 420, top: 44 }, 256)
    const grip = scene.grip()
    const from = { x: grip.x + grip.width / 2, y: grip.y + grip.height * 0.1 }
    const pull = (dx: number) => scene.pull(from, { x: from.x + dx, y: from.y })
    expect(pull(0)).toBeCloseTo(0)
    // A push to the right above the hinge turns a pendulum or acrobot clockwise, which is negative.
    const sign = name === 'pendulum' || name === 'acrobot' ? -1 : 1
    expect(pull(20) * sign).toBeGreaterThan(0)
    expect(pull(30) * sign).toBeGreaterThan(pull(20) * sign)
    expect(pull(5000)).toBeCloseTo(sign * strongestPush)
    expect(pull(-20)).toBeCloseTo(-pull(20))
  })
})

describe('heat maps', () => {
  test('a trajectory restarts with each episode or focused member, and does not cross the map', () => {
    const range = { low: -1, high: 1, angle: true }
    const trail = new Trail(0, 1, range, range)
    const at = (x: number, age: number) => ({
      state: Float32Array.of(x, 0, x, 0),
      dims: 2,
      ages: Float32Array.of(age, age),
    })
    trail.follow(at(-0.9, 1), 0)
    trail.follow(at(-0.8, 2), 0)
    trail.follow(at(0.95, 3), 0)
    expect(trail.points.map((p) => p.joined)).toEqual([false, true, false])
    trail.follow(at(0, 0), 0)
    expect(trail.points.length).toBe(1)
    trail.follow(at(0, 1), 1)
    expect(trail.points).toEqual([{ x: 0.5, y: 0.5, joined: false }])
  })
})

describe('speed', () => {
  test('every stop maps to its speed and back', () => {
    for (const stepSeconds of [0.02, 1 / 30, 0.05]) {
      const stops = speedStops(stepSeconds)
      for (const [i, { speed }] of stops.entries()) expect(stopOf(stops, speed)).toBe(i)
    }
  })

  test('every stop has a name', () => {
    expect(speedStops(0.02).map(({ name }) => name)).toEqual([
      '0.1× slow motion',
      '0.25× slow motion',
      '0.5× slow motion',
      'real time',
      '4× real time',
      '16× real time',
      '64× real time',
      '256× real time',
      'as fast as it goes',
    ])
  })
})

test('every control environment has a scene', () => {
  for (const { name, family } of experiments) {
    if (family === 'control') expect(scene(name, () => undefined).home, name).toBeTypeOf('function')
  }
})

test('the certainty of a policy map is the mean probability of the preferred action', () => {
  expect(certaintyOf(new Float32Array([0, 1, -1, 0]))).toBe(0.75)
})

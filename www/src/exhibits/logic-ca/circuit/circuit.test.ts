import { describe, expect, it } from 'vitest'
import { gateFunctions, valueOf } from './functions'
import { neighborOf, valueAt } from './hit-test'
import { spread } from './isotonic'
import { layered } from './layers'
import { layout } from './layout'
import { highlightOf } from './highlight'
import { stableNames } from './gate-names'
import {
  changedBits,
  cone,
  evaluate,
  functionCounts,
  gateSentence,
  inputCounts,
  netlist,
  readers,
  unsimplified,
} from './netlist'
import { crossings, number, reorder } from './order'
import { restPlacement, transition } from './transition'

type Gate = readonly [f: number, a: number, b: number, trained?: number]

function circuit(gates: readonly Gate[], outputs: readonly number[]) {
  const rows = gates.flatMap(([f, a, b, trained = -1]) => [f, a, b, trained])
  return netlist({ gates: new Float32Array(rows), outputs: new Float32Array(outputs) })
}

/** Returns a circuit of one channel: g0 = NE XOR E, g1 = g0 AND center, g2 = NOT g1, g3 = TRUE. */
const small = () =>
  circuit(
    [
      [6, 2, 5],
      [1, 9, 4],
      [12, 10, 10],
      [15, 0, 0],
    ],
    [11],
  )

/** Returns a random circuit: gates read one of the 120 preceding values. */
function large(gates: number, channels: number) {
  let seed = 1
  const random = (below: number) => (seed = (seed * 16807) % 2147483647) % below
  const inputs = 9 * channels
  const rows = Array.from({ length: gates }, (_, g): Gate => {
    const wire = () => {
      const at = inputs + g - 1 - random(120)
      return at < inputs ? random(inputs) : at
    }
    return [1 + random(14), wire(), wire(), g]
  })
  const outputs = Array.from({ length: channels }, (_, c) => inputs + gates - 1 - c)
  return circuit(rows, outputs)
}

describe('functions', () => {
  it('match their names', () => {
    const says: Record<string, (a: number, b: number) => number> = {
      FALSE: () => 0,
      AND: (a, b) => a & b,
      'A AND NOT B': (a, b) => a & (1 - b),
      A: (a) => a,
      'NOT A AND B': (a, b) => (1 - a) & b,
      B: (_, b) => b,
      XOR: (a, b) => a ^ b,
      OR: (a, b) => a | b,
      NOR: (a, b) => 1 - (a | b),
      XNOR: (a, b) => 1 - (a ^ b),
      'NOT B': (_, b) => 1 - b,
      'A OR NOT B': (a, b) => a | (1 - b),
      'NOT A': (a) => 1 - a,
      'NOT A OR B': (a, b) => (1 - a) | b,
      NAND: (a, b) => 1 - (a & b),
      TRUE: () => 1,
    }
    expect(gateFunctions.map(({ name }) => name)).toEqual(Object.keys(says))
    for (const [f, { name }] of gateFunctions.entries()) {
      for (const a of [0, 1]) for (const b of [0, 1]) expect(valueOf(f, a, b), name).toBe(says[name]!(a, b))
    }
  })

  it('match their symbols', () => {
    const shapes = { and: [0, 0, 0, 1], or: [0, 1, 1, 1], xor: [0, 1, 1, 0] } as Record<string, number[]>
    for (const [f, gate] of gateFunctions.entries()) {
      for (const a of [0, 1]) {
        for (const b of [0, 1]) {
          const [p, q] = [a ^ Number(gate.invertA), b ^ Number(gate.invertB)]
          const read = gate.readsA ? p : q
          const plain =
            gate.outline === 'buffer'
              ? read
              : gate.outline === 'constant'
                ? f & 1
                : shapes[gate.outline]![2 * p + q]!
          expect(plain ^ Number(gate.invertOutput), gate.name).toBe(valueOf(f, a, b))
        }
      }
    }
  })
})

describe('a netlist', () => {
  it('the number of gates before simplification is related to the number of trained gates', () => {
    expect(unsimplified(4608, 3040)).toBe(
      'Before simplification: 4,608 gates, from 3,040 trained gates; kernel gates count once per channel.',
    )
    expect(unsimplified(90, 90)).toBe('Before simplification: 90 gates.')
    expect(unsimplified(90, null)).toBe('Before simplification: 90 gates.')
  })

  it('has a number of gates by function', () => {
    const gates = Float32Array.of(6, 0, 1, -1, 1, 2, 9, -1, 6, 9, 10, -1)
    const counts = functionCounts({ gates, outputs: Float32Array.of(11), version: 1, before: 3, after: 3 })
    expect([...counts]).toEqual([0, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  })

  it('has bits of each channel on which the next bit of a channel depends', () => {
    // Two channels: gate 18 reads two visible bits of neighbors, gate 19 a hidden one.
    const gates = Float32Array.of(6, 0, 5, -1, 12, 9, 9, -1)
    const net = (...outputs: number[]) => netlist({ gates, outputs: Float32Array.from(outputs) })
    const readBy = (...outputs: number[]) => inputCounts(net(...outputs), 0)
    expect([readBy(18, 19), readBy(19, 18), readBy(4, 18), readBy(13, 4)]).toEqual([
      [2, 0],
      [0, 1],
      [1, 0],
      [0, 1],
    ])
  })

  it('computes depths, readers and values', () => {
    const net = small()
    expect(Array.from(net.depth.slice(9))).toEqual([1, 2, 3, 0])
    expect(net.deepest).toBe(3)
    expect(
      Array.from(readers(net))
        .map((count, v) => count && v)
        .filter(Boolean),
    ).toEqual([2, 4, 5, 9, 10])
    const bits = [0, 0, 1, 0, 1, 0, 0, 0, 0]
    expect(Array.from(evaluate(net, bits).slice(9))).toEqual([1, 1, 0, 1])
  })

  it('computes cones', () => {
    const marks = cone(small(), 10)
    expect(Array.from(marks)).toEqual([0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 3, 2, 0])
  })

  it('describes gates', () => {
    const net = small()
    expect(gateSentence(net, 0)).toBe('XOR of neighbor NE and neighbor E')
    expect(gateSentence(net, 1)).toBe('AND of g0 and the cell itself')
    expect(gateSentence(net, 2)).toBe('NOT g1')
    expect(gateSentence(net, 3)).toBe('Always 1')
    const two = circuit(
      [
        [6, 2, 9 + 1],
        [2, 18, 5],
      ],
      [18, 19],
    )
    expect(gateSentence(two, 0, ['grey'])).toBe('XOR of neighbor NE, grey; and neighbor N, channel 1')
    expect(gateSentence(two, 1)).toBe('g0 AND NOT neighbor E, channel 0')
  })

  it('keeps gate names when gates are added', () => {
    const before = circuit(
      [
        [6, 2, 5, 700],
        [1, 9, 4, 900],
      ],
      [10],
    )
    const after = circuit(
      [
        [7, 0, 1, 80],
        [6, 2, 5, 700],
        [14, 9, 10, 900],
      ],
      [11],
    )
    const [p, q] = [stableNames(before), stableNames(after)]
    expect([q[1], q[2]]).toEqual(p)
    expect(new Set(stableNames(large(400, 3))).size).toBe(400)
    // Both channels share the trained gate.
    const two = circuit(
      [
        [6, 2, 5, 7],
        [6, 11, 14, 7],
      ],
      [18, 19],
    )
    expect(new Set(stableNames(two)).size).toBe(2)
  })
})

describe('positions', () => {
  it('are nearest to the desired ones with minimum gaps', () => {
    const count = 4
    const positions = new Float64Array(count)
    const of = (wished: number[], weights = [1, 1, 1, 1]) => {
      spread(
        Float64Array.from(wished),
        Float64Array.from(weights),
        new Float64Array(4).fill(10),
        count,
        positions,
      )
      return Array.from(positions)
    }
    expect(of([0, 20, 40, 60])).toEqual([0, 20, 40, 60])
    expect(of([0, 0, 0, 0])).toEqual([-15, -5, 5, 15])
    expect(of([0, 0, 100, 100], [3, 1, 1, 1])).toEqual([-2.5, 7.5, 95, 105])
  })

  it('have fewer crossings after the sweeps', () => {
    const { layers } = layered(large(150, 2))
    layers.forEach(number)
    const before = crossings(layers)
    reorder(layers, false)
    expect(crossings(layers)).toBeLessThan(0.7 * before)
    expect(layers.every((layer) => layer.every((item, i) => item.order === i))).toBe(true)
  })
})

describe('a layout', () => {
  it('puts gates in the layer of their depth, and constants before the outputs', () => {
    const net = small()
    const { columns, gateX, boards, outputs } = layout(net)
    expect(columns).toHaveLength(5)
    expect(Array.from(gateX)).toEqual([1, 2, 3, 3].map((layer) => Math.fround(columns[layer]!)))
    expect(boards).toHaveLength(1)
    expect(outputs[0]!.x).toBe(columns[4])
  })

  it.each([
    ['without a gate', circuit([], [4])],
    ['of a constant alone', circuit([[0, 0, 0]], [9])],
    ['small', small()],
    ['of 2,000 gates', large(2000, 8)],
  ])('of a circuit %s has no wire that goes backwards and nothing that overlaps', (_, net) => {
    const made = layout(net)
    const { ends, count, tails } = made.wires
    const backwards = Array.from({ length: count }, (_, s) => s).filter(
      (s) => !(ends[4 * s + 2]! + tails[s]! > ends[4 * s]!),
    )
    expect(backwards).toEqual([])
    const columns = new Map<number, number[]>()
    for (const [g, x] of made.gateX.entries()) {
      if (!columns.has(x)) columns.set(x, [])
      columns.get(x)!.push(made.gateY[g]!)
    }
    for (const ys of columns.values()) {
      ys.sort((p, q) => p - q)
      const apart = ys.slice(1).map((y, i) => y - ys[i]!)
      expect(Math.min(25, ...apart)).toBeGreaterThan(24)
    }
    expect(made.drawn).toBe(net.gates)
    expect(Math.min(made.height, made.width)).toBeGreaterThan(0)
  })

  it('is deterministic', () => {
    const of = () => {
      const { gateX, gateY, wires } = layout(large(200, 4))
      return [...gateX, ...gateY, ...wires.ends, wires.keys].join(' ')
    }
    expect(of()).toBe(of())
  })

  it('draws the gates with the lowest depth if there are too many', () => {
    const net = large(600, 2)
    const made = layout(net, { most: 100 })
    expect(made.drawn).toBe(100)
    const depths = Array.from(
      made.gateX.entries(),
      ([g, x]) => [Number.isNaN(x), net.depth[net.inputs + g]!] as const,
    )
    const deepest = Math.max(...depths.filter(([hidden]) => !hidden).map(([, depth]) => depth))
    expect(depths.every(([hidden, depth]) => !hidden || depth >= deepest)).toBe(true)
  })

  it('keeps the positions of common gates', () => {
    const net = large(120, 4)
    const names = stableNames(net)
    const before = layout(net, { names })
    const again = layout(net, { names, before })
    const moved = Array.from(again.gateY, (y, g) => Math.abs(y - before.gateY[g]!))
    expect(Math.max(...moved)).toBeLessThan(24)
    const order = (made: typeof before) => made.outputs.toSorted((p, q) => p.y - q.y).map((o) => o.channel)
    expect(order(again)).toEqual(order(before))
  })
})

describe('transitions', () => {
  it('start at the old and end at the new positions', () => {
    const net = (second: boolean) => {
      const gates: Gate[] = [
        [6, 2, 5, 7],
        [1, 9, 4, 8],
      ]
      return circuit(
        second
          ? [
              [7, 0, 1, 5],
              [6, 2, 5, 7],
              [1, 10, 9, 8],
            ]
          : gates,
        [second ? 11 : 10],
      )
    }
    const of = (second: boolean) => {
      const names = stableNames(net(second))
      return { names, layout: layout(net(second), { names }) }
    }
    const [from, to] = [of(false), of(true)]
    const way = transition(from, to)
    expect(way.at(0).gateY[1]).toBe(from.layout.gateY[0])
    expect(way.at(1).gateY).toEqual(restPlacement(to.layout).gateY)
    expect(Array.from(way.at(0).freshGates)).toEqual([1, 0, 0])
    expect(way.gone.gates).toEqual([])
    expect(way.gone.wires.length).toBeGreaterThan(0)
    expect(transition(to, from).gone.gates).toEqual([0])
  })
})

describe('hit testing', () => {
  const net = small()
  const made = layout(net)

  it('finds gates, cells and outputs', () => {
    expect(valueAt(net, made, made.gateX[1]! + 5, made.gateY[1]! - 5, 4)).toBe(10)
    const [board, output] = [made.boards[0]!, made.outputs[0]!]
    expect(valueAt(net, made, board.x + made.cell, board.y - made.cell, 4)).toBe(2)
    expect(valueAt(net, made, output.x, output.y, 4)).toBe(11)
    expect(valueAt(net, made, -500, -500, 4)).toBe(-1)
  })

  it('navigates along wires', () => {
    expect(neighborOf(net, made, 11, 'left')).toBe(10)
    expect(neighborOf(net, made, 9, 'right')).toBe(10)
    expect(neighborOf(net, made, 2, 'down')).toBe(4)
    expect(neighborOf(net, made, 5, 'up')).toBe(4)
    expect(neighborOf(net, made, 2, 'up')).toBe(2)
    expect(neighborOf(net, made, 2, 'left')).toBe(2)
  })

  it('highlights whole wires of a cone', () => {
    const wide = circuit(
      [
        [6, 2, 5],
        [1, 9, 4],
        [7, 10, 9],
        [8, 0, 1],
      ],
      [11],
    )
    const drawn = layout(wide)
    const light = highlightOf(wide, drawn, 10)
    const lit = (value: number) =>
      Array.from(drawn.wires.values.keys()).filter((s) => drawn.wires.values[s] === value && light.wires[s])
        .length
    expect(lit(0)).toBe(0)
    // The cell itself is read in the second layer, so its wire has two segments.
    expect(lit(4)).toBe(2)
    expect(lit(11)).toBe(1)
    expect(Array.from(light.values)).toEqual([0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 3, 2, 0])
  })
})

it('counts the channels of a cell that the next step changes', () => {
  // Two channels: the cell itself has the values 4 and 13; the outputs are a neighbor and the cell.
  const signals = new Uint8Array(18)
  signals[4] = 1
  expect(changedBits([0, 13], signals)).toBe(1)
  expect(changedBits([4, 13], signals)).toBe(0)
  // The signals belong to another circuit.
  expect(changedBits([4, 30], signals)).toBeNull()
})

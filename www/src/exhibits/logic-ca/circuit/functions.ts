/**
 * The sixteen functions of two bits. A function's number is its truth table: bit 0 is f(1, 1), bit 1 f(1, 0),
 * bit 2 f(0, 1) and bit 3 f(0, 0).
 */

/** Outline of a gate's symbol; inversions are drawn as bubbles. */
export type Outline = 'and' | 'or' | 'xor' | 'buffer' | 'constant'

export interface GateFunction {
  name: string
  /** When the function returns 1, such as “if both inputs are 1”. */
  rule: string
  outline: Outline
  /** Whether the symbol has inversion bubbles at the first input, at the second input and at the output. */
  invertA: boolean
  invertB: boolean
  invertOutput: boolean
  /** Whether the function depends on the first input and on the second input. */
  readsA: boolean
  readsB: boolean
}

const drawn: readonly (readonly [name: string, outline: Outline, bubbles: string, rule: string])[] = [
  ['FALSE', 'constant', '', 'never'],
  ['AND', 'and', '', 'only if both inputs are 1'],
  ['A AND NOT B', 'and', 'b', 'only if the first input is 1 and the second is 0'],
  ['A', 'buffer', '', 'if the first input is 1'],
  ['NOT A AND B', 'and', 'a', 'only if the first input is 0 and the second is 1'],
  ['B', 'buffer', '', 'if the second input is 1'],
  ['XOR', 'xor', '', 'if the inputs differ'],
  ['OR', 'or', '', 'if at least one input is 1'],
  ['NOR', 'or', 'o', 'only if both inputs are 0'],
  ['XNOR', 'xor', 'o', 'if the inputs are equal'],
  ['NOT B', 'buffer', 'o', 'if the second input is 0'],
  ['A OR NOT B', 'or', 'b', 'unless the first input is 0 and the second is 1'],
  ['NOT A', 'buffer', 'o', 'if the first input is 0'],
  ['NOT A OR B', 'or', 'a', 'unless the first input is 1 and the second is 0'],
  ['NAND', 'and', 'o', 'unless both inputs are 1'],
  ['TRUE', 'constant', '', 'always'],
]

export const gateFunctions: readonly GateFunction[] = drawn.map(([name, outline, bubbles, rule], f) => ({
  name,
  rule,
  outline,
  invertA: bubbles.includes('a'),
  invertB: bubbles.includes('b'),
  invertOutput: bubbles.includes('o'),
  readsA: f >> 2 !== (f & 3),
  readsB: ((f >> 1) & 5) !== (f & 5),
}))

/** Function number of "A", the pass-through of the first input: initial function of most gates. */
export const passThrough = 3

/** Returns whether a function passes one input through: all gates do at first, most of them the first input. */
export const passesThrough = (f: number): boolean => f === passThrough || f === 5

/** Returns the value of function number `f` for the inputs `a` and `b`. */
export function valueOf(f: number, a: boolean | number, b: boolean | number): 0 | 1 {
  return ((f >> ((a ? 0 : 2) + (b ? 0 : 1))) & 1) as 0 | 1
}

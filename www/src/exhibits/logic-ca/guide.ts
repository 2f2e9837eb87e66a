/** Guided path of the logic automaton: soft gates become hard gates; damage and regeneration (Miotti et al. 2025). */
import { compact, number, short } from '../../lib/format'
import { step, trainFast, type Action, type Figure, type Guide } from '../shared/guide/guide'
import { gateFunctions, newFunctions, valueOf } from './circuit/functions'

const pause: readonly Action[] = [{ kind: 'learn', on: false }]
const epochs: Figure = { progress: 'steps' }
const soft: Figure = { metric: 'soft_loss' }
const hard: Figure = { metric: 'hard_loss' }
const accuracy: Figure = { metric: 'hard_accuracy' }
/** Mean accuracy of the last three evaluations: 1 only if all of them are without error. */
const recent: Figure = { recent: 'hard_accuracy' }
/** Number of training boards of an epoch. */
const batch: Figure = { field: 'task.batch' }
const confidence: Figure = { metric: 'decidedness' }
const sandboxStep: Figure = { element: 'sandbox-step' }
const train = (speed: number | 'max'): readonly Action[] => [
  { kind: 'speed', speed },
  { kind: 'learn', on: true },
]
const oneStep: Action = { kind: 'click', element: 'sandbox-step-one' }
/** Marks the last gate before an output, and shows its inputs, rule and output. */
const trace: Action = { kind: 'click', element: 'circuit-trace' }
/** Steps of the sandbox after the damage within which a pattern counts as repaired. */
const repairSteps = 60
/** Accuracy of a circuit that produces its pattern with few errors. */
const formed = 0.95
/** Accuracy of a circuit that produces no pattern. */
const shapeless = 0.75
/** Epochs after which a hard circuit that still produces no pattern counts as worse than the soft one. */
const patience = 2000
/** Requirement of the steps that use the trained circuit. */
const requirement = {
  isMet: ({ accuracy, recent = accuracy }: { accuracy?: number; recent?: number }) =>
    accuracy !== undefined && recent !== undefined && Math.min(accuracy, recent) >= formed,
  text: `The circuit does not produce the pattern yet.`,
  progress: ({ accuracy }: { accuracy?: number }) =>
    accuracy === undefined
      ? null
      : `With hard gates, ${percent(accuracy)} of the cells of the training boards are correct; ${percent(formed)} are needed.`,
  action: { label: 'Train at full speed', does: train('max') },
}
/** Formats a fraction in percent; only exactly 1 is shown as 100 %. */
const percent = (share: number) =>
  share < 1 && share > 0.9995
    ? 'more than 99.9 %'
    : `${number(100 * share, share > 0.99 && share < 1 ? 2 : 1)} %`

/** Formats a loss as the chart does. */
const loss = (sum: number) => short(Number(sum.toPrecision(3)))
const counted = (epochs: number) => (epochs === 1 ? '1 epoch' : `${compact(epochs)} epochs`)
const cellsOf = (count: number) => `${number(count, 0)} ${count === 1 ? 'cell' : 'cells'}`

/** Names of the sixteen counts of gates by function. */
type Count = `f${number}`
const countName = (f: number): Count => `f${f}`
const counts = Object.fromEntries(
  gateFunctions.map((_, f): [Count, Figure] => [countName(f), { element: `gate-count-${f}` }]),
) as Readonly<Record<Count, Figure>>

/** Index of the guess that a new gate function belongs to: AND and OR with inversions, XOR and XNOR, the others. */
const groupOf = (f: number) => ({ and: 0, or: 0, xor: 1, buffer: 2, constant: 2 })[outlineOf(f)]
const outlineOf = (f: number) => (gateFunctions[f]!.name.startsWith('X') ? 'xor' : gateFunctions[f]!.outline)
/** Kinds of gate functions in the order of {@link groupOf}. */
const kinds = ['Forms of AND and OR', 'XOR and XNOR', 'NOT and constants'] as const
/** Number of changed gates from which the most frequent kind is clear. */
const enough = 10
/** Number of changed gates from which the most frequent kind is final, even if another kind is close. */
const many = 60
/** Sentences about the reason why a kind is frequent, in the order of {@link groupOf}. */
const reasons = [
  'AND, OR and forms such as A AND NOT B differ from passing one input on in only one of the four cases of two inputs.',
  'They compare two bits, which a pattern of alternating squares needs.',
  'They invert or stop a signal that disturbs the pattern.',
] as const

/** Returns whether training has continued for so long that a circuit without a pattern is an answer. */
const isLate = (epochs = 0, then = epochs): boolean => epochs - then >= patience

/** Returns a sentence about a gate: its inputs, its rule and its output; empty without a gate with two inputs. */
function tracedGate({ gate, a, b }: { gate?: number; a?: number; b?: number }): string {
  if (gate === undefined || a === undefined || b === undefined) return ''
  const { name, rule } = gateFunctions[gate]!
  return ` The marked gate, ${name}, read ${a} and ${b}: it returns 1 ${rule}, so that it returned ${valueOf(gate, a, b)}.`
}

/** Reasons for the accuracy on a large board, in the order of the guesses. */
const largeReasons = [
  'no cell depends on the size of the board: each one reads only its neighbors',
  'most neighborhoods of the large board also occur on the small one',
  'its middle is farther from the border than on the training boards, and signals from there arrive otherwise',
] as const

type Changed = ReturnType<typeof newFunctions>

/** Returns the numbers of new functions by kind, in the order of {@link groupOf}. */
function sumsOf(changed: Changed): number[] {
  const sums = [0, 0, 0]
  for (const { f, count } of changed) sums[groupOf(f)]! += count
  return sums
}

/** Returns whether more gates have changed to one kind than noise explains. */
function isClear(changed: Changed): boolean {
  const [most = 0, next = 0] = sumsOf(changed).sort((a, b) => b - a)
  return most + next >= enough && (most >= 1.5 * next || most + next >= many)
}

export const guide: Guide = [
  step({
    title: 'A picture out of noise',
    text: 'The small picture is the target: a checkerboard. It shall grow out of noise, without a plan of the whole. Each [cell](cellular-automaton) of the board sees only itself and its eight neighbors, and all cells follow the same rule. The computer has to learn this rule, and has not begun yet.',
    question: 'What does the board do before training?',
    guesses: ['A pattern grows', 'No pattern appears'],
    target: 'living-view',
    action: {
      label: 'Start from noise, without training',
      // One epoch runs the board; it changes the gates hardly at all.
      does: [
        { kind: 'restart', preset: 'checkerboard-small', held: true },
        { kind: 'single-step', until: 'update' },
      ],
    },
    figures: { epochs, accuracy },
    outcome: ({ epochs, accuracy }) => {
      if (epochs !== 1) return null
      const text =
        'No pattern appears, because the rule is not learned yet: a cell only copies what it sees. The boards stay noise, or become empty.'
      if (accuracy === undefined) return text
      const share = ` After the last step, ${percent(accuracy)} of the cells on the right board are as in the target; on an empty board, half of them are.`
      return accuracy < shapeless
        ? { text: text + share, right: 1 }
        : { text: `A pattern appears.${share}`, right: 0 }
    },
    isFinal: () => true,
  }),
  step<Count | 'epochs'>({
    title: 'Soft gates',
    text: 'The rule is a circuit of [logic gates](gate): each one reads two bits and returns one, as AND does. Training has to choose these gates by small changes, but a gate cannot become AND little by little. During training it is therefore a mixture of all 16 possible gates, each with a probability: a [soft gate](soft-gate).',
    question: 'At first each gate only passes a bit on. Which gates are the most frequent new ones?',
    guesses: kinds,
    target: 'gate-histogram',
    also: 'living-view',
    action: { label: 'Train slowly', does: train(10) },
    figures: { epochs, ...counts },
    outcome: (now, then) => {
      const { epochs } = now
      if (epochs === undefined || epochs <= (then.epochs ?? 0)) return null
      const values = gateFunctions.map((_, f) => now[countName(f)] ?? 0)
      const all = values.reduce((sum, count) => sum + count, 0)
      const changed = newFunctions(values)
      const total = changed.reduce((sum, { count }) => sum + count, 0)
      if (total === 0) return `None yet: after ${counted(epochs)} all gates still pass one input on.`
      const names = changed
        .slice(0, 3)
        .map(({ f, count }) => `${gateFunctions[f]!.name} (${number(count, 0)})`)
      const list = `${names.join(', ')}${changed.length > 3 ? ' and others' : ''}`
      const share = `${number(total, 0)} of the ${number(all, 0)} gates ${total === 1 ? 'has' : 'have'} a new most probable function`
      const rest = total < all ? '. The other gates still pass one input on' : ''
      // A list of few gates would seem to be the answer.
      if (!isClear(changed))
        return `After ${counted(epochs)}, ${share}: too few to see which kind is frequent.`
      const sums = sumsOf(changed)
      const right = sums.indexOf(Math.max(...sums))
      return {
        text: `${kinds[right]} are the most frequent. ${reasons[right]} After ${counted(epochs)}, ${share}: ${list}${rest}.`,
        right,
      }
    },
    isFinal: (now, then) =>
      (now.epochs ?? 0) > (then.epochs ?? 0) &&
      isClear(newFunctions(gateFunctions.map((_, f) => now[countName(f)] ?? 0))),
    finish: pause,
  }),
  step({
    title: 'From soft to hard',
    text: 'In the end each gate has to decide. The hard circuit takes the most probable function of each gate; it is a real circuit of [hard gates](hard-gate). Its [loss](loss) is the number of wrong bits. The mixture can be good while the hard circuit is still wrong.',
    question: 'Does the hard circuit become as good as the soft one?',
    guesses: ['Yes', 'No, it stays much worse'],
    target: 'living-view',
    also: 'accuracy',
    action: { label: 'Train until the hard circuit is right', does: train('max') },
    figures: { soft, hard, accuracy, recent, epochs, batch },
    outcome: ({ soft, hard, accuracy, recent, epochs, batch }, then) => {
      if (soft === undefined || hard === undefined || accuracy === undefined) return null
      const boards = `the ${batch === undefined ? '' : `${number(batch, 0)} `}training boards of epoch ${number(epochs ?? 0, 0)}`
      const figures = `On ${boards}, the hard circuit has ${loss(hard)} wrong bits and ${percent(accuracy)} of the cells correct; the loss of the soft circuit is ${loss(soft)}.`
      if (recent === 1 && accuracy === 1)
        return {
          text: `By epoch ${number(epochs ?? 0, 0)} the hard circuit had made no error in three evaluations in succession, because training makes a growing random share of the gates hard: the others learn to work with hard gates. Training has stopped a few epochs later.`,
          right: 0,
        }
      if (isLate(epochs, then.epochs) && accuracy < formed && hard > 2 * soft)
        return {
          text: `The gates still mix functions, and the most probable ones alone compute another result. ${figures} Training is paused.`,
          right: 1,
        }
      return soft === then.soft ? null : `Not yet. ${figures}`
    },
    isFinal: ({ soft = 0, hard = 0, accuracy = 1, recent, epochs }, then) =>
      (recent === 1 && accuracy === 1) ||
      (isLate(epochs, then.epochs) && accuracy < formed && hard > 2 * soft),
    finish: pause,
  }),
  step({
    title: 'Confidence of the gates',
    text: 'How decided are the gates? The [confidence](gate-confidence) of a gate is the probability of its most probable function. At the start it is 99.9 %, for passing one input on. While a gate moves to another function it is a mixture, and its confidence falls.',
    question: 'The pattern is formed: have the gates settled on one function each?',
    guesses: ['Nearly all', 'Most', 'Only some'],
    target: 'gate-histogram',
    setup: pause,
    requirement,
    action: { label: 'Read the confidence', does: pause },
    figures: { confidence, kept: { metric: 'gates_kept' }, epochs, accuracy, recent },
    outcome: ({ confidence, kept, epochs }) => {
      if (confidence === undefined || epochs === undefined) return null
      const gates =
        kept === undefined
          ? ''
          : kept === 0
            ? ' After simplification no gate remains: so far the circuit only moves bits.'
            : ` After simplification the hard circuit has ${number(kept, 0)} ${kept === 1 ? 'gate' : 'gates'}.`
      const right = confidence >= 0.9 ? 0 : confidence >= 0.6 ? 1 : 2
      const reason = [
        'The gates that the pattern does not need keep their first function, because their changes do not affect the loss',
        'Some gates are still mixtures, because a gate stops changing once the boards are right',
        'Many gates are still mixtures, because a gate stops changing once the boards are right',
      ][right]
      return {
        text: `The mean confidence is ${percent(confidence)} after ${counted(epochs)}. ${reason}.${gates}`,
        right,
      }
    },
    isFinal: () => true,
  }),
  step({
    title: 'The circuit',
    text: 'This is the circuit of the framed cell. The bits of the cell and its neighbors enter on the left; the next bits of the cell leave on the right. Bright lines have the value 1. The marked gate is traced: the line below the circuit states its two inputs, its rule and its output.',
    question: 'Look at the output “target”: is the framed cell filled after the next step?',
    guesses: ['Yes, the output is 1', 'No, the output is 0'],
    target: 'circuit-signals',
    requirement,
    setup: [...pause, { kind: 'click', element: 'start-as_trained' }, oneStep, trace],
    // The sandbox runs again, at its default speed.
    leave: [
      { kind: 'click', element: 'circuit-unpin', optional: true },
      { kind: 'fill', element: 'sandbox-speed', value: '3' },
    ],
    action: { label: 'Make one step', does: [...pause, trace, oneStep] },
    figures: {
      sandboxStep,
      accuracy,
      recent,
      bit: { element: 'circuit-signals', attribute: 'bit' },
      next: { element: 'circuit-signals', attribute: 'next' },
      gate: { element: 'circuit-caption', attribute: 'gate' },
      a: { element: 'circuit-caption', attribute: 'a' },
      b: { element: 'circuit-caption', attribute: 'b' },
    },
    outcome: ({ sandboxStep, bit }, then) => {
      if (sandboxStep === undefined || bit === undefined || then.next === undefined) return null
      if (sandboxStep === then.sandboxStep) return null
      const state = bit === 1 ? 'filled' : 'empty'
      // The sandbox ran, or updates cells at random times.
      if (sandboxStep !== (then.sandboxStep ?? 0) + 1 || bit !== then.next)
        return `The framed cell is ${state} at step ${sandboxStep.toLocaleString('en')}. Make another step.`
      return {
        text: `The framed cell is ${state}, because the output was ${then.next}: each output is the next bit of the cell.${tracedGate(then)}`,
        right: bit === 1 ? 0 : 1,
      }
    },
    isFinal: ({ sandboxStep, bit }, then) =>
      bit !== undefined && bit === then.next && sandboxStep === (then.sandboxStep ?? 0) + 1,
  }),
  step({
    title: 'Damage',
    text: 'The sandbox runs the hard circuit. The tool “Damage” sets cells to 0. No cell knows the whole pattern or its own place. A cell finds its place in the pattern by signals: they start at the border of the board, and spread by one cell in each step. The circle on the board is the brush of the tool.',
    question: 'Does the pattern grow back?',
    guesses: ['Yes, completely', 'Only a part of it', 'No'],
    target: 'sandbox',
    setup: pause,
    requirement,
    action: {
      label: 'Damage the middle, and watch',
      does: [
        { kind: 'click', element: 'tool-erase' },
        { kind: 'fill', element: 'brush', value: '0.8' },
        { kind: 'press', element: 'sandbox', key: 'ArrowRight' },
        { kind: 'press', element: 'sandbox', key: 'Enter' },
        // Four steps per second.
        { kind: 'fill', element: 'sandbox-speed', value: '2' },
      ],
    },
    figures: {
      strokes: { element: 'sandbox', attribute: 'strokes' },
      worst: { element: 'sandbox', attribute: 'worst' },
      wrong: { element: 'sandbox', attribute: 'wrong' },
      steps: { element: 'sandbox', attribute: 'steps' },
      accuracy,
      recent,
    },
    outcome: ({ strokes = 0, worst, wrong, steps }, then) => {
      if (strokes <= (then.strokes ?? 0) || worst === undefined || wrong === undefined || steps === undefined)
        return null
      const after = `${number(steps, 0)} ${steps === 1 ? 'step' : 'steps'} after the damage`
      if (worst > 0 && wrong === 0)
        return {
          text: `The pattern is complete ${after}; at most ${cellsOf(worst)} ${worst === 1 ? 'was' : 'were'} wrong. It returns because each cell computes its bits anew in each step, from the cells around the damage.`,
          right: 0,
        }
      if (steps < repairSteps) return `${cellsOf(wrong)} ${wrong === 1 ? 'is' : 'are'} wrong ${after}.`
      if (worst === 0) return 'The damage changed no cell, because these cells are 0 in the pattern.'
      const isPart = wrong < worst / 2
      return {
        text: `${cellsOf(wrong)} ${wrong === 1 ? 'is' : 'are'} wrong ${after}, at most ${number(worst, 0)} were. The circuit was trained on boards that begin as at the start, not on damaged ones, so that the damage can lead to other states.`,
        right: isPart ? 1 : 2,
      }
    },
    isFinal: ({ worst = 0, wrong, steps = 0 }) => (worst > 0 && wrong === 0) || steps >= repairSteps,
  }),
  step({
    title: 'Generalization',
    text: 'Does the circuit also work where it was not trained? The tests use larger boards, damaged boards, and cells that are updated at random times, [asynchronously](fire-rate).',
    question: 'Is a circuit that was trained on a small board correct on a large one?',
    guesses: ['Yes, in all cells', 'In most cells', 'No'],
    target: 'circuit-tests',
    setup: pause,
    requirement,
    action: { label: 'Run the tests', does: [{ kind: 'click', element: 'evaluate' }] },
    figures: {
      accuracy,
      recent,
      trained: { element: 'test-accuracy' },
      large: { element: 'test-generalization_64' },
      largest: { element: 'test-generalization_1024' },
      damaged: { element: 'test-damage' },
      boards: { element: 'circuit-tests', attribute: 'boards' },
      epochs,
    },
    outcome: ({ trained, large, largest, damaged, boards, epochs }) => {
      if (trained === undefined) return null
      const when = epochs === undefined ? '' : ` after ${counted(epochs)}`
      const small = `The hard circuit${when} computes ${percent(trained)} of the cells correctly on ${boards === undefined ? '' : `${number(boards, 0)} `}new boards of the trained size`
      const repair =
        damaged === undefined
          ? ''
          : ` On new boards of the trained size it computes ${percent(damaged)} correctly after damage.${damaged < 1 ? ' The asynchronous preset trains a circuit that also repairs damage.' : ''}`
      if (large === undefined) return `${small}.${repair}`
      const right = large === 1 ? 0 : large >= 0.9 ? 1 : 2
      const onLargest =
        largest === undefined || largest === large
          ? ''
          : ` On one board of 1024×1024 cells it is ${percent(largest)}: ${
              largest > large
                ? 'wrong cells lie in lines, which are a smaller share of a larger board'
                : 'most of its cells are much farther from the border'
            }.`
      return {
        text: `${small}, and ${percent(large)} on one board of 64×64 cells: ${largeReasons[right]}.${onLargest}${repair}`,
        right,
      }
    },
    summary: {
      learned: [
        'Training by gradients has chosen the function of each gate; the result is a circuit of plain logic.',
        'All cells have the same circuit and see only their neighbors, yet together they draw a pattern.',
        'The circuit works on larger boards, because no gate depends on the size.',
      ],
      next: {
        label: 'Train the Game of Life',
        does: [{ kind: 'restart', preset: 'life' }, ...trainFast],
        target: 'living-view',
      },
    },
  }),
]

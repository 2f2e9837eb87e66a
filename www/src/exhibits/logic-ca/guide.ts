/** Guided path of the logic automaton: soft gates become hard gates; damage and regeneration (Miotti et al. 2025). */
import { compact, number, short } from '../../lib/format'
import { step, type Action, type Figure, type Guide } from '../shared/guide/guide'
import { gateFunctions, newFunctions } from './circuit/functions'

const epochs: Figure = { progress: 'steps' }
const soft: Figure = { metric: 'soft_loss' }
const hard: Figure = { metric: 'hard_loss' }
const accuracy: Figure = { metric: 'hard_accuracy' }
const confidence: Figure = { metric: 'decidedness' }
const sandboxStep: Figure = { element: 'sandbox-step' }
const train = (speed: number | 'max'): readonly Action[] => [
  { kind: 'speed', speed },
  { kind: 'learn', on: true },
]
const oneStep: Action = { kind: 'click', element: 'sandbox-step-one' }
/** Steps of the sandbox after the damage within which a pattern counts as repaired. */
const repairSteps = 60
/** Accuracy of a circuit that produces its pattern with few errors. */
const formed = 0.95
/** Accuracy of a circuit that produces no pattern. */
const shapeless = 0.75
/** Requirement of the steps that use the trained circuit. */
const requirement = {
  isMet: ({ accuracy }: { accuracy?: number }) => accuracy !== undefined && accuracy >= formed,
  text: `The circuit does not produce the pattern yet.`,
  progress: ({ accuracy }: { accuracy?: number }) =>
    accuracy === undefined
      ? null
      : `${percent(accuracy)} of the cells are correct; ${percent(formed)} are needed.`,
  action: { label: 'Train at full speed', does: train('max') },
}
/** Formats a fraction in percent; only exactly 1 is shown as 100 %. */
const percent = (share: number) =>
  share < 1 && share > 0.9995 ? 'more than 99.9 %' : `${number(100 * share, 1)} %`

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
const kinds = ['AND, OR and their relatives', 'XOR and XNOR', 'NOT and constants'] as const
/** Number of changed gates from which the most frequent kind is clear. */
const enough = 10

export const guide: Guide = [
  step({
    title: 'One circuit for all cells',
    text: 'A picture shall grow out of noise, without a plan of the whole. Each [cell](cellular-automaton) of the board is a small computer with a few bits. In every step it looks only at its neighbors and computes its next bits, with a circuit of [logic gates](gate) that is the same for all cells.',
    question: 'What does the board do before training?',
    guesses: ['A pattern grows', 'No pattern appears'],
    target: 'living-view',
    action: {
      label: 'Start from noise, without training',
      // One epoch runs the board; it changes the gates hardly at all.
      does: [
        { kind: 'restart', held: true },
        { kind: 'single-step', until: 'update' },
      ],
    },
    figures: { epochs, accuracy },
    outcome: ({ epochs, accuracy }) => {
      if (epochs !== 1) return null
      const text =
        'No pattern appears. All gates are pass-throughs: each returns one of its two inputs, so that the circuit only moves bits. The boards stay noise, or become empty when the bits leave them.'
      if (accuracy === undefined) return text
      const share = ` After the last step, ${percent(accuracy)} of the cells are as in the target.`
      return accuracy < shapeless
        ? { text: text + share, right: 1 }
        : { text: `A pattern appears.${share}`, right: 0 }
    },
  }),
  step<Count | 'epochs'>({
    title: 'Soft gates',
    text: 'Which gate belongs where? A gate such as AND cannot change a little, but learning needs small changes. During training each gate is therefore a mixture of all 16 possible gates with two inputs, each with a probability: a [soft gate](soft-gate). Training shifts the probabilities.',
    question: 'Which functions become probable first?',
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
      if (total < enough) return `After ${counted(epochs)}, only ${share}: ${list}${rest}.`
      const sums = [0, 0, 0]
      for (const { f, count } of changed) sums[groupOf(f)]! += count
      const right = sums.indexOf(Math.max(...sums))
      return {
        text: `${kinds[right]} are the most frequent. After ${counted(epochs)}, ${share}: ${list}${rest}.`,
        right,
      }
    },
  }),
  step({
    title: 'From soft to hard',
    text: 'In the end each gate has to decide. The hard circuit takes the most probable function of each gate; it is a real circuit of [hard gates](hard-gate). Its [loss](loss) is the number of wrong bits. The mixture can be good while the hard circuit is still wrong.',
    question: 'Does the hard circuit become as good as the soft one?',
    guesses: ['Yes', 'No, it stays much worse'],
    target: 'living-view',
    also: 'accuracy',
    action: { label: 'Train at full speed', does: train('max') },
    figures: { soft, hard, accuracy },
    outcome: ({ soft, hard, accuracy }, then) => {
      if (soft === undefined || hard === undefined || accuracy === undefined || soft === then.soft)
        return null
      const figures = `The loss over all training boards is ${loss(hard)} with hard gates, as many wrong bits, and ${loss(soft)} with soft gates; ${percent(accuracy)} of the cells are correct with hard gates.`
      return accuracy >= formed ? { text: figures, right: 0 } : `Not yet. ${figures}`
    },
    isFinal: ({ accuracy }) => accuracy === 1,
    finish: [{ kind: 'learn', on: false }],
  }),
  step({
    title: 'Confidence of the gates',
    text: 'How decided are the gates? The [confidence](gate-confidence) of a gate is the probability of its most probable function. When all gates are confident, the mixture and the hard circuit compute nearly the same. At the start all gates just pass one input through, with high confidence.',
    question: 'Once the pattern is formed, have the gates settled on one function each?',
    guesses: ['Nearly all', 'Most', 'Only some'],
    target: 'gate-histogram',
    action: { label: 'Continue training', does: train('max') },
    figures: { confidence, kept: { metric: 'gates_kept' }, epochs, accuracy },
    outcome: ({ confidence, kept, epochs, accuracy }, then) => {
      if (confidence === undefined || epochs === undefined || epochs <= (then.epochs ?? 0)) return null
      const gates =
        kept === undefined
          ? ''
          : kept === 0
            ? ' After simplification no gate remains: so far the circuit only moves bits.'
            : ` After simplification the hard circuit has ${number(kept, 0)} ${kept === 1 ? 'gate' : 'gates'}.`
      const figures = `the mean confidence is ${percent(confidence)} after ${counted(epochs)}.${gates}`
      if (accuracy === undefined || accuracy < formed) return `The pattern is not formed yet: ${figures}`
      const right = confidence >= 0.9 ? 0 : confidence >= 0.6 ? 1 : 2
      return { text: `${['Nearly all have', 'Most have', 'Only some have'][right]}: ${figures}`, right }
    },
  }),
  step({
    title: 'The circuit',
    text: 'This is what was learned: a circuit that could be built from chips. The bits of the neighbors go in on the left, the next bits of the cell come out on the right. Wires with value 1 are bright. Select a [gate](gate) to see what it computes.',
    question: 'How many bits of one cell does the next step change?',
    guesses: ['None', 'Some', 'All'],
    target: 'circuit',
    requirement,
    // The sandbox runs again, at its default speed.
    leave: [{ kind: 'fill', element: 'sandbox-speed', value: '3' }],
    action: {
      // The cells of a complete pattern do not change any more.
      label: 'Restart the sandbox, and make one step',
      does: [{ kind: 'click', element: 'start-as_trained' }, oneStep],
    },
    figures: {
      sandboxStep,
      accuracy,
      changing: { element: 'circuit-signals', attribute: 'changing' },
      bits: { element: 'circuit-signals', attribute: 'bits' },
    },
    outcome: ({ sandboxStep, changing, bits }) => {
      // The board may make a step between the restart and the pause.
      if (sandboxStep === undefined || sandboxStep === 0 || sandboxStep > 3) return null
      if (changing === undefined || bits === undefined) return null
      const at = ` The sandbox is at step ${sandboxStep.toLocaleString('en')}.`
      if (changing === 0)
        return {
          text: `The next step changes none of its ${number(bits, 0)} bits: the circuit returns the bits that this cell has already, as for each cell of a complete pattern. Other cells may change.${at}`,
          right: 0,
        }
      return {
        text: `The next step changes ${changing === bits ? `all ${number(bits, 0)}` : `${number(changing, 0)} of its ${number(bits, 0)}`} bits.${at}`,
        right: changing === bits ? 2 : 1,
      }
    },
  }),
  step({
    title: 'Damage',
    text: 'The sandbox runs the hard circuit. The tool “Damage” sets cells to 0. No cell knows the whole pattern: each cell reads only its eight neighbors and itself. The circle on the board is the brush of the tool. A square frame marks the cell whose bits the circuit below shows, while the circuit is in view.',
    question: 'Does the pattern grow back?',
    guesses: ['Yes, completely', 'Only a part of it', 'No'],
    target: 'sandbox',
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
    },
    outcome: ({ strokes = 0, worst, wrong, steps }, then) => {
      if (strokes <= (then.strokes ?? 0) || worst === undefined || wrong === undefined || steps === undefined)
        return null
      const after = `${number(steps, 0)} ${steps === 1 ? 'step' : 'steps'} after the damage`
      if (worst > 0 && wrong === 0)
        return {
          text: `All cells are right again ${after}, which had made ${cellsOf(worst)} wrong.`,
          right: 0,
        }
      if (steps < repairSteps) return `${cellsOf(wrong)} ${wrong === 1 ? 'is' : 'are'} wrong ${after}.`
      if (worst === 0) return 'The damage changed no cell, because these cells are 0 in the pattern.'
      const isPart = wrong < worst / 2
      return {
        text: `${cellsOf(wrong)} ${wrong === 1 ? 'is' : 'are'} wrong ${after}, at most ${number(worst, 0)} were.`,
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
    requirement,
    action: { label: 'Run the tests', does: [{ kind: 'click', element: 'evaluate' }] },
    figures: {
      accuracy,
      trained: { element: 'test-accuracy' },
      large: { element: 'test-generalization_64' },
      damaged: { element: 'test-damage' },
    },
    outcome: ({ trained, large, damaged }) => {
      if (trained === undefined) return null
      const repair =
        damaged === undefined
          ? ''
          : ` After damage, ${percent(damaged)} are.${damaged < 1 ? ' The asynchronous preset trains a circuit that also repairs damage.' : ''}`
      const small = `As trained, ${percent(trained)} of the cells are correct.`
      if (large === undefined) return `${small}${repair}`
      const right = large === 1 ? 0 : large >= 0.9 ? 1 : 2
      return {
        text: `On a board of 64×64 cells ${percent(large)} are correct. ${small}${repair}`,
        right,
      }
    },
  }),
]

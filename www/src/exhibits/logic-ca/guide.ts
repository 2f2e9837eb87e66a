/** Guided path of the logic automaton: soft gates become hard gates; damage and regeneration (Miotti et al. 2025). */
import { compact, number } from '../../lib/format'
import { step, type Action, type Figure, type Guide } from '../shared/guide/guide'

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
/** Steps of the sandbox after the damage: the steps of a rollout in training. */
const regeneration = 20
/** Accuracy of a circuit that produces its pattern with few errors. */
const formed = 0.95
/** Requirement of the steps that use the trained circuit. */
const requirement = {
  isMet: ({ accuracy }: { accuracy?: number }) => accuracy !== undefined && accuracy >= formed,
  text: `The circuit does not produce the pattern yet. Train it until ${100 * formed} % of the cells are correct.`,
  action: { label: 'Train at full speed', does: train('max') },
}
/** Formats a fraction in percent; only exactly 1 is shown as 100 %. */
const percent = (share: number) =>
  share < 1 && share > 0.9995 ? 'more than 99.9 %' : `${number(100 * share, 1)} %`

const counted = (epochs: number) => (epochs === 1 ? '1 epoch' : `${compact(epochs)} epochs`)

export const guide: Guide = [
  step({
    title: 'One circuit for all cells',
    text: 'A picture shall grow out of noise, without a plan of the whole. Each [cell](cellular-automaton) of the board is a small computer with a few bits. In every step it looks only at its neighbors and computes its next bits, with a circuit of [logic gates](gate) that is the same for all cells.',
    question: 'What does the board do before training?',
    target: 'living-view',
    action: {
      label: 'Start over, without learning',
      does: [{ kind: 'restart', held: true }],
    },
    figures: { epochs },
    outcome: ({ epochs }) =>
      epochs === 0
        ? 'All gates are pass-throughs: each returns one of its two inputs. The circuit only moves bits, and no pattern appears.'
        : null,
  }),
  step({
    title: 'Soft gates',
    text: 'Which gate belongs where? A gate such as AND cannot change a little, but learning needs small changes. During training each gate is therefore a mixture of all 16 possible gates with two inputs, each with a probability: a [soft gate](soft-gate). Training shifts the probabilities.',
    question: 'Which Boolean functions become probable?',
    target: 'gate-histogram',
    action: { label: 'Train slowly', does: train(5) },
    figures: { epochs, soft },
    outcome: ({ epochs, soft }, then) =>
      epochs !== undefined && soft !== undefined && epochs > (then.epochs ?? 0)
        ? `The longest bars of the histogram: it counts the most probable function of each gate. After ${counted(epochs)} the error of the soft circuit is ${number(soft, 1)}.`
        : null,
  }),
  step({
    title: 'From soft to hard',
    text: 'In the end each gate has to decide. The hard circuit takes the most probable function of each gate; it is a real circuit of [hard gates](hard-gate). Its [loss](loss) is the number of wrong bits. The mixture can be good while the hard circuit is still wrong.',
    question: 'Does the hard loss follow the soft loss?',
    target: 'accuracy',
    action: { label: 'Train at full speed', does: train('max') },
    figures: { soft, hard, accuracy },
    outcome: ({ soft, hard, accuracy }, then) =>
      soft !== undefined && hard !== undefined && accuracy !== undefined && soft !== then.soft
        ? `The soft loss is ${number(soft, 1)}, the hard loss ${number(hard, 0)} bits; ${percent(accuracy)} of the cells are correct with hard gates.`
        : null,
  }),
  step({
    title: 'Confidence of the gates',
    text: 'How decided are the gates? The [confidence](gate-confidence) of a gate is the probability of its most probable function. When all gates are confident, the mixture and the hard circuit compute nearly the same. At the start all gates just pass one input through, with high confidence.',
    question: 'Do the gates settle on one function each?',
    target: 'gate-histogram',
    action: { label: 'Continue training', does: train('max') },
    figures: { confidence, kept: { metric: 'gates_kept' }, epochs },
    outcome: ({ confidence, kept, epochs }, then) =>
      confidence !== undefined && epochs !== undefined && epochs > (then.epochs ?? 0)
        ? `The mean confidence is ${percent(confidence)} after ${counted(epochs)}.${
            kept === undefined
              ? ''
              : kept === 0
                ? ' After simplification no gate remains: so far the circuit only moves bits.'
                : ` After simplification the hard circuit has ${number(kept, 0)} ${kept === 1 ? 'gate' : 'gates'}.`
          }`
        : null,
  }),
  step({
    title: 'The circuit',
    text: 'This is what was learned: a circuit that could be built from chips. The bits of the neighbors go in on the left, the next bits of the cell come out on the right. Select a [gate](gate) to see what it computes.',
    question: 'How does the signal of one cell change from step to step?',
    target: 'circuit',
    requirement,
    action: {
      label: 'Make one step of the sandbox',
      does: [oneStep],
    },
    figures: { sandboxStep, accuracy },
    outcome: ({ sandboxStep }, then) =>
      sandboxStep !== undefined && sandboxStep !== then.sandboxStep
        ? `The sandbox is at step ${sandboxStep.toLocaleString('en')}. Wires with value 1 are bright.`
        : null,
  }),
  step({
    title: 'Damage',
    text: 'The sandbox runs the hard circuit. The tool “Damage” sets cells to 0. No cell knows the whole pattern: each cell reads only its eight neighbors and itself.',
    question: 'Does the pattern grow back?',
    target: 'sandbox',
    requirement,
    action: {
      label: `Damage the middle and make ${regeneration} steps`,
      does: [
        { kind: 'click', element: 'tool-erase' },
        { kind: 'press', element: 'sandbox', key: 'ArrowRight' },
        { kind: 'press', element: 'sandbox', key: 'Enter' },
        ...Array.from({ length: regeneration }, () => oneStep),
      ],
    },
    figures: { sandboxStep, accuracy },
    outcome: ({ sandboxStep, accuracy }, then) =>
      sandboxStep !== undefined &&
      then.sandboxStep !== undefined &&
      sandboxStep >= then.sandboxStep + regeneration
        ? `After the damage, the sandbox made ${regeneration} steps and paused. ${
            accuracy === 1
              ? 'The neighbors of the damaged cells restore them if the circuit generalizes to damage.'
              : 'The circuit is not fully trained yet, so that the pattern may not return.'
          }`
        : null,
  }),
  step({
    title: 'Generalization',
    text: 'Does the circuit also work where it was not trained? The tests use larger boards, damaged boards, and cells that are updated at random times, [asynchronously](fire-rate).',
    question: 'Is a circuit that was trained on a small board correct on a large one?',
    target: 'evaluate',
    requirement,
    action: { label: 'Run the tests', does: [{ kind: 'click', element: 'evaluate' }] },
    figures: {
      accuracy,
      trained: { element: 'test-accuracy' },
      large: { element: 'test-generalization_64' },
      damaged: { element: 'test-damage' },
    },
    outcome: ({ trained, large, damaged }) =>
      trained !== undefined
        ? `As trained, ${percent(trained)} of the cells are correct${large === undefined ? '' : `; on a board of 64×64 cells, ${percent(large)}`}${damaged === undefined ? '' : `; after damage, ${percent(damaged)}`}. The asynchronous preset trains a circuit that also repairs damage.`
        : null,
  }),
]

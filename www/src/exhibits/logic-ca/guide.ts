/** Guided path of the logic automaton: soft gates become hard gates; damage and regeneration (Miotti et al. 2025). */
import { compact, number } from '../../lib/format'
import { ranges, step, trainFast, type Action, type Figure, type Guide } from '../shared/guide/guide'
import { quarterNames } from './messages'
import { gateFunctions, passesThrough } from './circuit/functions'

const pause: readonly Action[] = [{ kind: 'learn', on: false }]
const epochs: Figure = { progress: 'steps' }
const accuracy: Figure = { metric: 'hard_accuracy' }
/** Mean accuracy of the last three evaluations: 1 only if all of them are without error. */
const recent: Figure = { recent: 'hard_accuracy' }
/** Share of the cells of the sandbox that are as in the target. */
const matching: Figure = { element: 'sandbox-target' }
/** Step of the sandbox that {@link matching} belongs to. */
const shownStep: Figure = { element: 'sandbox-target', attribute: 'step' }
/** Steps of the sandbox since the damage; unknown until the page shows the damaged board. */
const stepsSinceDamage: Figure = { element: 'sandbox', attribute: 'steps' }
/** Pauses training; the boards beside the answer show the last step. */
const restingBoards: readonly Action[] = [
  ...pause,
  { kind: 'reach', figure: { element: 'rollout-step', attribute: 'rests' }, value: 1 },
]
/** Preset of the guide. */
const small = 'checkerboard-small'
const train = (speed: number | 'max'): readonly Action[] => [
  { kind: 'speed', speed },
  { kind: 'learn', on: true },
]
/** Resets the sandbox to the noise of training. */
const fromNoise: Action = { kind: 'click', element: 'start-as_trained' }
/** Runs the sandbox at its default speed. */
const usualSpeed: Action = { kind: 'fill', element: 'sandbox-speed', value: '3' }
const oneStep: Action = { kind: 'click', element: 'sandbox-step-one' }
/** Pauses the sandbox, so that it stays as the outcome describes it. */
const pauseSandbox: Action = {
  kind: 'unless',
  figure: { element: 'sandbox-pause', attribute: 'paused' },
  is: 1,
  does: [{ kind: 'click', element: 'sandbox-pause' }],
}
/** Shows the target channels of the sandbox, which can be compared with the target. */
const targetChannel: Action = { kind: 'click', element: 'channel-target', optional: true }
/** Steps of the sandbox from noise after which the pattern of a trained circuit is complete. */
const grownSteps = 40
/** Resets the sandbox to the noise of training, and pauses it when the pattern is complete. */
const grow: readonly Action[] = [
  fromNoise,
  // 60 steps per second.
  { kind: 'fill', element: 'sandbox-speed', value: '6' },
  { kind: 'reach', figure: shownStep, value: grownSteps },
  { kind: 'click', element: 'sandbox-pause' },
]
/** Resets the sandbox to the noise of training, and pauses it there. */
const heldNoise: readonly Action[] = [targetChannel, oneStep, fromNoise]
/** Marks the last gate before an output, and shows its inputs, rule and output. */
const trace: Action = { kind: 'click', element: 'circuit-trace' }
/** Shows the trained gates in the histogram. */
const allGates: Action = { kind: 'click', element: 'gates-all' }
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
    : `${number(100 * share, share === 1 ? 0 : share > 0.99 ? 2 : 1)} %`

const counted = (epochs: number) => (epochs === 1 ? '1 epoch' : `${compact(epochs)} epochs`)
const stepsOf = (count: number) => `${number(count, 0)} ${count === 1 ? 'step' : 'steps'}`
const cellsOf = (count: number) => `${number(count, 0)} ${count === 1 ? 'cell' : 'cells'}`

/** Names of the sixteen counts of gates by function. */
type Count = `f${number}`
const countName = (f: number): Count => `f${f}`
const counts = Object.fromEntries(
  gateFunctions.map((_, f): [Count, Figure] => [countName(f), { element: `gate-count-${f}` }]),
) as Readonly<Record<Count, Figure>>

/** Accuracy of the hard circuit from which the picture is visible. */
const visible = 0.9
/** Epochs until the picture is visible, as guesses. */
const appearance = ranges([100, 300, 1000], (count) => number(count, 0))
/** Epochs after which training pauses without a picture: the last guess is right. */
const mostRounds = 1000
/** Epochs until {@link visible} of most runs of the small board with seeds 0 to 8. */
const otherRuns = 'Each run draws other wires between the gates: most of our runs needed 200 to 1,200 epochs.'

/** Number of gates after simplification, as guesses. */
const remaining = ranges([20, 50], (count) => number(count, 0))

/** Returns a sentence about the constants that stay after simplification; empty without one. */
const keptConstants = (count: number): string =>
  count === 0
    ? ''
    : ` ${count === 1 ? 'One gate is a constant, which stays as an output: a bit of the cell that never changes' : `${number(count, 0)} gates are constants, which stay as outputs: bits of the cell that never change`}.`

/** Returns whether training has continued for so long that a circuit without a pattern is an answer. */
const isLate = (epochs = 0, then = epochs): boolean => epochs - then >= patience

/** Steps between the first and the last complete quarter from which the pattern spreads over the board. */
const spread = 3

/** Returns a sentence about the visible bits of the neighborhood on which the next bit of the picture depends. */
const readBits = (visible: number | undefined) =>
  visible === undefined || visible > 0
    ? 'The gates before it also read hidden bits, which were not inverted.'
    : 'Follow the lines to the left: the gates before it read hidden bits only, which were not inverted.'

/** Side of the large board. */
const largeSide = 64
/** Steps of the sandbox after which the large board no longer changes much. */
const largeSteps = 300
/** Reasons for the share of correct cells on a large board, in the order of the guesses. */
const largeReasons = [
  'The rule reads only neighbors, so that the same rule works on boards of any size.',
  'Most neighborhoods of the large board also occur on the small one.',
  'Its middle is farther from the border than on the training boards, so that messages arrive otherwise.',
] as const

/** Steps after which the noise of the untrained rule is judged: a bit crosses the board of 8×8 cells. */
const crossing = 8

export const guide: Guide = [
  step({
    title: 'A picture out of noise',
    text: 'The large board starts as noise: each [cell](cellular-automaton) is filled or empty at random. It has to become the small picture, the target: a checkerboard. In each step all cells change by the same rule. A cell reads only itself and its eight neighbors, never the whole board. Training has to find a rule that makes the target. It has not begun yet.',
    question: 'What becomes of the noise without training?',
    guesses: ['The checkerboard', 'No checkerboard'],
    usually: 'no checkerboard appears: the untrained rule only copies each cell to a neighbor.',
    target: 'sandbox',
    also: 'sandbox-target',
    hidesPicture: true,
    shows: [],
    setup: [...pause, ...heldNoise],
    leave: [usualSpeed],
    action: {
      label: 'Run the untrained rule',
      does: [
        { kind: 'restart', preset: small, held: true },
        fromNoise,
        // Two steps per second.
        { kind: 'fill', element: 'sandbox-speed', value: '1' },
      ],
    },
    figures: { step: shownStep, matching },
    outcome: ({ step = 0, matching }) => {
      if (matching === undefined || step < crossing) return null
      const share = `After ${number(step, 0)} steps, ${percent(matching)} of the cells are as in the target`
      return matching < shapeless
        ? {
            text: `${share}: half of the target is empty, so that an empty board also has ${percent(0.5)}. The untrained rule only copies each cell to a neighbor, so that the noise moves off the board.`,
            right: 1,
          }
        : { text: `The rule makes the pattern. ${share}.`, right: 0 }
    },
    isFinal: () => true,
    finish: [pauseSandbox],
  }),
  step({
    title: 'A rule made of gates',
    text: 'The rule is a circuit of [logic gates](gate). Each gate reads two bits and returns one: AND, for example, returns 1 only if both are 1. At first, all gates only pass a bit on. Training runs in rounds, called [epochs](epoch). In each one the rule runs from noise, and the gates change a little, so that the board comes closer to the target. Watch the board “Hard gates”, which shows the rule at work.',
    question: 'After how many epochs does the picture appear?',
    usually: 'the picture appears after 200 to 1,200 epochs.',
    guesses: appearance.guesses,
    target: 'living-view',
    also: 'accuracy',
    shows: ['accuracy'],
    action: {
      label: 'Train from the start',
      does: [
        // The picture of a trained rule is already there.
        { kind: 'unless', figure: epochs, is: 0, does: [{ kind: 'restart', preset: small, held: true }] },
        ...train(25),
      ],
    },
    figures: { accuracy, epochs },
    progress: ({ epochs = 0 }) => epochs / mostRounds,
    outcome: ({ accuracy, epochs = 0 }, _, find) => {
      const appeared = find?.('hard_accuracy', ({ value }) => value >= visible)
      if (appeared)
        return {
          text: `In epoch ${number(appeared.steps, 0)}, at least ${percent(visible)} of the cells were as in the target for the first time. ${otherRuns}`,
          right: appearance.indexOf(appeared.steps),
        }
      if (accuracy === undefined) return null
      const figures = `${percent(accuracy)} of the cells are as in the target after ${counted(epochs)}`
      return epochs >= mostRounds
        ? { text: `Not yet: ${figures}. ${otherRuns}`, right: appearance.indexOf(epochs) }
        : `Not yet: ${figures}. An empty board also has ${percent(0.5)}.`
    },
    isFinal: ({ epochs = 0 }, _, find) =>
      epochs >= mostRounds || find?.('hard_accuracy', ({ value }) => value >= visible) !== undefined,
    finish: restingBoards,
  }),
  step({
    title: 'Soft and hard gates',
    text: 'How can a gate change little by little? In training, it is a mixture of all 16 kinds: a [soft gate](soft-gate). It returns numbers between 0 and 1, drawn as dots. Training shifts the mixtures until the board “Soft gates” becomes the target. On the board “Hard gates”, each gate is only the largest part of its mixture: a [hard gate](hard-gate). What counts is the last step of the boards.',
    question: 'Training continues. Do the hard gates make the target in the end?',
    guesses: ['Yes, without an error', 'No, some cells stay wrong'],
    usually: 'the hard gates make the target in the end, without an error.',
    target: 'living-view',
    also: 'accuracy',
    shows: ['accuracy'],
    action: { label: 'Train at full speed', does: train('max') },
    figures: { accuracy, recent, epochs, boards: { field: 'task.batch' } },
    outcome: ({ accuracy, recent, epochs, boards }, then) => {
      if (accuracy === undefined || epochs === undefined) return null
      if (recent === 1 && accuracy === 1)
        return {
          text: `By epoch ${number(epochs, 0)}, the hard gates had made no error in three tests in succession${boards === undefined ? '' : `, each on ${number(boards, 0)} boards of new noise`}. The boards show their last step.`,
          right: 0,
        }
      const figures = `With hard gates, ${percent(accuracy)} of the cells are as in the target after ${counted(epochs)}.`
      if (isLate(epochs, then.epochs) && accuracy < formed)
        return {
          text: `${figures} The gates are still mixtures, whose largest parts alone compute another result.`,
          right: 1,
        }
      return epochs === then.epochs
        ? null
        : `Not yet: three tests in succession without an error are needed. ${figures}`
    },
    isFinal: ({ accuracy = 1, recent, epochs }, then) =>
      (recent === 1 && accuracy === 1) || (isLate(epochs, then.epochs) && accuracy < formed),
    finish: restingBoards,
  }),
  step<Count | 'kept' | 'zeros' | 'ones' | 'accuracy' | 'recent'>({
    title: 'Few gates remain',
    text: 'There are 16 kinds of gates, and each row counts one kind in the trained rule. Are all these gates needed? A gate that only passes an input on, A or B, is a wire. Some gates return the same bit always, or read such a constant. Others are read by no gate, or repeat another one. A NOT becomes a part of the gate that reads it, which changes the kind of that gate. Without all these, the circuit computes exactly the same.',
    question: 'How many gates remain after that?',
    guesses: remaining.guesses,
    usually: 'only a few dozen of several hundred gates remain.',
    target: 'gate-histogram',
    hidesPicture: true,
    shows: ['gates-simplified'],
    setup: [...pause, allGates],
    leave: [allGates],
    requirement,
    action: {
      label: 'Remove the gates without effect',
      does: [...pause, { kind: 'click', element: 'gates-simplified' }],
    },
    figures: {
      kept: { metric: 'gates_kept' },
      zeros: { element: 'gate-count-0', attribute: 'kept' },
      ones: { element: 'gate-count-15', attribute: 'kept' },
      accuracy,
      recent,
      ...counts,
    },
    outcome: (now) => {
      const { kept, zeros, ones } = now
      // The rows follow the simplified circuit.
      if (kept === undefined || zeros === undefined || ones === undefined) return null
      const values = gateFunctions.map((_, f) => now[countName(f)] ?? 0)
      const all = values.reduce((sum, count) => sum + count, 0)
      if (all === 0) return null
      const passing = values.reduce((sum, count, f) => (passesThrough(f) ? sum + count : sum), 0)
      return {
        text: `Of the ${number(all, 0)} trained gates, ${number(passing, 0)} are wires, and ${number(all - passing - kept, 0)} others are not needed: ${number(kept, 0)} remain.${keptConstants(zeros + ones)}`,
        right: remaining.indexOf(kept),
      }
    },
    isFinal: () => true,
  }),
  step({
    title: 'The circuit',
    text: 'These gates compute the framed cell. Left: what they read, the bits of the cell and its eight neighbors. Each cell has one visible bit, its part of the picture, and hidden bits: its [channels](channel). Right: the bits that it gets next. Colored lines carry 1. Pale gates do not affect the next visible bit. The button inverts the visible bits of the framed cell and its neighbors.',
    question: 'The visible bit of the framed cell is wrong then. Which one does it get next?',
    guesses: ['The right one', 'The wrong one again'],
    usually: 'the cell gets the right bit again.',
    target: 'circuit-signals',
    hidesPicture: true,
    shows: [],
    // The marked gate belongs to the circuit before training.
    requirement: { ...requirement, finish: [...grow, trace] },
    setup: [...pause, targetChannel, ...grow, trace],
    leave: [
      { kind: 'click', element: 'circuit-unpin', optional: true },
      { kind: 'click', element: 'tool-erase' },
      usualSpeed,
    ],
    action: {
      label: 'Invert the middle',
      does: [
        ...pause,
        // An inverted pattern would be inverted back.
        { kind: 'unless', figure: matching, is: 1, does: grow },
        { kind: 'click', element: 'tool-invert' },
        // Wide enough for the neighbors of a cell beside the middle.
        { kind: 'fill', element: 'brush', value: '0.72' },
        { kind: 'press', element: 'sandbox', key: 'Home' },
        { kind: 'press', element: 'sandbox', key: 'Enter' },
        { kind: 'reach', figure: stepsSinceDamage, value: 0 },
      ],
    },
    figures: {
      accuracy,
      recent,
      strokes: { element: 'sandbox', attribute: 'strokes' },
      steps: stepsSinceDamage,
      bit: { element: 'circuit-signals', attribute: 'bit' },
      next: { element: 'circuit-signals', attribute: 'next' },
      wanted: { element: 'circuit-signals', attribute: 'wanted' },
      visible: { element: 'circuit-signals', attribute: 'visible' },
    },
    outcome: ({ strokes = 0, steps, bit, next, wanted, visible }, then) => {
      if (strokes <= (then.strokes ?? 0) || steps === undefined) return null
      // The page may still show the board before the inversion.
      if (wanted === undefined || bit === wanted || next === undefined) return null
      const inverted = `The visible bit of the framed cell is ${1 - wanted} now`
      return next === wanted
        ? {
            text: `${inverted}, but the next step makes it ${next} again: see “visible” at the right. ${readBits(visible)}`,
            right: 0,
          }
        : { text: `${inverted}, and stays ${next}: the gates also read visible bits.`, right: 1 }
    },
    isFinal: () => true,
  }),
  step({
    title: 'From the border inward',
    text: 'How does a cell know its place on the board? Only the border differs: a cell there reads 0 instead of the neighbors that are missing. From there, messages move from cell to cell. The button starts from noise. A cell gets a number when it is final: the number of steps until then, the largest of eight runs from different noise. Right: the longest way of a message, which ends at the framed cell.',
    question: 'Where is the picture complete first?',
    guesses: ['In all quarters at once', 'In one quarter, then in others'],
    usually: 'one quarter is complete first, then the others.',
    target: 'messages',
    hidesPicture: true,
    shows: [],
    setup: [...pause, targetChannel],
    requirement,
    action: {
      label: 'Grow the pattern slowly',
      does: [...pause, { kind: 'click', element: 'messages-run' }],
    },
    figures: {
      step: { element: 'messages', attribute: 'step' },
      last: { element: 'messages', attribute: 'last' },
      upperLeft: { element: 'messages', attribute: 'upperLeft' },
      upperRight: { element: 'messages', attribute: 'upperRight' },
      lowerLeft: { element: 'messages', attribute: 'lowerLeft' },
      lowerRight: { element: 'messages', attribute: 'lowerRight' },
      accuracy,
      recent,
    },
    progress: ({ step = 0, last = 1 }) => step / last,
    outcome: ({ step = 0, last, ...now }) => {
      if (last === undefined || step < last) return null
      const quarters = [now.upperLeft, now.upperRight, now.lowerLeft, now.lowerRight]
      const steps = quarters.filter((quarter) => quarter !== undefined)
      if (steps.length === 0)
        return 'The board did not become as the target: the rule still makes errors. More training can remove them.'
      const [least, most] = [Math.min(...steps), Math.max(...steps)]
      const [first, final] = [least, most].map((each) => quarterNames[quarters.indexOf(each)]!)
      return most - least < spread
        ? {
            text: `All quarters are complete after ${least} to ${stepsOf(most)} in all eight runs.`,
            right: 0,
          }
        : {
            text: `The ${first} quarter is complete after ${stepsOf(least)}, the ${final} one after ${stepsOf(most)}, in all eight runs. Follow the numbers to the framed cell: in each step, a message moves only to the next cells.`,
            right: 1,
          }
    },
    isFinal: () => true,
  }),
  step({
    title: 'Damage',
    text: 'The board is noise again. The button lets the learned rule make the target, and then empties the cells in a circle. After that, the rule makes one step per second. No cell stores the pattern: all that it has are its bits and those of its neighbors.',
    question: 'Does the pattern grow back after the damage?',
    guesses: ['Yes, completely', 'Only a part of it', 'No'],
    usually: 'the pattern grows back: each cell computes its bits again in each step, from its neighbors.',
    target: 'sandbox',
    also: 'sandbox-target',
    hidesPicture: true,
    shows: ['tool-erase'],
    setup: [...pause, ...heldNoise],
    leave: [usualSpeed],
    requirement,
    action: {
      label: 'Grow the pattern, then damage it',
      does: [
        ...pause,
        // The damage of an unfinished pattern would not show whether the pattern grows back.
        fromNoise,
        usualSpeed,
        { kind: 'reach', figure: shownStep, value: grownSteps },
        // The board rests until it shows the damage.
        { kind: 'click', element: 'sandbox-pause' },
        { kind: 'click', element: 'tool-erase' },
        { kind: 'fill', element: 'brush', value: '0.8' },
        { kind: 'press', element: 'sandbox', key: 'Home' },
        { kind: 'press', element: 'sandbox', key: 'Enter' },
        { kind: 'reach', figure: stepsSinceDamage, value: 0 },
        // One step per second.
        { kind: 'fill', element: 'sandbox-speed', value: '0' },
      ],
    },
    figures: {
      strokes: { element: 'sandbox', attribute: 'strokes' },
      worst: { element: 'sandbox', attribute: 'worst' },
      wrong: { element: 'sandbox', attribute: 'wrong' },
      steps: stepsSinceDamage,
      accuracy,
      recent,
    },
    outcome: ({ strokes = 0, worst, wrong, steps }, then) => {
      if (strokes <= (then.strokes ?? 0) || worst === undefined || wrong === undefined || steps === undefined)
        return null
      const after = `${stepsOf(steps)} after the damage`
      if (worst > 0 && wrong === 0)
        return {
          text: `The pattern was complete ${after}; at most ${cellsOf(worst)} ${worst === 1 ? 'was' : 'were'} wrong at the same time. Each cell computes its bits again in each step, from its neighbors.`,
          right: 0,
        }
      if (steps < repairSteps && worst === 0) return null
      if (steps < repairSteps) return `${cellsOf(wrong)} ${wrong === 1 ? 'is' : 'are'} wrong ${after}.`
      if (worst === 0) return 'The damage changed no cell, because these cells are 0 in the pattern.'
      const isPart = wrong < worst / 2
      return {
        text: `${cellsOf(wrong)} ${wrong === 1 ? 'is' : 'are'} wrong ${after}; at most ${number(worst, 0)} were. The circuit was trained on boards that begin as noise, not on damaged ones.`,
        right: isPart ? 1 : 2,
      }
    },
    isFinal: ({ worst = 0, wrong, steps = 0 }) => (worst > 0 && wrong === 0) || steps >= repairSteps,
    finish: [pauseSandbox],
  }),
  step({
    title: 'Larger boards',
    text: 'The rule was trained on boards of 8×8 cells. The button runs it on 64×64 cells, from noise. A message moves on by one cell in each step, so that it takes more steps to cross the board.',
    question: 'Is the large board correct in the end?',
    guesses: ['Yes, in all cells', 'In most cells', 'No'],
    target: 'sandbox',
    also: 'sandbox-target',
    shows: [],
    hidesPicture: true,
    // The brush of the step before is not visible.
    setup: [...pause, { kind: 'click', element: 'tool-move' }],
    // The size of training, 16×16 or another one.
    leave: [
      usualSpeed,
      { kind: 'click', element: 'tool-erase' },
      { kind: 'click', element: 'size-16' },
      { kind: 'click', element: 'size-0', optional: true },
    ],
    requirement,
    action: {
      label: 'Run it on 64×64 cells',
      does: [
        { kind: 'click', element: `size-${largeSide}` },
        fromNoise,
        // 60 steps per second.
        { kind: 'fill', element: 'sandbox-speed', value: '6' },
      ],
    },
    figures: {
      accuracy,
      recent,
      step: shownStep,
      columns: { element: 'sandbox-target', attribute: 'columns' },
      matching,
    },
    progress: ({ step = 0, columns }) => (columns === largeSide ? step / largeSteps : 0),
    outcome: ({ step = 0, columns, matching }) => {
      if (columns !== largeSide || matching === undefined || (step < largeSteps && matching < 1)) return null
      const right = matching === 1 ? 0 : matching >= 0.9 ? 1 : 2
      return {
        text: `After ${number(step, 0)} steps, ${percent(matching)} of the cells are right. ${largeReasons[right]}`,
        right,
      }
    },
    isFinal: () => true,
    finish: [pauseSandbox],
    summary: {
      learned: [
        {
          text: 'Training finds a circuit of logic gates: soft gates, the mixtures, can change little by little; hard gates compute exactly.',
          steps: [1, 2, 3],
        },
        {
          text: 'All cells have the same circuit and read only their neighbors, yet together they make a picture.',
          steps: [4, 5, 6],
        },
        {
          text: 'The picture grows back after damage, and the rule also runs on larger boards.',
          steps: [7, 8],
        },
      ],
      next: {
        label: 'Train the Game of Life',
        does: [{ kind: 'restart', preset: 'life' }, ...trainFast],
        target: 'living-view',
      },
    },
  }),
]

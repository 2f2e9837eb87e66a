/** Guided path of the language model: tokens, perplexity, samples of its training, true and false sentences, sampling temperature, attention and facts. */
import { compact, number } from '../../lib/format'
import { ranges, step, trainFast, type Action, type Figure, type Guide } from '../shared/guide/guide'
import { perplexity } from './model/perplexity'
import { examples } from './model/examples'
import { includedPrompt, includedSamples } from './model/included-samples'

const tokens: Figure = { progress: 'steps' }
const loss: Figure = { metric: 'loss' }
/** Number of the text. The click of a step may write the first one, which differs from “no text” before. */
const text: Figure = { element: 'playground', attribute: 'writing', missing: -1 }
/** Training tokens of this run before the text. */
const tokensBefore: Figure = { element: 'status', attribute: 'tokens' }
/** 1 if a text that the visitor has requested in this run is complete. */
const written: Figure = { element: 'status', attribute: 'written' }
/** Whether the text is complete: 1 if it is. */
const done: Figure = { element: 'playground', attribute: 'done' }
/** Share of the tokens with a probability of at least 50 %. */
const sure: Figure = { element: 'playground', attribute: 'sure' }
const defaultTemperature = 0.7
/** Returns the action that sets the temperature. The range of its slider is 0 to 2. */
const temperature = (value: number): Action => ({
  kind: 'fill',
  element: 'temperature',
  value: String(value / 2),
})
/** Sets the length of the text to its default, or to about 16 tokens, which complete a sentence. */
const length = (is: 'default' | 'short'): Action => ({
  kind: 'fill',
  element: 'length',
  value: is === 'short' ? '0.365' : '0.67',
})
/** Sets the minimum length of the text to its default, or to 40 tokens, so that a comparison has enough tokens. */
const minimumLength = (is: 'default' | 'long'): Action => ({
  kind: 'fill',
  element: 'minimum-length',
  value: is === 'long' ? '0.2' : '0',
})
const pause: readonly Action[] = [{ kind: 'learn', on: false }]
const drop: Action = { kind: 'click', element: 'drop-text', optional: true }
/** Completes an example prompt, and waits for the end of the text: the button is missing during generation. */
const complete = (example: number): readonly Action[] => [
  { kind: 'click', element: `example-${example}` },
  { kind: 'wait', element: 'write' },
]
/** Completes a prompt, and waits for the end of the text. */
const completePrompt = (prompt: string): readonly Action[] => [
  { kind: 'fill', element: 'prompt', value: prompt },
  { kind: 'click', element: 'write' },
  { kind: 'wait', element: 'write' },
]
/** Completes a prompt with few tokens, and shows the attention of the last layer. */
const attend = (prompt: string): readonly Action[] => [
  drop,
  temperature(0),
  length('short'),
  // The weights of a layer are sent while the text is generated.
  { kind: 'click', element: 'layer-3', optional: true },
  ...completePrompt(prompt),
]
/** Sentence whose ending depends on one word, as words, and the same sentence without it. */
const dependent = ['People', 'in', 'Japan', 'pay', 'with', 'the'] as const
const withoutWord = 'People pay with the'
/** Generates the text of the step about temperature; its prompt is not an example, whose mark would change. */
const writeSample: readonly Action[] = completePrompt(includedPrompt)
/** Writes a text at temperature 0.1 and keeps it beside the next one, unless such a text is kept already. */
const keepLow: Action = {
  kind: 'unless',
  figure: { element: 'kept-text', attribute: 'temperature' },
  is: 0.1,
  does: [drop, temperature(0.1), ...writeSample, { kind: 'click', element: 'keep-text' }],
}
/** Shows the samples of training, which change every few seconds. */
const showSamples: Action = { kind: 'click', element: 'samples-again', optional: true }
const held: Figure = { metric: 'validation_loss' }
const unigram: Figure = { metric: 'unigram' }
const bigram: Figure = { metric: 'bigram' }
/** Tokens that an opened model was trained on before this run. */
const earlier: Figure = { element: 'status', attribute: 'earlier' }

/** 1 if the texts of the model consist of words. */
const words: Figure = { element: 'status', attribute: 'words' }

/**
 * Loads the model that the page includes. Training is paused: with a new warm-up and an empty optimizer, the model would
 * forget.
 */
const loadIncluded: readonly Action[] = [
  { kind: 'learn', on: false },
  { kind: 'click', element: 'trained-model' },
  { kind: 'wait', element: 'trained-model' },
  // Its evaluation arrives later than the model.
  { kind: 'reach', figure: words, value: 1 },
]
/** Loads the model that the page includes, unless a trained model is open. */
const loadTrained: Action = {
  kind: 'unless',
  figure: { element: 'status', attribute: 'opened' },
  is: 1,
  does: loadIncluded,
}

/** 1 if the model is the one that the page includes. */
const included: Figure = { element: 'status', attribute: 'included' }
/** Number of texts that the panel shows of the training of the included model. */
const shownSamples: Figure = { element: 'included-samples', attribute: 'shown' }
/** Shows the texts up to a moment of the training of the included model, if it is open. */
const showSamplesUntil = (moment: number): Action => ({
  kind: 'unless',
  figure: included,
  is: 0,
  does: [{ kind: 'fill', element: 'included-moment', value: String(moment) }],
})
const lastMoment = includedSamples.length - 1

/** Prepares the steps about texts: a model whose texts have words. */
const prepare: readonly Action[] = [{ kind: 'unless', figure: words, is: 1, does: [loadTrained] }]

/** Requirement of the steps about texts, if a reload has restored a run that is not trained enough. */
const requirement = {
  isMet: ({ words }: { words?: number }) => words === 1,
  text: 'These texts have few words yet. The page includes a model that is trained already.',
  action: { label: 'Load the trained model', does: [loadTrained] },
}

/** Numbers of equally probable tokens that are as uncertain as a model, as guesses. */
const uncertainty = ranges([100, 500], (count) => number(count, 0))

/** Training tokens before the first regular evaluation, which answers the second step. */
const firstMeasurement = 65_536
/** Part of the time until its answer that the measurement takes, about. */
const measuringPart = 0.1
/** Training tokens from which on a measurement answers it. */
const enough = 60_000

/** Tokens of this run before the newest measurement of the perplexity. */
const measured: Figure = { element: 'status', attribute: 'measured' }

/** Shows the lines of the learning curve: measures the perplexity of a run that has not started. */
const measure: Action = {
  kind: 'unless',
  figure: { element: 'status', attribute: 'evaluated' },
  is: 1,
  // The evaluation precedes the gradient step.
  does: [{ kind: 'single-step', until: 'update' }],
}

/** Returns whether the perplexity was measured after the click, of a model that was trained on enough tokens. */
const isMeasured = (
  { measured = 0, earlier = 0 }: { measured?: number; earlier?: number },
  then: { tokens?: number },
): boolean => measured + earlier >= enough && measured > (then.tokens ?? 0)

const percent = (share: number): string => `${number(100 * share, 0)} %`

/** Kinds of text in the order of training, with what they look like. */
const kinds = ['Random words and fragments', 'Common words, little order', 'Sentences'] as const
const looks = [
  'words and fragments of words in random order',
  'common words and parts of words, in nearly random order',
  'phrases and sentences, whose facts may be wrong',
]

/** Causes of {@link looks}. */
const reasons = [
  'the probabilities of an untrained model are nearly equal',
  'the model has learned which tokens are frequent, but little about their order',
  'the model has learned which tokens follow each other; wrong facts often have the same form',
]

/** Returns which of {@link kinds} a model writes, by its loss and the losses of models that count tokens and pairs. */
function kindOf(loss: number | undefined, unigram: number | undefined, bigram: number | undefined): number {
  if (loss === undefined || unigram === undefined || loss >= unigram) return 0
  return bigram === undefined || loss >= bigram ? 1 : 2
}

/** Returns the share of right answers up to which guessing explains a quiz: the mean and two standard deviations. */
const chance = (questions: number): number => 0.25 + 2 * Math.sqrt((0.25 * 0.75) / questions)

/** Conclusions from the quiz: no facts in other words, some of them, nearly all. */
const conclusions = [
  'In other words than those of its text, the model knows no facts.',
  'It knows most facts only in the words in which it has read them.',
  'It has read the text often enough to know its facts in other words, too.',
]

/** What the samples of the included model show. */
const fromNoise = `First come frequent words, then the form of sentences; after ${compact(includedSamples[2].tokens)} tokens the sentence is well formed, but false. Facts come last: only the last text is true.`

/** Number of examples in the words of the text. */
const examplesAsRead = examples.filter(({ asRead }) => asRead).length

/** Difference of two shares that is visible in the texts. */
const visible = 0.05

export const guide: Guide = [
  step({
    title: 'Predicting the next token',
    text: 'The computer guesses how a text continues, one [token](token) at a time: a word or a part of one. The [language model](language-model) computes how probable each possible next token is. One of them is picked at random, a probable one more often, and appended; then the next one. A stronger color means a more probable token.',
    question: 'What does the model write at the start, before it has learned?',
    guesses: kinds,
    usually: 'the model writes words and fragments in random order: their probabilities are nearly equal.',
    target: 'writer',
    shows: [],
    setup: pause,
    // The model is built when training starts. Training pauses again before the model writes.
    action: {
      label: 'Let the untrained model write',
      does: [
        { kind: 'restart', preset: 'encyclopedia', held: true },
        { kind: 'learn', on: true },
        { kind: 'reach', figure: { element: 'status', attribute: 'ready' }, value: 1 },
        ...pause,
        { kind: 'click', element: 'example-0' },
        { kind: 'reach', figure: written, value: 1 },
      ],
    },
    running: 'Generating',
    figures: {
      written,
      tokensBefore,
      loss,
      held,
      unigram,
      bigram,
    },
    outcome: ({ written, tokensBefore = 0, loss, held, unigram, bigram }) => {
      if (written !== 1) return null
      const right = kindOf(loss ?? held, unigram, bigram)
      // A gradient step may end before the pause.
      const trained =
        tokensBefore > 0
          ? `It was trained on ${compact(tokensBefore)} tokens only, its first steps.`
          : 'Select a token to see its alternatives.'
      return {
        text: `The text consists of ${looks[right]}, because ${reasons[right]}. ${trained}`,
        right,
      }
    },
    isFinal: () => true,
  }),
  step({
    title: 'Perplexity',
    text: 'How wrong are the guesses? The [perplexity](perplexity) says between how many equally probable tokens the model is undecided, like the sides of a die. Pure guessing between 1,024 tokens has 1,024; being always right and sure has 1. It is measured on [held-out](held-out) text, which is not used for training.',
    question: `How small is the perplexity at the next measurement, after about ${compact(firstMeasurement)} tokens?`,
    guesses: uncertainty.guesses,
    usually: `the perplexity is about 300 after ${compact(firstMeasurement)} tokens.`,
    target: 'curve',
    hidesPicture: true,
    shows: [],
    // The curve begins to grow when the button is clicked.
    setup: [...pause, measure, showSamples],
    action: { label: 'Train at full speed', does: trainFast },
    figures: { held, measured, tokens, earlier },
    // Later measurements have another interval.
    progress: ({ tokens = 0, earlier = 0, measured = 0 }, then) => {
      if (earlier > 0 || (then.tokens ?? 0) >= firstMeasurement) return NaN
      const trained = Math.min(1, tokens / firstMeasurement)
      return measured >= firstMeasurement ? 1 : (1 - measuringPart) * trained
    },
    isSteady: true,
    running: ({ tokens = 0, measured = 0, earlier = 0 }) =>
      earlier > 0 || tokens < firstMeasurement
        ? 'Training'
        : measured < firstMeasurement
          ? 'Measuring the perplexity'
          : 'Finishing the measurement',
    outcome: ({ held, measured, tokens = 0, earlier = 0 }, then) => {
      if (held === undefined || measured === undefined || tokens <= (then.tokens ?? 0)) return null
      if (!isMeasured({ measured, earlier }, then))
        return `The model was trained on ${compact(tokens + earlier)} tokens so far. The perplexity is measured after ${compact(firstMeasurement)}.`
      return {
        text: `After ${compact(measured + earlier)} tokens of training, the perplexity on the held-out text is ${perplexity(held)}: the newest dot. The perplexity falls, because each training step raises the probability of the tokens that really follow.`,
        right: uncertainty.indexOf(Math.exp(held)),
      }
    },
    isFinal: (now, then) => isMeasured(now, then),
    finish: pause,
  }),
  step({
    title: 'Better than counting',
    text: 'Is the model better than simple counting? The dashed lines are models that count: one counts [pairs](n-gram) of tokens that follow each other, another one triples. Your model, the curve, is a [transformer](transformer), which reads all earlier tokens; so far it has read little text. The button loads one that was trained before, on 41 million tokens. Its perplexity is a flat line, because it is not trained here. Its text is longer, so that the dashed lines move a little.',
    question: 'Which model then has the lowest perplexity?',
    guesses: ['Counting pairs', 'Counting triples', 'The transformer'],
    usually: 'the transformer has the lowest perplexity: it uses all earlier tokens.',
    target: 'curve',
    hidesPicture: true,
    shows: [],
    setup: [...pause, measure],
    action: { label: 'Load the trained model', does: [loadTrained] },
    figures: { held, bigram, trigram: { metric: 'trigram' }, earlier },
    outcome: ({ held, bigram, trigram, earlier = 0 }) => {
      if (held === undefined || bigram === undefined || trigram === undefined || earlier === 0) return null
      const [best, right] = [
        [bigram, 0],
        [trigram, 1],
        [held, 2],
      ].reduce((best, other) => (other[0]! < best[0]! ? other : best)) as [number, number]
      const why =
        right === 2
          ? 'It uses all earlier tokens, not only one or two.'
          : `${perplexity(best)} is the lowest, because the transformer has seen few examples.`
      return {
        text: `Counting pairs has a perplexity of ${perplexity(bigram)}, counting triples ${perplexity(trigram)}, and the transformer ${perplexity(held)}. ${why}`,
        right,
      }
    },
  }),
  step({
    title: 'From noise to sentences',
    text: `How did the model learn this? At several moments of its training it continued the same words, “${includedPrompt}”. The first text is from the beginning, after ${compact(includedSamples[0].tokens)} tokens. The slider shows the later ones. The perplexity is at the right.`,
    question: 'What does the model learn last?',
    guesses: ['Which words are frequent', 'The form of sentences', 'Facts'],
    usually: 'facts come last.',
    target: 'included-samples',
    hidesPicture: true,
    shows: [],
    setup: [...pause, { kind: 'unless', figure: words, is: 1, does: [loadTrained] }, showSamplesUntil(0)],
    requirement: {
      isMet: ({ included }) => included === 1,
      text: 'The page has such texts of the model that it includes.',
      action: { label: 'Load the trained model', does: [...loadIncluded, showSamplesUntil(0)] },
    },
    leave: [showSamplesUntil(lastMoment)],
    action: { label: 'Show the later texts', does: [showSamplesUntil(lastMoment)] },
    figures: { included, shownSamples },
    outcome: ({ shownSamples }) =>
      shownSamples === includedSamples.length ? { text: fromNoise, right: 2 } : null,
  }),
  step({
    title: 'Likely is not true',
    text: 'Does a model that predicts so well tell the truth? It completes five sentences, each time with the most probable tokens. Marks show which sentences are true. The model cannot check that: it only knows which words follow each other in the text that it has read.',
    question: 'How many of the five sentences are true?',
    guesses: ['All', 'Some', 'None'],
    usually: 'some of the sentences are true: the model writes what is likely.',
    target: 'examples',
    also: 'writer',
    shows: [],
    setup: prepare,
    requirement,
    leave: [temperature(defaultTemperature), length('default')],
    action: {
      label: 'Complete five sentences',
      does: [drop, temperature(0), length('short'), ...examples.flatMap((_, i) => complete(i))],
    },
    figures: {
      text,
      done,
      checked: { element: 'examples', attribute: 'checked' },
      isTrue: { element: 'examples', attribute: 'true' },
      asRead: { element: 'examples', attribute: 'trueAsRead' },
      words,
    },
    outcome: ({ text, done, checked, isTrue, asRead }, then) => {
      if (text === undefined || isTrue === undefined || done !== 1 || checked !== examples.length) return null
      // Marks of earlier texts are not an answer.
      if (text < (then.text ?? 0) + examples.length) return null
      const right = isTrue === examples.length ? 0 : isTrue > 0 ? 1 : 2
      const lesson =
        right === 0
          ? 'Other sentences may still be false.'
          : asRead === isTrue && asRead === examplesAsRead
            ? 'These are worded as in its training text: the model has learned each fact only in the words in which it has read it.'
            : 'Elsewhere the model writes what is likely: it has read the form of these sentences often, and each fact rarely.'
      return { text: `${isTrue} of ${examples.length} sentences are true. ${lesson}`, right }
    },
    isFinal: () => true,
  }),
  step({
    title: 'Temperature',
    text: `How daring should the model be? The [temperature](temperature) decides: near 0, it nearly always takes the most probable token; above 1, also improbable ones. A strong color marks tokens that had a probability of 50\u00a0% or more. Both texts continue “${includedPrompt}”.`,
    question: 'In which text do more tokens have a probability of 50\u00a0% or more?',
    guesses: ['The one at 0.1', 'The one at 1.8', 'No difference'],
    usually: 'the text at 0.1 has more probable tokens.',
    target: 'writer',
    also: 'temperature',
    shows: ['kept-text'],
    setup: prepare,
    requirement,
    leave: [drop, temperature(defaultTemperature), minimumLength('default')],
    action: {
      label: 'Generate at 0.1 and at 1.8',
      does: [minimumLength('long'), keepLow, temperature(1.8), ...writeSample],
    },
    figures: {
      at: { element: 'temperature' },
      text,
      done,
      sure,
      keptSure: { element: 'kept-text', attribute: 'sure' },
      words,
    },
    outcome: ({ at, text, done, sure, keptSure }, then) => {
      if (at === undefined || at < 0.8 || text === undefined || text === then.text) return null
      // The text at the low temperature is kept beside the new one, which has started then.
      if (done !== 1 || sure === undefined || keptSure === undefined) return null
      const change = sure - keptSure
      const right = change <= -visible ? 0 : change < visible ? 2 : 1
      return {
        text: `At 0.1, ${percent(keptSure)} of the tokens had a probability of 50 % or more; at 1.8, ${percent(sure)}. ${
          right === 0
            ? 'After an improbable token, the text is of a kind that the model has rarely read.'
            : 'The result differs from text to text, because each text is drawn by chance.'
        }`,
        right,
      }
    },
    isFinal: () => true,
  }),
  step({
    title: 'Attention',
    text: `Which words does the model look back at? A transformer has [attention heads](attention). For each token, a head divides its attention, 100\u00a0%, between the tokens so far, and takes information from them. The model has four layers of heads, one after the other; the picture shows the last one, which decides. The button completes “${dependent.join(' ')}”. Then see the framed row of “the”: the next token is predicted from there.`,
    question: 'Which word does “the” look back at most, before “yen” follows?',
    guesses: ['Japan', 'pay', 'Another word'],
    usually: '“the” looks back at “Japan” most.',
    target: 'attention',
    also: 'attention-says',
    hidesPicture: true,
    shows: [],
    // A short text, whose picture is easy to read.
    setup: [...prepare, ...attend('The capital of Italy')],
    requirement,
    leave: [temperature(defaultTemperature), length('default')],
    action: {
      label: 'Complete the sentence',
      does: attend(dependent.join(' ')),
    },
    figures: {
      text,
      word: { element: 'attention-says', attribute: 'word' },
      share: { element: 'attention-says', attribute: 'share' },
      done,
      words,
    },
    outcome: ({ text, word, share, done }, then) => {
      if (text === undefined || text === then.text || done !== 1) return null
      if (word === undefined || share === undefined) return null
      const guess = [dependent.indexOf('Japan'), dependent.indexOf('pay')].indexOf(word)
      return {
        text: `In the last layer, “the” gives ${percent(share)} of its attention to all tokens of “${dependent[word] ?? 'the'}” together. ${
          guess === 0
            ? 'The heads take from there which country the sentence is about.'
            : 'What the heads take from there helps to predict the next token.'
        }`,
        right: guess < 0 ? 2 : guess,
      }
    },
    isFinal: () => true,
  }),
  step({
    title: 'Without the word',
    text: `What does looking back change? The model completes the sentence again, and then the same sentence without “in Japan”. All else is equal: it always takes the most probable token.`,
    question: 'What does the model write without “in Japan”?',
    guesses: ['The yen again', 'Another ending', 'Nothing'],
    usually:
      'the model writes another ending: without the word, it completes the sentence for some other country.',
    target: 'writer',
    shows: [],
    setup: prepare,
    requirement,
    leave: [drop, temperature(defaultTemperature), length('default')],
    action: {
      label: 'Complete both sentences',
      does: [
        drop,
        temperature(0),
        length('short'),
        ...completePrompt(dependent.join(' ')),
        { kind: 'click', element: 'keep-text' },
        ...completePrompt(withoutWord),
      ],
    },
    figures: { text, done, same: { element: 'texts', attribute: 'same' }, words },
    outcome: ({ text, done, same }, then) => {
      // The texts of an earlier experiment are not an answer.
      if (text === undefined || text < (then.text ?? 0) + 2 || done !== 1 || same === undefined) return null
      return same === 0
        ? {
            text: 'The ending depends on “Japan”, although three words are between them: attention brings it there. Without the word, the model completes the sentence for some other country.',
            right: 1,
          }
        : { text: 'The model uses the words just before the ending only.', right: 0 }
    },
    isFinal: () => true,
  }),
  step({
    title: 'Facts',
    text: 'Does the model know its facts in other words, too? A [quiz](quiz) tests that: each question is the start of a sentence that is not in its text, with four endings. The model chooses the most probable one. Answer some questions yourself first: select an ending.',
    question: 'How many facts does the model know in other words?',
    guesses: ['None: no better than guessing', 'Some', 'Nearly all'],
    target: 'quiz',
    hidesPicture: true,
    shows: ['quiz-topics'],
    setup: [...prepare, { kind: 'click', element: 'hide-answers', optional: true }],
    requirement,
    action: {
      label: 'Show the answers of the model',
      does: [
        {
          kind: 'unless',
          figure: { element: 'quiz', attribute: 'measured' },
          is: 1,
          // The evaluation precedes the gradient step.
          does: [{ kind: 'single-step', until: 'update' }],
        },
        { kind: 'reach', figure: { element: 'quiz', attribute: 'measured' }, value: 1 },
        // The answers may arrive later than the result.
        {
          kind: 'unless',
          figure: { element: 'quiz', attribute: 'shown' },
          is: 1,
          does: [{ kind: 'click', element: 'show-answers' }],
        },
      ],
    },
    figures: {
      quiz: { metric: 'quiz' },
      known: { element: 'quiz-topics', attribute: 'known' },
      asked: { element: 'quiz-topics', attribute: 'asked' },
      words,
    },
    outcome: ({ quiz, known = 0, asked }) => {
      if (quiz === undefined || asked === undefined) return null
      const right = quiz >= 0.9 ? 2 : quiz > chance(asked) || known > 0 ? 1 : 0
      return {
        text: `The model answers ${percent(quiz)} of ${number(asked, 0)} questions right; guessing gives 25\u00a0%. ${conclusions[right]}`,
        right,
      }
    },
    isFinal: () => true,
    summary: {
      learned: [
        { text: 'A language model learns one task: to predict the next token.', steps: [1, 2, 3] },
        {
          text: 'It learns frequent tokens first, then the form of sentences, and facts last, mostly in the words of its text. It writes what is likely, which may be false.',
          steps: [4, 5, 9],
        },
        { text: 'Temperature decides how much chance its texts have.', steps: [6] },
        { text: 'Attention combines distant words.', steps: [7, 8] },
      ],
      next: {
        label: 'Complete “My cat likes to”',
        does: [
          drop,
          { kind: 'fill', element: 'prompt', value: 'My cat likes to' },
          { kind: 'click', element: 'write' },
        ],
        target: 'playground',
      },
    },
  }),
]

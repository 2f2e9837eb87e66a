/** Guided path of the language model: tokens, loss, sampling temperature and attention. */
import { compact, number } from '../../lib/format'
import { step, trainFast, type Action, type Figure, type Guide } from '../shared/guide/guide'

const tokens: Figure = { progress: 'steps' }
const loss: Figure = { metric: 'loss' }
/** Number of the text. The click of a step may write the first one, which differs from “no text” before. */
const text: Figure = { element: 'playground', attribute: 'writing', missing: -1 }
const write: Action = { kind: 'click', element: 'example' }
const defaultTemperature = 0.7
/** Returns the action that sets the temperature. The range of its slider is 0 to 2. */
const temperature = (value: number): Action => ({
  kind: 'fill',
  element: 'temperature',
  value: String(value / 2),
})
/** Shows the current text beside the next one, unless a text is kept already. */
const keep: Action = { kind: 'click', element: 'keep-text', optional: true }
const drop: Action = { kind: 'click', element: 'drop-text', optional: true }
const held: Figure = { metric: 'validation_loss' }
const bigram: Figure = { metric: 'bigram' }
/** Requirement of the steps about temperature: texts that consist of words. */
const requirement = {
  isMet: ({ tokens = 0, held, bigram }: { tokens?: number; held?: number; bigram?: number }) =>
    tokens >= 100_000 && !(held !== undefined && bigram !== undefined && held >= bigram),
  text: 'The model predicts worse than counting pairs of tokens: its texts have few words yet. Train it first.',
  action: { label: 'Train at full speed', does: trainFast },
}

export const guide: Guide = [
  step({
    title: 'Predicting the next token',
    text: 'The computer guesses how a text continues, piece by piece. The pieces are [tokens](token): words and parts of words. For each possible next token, the [language model](language-model) computes how probable it is, draws one, appends it and repeats. Tokens that it was sure of are colored.',
    question: 'What does the model write after little training?',
    target: 'playground',
    // The model exists once training has started.
    action: { label: 'Generate text', does: [{ kind: 'learn', on: true }, write] },
    figures: { text, length: { element: 'playground', attribute: 'tokens' }, tokens },
    outcome: ({ text, length, tokens }, then) =>
      text !== undefined && text !== then.text && length !== undefined && length > 8
        ? `The text has ${length} tokens. The model was trained on ${compact(tokens ?? 0)} tokens so far. Select a token to see its alternatives.`
        : null,
  }),
  step({
    title: 'The loss',
    text: 'How wrong are the guesses? The [loss](loss) measures how surprised the model is by the token that really follows: lower is better. A model that has no idea, and gives each of 1,024 tokens the same probability, has a loss of 6.93. The measure is the [cross-entropy](cross-entropy).',
    question: 'How fast does the loss fall?',
    target: 'curve',
    action: { label: 'Train at full speed', does: trainFast },
    figures: { loss, tokens },
    outcome: ({ loss, tokens }, then) =>
      loss !== undefined && tokens !== undefined && tokens > (then.tokens ?? 0)
        ? `After ${compact(tokens)} tokens the model is as uncertain as if it chose among ${number(Math.exp(loss), 0)} equally probable tokens: the loss is ${number(loss, 2)}.`
        : null,
  }),
  step({
    title: 'Better than counting',
    text: 'Is the model better than simple counting? The lines in the chart show models that only count which token follows which: a [bigram model](n-gram) looks at one token before, a trigram model at two. The comparison uses [held-out text](held-out), which was not part of the training.',
    question: 'When does the transformer predict better than the trigram model?',
    target: 'curve',
    action: { label: 'Continue training', does: trainFast },
    figures: {
      held,
      bigram,
      trigram: { metric: 'trigram' },
    },
    outcome: ({ held, bigram, trigram }) =>
      held !== undefined && bigram !== undefined && trigram !== undefined
        ? `${
            held < trigram
              ? 'It does: it uses more than two tokens of context.'
              : held < bigram
                ? 'Not yet, but it is better than the bigram model.'
                : 'Not yet: counting is still better.'
          } The loss on held-out text is ${number(held, 2)}; the bigram model has ${number(bigram, 2)}, the trigram model ${number(trigram, 2)}.`
        : null,
  }),
  step({
    title: 'Low temperature',
    text: 'How daring should the model be? At a low [temperature](temperature) it plays safe: it nearly always writes the most probable token. (The temperature divides the [logits](softmax); below 1, probable tokens become even more probable.)',
    question: 'What does the model write at a temperature near 0?',
    target: 'playground',
    also: 'temperature',
    requirement,
    leave: [temperature(defaultTemperature)],
    action: { label: 'Generate at temperature 0.1', does: [drop, temperature(0.1), write] },
    figures: { at: { element: 'temperature' }, text, tokens, held, bigram },
    outcome: ({ at, text }, then) =>
      at !== undefined && at <= 0.1 && text !== undefined && text !== then.text
        ? 'The model nearly always takes the most probable token. Texts after the same prompt are nearly the same, and often repeat themselves.'
        : null,
  }),
  step({
    title: 'High temperature',
    text: 'At a high [temperature](temperature) the model takes risks: it also writes tokens that it finds improbable. [Top-k](top-k) limits the choice to the k most probable tokens.',
    question: 'What does the model write at temperature 1.8?',
    target: 'playground',
    also: 'temperature',
    requirement,
    leave: [drop, temperature(defaultTemperature)],
    action: { label: 'Generate at temperature 1.8', does: [keep, temperature(1.8), write] },
    figures: {
      at: { element: 'temperature' },
      text,
      tokens,
      held,
      bigram,
      kept: { element: 'kept-text', attribute: 'tokens' },
    },
    outcome: ({ at, text, kept }, then) =>
      at !== undefined && at >= 0.8 && text !== undefined && text !== then.text
        ? `${kept === undefined ? '' : 'Compare it with the text before. '}At this temperature texts vary more and have more errors. Fewer tokens are colored, because improbable tokens are sampled more often.`
        : null,
  }),
  step({
    title: 'Attention',
    text: 'Which words does the model look back at? For each token, an [attention head](attention) weights the tokens before it: a stronger color means that it looks there more. Each [layer](transformer) has several heads. A token never attends to later ones.',
    question: 'Do all heads attend to the same tokens?',
    target: 'attention',
    action: { label: 'Show the first head', does: [{ kind: 'click', element: 'head-0' }] },
    figures: { size: { element: 'attention', attribute: 'size' } },
    outcome: ({ size }) =>
      size !== undefined && size > 0
        ? `No: each head has its own weights. The view shows ${size} tokens. Point at another token, and compare the heads.`
        : null,
  }),
  step({
    title: 'Facts',
    text: 'A [quiz](quiz) tests what the model knows: which of four endings of a sentence does it find most probable? The answer to each question is in the training text. Guessing gives 25 %; with 50 questions, 13 to 37 % may be chance.',
    question: 'Has the model learned facts, or only the form of sentences?',
    target: 'questions',
    action: { label: 'Continue training', does: trainFast },
    figures: { quiz: { metric: 'quiz' }, loss },
    outcome: ({ quiz, loss }) =>
      quiz !== undefined && loss !== undefined
        ? `${quiz < 0.45 ? 'So far only the form' : quiz < 0.9 ? 'Some facts' : 'Facts'}: the model answers ${number(100 * quiz, 0)} % of the questions, at a loss of ${number(loss, 2)}. Form is learned early; facts need many passes over the text.`
        : null,
  }),
]

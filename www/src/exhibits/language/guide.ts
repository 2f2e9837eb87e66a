/** Guided path of the language model: tokens, loss, sampling temperature and attention. */
import { compact, number } from '../../lib/format'
import { step, trainFast, type Action, type Figure, type Guide } from '../shared/guide/guide'

const tokens: Figure = { progress: 'steps' }
const loss: Figure = { metric: 'loss' }
const text: Figure = { element: 'playground', attribute: 'writing' }
const write: Action = { kind: 'click', element: 'example' }
/** Returns the action that sets the temperature. The range of its slider is 0 to 2. */
const temperature = (value: number): Action => ({
  kind: 'fill',
  element: 'temperature',
  value: String(value / 2),
})
/** Requirement of the steps about temperature: enough training for probabilities that differ. */
const requirement = {
  isMet: ({ tokens = 0 }: { tokens?: number }) => tokens >= 100_000,
  text: 'The model was trained on fewer than 100 k tokens: all tokens have similar probabilities. Train it first.',
  action: { label: 'Train at full speed', does: trainFast },
}

export const guide: Guide = [
  step({
    title: 'Predicting the next token',
    text: 'The model reads tokens, which are frequent pieces of words, and computes a probability for each possible next token. To generate text, it samples a token, appends it and repeats. Tokens with a high probability are colored.',
    question: 'What does the model write after little training?',
    target: 'playground',
    action: { label: 'Generate text', does: [write] },
    figures: { text, length: { element: 'playground', attribute: 'tokens' }, tokens },
    outcome: ({ text, length, tokens }, then) =>
      text !== undefined && text !== then.text && length !== undefined && length > 8
        ? `The text has ${length} tokens. The model was trained on ${compact(tokens ?? 0)} tokens so far. Select a token to see its alternatives.`
        : null,
  }),
  step({
    title: 'The loss',
    text: 'The loss is the cross-entropy of the next token: the mean of −log p, where p is the probability of the token that follows in the text. A model that gives 1,024 tokens equal probabilities has log 1,024 ≈ 6.93 nat.',
    question: 'How fast does the loss fall?',
    target: 'curve',
    action: { label: 'Train at full speed', does: trainFast },
    figures: { loss, tokens },
    outcome: ({ loss, tokens }, then) =>
      loss !== undefined && tokens !== undefined && tokens > (then.tokens ?? 0)
        ? `After ${compact(tokens)} tokens the loss is ${number(loss, 2)} nat per token: the model is as uncertain as if it chose among ${number(Math.exp(loss), 0)} equally probable tokens.`
        : null,
  }),
  step({
    title: 'Better than counting',
    text: 'The lines in the chart are n-gram models. A bigram model predicts a token from the one before, a trigram model from the two before, by counting. The held-out loss is measured on text that is not in the training data.',
    question: 'When does the transformer predict better than the trigram model?',
    target: 'curve',
    action: { label: 'Continue training', does: trainFast },
    figures: {
      held: { metric: 'validation_loss' },
      bigram: { metric: 'bigram' },
      trigram: { metric: 'trigram' },
    },
    outcome: ({ held, bigram, trigram }) =>
      held !== undefined && bigram !== undefined && trigram !== undefined
        ? `The held-out loss is ${number(held, 2)} nat, the bigram model has ${number(bigram, 2)}, the trigram model ${number(trigram, 2)}. ${
            held < trigram
              ? 'The transformer uses more than two tokens of context.'
              : held < bigram
                ? 'The transformer is better than the bigram model so far.'
                : 'Counting is still better.'
          }`
        : null,
  }),
  step({
    title: 'Low temperature',
    text: 'The temperature divides the logits before the softmax. Below 1, probable tokens become even more probable.',
    question: 'What does the model write at a temperature near 0?',
    target: 'temperature',
    requirement,
    action: { label: 'Generate at temperature 0.1', does: [temperature(0.1), write] },
    figures: { at: { element: 'temperature' }, text, tokens },
    outcome: ({ at, text }, then) =>
      at !== undefined && at <= 0.1 && text !== undefined && text !== then.text
        ? 'The model nearly always takes the most probable token. Texts after the same prompt are nearly the same, and often repeat themselves.'
        : null,
  }),
  step({
    title: 'High temperature',
    text: 'Above 1, the distribution becomes flatter, and tokens with a low probability are sampled more often. Top-k limits the choice to the k most probable tokens.',
    question: 'What does the model write at temperature 1.8?',
    target: 'temperature',
    requirement,
    action: { label: 'Generate at temperature 1.8', does: [temperature(1.8), write] },
    figures: { at: { element: 'temperature' }, text, tokens },
    outcome: ({ at, text }, then) =>
      at !== undefined && at >= 0.8 && text !== undefined && text !== then.text
        ? 'At this temperature texts vary more and have more errors. Fewer tokens are colored, because improbable tokens are sampled more often.'
        : null,
  }),
  step({
    title: 'Attention',
    text: 'Each layer has several attention heads. For a token, a head computes weights over this token and the tokens before it, and adds up their values by these weights. A token never attends to later tokens.',
    question: 'Do all heads attend to the same tokens?',
    target: 'attention',
    action: { label: 'Show the first head', does: [{ kind: 'click', element: 'head-0' }] },
    figures: { size: { element: 'attention', attribute: 'size' } },
    outcome: ({ size }) =>
      size !== undefined && size > 0
        ? `The view shows ${size} tokens. A stronger color means a larger weight. Point at another token, and compare the heads: each head has its own weights.`
        : null,
  }),
  step({
    title: 'Facts',
    text: 'The built-in encyclopedia is generated, so that the answer to each quiz question is in its text. The answer of the model is the ending of a sentence, out of four, with the highest probability; guessing gives 25 %.',
    question: 'Has the model learned facts, or only the form of sentences?',
    target: 'questions',
    action: { label: 'Continue training', does: trainFast },
    figures: { quiz: { metric: 'quiz' }, loss },
    outcome: ({ quiz, loss }) =>
      quiz !== undefined && loss !== undefined
        ? `The model answers ${number(100 * quiz, 0)} % of the questions, at a loss of ${number(loss, 2)} nat. Form is learned early; facts need many passes over the text.`
        : null,
  }),
]

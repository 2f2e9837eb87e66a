/** Explanations of the language exhibit. */
import type { HelpText } from '../../../lib/help'

export const help = {
  probability: {
    text: 'Color of each generated token: its probability for the model when it was drawn. A token shows the alternatives.',
    term: 'token',
  },
  temperature: {
    text: 'Divides the logits before a token is drawn. 0 always takes the most probable token; higher values are more random.',
    term: 'temperature',
  },
  topK: { text: 'Number of most probable tokens from which the next one is drawn.', term: 'top-k' },
  length: { text: 'Maximum number of generated tokens.', term: 'token' },
  text: {
    text: 'Text files of this device as training text. The files stay on this device and can also be dropped on the page.',
    term: 'token',
  },
  samples: {
    text: 'Texts that the model generated during training, newest first, with the number of tokens that it was trained on. A click shows the moment on the learning curve.',
    term: 'language-model',
  },
  learning: {
    text: 'Mean −log probability of the next token in text that is not in the training data: lower is better. Before the second evaluation, the training loss is shown.',
    term: 'cross-entropy',
  },
  sampleEvery: { text: 'Seconds of training between two samples.' },
  curve: {
    text: 'Cross-entropy of the next token over the training tokens, on training text and on held-out text. Horizontal lines are n-gram models.',
    term: 'cross-entropy',
  },
  attention: {
    text: 'Attention weights of the marked token (query) on itself and each earlier token (key). The squares show all tokens at once, one square for each head.',
    term: 'attention',
  },
  layer: { text: 'Layer of the transformer whose attention is shown.', term: 'transformer' },
  map: {
    text: 'Embedding of the most frequent tokens, projected to two dimensions. Near points are tokens with similar use.',
    term: 'embedding',
  },
  quiz: {
    text: 'Share of questions whose correct ending has the highest probability among four. The dashed line is guessing.',
    term: 'quiz',
  },
  elsewhere: { text: 'The text states this fact only in articles about other subjects.', term: 'held-out' },
} satisfies Record<string, HelpText>

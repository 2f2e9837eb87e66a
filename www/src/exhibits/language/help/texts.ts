/** Explanations of the language exhibit. */
import { helpByTerm } from '../../../lib/help'

export const help = helpByTerm({
  token: {
    probability:
      'Color of each generated token: its probability for the model when it was drawn, before the temperature. A token shows the alternatives.',
    length: 'Maximum number of generated tokens.',
    minimumLength:
      'Number of generated tokens before which the text does not end: the end-of-text token is excluded. 0: the model can end the text at any token.',
    text: 'Text files of this device as training text. The files stay on this device and can also be dropped on the page. “Open folder” also opens a GPT-2 model of the library transformers (config.json, model.safetensors, tokenizer.json) and continues its training.',
  },
  temperature: {
    temperature:
      'How random the text is: 0 always takes the most probable token, higher values take rare tokens more often. The logits are divided by this number.',
  },
  'top-k': {
    topK: 'Number of most probable tokens from which the next one is drawn.',
  },
  'language-model': {
    trained:
      'A model of 0.9 million parameters that was trained before on 41 million tokens of the built-in encyclopedia, with 8 MB of text, ready for prompts. It replaces this run.',
    samples:
      'Texts that the model generated during training, newest first, with the number of tokens that it was trained on. A click shows the moment on the learning curve.',
  },
  'cross-entropy': {
    curve:
      'Perplexity of the next token over the training tokens, on training text and on held-out text: e to the power of the loss, which is the mean of −log probability. Dashed lines are models without a neural network: uniform (guesses blindly), unigram (counts single tokens), bigram (pairs) and trigram (triples). Both axes are logarithmic.',
  },
  perplexity: {
    learning:
      'Number of equally probable tokens between which the model is undecided, in text that it was not trained on: lower is better. Before the second evaluation, it is measured on the training text.',
  },
  attention: {
    attention:
      'Attention weights of the marked token (query) on itself and each earlier token (key). The squares show all tokens at once, one square for each head: a row for each query, a column for each key. Color grows with the square root of the weight.',
  },
  transformer: {
    layer:
      'Layer of the transformer whose attention is shown. The layers work one after the other, each on the results of the layer before.',
  },
  embedding: {
    map: 'Embedding of the most frequent tokens, projected to two dimensions. Near points are tokens with similar use.',
  },
  quiz: {
    quiz: 'Share of questions whose correct ending has the highest probability among four. The dashed line is guessing.',
  },
  'held-out': {
    elsewhere: 'The text states this fact only in articles about other subjects.',
  },
  sampleEvery: 'Seconds of training between two samples.',
})

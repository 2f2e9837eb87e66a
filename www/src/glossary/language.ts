/** Terms of language models. */
import { attention, gpt2, type Chapter } from './term'

export const language: Chapter = {
  title: 'Language models',
  terms: [
    {
      slug: 'language-model',
      name: 'Language model',
      text: 'A network that predicts the next token of a text from the tokens before it. Text is generated token by token: predict, draw one, append it, repeat.',
      source: gpt2,
    },
    {
      slug: 'token',
      name: 'Token, vocabulary',
      text: 'A piece of text that the model reads and writes as one unit: a character, part of a word, or a word. Byte-pair encoding builds the vocabulary by merging frequent pairs.',
      source: { name: 'Sennrich et al. 2016, BPE', url: 'https://arxiv.org/abs/1508.07909' },
      covers: ['vocabulary', 'language/steps', 'data', 'encyclopedia.bytes'],
    },
    {
      slug: 'perplexity',
      name: 'Perplexity',
      text: 'The number of equally likely tokens that would be as hard to predict. 1 means certainty; the size of the vocabulary means random guessing.',
      formula: 'perplexity = e^L',
      symbols: 'L: cross-entropy per token in nats',
      source: {
        name: 'Jurafsky & Martin, Speech and Language Processing',
        url: 'https://web.stanford.edu/~jurafsky/slp3/3.pdf',
      },
      covers: ['perplexity'],
      see: ['cross-entropy', 'held-out'],
    },
    {
      slug: 'held-out',
      name: 'Held-out text',
      text: 'Text that is never trained on. Its loss shows whether the model learned the language or only memorized the training text.',
      covers: ['evaluation.every', 'evaluation.windows'],
    },
    {
      slug: 'n-gram',
      name: 'Unigram, bigram, trigram',
      text: 'Models that count how often a token follows no, one or two tokens. They are the baselines that a language model has to beat.',
      source: { name: 'Witten & Bell 1991', url: 'https://doi.org/10.1109/18.87000' },
      covers: ['uniform', 'unigram', 'bigram', 'trigram'],
    },
    {
      slug: 'temperature',
      name: 'Temperature',
      text: 'How randomly the next token is drawn: below 1 the probable tokens are favored, at 0 the most probable one is always taken, above 1 the text becomes wilder.',
      formula: 'p_i ∝ exp(z_i / T)',
      symbols: 'z: logits, T: temperature',
      see: ['softmax', 'top-k'],
    },
    {
      slug: 'top-k',
      name: 'Top-k sampling',
      text: 'Only the k most probable tokens can be drawn. A small k avoids nonsense, a large k gives variety.',
      source: { name: 'Fan et al. 2018', url: 'https://arxiv.org/abs/1805.04833' },
    },
    {
      slug: 'transformer',
      name: 'Transformer, layer',
      text: 'The network of a language model: a stack of layers (blocks). In each layer, attention moves information between tokens, and a small network, the MLP, processes each token.',
      source: attention,
      covers: ['shape', 'learner.tied', 'layers'],
      see: ['attention'],
    },
    {
      slug: 'attention',
      name: 'Attention, attention head',
      text: 'Attention computes, for each token, a weighted mean of vectors of this token and the earlier ones. A head is one such pattern of weights; a layer has several heads.',
      formula: 'softmax(Q K^⊤ / √d) V',
      symbols: 'Q: queries, K: keys, V: values, d: dimension of a head',
      source: attention,
      covers: ['heads'],
    },
    {
      slug: 'context',
      name: 'Context length',
      text: 'The largest number of tokens that the model reads at once. Earlier tokens have no influence.',
      covers: ['context'],
    },
    {
      slug: 'embedding',
      name: 'Embedding',
      text: 'The vector that stands for a token inside the model. Tokens that are used alike get similar vectors.',
      source: { name: 'Press & Wolf 2017, weight tying', url: 'https://arxiv.org/abs/1608.05859' },
      see: ['pca'],
    },
    {
      slug: 'pca',
      name: 'Principal components',
      text: 'The directions in which a cloud of points is widest. The first two give the flat picture that preserves most of the differences.',
    },
    {
      slug: 'memory',
      name: 'Memory of training',
      text: 'The bytes for weights, gradients, optimizer state and intermediate values.',
      covers: ['memory'],
    },
    {
      slug: 'quiz',
      name: 'Quiz accuracy',
      text: 'The share of multiple-choice questions whose correct ending the model finds most probable.',
      covers: ['quiz', 'evaluation.questions'],
    },
  ],
}

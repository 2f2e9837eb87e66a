import type { ArticleInfo, Reference } from '../../shared/article/article'
import { adamw } from '../../shared/article/references'

export const article: ArticleInfo = {
  title: 'How a language model learns from text',
  lead: 'A language model has one task: predict the next piece of a text. Spelling, grammar and facts are learned because each of them makes that prediction better.',
  world: 'language',
  picture: 'How strongly each word attends to the words before it: the larger the dot, the stronger.',
  minutes: 10,
}

export const references = {
  shannon: {
    cited: 'Shannon 1951',
    authors: 'Shannon, C. E.',
    year: 1951,
    title: 'Prediction and Entropy of Printed English',
    venue: 'Bell System Technical Journal 30',
    url: 'https://doi.org/10.1002/j.1538-7305.1951.tb01366.x',
  },
  bpe: {
    cited: 'Sennrich et al. 2016',
    authors: 'Sennrich, R., Haddow, B., and Birch, A.',
    year: 2016,
    title: 'Neural Machine Translation of Rare Words with Subword Units',
    venue: 'ACL',
    url: 'https://arxiv.org/abs/1508.07909',
  },
  attention: {
    cited: 'Vaswani et al. 2017',
    authors:
      'Vaswani, A., Shazeer, N., Parmar, N., Uszkoreit, J., Jones, L., Gomez, A. N., Kaiser, Ł., and Polosukhin, I.',
    year: 2017,
    title: 'Attention Is All You Need',
    venue: 'NeurIPS',
    url: 'https://arxiv.org/abs/1706.03762',
  },
  fan: {
    cited: 'Fan et al. 2018',
    authors: 'Fan, A., Lewis, M., and Dauphin, Y.',
    year: 2018,
    title: 'Hierarchical Neural Story Generation',
    venue: 'ACL',
    url: 'https://arxiv.org/abs/1805.04833',
  },
  gpt2: {
    cited: 'Radford et al. 2019',
    authors: 'Radford, A., Wu, J., Child, R., Luan, D., Amodei, D., and Sutskever, I.',
    year: 2019,
    title: 'Language Models are Unsupervised Multitask Learners',
    venue: 'OpenAI',
    url: 'https://cdn.openai.com/better-language-models/language_models_are_unsupervised_multitask_learners.pdf',
  },
  adamw,
  layerNorm: {
    cited: 'Ba et al. 2016',
    authors: 'Ba, J. L., Kiros, J. R., and Hinton, G. E.',
    year: 2016,
    title: 'Layer Normalization',
    url: 'https://arxiv.org/abs/1607.06450',
  },
  press: {
    cited: 'Press & Wolf 2017',
    authors: 'Press, O., and Wolf, L.',
    year: 2017,
    title: 'Using the Output Embedding to Improve Language Models',
    venue: 'EACL',
    url: 'https://arxiv.org/abs/1608.05859',
  },
  elhage: {
    cited: 'Elhage et al. 2021',
    authors: 'Elhage, N., Nanda, N., Olsson, C., et al.',
    year: 2021,
    title: 'A Mathematical Framework for Transformer Circuits',
    venue: 'Transformer Circuits Thread',
    url: 'https://transformer-circuits.pub/2021/framework/index.html',
  },
  reversal: {
    cited: 'Berglund et al. 2023',
    authors: 'Berglund, L., Tong, M., Kaufmann, M., et al.',
    year: 2023,
    title: 'The Reversal Curse: LLMs trained on “A is B” fail to learn “B is A”',
    venue: 'ICLR 2024',
    url: 'https://arxiv.org/abs/2309.12288',
  },
  witten: {
    cited: 'Witten & Bell 1991',
    authors: 'Witten, I. H., and Bell, T. C.',
    year: 1991,
    title:
      'The Zero-Frequency Problem: Estimating the Probabilities of Novel Events in Adaptive Text Compression',
    venue: 'IEEE Transactions on Information Theory 37',
    url: 'https://doi.org/10.1109/18.87000',
  },
} satisfies Record<string, Reference>

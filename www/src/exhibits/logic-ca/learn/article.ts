import type { ArticleInfo, Reference } from '../../shared/article/article'
import { adamw } from '../../shared/article/references'

export const article: ArticleInfo = {
  title: 'How gradient descent builds a logic circuit',
  lead: 'Many equal cells, each of which sees only its neighbors, draw a picture together. The computer learns the rule that all of them follow: a circuit of logic gates.',
  world: 'logic-ca',
  picture: 'From noise at the left to the target at the right: all cells compute the same circuit.',
  minutes: 10,
}

export const references = {
  petersen: {
    cited: 'Petersen et al. 2022',
    authors: 'Petersen, F., Borgelt, C., Kuehne, H., and Deussen, O.',
    year: 2022,
    title: 'Deep Differentiable Logic Gate Networks',
    venue: 'NeurIPS',
    url: 'https://arxiv.org/abs/2210.08277',
  },
  miotti: {
    cited: 'Miotti et al. 2025',
    authors: 'Miotti, P., Niklasson, E., Randazzo, E., and Mordvintsev, A.',
    year: 2025,
    title: 'Differentiable Logic Cellular Automata',
    venue: 'Google, Paradigms of Intelligence',
    url: 'https://google-research.github.io/self-organising-systems/difflogic-ca/',
  },
  growing: {
    cited: 'Mordvintsev et al. 2020',
    authors: 'Mordvintsev, A., Randazzo, E., Niklasson, E., and Levin, M.',
    year: 2020,
    title: 'Growing Neural Cellular Automata',
    venue: 'Distill',
    url: 'https://distill.pub/2020/growing-ca/',
  },
  bengio: {
    cited: 'Bengio et al. 2013',
    authors: 'Bengio, Y., Léonard, N., and Courville, A.',
    year: 2013,
    title: 'Estimating or Propagating Gradients Through Stochastic Neurons for Conditional Computation',
    url: 'https://arxiv.org/abs/1308.3432',
  },
  fan: {
    cited: 'Fan et al. 2021',
    authors: 'Fan, A., Stock, P., Graham, B., Grave, E., Gribonval, R., Jégou, H., and Joulin, A.',
    year: 2021,
    title: 'Training with Quantization Noise for Extreme Model Compression',
    venue: 'ICLR',
    url: 'https://arxiv.org/abs/2004.07320',
  },
  adamw,
  miller: {
    cited: 'Miller 2011',
    authors: 'Miller, J. F. (editor)',
    year: 2011,
    title: 'Cartesian Genetic Programming',
    venue: 'Springer',
    url: 'https://doi.org/10.1007/978-3-642-17310-3',
  },
} satisfies Record<string, Reference>

/** References that several articles cite. */
import type { Reference } from './article'

export const sutton: Reference = {
  cited: 'Sutton & Barto 2018',
  authors: 'Sutton, R. S., and Barto, A. G.',
  year: 2018,
  title: 'Reinforcement Learning: An Introduction, 2nd edition',
  venue: 'MIT Press',
  url: 'http://incompleteideas.net/book/the-book-2nd.html',
}

export const dqn: Reference = {
  cited: 'Mnih et al. 2015',
  authors: 'Mnih, V., Kavukcuoglu, K., Silver, D., et al.',
  year: 2015,
  title: 'Human-Level Control Through Deep Reinforcement Learning',
  venue: 'Nature 518',
  url: 'https://doi.org/10.1038/nature14236',
}

export const adamw: Reference = {
  cited: 'Loshchilov & Hutter 2019',
  authors: 'Loshchilov, I., and Hutter, F.',
  year: 2019,
  title: 'Decoupled Weight Decay Regularization',
  venue: 'ICLR',
  url: 'https://arxiv.org/abs/1711.05101',
}

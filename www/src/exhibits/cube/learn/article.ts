import type { ArticleInfo, Reference } from '../../shared/article/article'
import { dqn, sutton } from '../../shared/article/references'

export const article: ArticleInfo = {
  title: 'How a network learns to solve a cube, beginning at the solved state',
  lead: 'Random turns practically never solve a cube. But every scramble starts at the solved state, so that a learner can begin there: with cubes that are one turn away, then two, then more.',
  world: 'cube2',
  picture: 'The last turn of a scramble. Its inverse is the first step of the way back.',
  minutes: 10,
}

export const references = {
  sutton,
  watkins: {
    cited: 'Watkins & Dayan 1992',
    authors: 'Watkins, C. J. C. H., and Dayan, P.',
    year: 1992,
    title: 'Q-learning',
    venue: 'Machine Learning 8',
    url: 'https://doi.org/10.1007/BF00992698',
  },
  dqn,
  hasselt: {
    cited: 'van Hasselt et al. 2016',
    authors: 'van Hasselt, H., Guez, A., and Silver, D.',
    year: 2016,
    title: 'Deep Reinforcement Learning with Double Q-learning',
    venue: 'AAAI',
    url: 'https://arxiv.org/abs/1509.06461',
  },
  schaul: {
    cited: 'Schaul et al. 2016',
    authors: 'Schaul, T., Quan, J., Antonoglou, I., and Silver, D.',
    year: 2016,
    title: 'Prioritized Experience Replay',
    venue: 'ICLR',
    url: 'https://arxiv.org/abs/1511.05952',
  },
  wang: {
    cited: 'Wang et al. 2016',
    authors: 'Wang, Z., Schaul, T., Hessel, M., van Hasselt, H., Lanctot, M., and de Freitas, N.',
    year: 2016,
    title: 'Dueling Network Architectures for Deep Reinforcement Learning',
    venue: 'ICML',
    url: 'https://arxiv.org/abs/1511.06581',
  },
  bengio: {
    cited: 'Bengio et al. 2009',
    authors: 'Bengio, Y., Louradour, J., Collobert, R., and Weston, J.',
    year: 2009,
    title: 'Curriculum Learning',
    venue: 'ICML',
    url: 'https://doi.org/10.1145/1553374.1553380',
  },
  takano: {
    cited: 'Takano 2023',
    authors: 'Takano, K.',
    year: 2023,
    title: 'Self-Supervision is All You Need for Solving Rubik’s Cube',
    venue: 'TMLR',
    url: 'https://arxiv.org/abs/2106.03157',
  },
  agostinelli: {
    cited: 'Agostinelli et al. 2019',
    authors: 'Agostinelli, F., McAleer, S., Shmakov, A., and Baldi, P.',
    year: 2019,
    title: 'Solving the Rubik’s cube with deep reinforcement learning and search',
    venue: 'Nature Machine Intelligence 1',
    url: 'https://doi.org/10.1038/s42256-019-0070-z',
  },
} satisfies Record<string, Reference>

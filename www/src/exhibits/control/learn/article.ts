import type { ArticleInfo, Reference } from '../../shared/article/article'
import { dqn, sutton } from '../../shared/article/references'

export const article: ArticleInfo = {
  title: 'How a policy learns from rewards',
  lead: 'A program learns to balance a pole by trial and error. It is not shown the right pushes: it tries some, sees how long the pole stays up, and repeats what went well.',
  world: 'cartpole',
  picture:
    'Carts with a pole, from the start of training at the left to its end at the right: at first the poles fall, later they stay upright.',
  minutes: 10,
}

export const references = {
  barto: {
    cited: 'Barto et al. 1983',
    authors: 'Barto, A. G., Sutton, R. S., and Anderson, C. W.',
    year: 1983,
    title: 'Neuronlike Adaptive Elements That Can Solve Difficult Learning Control Problems',
    venue: 'IEEE Transactions on Systems, Man, and Cybernetics 13',
    url: 'https://doi.org/10.1109/TSMC.1983.6313077',
  },
  williams: {
    cited: 'Williams 1992',
    authors: 'Williams, R. J.',
    year: 1992,
    title: 'Simple Statistical Gradient-Following Algorithms for Connectionist Reinforcement Learning',
    venue: 'Machine Learning 8',
    url: 'https://doi.org/10.1007/BF00992696',
  },
  sutton,
  ppo: {
    cited: 'Schulman et al. 2017',
    authors: 'Schulman, J., Wolski, F., Dhariwal, P., Radford, A., and Klimov, O.',
    year: 2017,
    title: 'Proximal Policy Optimization Algorithms',
    url: 'https://arxiv.org/abs/1707.06347',
  },
  gae: {
    cited: 'Schulman et al. 2016',
    authors: 'Schulman, J., Moritz, P., Levine, S., Jordan, M. I., and Abbeel, P.',
    year: 2016,
    title: 'High-Dimensional Continuous Control Using Generalized Advantage Estimation',
    venue: 'ICLR',
    url: 'https://arxiv.org/abs/1506.02438',
  },
  details: {
    cited: 'Huang et al. 2022',
    authors: 'Huang, S., Dossa, R. F. J., Raffin, A., Kanervisto, A., and Wang, W.',
    year: 2022,
    title: 'The 37 Implementation Details of Proximal Policy Optimization',
    venue: 'ICLR Blog Track',
    url: 'https://iclr-blog-track.github.io/2022/03/25/ppo-implementation-details/',
  },
  dqn,
  rainbow: {
    cited: 'Hessel et al. 2018',
    authors: 'Hessel, M., Modayil, J., van Hasselt, H., et al.',
    year: 2018,
    title: 'Rainbow: Combining Improvements in Deep Reinforcement Learning',
    venue: 'AAAI',
    url: 'https://arxiv.org/abs/1710.02298',
  },
} satisfies Record<string, Reference>

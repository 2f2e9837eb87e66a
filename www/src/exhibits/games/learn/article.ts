import type { ArticleInfo, Reference } from '../../shared/article/article'

export const article: ArticleInfo = {
  title: 'How a network learns from its own games',
  lead: 'A program becomes a good player by games against itself alone. Looking ahead finds better moves than a glance, and the network learns to see them at a glance.',
  world: 'connect-four',
  picture:
    'A stone on the dashed place completes four in a row. Search finds the move, and the network learns to predict it.',
  minutes: 10,
}

export const references = {
  alphaGoZero: {
    cited: 'Silver et al. 2017',
    authors: 'Silver, D., Schrittwieser, J., Simonyan, K., et al.',
    year: 2017,
    title: 'Mastering the Game of Go without Human Knowledge',
    venue: 'Nature 550',
    url: 'https://doi.org/10.1038/nature24270',
  },
  alphaZero: {
    cited: 'Silver et al. 2018',
    authors: 'Silver, D., Hubert, T., Schrittwieser, J., et al.',
    year: 2018,
    title: 'A General Reinforcement Learning Algorithm That Masters Chess, Shogi, and Go through Self-Play',
    venue: 'Science 362',
    url: 'https://doi.org/10.1126/science.aar6404',
  },
  rosin: {
    cited: 'Rosin 2011',
    authors: 'Rosin, C. D.',
    year: 2011,
    title: 'Multi-Armed Bandits with Episode Context',
    venue: 'Annals of Mathematics and Artificial Intelligence 61',
    url: 'https://doi.org/10.1007/s10472-011-9258-6',
  },
  tesauro: {
    cited: 'Tesauro 1995',
    authors: 'Tesauro, G.',
    year: 1995,
    title: 'Temporal Difference Learning and TD-Gammon',
    venue: 'Communications of the ACM 38',
    url: 'https://doi.org/10.1145/203330.203343',
  },
  sutton: {
    cited: 'Sutton 1988',
    authors: 'Sutton, R. S.',
    year: 1988,
    title: 'Learning to Predict by the Methods of Temporal Differences',
    venue: 'Machine Learning 3',
    url: 'https://doi.org/10.1007/BF00115009',
  },
  wu: {
    cited: 'Wu 2019',
    authors: 'Wu, D. J.',
    year: 2019,
    title: 'Accelerating Self-Play Learning in Go',
    url: 'https://arxiv.org/abs/1902.10565',
  },
  browne: {
    cited: 'Browne et al. 2012',
    authors: 'Browne, C. B., Powley, E., Whitehouse, D., et al.',
    year: 2012,
    title: 'A Survey of Monte Carlo Tree Search Methods',
    venue: 'IEEE Transactions on Computational Intelligence and AI in Games 4',
    url: 'https://doi.org/10.1109/TCIAIG.2012.2186810',
  },
} satisfies Record<string, Reference>

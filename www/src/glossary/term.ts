/** Type of a glossary entry, and the references that several entries share. */
import type { Source } from '../lib/help'

export interface Term {
  /** Name in the address, such as `kl-divergence`. */
  slug: string
  name: string
  /** Definition in one to three sentences. */
  text: string
  /** Formula in the notation of `formulaParts`. */
  formula?: string
  /** Meaning of the symbols of the formula. */
  symbols?: string
  source?: Source
  /**
   * Names of the metrics and config fields that the term explains. A name without a prefix stands for the metrics and
   * fields of this name in all families.
   */
  covers?: readonly string[]
  /** Slugs of related terms. */
  see?: readonly string[]
}

export interface Chapter {
  title: string
  terms: readonly Term[]
}

export const sutton: Source = {
  name: 'Sutton & Barto, Reinforcement Learning, 2018',
  url: 'http://incompleteideas.net/book/the-book-2nd.html',
}
export const ppo: Source = { name: 'Schulman et al. 2017, PPO', url: 'https://arxiv.org/abs/1707.06347' }
export const gae: Source = { name: 'Schulman et al. 2016, GAE', url: 'https://arxiv.org/abs/1506.02438' }
export const dqn: Source = { name: 'Mnih et al. 2015, DQN', url: 'https://doi.org/10.1038/nature14236' }
export const rainbow: Source = {
  name: 'Hessel et al. 2018, Rainbow',
  url: 'https://arxiv.org/abs/1710.02298',
}
export const adamw: Source = {
  name: 'Loshchilov & Hutter 2019, AdamW',
  url: 'https://arxiv.org/abs/1711.05101',
}
export const alphaZero: Source = {
  name: 'Silver et al. 2018, AlphaZero',
  url: 'https://doi.org/10.1126/science.aar6404',
}
export const alphaGoZero: Source = {
  name: 'Silver et al. 2017, AlphaGo Zero',
  url: 'https://doi.org/10.1038/nature24270',
}
export const efficientCube: Source = {
  name: 'Takano 2023, EfficientCube',
  url: 'https://arxiv.org/abs/2106.03157',
}
export const attention: Source = {
  name: 'Vaswani et al. 2017, Attention Is All You Need',
  url: 'https://arxiv.org/abs/1706.03762',
}
export const gpt2: Source = {
  name: 'Radford et al. 2019, GPT-2',
  url: 'https://cdn.openai.com/better-language-models/language_models_are_unsupervised_multitask_learners.pdf',
}
export const logicCa: Source = {
  name: 'Miotti et al. 2025, Differentiable Logic Cellular Automata',
  url: 'https://google-research.github.io/self-organising-systems/difflogic-ca/',
}
export const logicGates: Source = {
  name: 'Petersen et al. 2022, Deep Differentiable Logic Gate Networks',
  url: 'https://arxiv.org/abs/2210.08277',
}
export const shannon: Source = {
  name: 'Shannon 1948, A Mathematical Theory of Communication',
  url: 'https://doi.org/10.1002/j.1538-7305.1948.tb01338.x',
}

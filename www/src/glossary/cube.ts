/** Terms of the cubes. */
import { efficientCube, type Chapter } from './term'

export const cube: Chapter = {
  title: 'Cubes',
  terms: [
    {
      slug: 'scramble',
      name: 'Scramble',
      text: 'A sequence of random turns from the solved cube. The last turn of a scramble, reversed, is a good first guess for the way back; for the 3×3×3, the network learns to predict it.',
      source: efficientCube,
      covers: ['accuracy', 'depth', 'scrambles', 'cube/episodes'],
    },
    {
      slug: 'quarter-turn',
      name: 'Quarter turn, half turn',
      text: 'A turn of one face by 90° or 180°. In the quarter-turn metric a half turn counts as two moves, in the half-turn metric as one.',
      source: { name: 'Kociemba, Cube Explorer', url: 'http://kociemba.org/cube.htm' },
      covers: ['metric'],
      see: ['notation'],
    },
    {
      slug: 'notation',
      name: 'Notation of turns',
      text: 'U, D, L, R, F, B name the upper, lower, left, right, front and back face. A letter alone is a quarter turn clockwise, with ′ counterclockwise, with 2 a half turn.',
    },
    {
      slug: 'distance',
      name: 'Distance',
      text: 'The smallest number of turns from a state to the solved cube. For the 2×2×2 all distances are known (at most 14 quarter turns); for the 3×3×3 the maximum is 26 quarter turns, or 20 if a half turn is one move.',
      covers: ['mean_excess', 'solved'],
    },
    {
      slug: 'greedy',
      name: 'Greedy',
      text: 'Always takes the move with the highest value or probability, without search.',
      covers: ['solved_1', 'length_1'],
      see: ['beam-search', 'policy'],
    },
    {
      slug: 'beam-search',
      name: 'Beam search',
      text: 'A search that follows the most probable paths at the same time and keeps only the best ones after each turn. Their number is the beam width.',
      source: efficientCube,
      covers: ['solved_32', 'length_32', 'solved_256', 'length_256', 'tests.every', 'tests.cubes'],
    },
    {
      slug: 'curriculum',
      name: 'Curriculum',
      text: 'Training that starts with easy tasks. Here a level is a scramble length; the next level opens when most cubes of the current one are solved.',
      source: { name: 'Bengio et al. 2009', url: 'https://doi.org/10.1145/1553374.1553380' },
      covers: ['open_level', 'curriculum_threshold'],
    },
    {
      slug: 'demonstration',
      name: 'Demonstration',
      text: 'An optimal move of a solver that the network is trained to imitate before it learns from its own experience.',
      source: { name: 'Hester et al. 2018', url: 'https://arxiv.org/abs/1704.03732' },
      covers: ['demonstrations', 'demonstration_temperature'],
    },
    {
      slug: 'symmetry',
      name: 'Symmetry',
      text: 'States that differ only by a rotation or reflection of the whole cube, with the colors exchanged, need the same number of turns. The network sees one representative of them.',
      source: { name: 'Kociemba, symmetries', url: 'https://kociemba.org/math/symmetric.htm' },
      covers: ['symmetries'],
    },
  ],
}

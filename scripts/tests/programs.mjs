// Programs that some tests of the crates run, and that not every system can install.
import { which } from '../run.mjs'

const programs = [
  {
    tool: 'verilog',
    name: 'Icarus Verilog',
    isThere: () => which('iverilog') !== null,
    tests: ['verilog_json_and_evaluation_agree'],
  },
  {
    tool: 'gnubg',
    name: 'GNU Backgammon',
    isThere: () => Boolean(process.env.VIVARIUM_GNUBG) || which('gnubg') !== null,
    tests: [
      'it_plays_what_it_finds_best',
      'luck_of_gnu_backgammon_has_a_mean_of_zero',
      'a_match_is_analyzed_by_gnu_backgammon',
      'hints_are_evaluated_by_gnu_backgammon',
    ],
  },
]

/** Returns the programs that are not installed. The field `tests` of a program names the tests to skip without it. */
export const missingPrograms = () => programs.filter(({ isThere }) => !isThere())

/** Columns of the table of the equities of a doubling decision: one for each source. */
import type { AnalyzedAction, DoublingReport, RolledDoubling } from '../../../engine/page/session'
import { evaluationSource, points, rolloutSource } from './matchAnalysis'
import { fewestTrials } from './plays'

interface Equity {
  mean: number
  /** Standard error; null if it is unknown, or for an equity that does not depend on the trials. */
  error: number | null
}

/** Equities in points of a source. */
export interface DoublingColumn {
  source: string
  equities: Record<'no_double' | 'double_take' | 'double_pass', Equity>
}

const exact = (mean: number): Equity => ({ mean, error: null })

/** Returns the equities by a rollout; without standard errors as long as they are estimates from few trials. */
export function rolledColumn(trials: number, doubling: RolledDoubling): DoublingColumn {
  const { no_double, double_take, double_pass } = doubling
  const known = ({ mean, error }: Equity): Equity => ({ mean, error: trials < fewestTrials ? null : error })
  return {
    source: rolloutSource(trials),
    equities: {
      no_double: known(no_double),
      double_take: known(double_take),
      double_pass: exact(double_pass),
    },
  }
}

/** Returns the equities by the analysis of a match; none for a play. */
export function ratedColumns(
  action: Pick<AnalyzedAction, 'doubling' | 'plies'> | undefined,
): DoublingColumn[] {
  if (!action?.doubling) return []
  const { no_double, double_take, double_pass } = action.doubling
  return [
    {
      source: evaluationSource(action),
      equities: {
        no_double: exact(points(no_double)),
        double_take: exact(points(double_take)),
        double_pass: exact(points(double_pass)),
      },
    },
  ]
}

/** Returns the equities of a doubling decision at the table. */
export const reportColumn = ({
  equities: [no_double, double_take, double_pass],
}: DoublingReport): DoublingColumn => ({
  source: 'Evaluation',
  equities: {
    no_double: exact(no_double),
    double_take: exact(double_take),
    double_pass: exact(double_pass),
  },
})

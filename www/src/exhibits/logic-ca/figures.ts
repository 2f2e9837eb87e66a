/** Formatting of training metrics. */
import { compact, number } from '../../lib/format'
import { get, type Config } from '../../state/config'

/** Formats a fraction in percent; only exactly 1 is shown as `100`. */
export const percent = (share: number): string =>
  share === 1 ? '100' : number(Math.min(99.9, Math.round(1000 * share) / 10), 1)

/** Formats the number of epochs of a run, and the epochs of local search in it. */
export function epochsOf(config: Config, total: number): string {
  const gradient = get(config, 'learning.epochs')
  const search = get(config, 'learning.local_search_epochs')
  if (typeof gradient !== 'number' || typeof search !== 'number' || gradient + search !== total)
    return compact(total)
  return search > 0 ? `${number(total, 0)} (${number(search, 0)} of local search)` : number(total, 0)
}

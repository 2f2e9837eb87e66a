/** Figures of training as they are read. */
import { compact, number } from '../../lib/format'
import { get, type Config } from '../../state/config'

/** A share in percent, rounded; `100` for the whole alone. */
export const percent = (share: number): string =>
  share === 1 ? '100' : number(Math.min(99.9, Math.round(1000 * share) / 10), 1)

/** How many epochs a run takes, in the numbers of its settings: those by gradient, and those of local search after them. */
export function epochsOf(config: Config, total: number): string {
  const gradient = get(config, 'learning.epochs')
  const search = get(config, 'learning.local_search_epochs')
  if (typeof gradient !== 'number' || typeof search !== 'number' || gradient + search !== total)
    return compact(total)
  return search > 0 ? `${number(gradient, 0)} + ${number(search, 0)} of local search` : number(gradient, 0)
}

/** What the games export besides the files of all exhibits. */
import { copy } from '../../shell/clipboard'
import type { ExportKind } from '../shared/export/kinds'
import { xgidOf } from './backgammon/xgid'
import { gameOf } from './state/table.svelte'
import { tableUiOf } from './state/tableUi.svelte'

/** The position on the board, which may be an earlier one, before the moves of its turn. */
const position: ExportKind = (lab) => {
  const { table } = gameOf(lab)
  if (table?.board.kind !== 'backgammon') return []
  const id = tableUiOf(lab).shownId(table)
  return [
    {
      label: 'Copy position',
      detail: 'With dice, doubling cube and score, for eXtreme Gammon and GNU Backgammon',
      formats: [
        {
          name: 'XGID',
          testid: 'copy-xgid',
          async make() {
            await copy(xgidOf(id), 'Position copied')
            return null
          },
        },
      ],
    },
  ]
}

export const exports: readonly ExportKind[] = [position]

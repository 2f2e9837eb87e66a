/** Exports of the games: positions, matches and analyses. */
import { tools } from '../../engine/page/tools'
import { copy } from '../../shell/clipboard'
import { exporterPhase, type ExportKind, type FileFormat } from '../shared/export/kinds'
import { analysisJson } from './model/matchAnalysis'
import { matchAtTable } from './state/matchAtTable'
import { openedMatchOf } from './state/openedMatch.svelte'
import { gameOf } from './state/table.svelte'
import { tableUiOf } from './state/tableUi.svelte'

/** The position on the board, which may be an earlier one, before the moves of its turn. */
const position: ExportKind = (lab) => {
  const { table } = gameOf(lab)
  if (table?.board.kind !== 'backgammon') return []
  const id = tableUiOf(lab).shownId(table)
  if (id === null) return []
  return [
    {
      label: 'Copy position',
      detail: 'With dice, doubling cube and score, for eXtreme Gammon and GNU Backgammon',
      formats: [
        {
          name: 'XGID',
          testid: 'copy-xgid',
          async make(busy) {
            await copy(await tools.ask('xgid', { id }, exporterPhase(busy)), 'Position copied')
            return null
          },
        },
      ],
    },
  ]
}

/** The match at the table, or the game of a series without doubling cube. */
const match: ExportKind = (lab) => {
  const played = matchAtTable(lab)
  if (!played) return []
  const file = (name: string, format: 'mat' | 'sgf'): FileFormat => ({
    name,
    testid: `export-match-${format}`,
    async make(busy) {
      const args = { match: played, format }
      const record = await tools.ask('writeMatch', args, exporterPhase(busy))
      const bytes = new TextEncoder().encode(record)
      return { name: `${lab.exportName()}-match.${format}`, bytes, mime: 'text/plain' }
    },
  })
  return [
    {
      label: 'Match',
      detail: 'All games with their rolls and doubles, for eXtreme Gammon and GNU Backgammon',
      formats: [file('.mat', 'mat'), file('.sgf', 'sgf')],
    },
  ]
}

/** The analysis of the opened match, as by `vivarium analyze`. */
const analysis: ExportKind = (lab) => {
  const { match, name: stem, analysis } = openedMatchOf(lab)
  const { analyzed, complete } = analysis
  if (!match || !analyzed) return []
  const file = (name: string, testid: string, mime: string, textOf: () => Promise<string>): FileFormat => ({
    name,
    testid,
    make: async () => ({
      name: `${stem}-analysis${name}`,
      bytes: new TextEncoder().encode(await textOf()),
      mime,
    }),
  })
  return [
    {
      label: complete ? 'Analysis of the match' : 'Analysis of the match so far',
      detail: 'Losses, candidates, luck and totals, as by vivarium analyze',
      formats: [
        file('.txt', 'export-analysis-txt', 'text/plain', () => analysis.text()),
        file('.json', 'export-analysis-json', 'application/json', () =>
          Promise.resolve(analysisJson(analyzed)),
        ),
      ],
    },
  ]
}

export const exports: readonly ExportKind[] = [position, match, analysis]

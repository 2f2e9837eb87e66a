/** Exports of the games: positions, pictures and videos of the board, matches and analyses. */
import { tools } from '../../engine/page/tools'
import { copy } from '../../shell/clipboard'
import { pixelRatio } from '../../kit/canvas'
import { boardPlays } from '../shared/export/choices'
import {
  drawingFormats,
  exporterPhase,
  glassOf,
  type ExportKind,
  type FileFormat,
} from '../shared/export/formats'
import { isRecording, recordDrawing, videoType } from '../shared/export/video'
import { analysisJson, rolloutsText } from './model/matchAnalysis'
import { displayedBoardOf } from './state/boardPicture'
import { matchAtTable } from './state/matchAtTable'
import { openedMatchOf } from './state/openedMatch.svelte'
import { gameOf } from './state/table.svelte'
import { tableUiOf } from './state/tableUi.svelte'
import { boardFile } from './model/boardFile'
import { texts } from './model/texts'

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

/** Device pixels per pixel of a video of the board, at least: the text of the board is small. */
const videoRatio = 1.5

/** Pictures and videos of the board as it is now. */
const board: ExportKind = (lab) => {
  const displayed = displayedBoardOf(lab)
  const { picture } = displayed
  if (!picture) return []
  const { hasPlays } = picture
  const stem = () => boardFile(lab.exhibit!, displayed.picture?.id ?? null)
  const pictures = {
    label: 'Board',
    detail:
      lab.exhibit === 'backgammon'
        ? 'The position with dice, doubling cube, score and pip counts'
        : 'The position on the board',
    formats: drawingFormats(stem, 'board', () => picture.draw({ withPlays: boardPlays.value, withId: true })),
  }
  const type = videoType()
  const world = lab.exhibit
  const video = type && {
    label: 'Video of the board',
    detail: 'Records the game until you stop it',
    formats: [
      {
        name: type.name,
        testid: 'record-board',
        async make() {
          const draw = () => {
            const now = lab.exhibit === world ? displayed.picture : null
            return now && now.draw({ withPlays: boardPlays.value, withId: false })
          }
          const ratio = Math.max(videoRatio, pixelRatio())
          const bytes = await recordDrawing(draw, () => glassOf(lab), ratio, type)
          return bytes && { name: `${boardFile(world!, null)}-video.${type.ending}`, bytes, mime: type.mime }
        },
      },
    ],
  }
  return [...(hasPlays ? [boardPlays.row()] : []), pictures, ...(video && !isRecording() ? [video] : [])]
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

/** The analysis of the opened match, as by `vivarium analyze`, with the rollouts. */
const analysis: ExportKind = (lab) => {
  const { match, name: stem, analysis, rated } = openedMatchOf(lab)
  const { complete } = analysis
  if (!match || !rated) return []
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
      detail: 'Losses, candidates, luck, totals and rollouts',
      formats: [
        file(
          '.txt',
          'export-analysis-txt',
          'text/plain',
          async () => (await analysis.text()) + rolloutsText(rated, texts.backgammon.scale),
        ),
        file('.json', 'export-analysis-json', 'application/json', () => Promise.resolve(analysisJson(rated))),
      ],
    },
  ]
}

export const exports: readonly ExportKind[] = [position, board, match, analysis]

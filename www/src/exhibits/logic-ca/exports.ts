/** What logic automata export besides the files of all exhibits: the circuit of the sandbox. */
import type { ExportFormat } from '../../engine/page/session'
import type { Lab } from '../../state/lab.svelte'
import type { ExportKind, FileFormat } from '../shared/export/formats'
import { automatonOf } from './automaton'

const circuitFile = (lab: Lab, format: ExportFormat, name: string): FileFormat => ({
  name,
  testid: `export-circuit-${format}`,
  async make() {
    const reply = await automatonOf(lab).ask({ kind: 'export', format })
    return reply?.kind === 'file' ? reply : null
  },
})

const circuit: ExportKind = (lab) => [
  {
    label: 'Circuit',
    detail: 'JSON opens in this page, Verilog in hardware tools',
    formats: [circuitFile(lab, 'json', 'JSON'), circuitFile(lab, 'verilog', 'Verilog')],
  },
  {
    label: 'Animation',
    detail: 'A rollout of the circuit',
    formats: [circuitFile(lab, 'gif', 'GIF')],
  },
]

export const exports: readonly ExportKind[] = [circuit]

/** The horizontal axis of all charts, which the browser stores. */
import { storageKey } from '../lib/storage'
import { elapsed } from '../state/history'
import type { Lab } from '../state/lab.svelte'
import { runAxis, type AxisKind, type RunAxis } from './run-axis'

const key = () => storageKey('chart-axis')

class ChartAxis {
  /** Whether a guide is open, whose texts count steps. */
  inGuide = $state(false)
  private selected = $state<AxisKind>('steps')
  /** The axis of the link, until the visitor chooses one. */
  linked = $state<AxisKind | null>(null)

  constructor() {
    try {
      this.read(localStorage.getItem(key()))
      // Selected in another document, such as that of the second run.
      addEventListener('storage', (event) => {
        const { key: changed, newValue } = event as StorageEvent
        if (changed === key()) this.read(newValue)
      })
    } catch {
      // Without storage the choice lasts until the page is closed.
    }
  }

  /** The selected axis; steps in a guide. */
  get kind(): AxisKind {
    return this.inGuide ? 'steps' : (this.linked ?? this.selected)
  }

  /** The axis for a link; null for steps, the default. */
  get inLink(): AxisKind | null {
    return this.kind === 'steps' ? null : this.kind
  }

  select(kind: AxisKind): void {
    this.linked = null
    this.selected = kind
    try {
      localStorage.setItem(key(), kind)
    } catch {
      // As above.
    }
  }

  private read(stored: string | null): void {
    this.selected = stored === 'time' ? 'time' : 'steps'
  }
}

export const chartAxis = new ChartAxis()

/** Returns the axis of the current run of a lab. */
export function ownAxis({ history, revision }: Pick<Lab, 'history' | 'revision'>): RunAxis {
  // The history itself is not reactive; the revision changes with it.
  void revision
  return runAxis(chartAxis.kind, history.steps, history.column(elapsed))
}

/** The newest picture of the herd, and what a person asks of it. */
import { controlFrame, type ControlFrame, type ControlView, type Frame } from '../../session'
import { lab } from '../../state/lab.svelte'
import { toasts } from '../../state/toasts.svelte'

class Herd {
  /** The newest picture; drawing asks for it every frame, nothing else watches it. */
  frame: ControlFrame | null = null
  /** The newest heat maps, likewise; not every picture has one. */
  map: ControlFrame['map'] = null

  private wanted: ({ kind: 'control' } & ControlView) | null = null
  private mapDue: ReturnType<typeof setTimeout> | undefined

  constructor() {
    lab.watch((frame) => this.picture(frame))
  }

  view(view: ControlView): void {
    this.wanted = { kind: 'control', ...view }
    lab.view(this.wanted)
  }

  private picture(frame: Frame | null): void {
    this.frame = frame && controlFrame(frame)
    if (!frame) this.map = null
    if (!this.frame?.map) return
    this.map = this.frame.map
    if (lab.running !== 'running' || !this.wanted?.map || lab.wanted !== this.wanted) return
    // A map costs thousands of evaluations of the network, which training pays for: some ten a second will do.
    const { wanted } = this
    const without = { ...wanted, map: null }
    lab.view(without)
    clearTimeout(this.mapDue)
    this.mapDue = setTimeout(() => {
      if (lab.wanted === without) lab.view(wanted)
    }, 100)
  }

  /** Signed, as a multiple of the strongest action. Pushes that fail are not worth a message each. */
  push(member: number | null, force: number): void {
    lab.session?.command({ kind: 'push', member, force }).catch(() => {})
  }

  reset(): void {
    lab.session?.command({ kind: 'reset_herd' }).catch((problem) => toasts.error(problem))
  }
}

export const herd = new Herd()

/** The preview of the learner: environments in which the newest policy acts in real time, and what a person does to them. */
import type { ControlView, Frame } from '../../engine/page/session'
import { partOf } from '../../state/context'
import type { Lab } from '../../state/lab.svelte'
import { toasts } from '../../state/toasts.svelte'
import { controlFrame, type ControlFrame } from './draw/frame'

export class Preview {
  /** The newest picture; drawing asks for it every frame, nothing else watches it. */
  frame: ControlFrame | null = null
  /** The newest heat maps, likewise; not every picture has one. */
  map: ControlFrame['map'] = null

  private wanted: ControlView | null = null
  private mapDue: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly lab: Lab) {
    lab.watch((frame) => this.picture(frame))
  }

  view(view: Omit<ControlView, 'kind'>): void {
    this.wanted = { kind: 'control', ...view }
    this.lab.view(this.wanted)
  }

  private picture(frame: Frame | null): void {
    this.frame = frame && controlFrame(frame)
    if (!frame) this.map = null
    if (!this.frame?.map) return
    this.map = this.frame.map
    if (this.lab.running !== 'running' || !this.wanted?.map || this.lab.wanted !== this.wanted) return
    // A map costs thousands of evaluations of the network, which training pays for: some ten a second will do.
    const { wanted } = this
    const without = { ...wanted, map: null }
    this.lab.view(without)
    clearTimeout(this.mapDue)
    this.mapDue = setTimeout(() => {
      if (this.lab.wanted === without) this.lab.view(wanted)
    }, 100)
  }

  /** Signed, as a multiple of the strongest action. Pushes that fail are not worth a message each. */
  push(member: number | null, force: number): void {
    this.lab.session?.command({ kind: 'push', member, force }).catch(() => {})
  }

  reset(): void {
    this.lab.session?.command({ kind: 'reset_preview' }).catch((problem) => toasts.error(problem))
  }
}

export const [usePreview, previewOf] = partOf((lab) => new Preview(lab))

/** Preview of the learner: environments in which the newest policy acts in real time, and commands that push them. */
import type { ControlView, Frame } from '../../engine/page/session'
import { number } from '../../lib/format'
import { partOf } from '../../state/context'
import type { Lab } from '../../state/lab.svelte'
import { toasts } from '../../state/toasts.svelte'
import { Attempts } from './attempts'
import { controlFrame, type ControlFrame } from './draw/frame'

/** Numbers of environments in the preview of a narrow and a wide exhibit, and the width that separates both, CSS pixels. */
const [few, many, wideFrom] = [120, 256, 720]

/**
 * Returns the number of environments for the width of an exhibit, in CSS pixels; null before the first layout. In projector
 * mode, an exhibit that shows only the panel of a step has no width of its own, but its maps still need frames.
 */
export const membersIn = (wide: number, projector: boolean): number | null =>
  wide === 0 ? (projector ? many : null) : wide < wideFrom ? few : many

/** Says how many environments the preview has, and how good their running episodes are. */
export function previewText(frame: Pick<ControlFrame, 'members' | 'returns'> | null): string {
  if (!frame || frame.members === 0) return 'Preview of the environments.'
  const mean = frame.returns.reduce((sum, part) => sum + part, 0) / frame.members
  return (
    `Preview of ${frame.members} environments; on a scale from the worst return (0 %) to a solved episode (100 %), ` +
    `their running episodes are at ${number(100 * mean, 0)} % on average.`
  )
}

export class Preview {
  /** Newest frame. Not reactive: read by drawing loops only. */
  frame: ControlFrame | null = null
  /** Newest heat maps; not every frame contains heat maps. Not reactive. */
  map: ControlFrame['map'] = null
  /** Attempts that the preview has shown. Not reactive. */
  readonly attempts = new Attempts()

  private wanted: ControlView | null = null
  /** The last request: `wanted`, or `wanted` without heat maps. */
  private requested: ControlView | null = null
  private mapDue: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly lab: Lab) {
    lab.watch((frame) => this.picture(frame))
  }

  view(view: Omit<ControlView, 'kind'>): () => void {
    const wanted: ControlView = { kind: 'control', ...view }
    this.wanted = wanted
    this.request(wanted)
    return () => {
      if (this.wanted !== wanted) return
      this.wanted = null
      clearTimeout(this.mapDue)
      this.lab.withdraw(this.requested!)
    }
  }

  private request(view: ControlView): void {
    clearTimeout(this.mapDue)
    this.requested = view
    this.lab.view(view)
  }

  private picture(frame: Frame | null): void {
    this.frame = frame && controlFrame(frame)
    if (!frame) this.map = null
    if (this.frame) this.attempts.update(this.frame.ages)
    else this.attempts.clear()
    if (!this.frame?.map) return
    this.map = this.frame.map
    const { wanted } = this
    if (
      (this.lab.running !== 'running' && !this.lab.pace.acting) ||
      !wanted?.map ||
      this.requested !== wanted
    )
      return
    // A map costs thousands of network evaluations on the training thread, so it is requested at most 10 times a
    // second.
    this.request({ ...wanted, map: null })
    this.mapDue = setTimeout(() => this.request(wanted), 100)
  }

  /** Pushes one environment, or all (null), with a signed multiple of the largest action. Errors are ignored. */
  push(member: number | null, force: number): void {
    this.lab.viewed?.command({ kind: 'push', member, force }).catch(() => {})
  }

  reset(): void {
    this.lab.viewed?.command({ kind: 'reset_preview' }).catch((problem) => toasts.error(problem))
  }
}

export const [usePreview, previewOf] = partOf((lab) => new Preview(lab))

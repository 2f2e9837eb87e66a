/** Performs the actions of a guide and reads its figures, through the lab and the controls of the page. */
import { tick } from 'svelte'
import { address } from '../../../state/address.svelte'
import { get, presetConfig, type Config } from '../../../state/config'
import type { Lab } from '../../../state/lab.svelte'
import { numberIn, type Action, type Figure } from './guide'

/** Functions with which a guide controls the run. */
export interface GuideSteer {
  restart: (config?: Config, seed?: number, held?: boolean) => Promise<void>
  remember: () => void
}

/** Maximum time for which an action waits for a control, such as one that needs a model, in milliseconds. */
const patience = 60_000

export const elementOf = (testId: string) =>
  document.querySelector<HTMLElement>(`[data-testid="${CSS.escape(testId)}"]`)

/** Waits until `find` returns a value, checked once a frame. Returns null if it does not, or if `left`. */
async function waitFor<T>(find: () => T | null | false, left: () => boolean): Promise<T | null> {
  for (const end = performance.now() + patience; performance.now() < end && !left();) {
    const found = find()
    if (found) return found
    await new Promise((next) => setTimeout(next, 16))
  }
  return null
}

type Control = HTMLElement & { disabled?: boolean; value?: string }

const enabled = (testId: string) => () => {
  const control = elementOf(testId) as Control | null
  return control && !control.disabled ? control : null
}

/** Returns whether an action needs a control that is not on the page. */
export const isMissing = (action: Action) =>
  'element' in action && !(action.kind === 'click' && action.optional) && !elementOf(action.element)

/** Performs the actions one after the other, until `left` returns true. */
export async function perform(
  actions: readonly Action[],
  lab: Lab,
  steer: GuideSteer,
  left: () => boolean,
): Promise<void> {
  // Projector mode hides some controls.
  if (address.fitted && actions.some(isMissing)) address.showPanel()
  for (const action of actions) {
    if (left()) return
    await performOne(action, lab, steer, left)
  }
}

async function performOne(action: Action, lab: Lab, steer: GuideSteer, left: () => boolean): Promise<void> {
  switch (action.kind) {
    case 'learn':
      if (!action.on) lab.pause()
      else if (lab.running !== 'running') await lab.play()
      return
    case 'act':
      return lab.pace.act(action.on)
    case 'speed':
      return lab.pace.set(action.speed)
    case 'single-step':
      lab.pause()
      if (await waitFor(() => lab.running === 'paused' && !lab.single.busy, left)) lab.step(action.until)
      return
    case 'restart': {
      // An exhibit that the visitor has left does not restart its run.
      if (action.from !== undefined && (lab.preset !== action.from || address.page !== lab.info?.name)) return
      // A running session continues after a restart.
      if (action.held) {
        lab.pause()
        await waitFor(() => lab.running === 'paused', left)
      }
      const preset = lab.info?.presets.find(({ name }) => name === action.preset)
      const config = preset && presetConfig(lab.info!, preset)
      return steer.restart(config, undefined, action.held)
    }
    case 'set':
      await lab.setLive(action.path, action.value)
      return steer.remember()
    case 'click':
      if (action.optional) return enabled(action.element)()?.click()
      return (await waitFor(enabled(action.element), left))?.click()
    case 'unless':
      if (readFigure(action.figure, lab) === action.is) return
      return perform(action.does, lab, steer, left)
    case 'wait':
      await tick()
      await waitFor(enabled(action.element), left)
      return
    case 'press': {
      const press = new KeyboardEvent('keydown', { key: action.key, bubbles: true, cancelable: true })
      ;(await waitFor(enabled(action.element), left))?.dispatchEvent(press)
      return
    }
    case 'fill': {
      const control = await waitFor(enabled(action.element), left)
      if (!control) return
      control.value = action.value
      for (const kind of ['input', 'change']) control.dispatchEvent(new Event(kind, { bubbles: true }))
    }
  }
}

/** Metrics of a run at one time: latest values, and means of the last three values. */
export interface MetricValues {
  latest: Readonly<Record<string, number>>
  recent: Readonly<Record<string, number>>
}

/** Returns the current value of a figure; undefined if unknown. `earlier`: metrics that replace the current ones. */
export function readFigure(figure: Figure, lab: Lab, earlier: MetricValues | null = null): unknown {
  if ('metric' in figure) return earlier?.latest[figure.metric] ?? lab.latest[figure.metric]
  if ('recent' in figure) return (earlier?.recent ?? lab.history.recent())[figure.recent]
  if ('progress' in figure) return lab.progress[figure.progress]
  if ('field' in figure) return get(lab.config, figure.field)
  if ('run' in figure) {
    if (figure.run === 'seconds') return lab.seconds
    return figure.run === 'solved-steps' ? lab.solved?.steps : lab.solved?.seconds
  }
  const { element, attribute = 'value' } = figure
  const found = elementOf(element)
  if (!found) return figure.missing
  if (attribute === 'text') return numberIn(found.textContent ?? '')
  const text = found.dataset[attribute] ?? (attribute === 'value' ? (found as Control).value : undefined)
  return text ? Number(text) : undefined
}

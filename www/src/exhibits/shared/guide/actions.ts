/** Performs the actions of a guide and reads its figures, through the lab and the controls of the page. */
import { tick } from 'svelte'
import { address } from '../../../state/address.svelte'
import { get, presetConfig, type Config } from '../../../state/config'
import type { Lab } from '../../../state/lab.svelte'
import { Commands } from '../../../state/session-commands'
import { elementOf } from '../../../lib/element'
import { numberIn, type Action, type Figure } from './guide'

/** Functions with which a guide controls the run. */
export interface GuideSteer {
  restart: (config?: Config, seed?: number, held?: boolean) => Promise<void>
  remember: () => void
}

/** Maximum time for which an action waits for a disabled control, such as one that needs a model, in milliseconds. */
const patience = 60_000
/** Maximum time for which an action waits for a control that the page lacks, in milliseconds. */
const absence = 15_000

/** Waits until `find` returns a value, checked once a frame. Returns null if it does not within `time`, or if `left`. */
async function waitFor<T>(
  find: () => T | null | false,
  left: () => boolean,
  time: () => number = () => patience,
): Promise<T | null> {
  for (const start = performance.now(); performance.now() - start < time() && !left();) {
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

/** Waits until a control can be used. Returns null if it stays disabled, or missing, for too long. */
const waitForControl = (testId: string, left: () => boolean) =>
  waitFor(enabled(testId), left, () => (elementOf(testId) ? patience : absence))

/** Returns whether an action needs a control that is not on the page. */
export const isMissing = (action: Action) =>
  'element' in action && !(action.kind === 'click' && action.optional) && !elementOf(action.element)

/**
 * Performs the actions one after the other, until `left` returns true. Returns whether it could: false if a control
 * stays missing or disabled for too long.
 */
export async function perform(
  actions: readonly Action[],
  lab: Lab,
  steer: GuideSteer,
  left: () => boolean,
): Promise<boolean> {
  // Projector mode hides some controls. All actions wait for its panel, also clicks that are optional.
  const missing = address.fitted && actions.find(isMissing)
  if (missing) {
    address.showPanel()
    await waitFor(
      () => !isMissing(missing),
      left,
      () => absence,
    )
  }
  for (const action of actions) {
    if (left()) return true
    if (!(await performOne(action, lab, steer, left))) return left()
  }
  return true
}

/** Performs an action. Returns whether the control that it needs was there. */
async function performOne(
  action: Action,
  lab: Lab,
  steer: GuideSteer,
  left: () => boolean,
): Promise<boolean> {
  switch (action.kind) {
    case 'learn':
      if (!action.on) lab.pause()
      else if (lab.running !== 'running') await lab.play()
      return true
    case 'act':
      lab.pace.act(action.on)
      return true
    case 'speed':
      lab.pace.set(action.speed)
      return true
    case 'single-step':
      lab.pause()
      if (await waitFor(() => lab.running === 'paused' && !lab.single.busy, left)) lab.step(action.until)
      return true
    case 'restart': {
      // An exhibit that the visitor has left does not restart its run.
      if (action.from !== undefined && (lab.preset !== action.from || address.page !== lab.info?.name))
        return true
      // A running session continues after a restart.
      if (action.held) {
        lab.pause()
        await waitFor(() => lab.running === 'paused', left)
      }
      const preset = lab.info?.presets.find(({ name }) => name === action.preset)
      const config = preset && presetConfig(lab.info!, preset)
      await steer.restart(config, undefined, action.held)
      return true
    }
    case 'set':
      await lab.setLive(action.path, action.value)
      steer.remember()
      return true
    case 'command':
      await new Commands(lab).ask(action.command)
      return true
    case 'unless':
      return readFigure(action.figure, lab) === action.is || perform(action.does, lab, steer, left)
    case 'reach': {
      // The actions before have reached the page.
      await tick()
      const { figure, value } = action
      const isReached = () => Number(readFigure(figure, lab) ?? NaN) >= value
      return (await waitFor(isReached, left)) !== null
    }
    case 'click':
      if (!action.optional) break
      enabled(action.element)()?.click()
      return true
    case 'wait':
      await tick()
  }
  const control = await waitForControl(action.element, left)
  if (!control) return false
  if (action.kind === 'click') control.click()
  else if (action.kind === 'press')
    control.dispatchEvent(new KeyboardEvent('keydown', { key: action.key, bubbles: true, cancelable: true }))
  else if (action.kind === 'fill') {
    control.value = action.value
    for (const kind of ['input', 'change']) control.dispatchEvent(new Event(kind, { bubbles: true }))
  }
  return true
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
  if ('first' in figure) return lab.history.first(figure.first)
  if ('last-steps' in figure) return lab.history.lastSteps(figure['last-steps'])
  if ('progress' in figure) return lab.progress[figure.progress]
  if ('field' in figure) return get(lab.config, figure.field)
  if ('run' in figure) {
    if (figure.run === 'seconds') return lab.seconds
    if (figure.run === 'changed-steps') return lab.changedAt
    return figure.run === 'solved-steps' ? lab.solved?.steps : lab.solved?.seconds
  }
  const { element, attribute = 'value' } = figure
  const found = elementOf(element)
  if (!found) return figure.missing
  if (attribute === 'text') return numberIn(found.textContent ?? '')
  const text = found.dataset[attribute] ?? (attribute === 'value' ? (found as Control).value : undefined)
  return text ? Number(text) : undefined
}

/**
 * The parts of the exhibit that a step of the guide shows: the picture, and the parts with an element that the step names.
 * The other parts are hidden by a style sheet, so that they stay in the page: actions and figures still use them, and a part
 * that appears later needs no further code.
 */
import type { Action, Figure, GuideStep } from './guide'
import { parts } from './ring'

/** Parts that a step may hide: panels, single maps, the values of a single step, the notes of a picture, and the tools of a sandbox. */
const hideable = `:is(${parts}, .maps > figure, [data-testid='step-change'], .picture > :not(.box, .plinth, .hint), .picture > .hint > p, .sandbox > :not(.box))`
/** Parts that stay with their section: the picture and its status. */
const kept = '.two-columns > :is(:has(> .box), .status), .picture > .hint'
const keptWithoutPicture = '.two-columns > .status'
/** The select of the settings in the head, whose names no step explains unless it names the select. */
const preset = "[data-testid='preset']"

/** Returns the elements that actions use. */
const usedBy = (actions: readonly Action[]): string[] =>
  actions.flatMap((action) => {
    if (action.kind === 'unless') return usedBy(action.does)
    return 'element' in action ? [action.element] : []
  })

/** Returns the element that displays a figure, if any. */
function displayOf(figure: Figure): string[] {
  if ('metric' in figure) return [`chart-${figure.metric}`]
  if ('recent' in figure) return [`chart-${figure.recent}`]
  if ('first' in figure) return [`chart-${figure.first}`]
  if ('progress' in figure) return ['steps']
  return 'element' in figure ? [figure.element] : []
}

/**
 * Returns the test ids of the elements that a step names: its target and what it shows. `begun`: whether the experiment has
 * started, so that the step shows the answer.
 */
export function namedBy(step: GuideStep, begun: boolean): string[] {
  const { target, also = target, shows, reveals = [], action, requirement, figures } = step
  const controls = () => [...usedBy(action.does), ...usedBy(requirement?.action.does ?? [])]
  const named = [target, also, ...(shows ?? [...controls(), ...Object.values(figures).flatMap(displayOf)])]
  return [...new Set(named)].filter((id) => begun || !reveals.includes(id))
}

/**
 * Returns the style sheet that hides the parts of the exhibit without an element that the step names. Projector mode has its own
 * selection of parts, of which the sheet hides panels beside a named one.
 */
export function focusSheet(step: GuideStep, begun = true): string {
  const named = namedBy(step, begun)
    .map((id) => `[data-testid='${id}']`)
    .join(', ')
  // Details of a named part, such as the names of gates, unless the step names them.
  const details = `[data-detail]:not(${named}, :has(${named}))`
  const others = (besides: string) => `:not(${named}, :is(${named}) *, :has(${named}), ${besides})`
  const rules = [
    `:not([data-projector]) .world ${hideable}${others(step.hidesPicture ? keptWithoutPicture : kept)}`,
    ` .world ${details}`,
    `:not([data-projector]) .head .tools > :has(${preset}):not(:has(${named}))`,
    `[data-projector='fitted'] .world aside:has(${named}) > ${others('.transport')}`,
  ]
  return `${rules.map((rule) => `:root[data-focus]${rule}`).join(',\n')} { display: none; }`
}

/**
 * Shows only the picture and the parts of the exhibit that the step names. Returns a function that shows all parts.
 */
export function showOnly(step: GuideStep, begun: boolean): () => void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(focusSheet(step, begun))
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  document.documentElement.toggleAttribute('data-focus', true)
  return () => {
    document.documentElement.removeAttribute('data-focus')
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet)
  }
}

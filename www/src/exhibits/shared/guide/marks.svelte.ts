/** What a step of the guide shows on the page: the mark of the explained block, its place in the window, and its panel. */
import { narrow } from '../../../kit/narrow'
import { scrollIntoView } from '../../../kit/scroll'
import { address } from '../../../state/address.svelte'
import { elementOf } from '../../../lib/element'
import { isMissing } from './actions'
import type { GuideStep } from './guide'
import { blockOf, distanceTo, heightAbove, panelOf, ringAround, withPicture } from './ring'

/** Time in which an exhibit that was just opened gets its parts, in milliseconds. */
const loading = 2000

/** Acts of the visitor after which the block is no longer scrolled into view. */
const visitorActs = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

/** Sets an attribute of at most one element at a time. */
class Mark {
  element: HTMLElement | null = null

  constructor(private readonly attribute: string) {}

  move(to: HTMLElement | null): void {
    if (to === this.element) return
    this.element?.removeAttribute(this.attribute)
    to?.setAttribute(this.attribute, '')
    this.element = to
  }
}

export class StepMarks {
  /** The block that the step explains; null while the page lacks it. */
  block = $state.raw<HTMLElement | null>(null)

  private readonly guided = new Mark('data-guided')
  /** The part of the exhibit that projector mode shows. */
  private readonly projected = new Mark('data-projected')
  /** Whether the visitor uses the page, so that it must not scroll by itself. */
  private scrolled = false
  /** Whether the page is at the place that the step before has left. */
  private misplaced = true
  /** Whether the second element of the step was scrolled into view. */
  private alsoShown = false
  /** Whether the experiment is running and the card at the bottom of the window is folded. */
  private folded = false
  /** Time of the first update of a run that is ready. */
  private since: number | null = null

  constructor(private readonly step: GuideStep) {
    for (const kind of visitorActs) addEventListener(kind, this.stay, { passive: true })
  }

  end(): void {
    for (const kind of visitorActs) removeEventListener(kind, this.stay)
    this.guided.move(null)
    this.projected.move(null)
    this.block = null
  }

  private readonly stay = (): void => void (this.scrolled = true)

  /** Marks the block. `loads`: the exhibit may still get its parts. `done`: the step has its outcome. */
  update(ready: boolean, loads: boolean, done: boolean): void {
    const { target, tries = target } = this.step
    const block = blockOf(elementOf(done ? tries : target))
    this.guided.move(block?.checkVisibility() ? block : null)
    this.block = this.guided.element
    if (!ready) return
    // Projector mode hides some parts. An exhibit that was just opened has its parts after the first results.
    this.since ??= performance.now()
    const early = loads && performance.now() - this.since < loading
    if (address.fitted && !early && (!block || this.needed.some(isMissing))) address.showPanel()
    this.projected.move(address.projector && !address.fitted ? panelOf(block) : null)
  }

  /** Actions whose controls the step needs. */
  private get needed() {
    const { setup = [], action, requirement } = this.step
    return [...setup, ...action.does, ...(requirement?.action.does ?? [])]
  }

  /** Scrolls the block and its ring into the part of the page above the card, until the visitor uses the page. */
  reveal(card: HTMLElement | undefined): void {
    const { block } = this
    const height = card ? heightAbove(card.getBoundingClientRect(), innerHeight) : innerHeight
    // The click that starts the experiment does not move the page.
    const mayFold = narrow.current && !address.projector && height < innerHeight
    const folds = mayFold && card?.querySelector('[aria-busy="true"]') != null
    if (folds && !this.folded) this.scrolled = false
    this.folded = folds
    if (this.scrolled || !block) return
    // The place of a step does not depend on the steps before it.
    if (this.misplaced) scrollTo({ top: 0, behavior: 'instant' })
    this.misplaced = false
    const { also } = this.step
    const alsoShown = also && blockOf(elementOf(also))
    if (alsoShown && !this.alsoShown) scrollIntoView(alsoShown, 'nearest')
    this.alsoShown = true
    // Scrolls the parents of the block that scroll themselves.
    scrollIntoView(block, 'nearest')
    if (!card) return
    let ring = ringAround(block.getBoundingClientRect(), document.body.clientWidth)
    // Without its controls, the picture fits above the whole card as well.
    const shown = folds ? '.world .picture' : '.world .picture > .box'
    const pictures = narrow.current && !address.projector ? [...document.querySelectorAll(shown)] : []
    const picture = pictures.find((picture) => picture.checkVisibility())
    if (picture) ring = withPicture(ring, picture.getBoundingClientRect(), height)
    scrollBy({ top: distanceTo(ring, height), behavior: 'instant' })
  }

  /** Scrolls again, because the outcome has enlarged the card. */
  revealAgain(): void {
    this.scrolled = this.alsoShown = false
  }
}

/** Charts that share a cursor and are one tab stop: the arrow keys move the focus between them. */
import { untrack } from 'svelte'

let count = 0

export class ChartGroup {
  /** Key with which the charts share a cursor. */
  readonly key = `charts-${count++}`
  /** Visible charts in document order. */
  private elements = $state.raw<readonly HTMLElement[]>([])
  private focused = $state.raw<HTMLElement | null>(null)

  /** Adds a chart. Returns a function that removes it. Callable in an effect: it does not depend on the charts. */
  add(element: HTMLElement): () => void {
    const follows = (a: HTMLElement, b: HTMLElement) =>
      a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1
    this.elements = [...untrack(() => this.elements), element].sort(follows)
    return () => (this.elements = untrack(() => this.elements).filter((other) => other !== element))
  }

  /** Returns whether the Tab key reaches this chart: the chart that had the focus last, or else the first one. */
  isTabStop(element: HTMLElement | undefined): boolean {
    const { focused, elements } = this
    return element === (focused && elements.includes(focused) ? focused : elements[0])
  }

  /** Whether there are several charts. */
  get isSeveral(): boolean {
    return this.elements.length > 1
  }

  /** Records that a chart has received the focus. */
  entered(element: HTMLElement): void {
    this.focused = element
  }

  /** Moves the focus from a chart to the following one (1) or to the preceding one (−1). */
  move(element: HTMLElement, by: number): void {
    this.elements[this.elements.indexOf(element) + by]?.focus()
  }
}

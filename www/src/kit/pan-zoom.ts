/** Gestures that pan and zoom: wheel, pinch, drag and keys. */
import type { Attachment } from 'svelte/attachments'
import type { PanZoom } from './camera'
import { isShortcut } from './keys'
import { pointerPosition, Pointers, type Spot } from './pointers'

/** Movement in CSS pixels up to which a press is a click. */
const slack = 4

export interface PanZoomGestures {
  view: Pick<PanZoom, 'zoom' | 'pan' | 'fit'>
  /** Units of the view per CSS pixel; default: 1. */
  ratio?: () => number
  /** Whether this pointer pans when dragged. */
  pans: (event: PointerEvent) => boolean
  /**
   * Whether the wheel zooms without Ctrl or Meta, while the element has the focus. With Ctrl or Meta, or by a trackpad
   * pinch, the wheel always zooms.
   */
  wheel?: boolean
  /** Called when a pointer that does not pan is pressed. */
  press?: (event: PointerEvent) => void
  /** Called when a pointer moves, pressed or not, unless it pinches. */
  move?: (event: PointerEvent) => void
  /** Called when a pointer is released. `dragged`: it has moved or pinched. */
  release?: (event: PointerEvent, dragged: boolean) => void
  /** Called when the browser takes a pressed pointer, or when a second pointer starts a pinch. */
  cancel?: () => void
}

/**
 * Pans and zooms a view. `+` and `-` zoom and `0` fits; they require the focus. While a drag pans, the element has the
 * attribute `data-panning`.
 */
export function panZoom(gestures: PanZoomGestures): Attachment<HTMLElement> {
  const { view, ratio = () => 1, pans, press, move, release, cancel } = gestures
  return (element) => {
    const pointers = new Pointers()
    const spotOf = (event: MouseEvent) => pointerPosition(event, ratio())
    let from: Spot = { x: 0, y: 0 }
    let dragged = false

    function pointerdown(event: PointerEvent): void {
      if (event.button > 1) return
      ;(event.target as Element).setPointerCapture(event.pointerId)
      pointers.down(event.pointerId, spotOf(event))
      dragged = pointers.count > 1
      if (dragged) return cancel?.()
      from = spotOf(event)
      if (!pans(event)) press?.(event)
    }

    function pointermove(event: PointerEvent): void {
      const at = spotOf(event)
      const before = pointers.get(event.pointerId)
      const pinch = pointers.move(event.pointerId, at)
      if (pinch) {
        view.zoom(pinch.zoom, pinch.middle)
        view.pan(pinch.dx, pinch.dy)
        return
      }
      if (before) dragged ||= Math.hypot(at.x - from.x, at.y - from.y) > slack * ratio()
      if (before && dragged && pans(event)) {
        element.toggleAttribute('data-panning', true)
        view.pan(at.x - before.x, at.y - before.y)
      }
      move?.(event)
    }

    function pointerup(event: PointerEvent): void {
      if (!pointers.get(event.pointerId)) return
      pointers.up(event.pointerId)
      element.removeAttribute('data-panning')
      if (event.type === 'pointercancel') cancel?.()
      else release?.(event, dragged)
    }

    function wheel(event: WheelEvent): void {
      const pinch = event.ctrlKey || event.metaKey
      if (!pinch && !(gestures.wheel && document.activeElement === element)) return
      event.preventDefault()
      const pixels = event.deltaY * (event.deltaMode === 1 ? 16 : 1)
      view.zoom(Math.exp(-pixels * (pinch ? 0.01 : 0.002)), spotOf(event))
    }

    function keydown(event: KeyboardEvent): void {
      const factor = { '+': 1.5, '=': 1.5, '-': 1 / 1.5, '0': 0 }[event.key]
      if (factor === undefined || isShortcut(event)) return
      event.preventDefault()
      if (factor === 0) view.fit()
      else view.zoom(factor)
    }

    // Without it, a press on a text selection that includes the element would drag the selection, not the pointer.
    const dragstart = (event: DragEvent) => event.preventDefault()

    const handlers = {
      pointerdown,
      pointermove,
      pointerup,
      pointercancel: pointerup,
      wheel,
      keydown,
      dragstart,
    }
    const listening = new AbortController()
    for (const [type, handler] of Object.entries(handlers))
      // `preventDefault` of a wheel event requires a listener that is not passive.
      element.addEventListener(type, handler as EventListener, { passive: false, signal: listening.signal })
    return () => listening.abort()
  }
}

/**
 * Interactive circuit view: displayed circuit, camera, selection and animations. It renders only after changes.
 */
import { between, fit, type Camera, type PanZoom } from '../../../kit/camera'
import { pixelRatio, sizeCanvas } from '../../../kit/canvas'
import type { CanvasTheme } from '../../../lib/canvas-theme'
import { detailAt, drawing, wire, type Detail, type Drawing } from './drawing'
import { neighborOf, place, valueAt, type Direction } from './hit-test'
import { labels } from './labels'
import { layout } from './layout'
import { highlightOf, type Highlight } from './highlight'
import { stableNames } from './gate-names'
import { netlist, type CircuitFrame } from './netlist'
import { Painter } from './paint'
import { png } from './picture'
import { restPlacement, transition, type Transition, type Placement } from './transition'
import type { CircuitScene } from './circuit-scene'
import { front, same, Signals } from './signals'

/** Maximum number of drawn gates. */
const mostGates = 3000

/** Number of wire segments from which on rendering is assumed to take longer than an animation frame. */
const heavyFrom = 4000

/** Maximum scale of a drawing that is fitted into the view, and of a drawing that the user zooms. */
const largestFit = 1.5
const largest = 6

/** Duration of a transition between circuits, and minimum display time of a circuit, in milliseconds. */
const transitionTime = 700
const stay = 400

export interface ViewerEvents {
  /** Called when the displayed circuit has changed; null for none. */
  shown(shown: CircuitScene | null): void
  /** Called when the selected value has changed (−1 for none); `pinned`: selected by a click. */
  looked(value: number, pinned: boolean): void
}

export class Viewer {
  private shown: CircuitScene | null = null
  private waiting: CircuitFrame | null = null
  private changed = -Infinity
  private transition: (Transition & { from: Camera; gonePath: Path2D }) | null = null
  private placement: Placement | null = null

  private readonly signals = new Signals()

  /** Size of the view and margins around a fitted drawing; the margin at the sides is for labels. */
  private viewport = { width: 0, height: 0, sides: 0, ends: 0 }

  private hovered = -1
  private pinned = -1
  private light: Highlight | null = null
  private drawings: { now: Drawing | null; before: Drawing | null; detail: Detail } = {
    now: null,
    before: null,
    detail: { symbols: true, pins: true },
  }
  private readonly painter: Painter
  private request = 0
  private gone = false

  constructor(
    private readonly context: CanvasRenderingContext2D,
    private readonly view: PanZoom,
    private look: CanvasTheme,
    private channelNames: readonly string[],
    private readonly still: () => boolean,
    private readonly events: ViewerEvents,
  ) {
    this.painter = new Painter(context)
  }

  destroy(): void {
    cancelAnimationFrame(this.request)
    this.gone = true
  }

  setLook(look: CanvasTheme, channelNames: readonly string[]): void {
    this.look = look
    this.channelNames = channelNames
    this.draw()
  }

  /** Sets the size of the view in CSS pixels. */
  resize(width: number, height: number): void {
    sizeCanvas(this.context.canvas, width, height)
    const sides = Math.min(92, Math.max(14, width * 0.15))
    const before = this.aspect()
    this.viewport = { width, height, sides, ends: Math.min(36, height * 0.06) }
    if (this.shown && Math.abs(Math.log(this.aspect() / before)) > 0.12) {
      this.transition = null
      this.show(this.shown.frame, true)
    }
    this.aim()
    this.draw()
  }

  setCircuit(frame: CircuitFrame | null): void {
    if (!frame) {
      this.shown = this.waiting = this.transition = this.placement = null
      this.signals.forget()
      this.lookAt(-1, -1)
      this.events.shown(null)
    } else if (frame.version !== (this.waiting ?? this.shown?.frame)?.version) {
      this.waiting = frame
    }
    this.draw()
  }

  /** Sets the signals of the latest circuit. */
  setSignals(signals: Uint8Array | null, now: number): void {
    this.signals.latest = signals
    if (this.waiting || same(signals, this.signals.now)) return
    const follow = this.signals.update(this.fitting(signals), now, this.still())
    // The animation begins with the last drawing.
    this.drawings.before = follow ? this.drawings.now : null
    this.drawings.now = null
    this.draw()
  }

  /** Returns the signals if they belong to the displayed circuit, else null. */
  private fitting(signals: Uint8Array | null): Uint8Array | null {
    const net = this.shown?.net
    return net && signals?.length === net.inputs + net.gates ? signals : null
  }

  private aspect(): number {
    const { width, height, sides, ends } = this.viewport
    return Math.max(40, width - 2 * sides) / Math.max(40, height - 2 * ends)
  }

  /** Replaces the displayed circuit. */
  private show(frame: CircuitFrame, again = false): void {
    const last = this.shown
    const net = again && last ? last.net : netlist(frame)
    const names = again && last ? last.names : stableNames(net)
    const related = last !== null && last.net.channels === net.channels
    const made = layout(net, {
      most: mostGates,
      aspect: this.aspect(),
      before: related ? last.layout : null,
      names,
    })
    this.shown = { net, layout: made, names, frame }
    this.placement = restPlacement(made)
    this.transition = null
    if (related && !again && !this.still()) {
      const way = transition(last, this.shown)
      const gonePath = new Path2D()
      for (const s of way.gone.wires) wire(gonePath, last.layout.wires.ends, s, last.layout.wires.tails[s]!)
      for (const g of way.gone.gates) {
        gonePath.roundRect(last.layout.gateX[g]! - 10, last.layout.gateY[g]! - 10, 20, 20, 4)
      }
      this.transition = { ...way, from: this.view.camera, gonePath }
    } else if (!related) {
      this.view.fit()
    }
    this.signals.show(again ? this.signals.now : this.fitting(this.signals.latest))
    const follow = (value: number) =>
      value < 0 || !last || !related ? -1 : sameValue(value, last, this.shown!)
    this.lookAt(follow(this.hovered), follow(this.pinned))
    this.aim()
    this.events.shown(this.shown)
  }

  /** Fits the whole drawing into the view, unless the user moved the camera. */
  private aim(): void {
    if (!this.shown || this.viewport.width === 0) return
    const { layout: drawn } = this.shown
    this.view.resize(drawn, this.viewport, fit(drawn, this.viewport, this.viewport, largestFit), largest)
  }

  /** Requests that the view is rendered in the next animation frame. */
  draw(): void {
    if (this.request === 0 && !this.gone) this.request = requestAnimationFrame((now) => this.frame(now))
  }

  private frame(now: number): void {
    this.request = 0
    if (this.viewport.width === 0) return
    let moving = false
    if (this.waiting) {
      const busy = this.shown !== null && now - this.changed < transitionTime + stay
      if (busy) moving = true
      else {
        this.changed = now
        const next = this.waiting
        this.waiting = null
        this.show(next)
        this.drawings.now = this.drawings.before = null
      }
    }
    const { shown } = this
    if (!shown) {
      this.painter.clear()
      if (moving) this.draw()
      return
    }

    let arrived = 1
    if (this.transition) {
      arrived = Math.min(1, (now - this.changed) / transitionTime)
      const t = ease(arrived)
      this.placement = arrived < 1 ? this.transition.at(t) : restPlacement(shown.layout)
      if (!this.view.moved) this.view.camera = between(this.transition.from, this.view.whole, t)
      this.drawings.now = this.drawings.before = null
      moving = arrived < 1
    }

    const done = this.signals.done(now)
    if (done >= 1) this.drawings.before = null
    else moving = true

    const detail = detailAt(this.view.camera.scale, shown.layout)
    const { symbols, pins } = this.drawings.detail
    if (detail.symbols !== symbols || detail.pins !== pins)
      this.drawings = { now: null, before: null, detail }
    const of = (signals: Uint8Array | null) =>
      drawing(
        {
          net: shown.net,
          layout: shown.layout,
          placement: this.placement!,
          signals,
          light: this.light,
        },
        detail,
      )
    this.drawings.now ??= of(this.signals.now)
    if (this.signals.before) this.drawings.before ??= of(this.signals.before)

    const sharp = this.painter.paint(
      pixelRatio(),
      this.view.camera,
      this.viewport,
      {
        now: this.drawings.now,
        before: this.drawings.before,
        front: front(shown.layout.columns, done),
        gone: this.transition?.gonePath ?? null,
        goneAlpha: Math.max(0, 1 - 2.5 * arrived),
        freshAlpha: Math.max(0, 1.5 * arrived - 0.5),
        heavy: shown.layout.wires.count > heavyFrom,
      },
      this.look,
      now,
    )
    labels(
      this.context,
      pixelRatio(),
      this.view.camera,
      this.viewport,
      shown,
      this.placement!,
      this.channelNames,
      this.light,
      this.look,
    )

    if (arrived >= 1) this.transition = null
    if (moving || !sharp) this.draw()
  }

  // User interaction.

  /** Returns the value at a point of the canvas; −1 for none. */
  private at(x: number, y: number, reach: number): number {
    if (!this.shown) return -1
    const { scale } = this.view.camera
    return valueAt(
      this.shown.net,
      this.shown.layout,
      (x - this.view.camera.x) / scale,
      (y - this.view.camera.y) / scale,
      reach / scale,
    )
  }

  hover(x: number, y: number): void {
    this.lookAt(this.at(x, y, 4), this.pinned)
  }

  leave(): void {
    this.lookAt(-1, this.pinned)
  }

  /** Pins the value at a point, or unpins it if it was pinned. */
  pin(x: number, y: number, reach: number): void {
    const value = this.at(x, y, reach)
    this.lookAt(this.hovered, value === this.pinned ? -1 : value)
  }

  unpin(): void {
    this.lookAt(this.hovered, -1)
  }

  /** Pins the gate of the first output that has a gate. */
  pinFirst(): void {
    if (this.shown) this.lookAt(this.hovered, first(this.shown))
  }

  /** Moves the selection in the direction of an arrow key. */
  walk(way: Direction): void {
    if (!this.shown) return
    const { net, layout: drawn } = this.shown
    const at = this.pinned >= 0 ? this.pinned : this.hovered
    const next = at >= 0 ? neighborOf(net, drawn, at, way) : first(this.shown)
    this.lookAt(-1, next)
    const there = next < 0 ? null : place(net, drawn, next)
    if (!there) return
    const { view, viewport } = this
    const { camera } = view
    const [x, y] = [there.x * camera.scale + camera.x, there.y * camera.scale + camera.y]
    const inside = (v: number, space: number) => Math.max(40 - v, 0) || Math.min(space - 40 - v, 0)
    const [dx, dy] = [inside(x, viewport.width), inside(y, viewport.height)]
    if (dx !== 0 || dy !== 0) view.pan(dx, dy)
  }

  /** Returns the visible part as a PNG file; null if no circuit is displayed. */
  async picture(): Promise<Uint8Array<ArrayBuffer> | null> {
    const { shown, viewport, look, light, channelNames } = this
    const { camera } = this.view
    if (!shown || viewport.width === 0) return null
    return png({ shown, signals: this.signals.now, light, camera, viewport, look, channelNames })
  }

  private lookAt(hovered: number, pinned: number): void {
    const before = this.hovered >= 0 ? this.hovered : this.pinned
    const wasPinned = this.pinned
    this.hovered = hovered
    this.pinned = pinned
    const value = hovered >= 0 ? hovered : pinned
    if (value === before && pinned === wasPinned && value < 0 === (this.light === null)) return
    this.light = value < 0 || !this.shown ? null : highlightOf(this.shown.net, this.shown.layout, value)
    this.drawings.now = this.drawings.before = null
    this.events.looked(value, value >= 0 && value === pinned)
    this.draw()
  }
}

/**
 * Returns the value that an arrow key selects if no value is selected: the gate of the first output that has a gate.
 */
function first({ net, layout: drawn }: CircuitScene): number {
  const outputs = Array.from(net.outputs)
  return outputs.find((value) => value >= net.inputs) ?? drawn.wires.values[0] ?? -1
}

/** Returns the value with the same name in another circuit; −1 for none. */
function sameValue(value: number, from: CircuitScene, to: CircuitScene): number {
  if (value < from.net.inputs) return value
  const g = to.names.indexOf(from.names[value - from.net.inputs]!)
  return g < 0 ? -1 : to.net.inputs + g
}

const ease = (t: number) => (t < 0.5 ? 4 * t ** 3 : 1 - (2 - 2 * t) ** 3 / 2)

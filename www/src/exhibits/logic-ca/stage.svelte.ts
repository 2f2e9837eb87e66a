/** The settings of the stage: tool, brush, speed and shown channel. */
import type { Paint, StageStart } from '../../engine/page/session'
import { toasts } from '../../state/toasts.svelte'
import { partOf } from '../../state/context'
import { automatonOf, type Automaton } from './automaton'

/** The tool of the pointer. */
export type Tool = Paint | 'place' | 'inspect' | 'move'

/** In the order of the keys 1 to 6; a pattern is taken where patterns are. */
export const tools = [
  'erase',
  'draw',
  'noise',
  'invert',
  'inspect',
  'move',
] as const satisfies readonly Tool[]

/** Radius of the widest brush, in cells. */
export const widestBrush = 64

/** How far a stroke may lead beyond the edges of the largest board, in cells. */
const farthest = 1024

/** Steps per second; null: as fast as it goes. */
export const stageSpeeds: readonly (number | null)[] = [1, 2, 4, 8, 15, 30, 60, 120, 240, null]

export const stageSides: readonly number[] = [16, 32, 64, 128, 256, 512, 1024]

const within = (place: number): number => Math.max(-farthest, Math.min(2 * farthest, place))

export class Stage {
  constructor(private readonly automaton: Automaton) {}

  tool = $state<Tool>('erase')
  /** Of the brush, in cells of a board 64 wide; it grows with the board. */
  radius = $state(3)
  /** The channel that is seen and painted; null: what the target has. */
  channel = $state<number | null>(null)
  /** The pattern of Life in the hand. */
  pattern = $state<string | null>(null)
  /** The cell whose signals are shown, column and row. */
  cell = $state.raw<readonly [number, number] | null>(null)

  /** Place among {@link stageSpeeds}. */
  speed = $state(3)
  held = $state(false)
  fire = $state(1)
  start = $state<StageStart>('as_trained')
  /** What was opened in place of the learned circuit. */
  opened = $state<string | null>(null)

  /** A new experiment has a new stage; what a person chose for it holds on. */
  begin(fire: number): void {
    this.fire = fire
    this.cell = null
    this.channel = null
    this.opened = null
    this.start = 'as_trained'
    this.go()
  }

  /** Tells the lab how fast the stage is to go. */
  private go(): void {
    const steps_per_second = this.held ? 0 : stageSpeeds[this.speed]!
    void this.automaton.ask({ kind: 'stage_speed', steps_per_second })
  }

  setSpeed(speed: number): void {
    this.speed = speed
    this.held = false
    this.go()
  }

  hold(held: boolean): void {
    this.held = held
    this.go()
  }

  step(): void {
    this.hold(true)
    void this.automaton.ask({ kind: 'step_stage', steps: 1 })
  }

  setFire(rate: number): void {
    this.fire = rate
    void this.automaton.ask({ kind: 'stage_fire', rate })
  }

  /** What is on the stage stays in its middle; `anew`: all of it begins again, as it did last. */
  resize(width: number, height: number, anew: boolean): void {
    this.cell = null
    void this.automaton.ask({ kind: 'resize_stage', width, height })
    if (anew) this.reset(this.start)
  }

  reset(start: StageStart): void {
    this.start = start
    void this.automaton.ask({ kind: 'reset_stage', start })
  }

  clear(): void {
    void this.automaton.ask({ kind: 'clear_stage' })
  }

  /** Runs the circuit of a file; false where it cannot be used, and the stage goes on as it was. */
  async open(file: File): Promise<boolean> {
    toasts.leave()
    let json: string
    try {
      json = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
    } catch {
      // A message that quotes it would be gibberish.
      toasts.error({
        message: `${file.name} is no circuit: it is not text.`,
        hint: 'Open a circuit saved as JSON.',
      })
      return false
    }
    if (!(await this.automaton.ask({ kind: 'open_circuit', json }, file.name))) return false
    this.opened = file.name
    return true
  }

  useLearned(): void {
    this.opened = null
    void this.automaton.ask({ kind: 'use_learned_circuit' })
  }

  /** A stroke in cells. A pointer may leave the board for as far as the screen is wide; nothing is lost of what lies there. */
  stroke(from: [number, number], to: [number, number], radius: number, paint: Paint): void {
    const near = ([x, y]: [number, number]): [number, number] => [within(x), within(y)]
    void this.automaton.ask({
      kind: 'brush',
      from: near(from),
      to: near(to),
      radius: Math.min(widestBrush, radius),
      paint,
      channel: this.channel,
    })
  }
}

export const [useStage, stageOf] = partOf((lab) => new Stage(automatonOf(lab)))

/** Settings of the sandbox: tool, brush, speed and displayed channel. */
import type { Command, Paint, SandboxStart } from '../../engine/page/session'
import { toasts } from '../../state/toasts.svelte'
import { partOf } from '../../state/context'
import { automatonOf, type Automaton, type LogicFrame } from './automaton'
import { Repair, wrongCells } from './repair'

/** Tool that the pointer applies to the sandbox. */
export type Tool = Paint | 'place' | 'inspect' | 'move'

/** Tools in the order of the keys 1 to 6; `place` is selected by choosing a pattern. */
export const tools = [
  'erase',
  'draw',
  'noise',
  'invert',
  'inspect',
  'move',
] as const satisfies readonly Tool[]

/** Maximum brush radius in cells. */
export const widestBrush = 64

/** Maximum distance of a stroke from the edges of the board, in cells. */
const farthest = 1024

/** Selectable speeds in automaton steps per second; null is maximum speed. */
export const sandboxSpeeds: readonly (number | null)[] = [1, 2, 4, 8, 15, 30, 60, 120, 240, null]

export const sandboxSides: readonly number[] = [16, 32, 64, 128, 256, 512, 1024]

const within = (place: number): number => Math.max(-farthest, Math.min(2 * farthest, place))

export class Sandbox {
  constructor(private readonly automaton: Automaton) {}

  tool = $state<Tool>('erase')
  /** Brush radius in cells; it is scaled with the size of the board. */
  radius = $state(3)
  /** Displayed and painted channel; null for the target channels. */
  channel = $state<number | null>(null)
  /** Name of the selected Game of Life pattern; null for none. */
  pattern = $state<string | null>(null)
  /** Column and row of the cell whose signals are displayed; null for the middle cell. */
  cell = $state.raw<readonly [number, number] | null>(null)

  /** Index of the selected speed in {@link sandboxSpeeds}. */
  speed = $state(3)
  paused = $state(false)
  fire = $state(1)
  start = $state<SandboxStart>('as_trained')
  /** Name of the file whose circuit replaces the trained circuit; null if the trained circuit runs. */
  opened = $state<string | null>(null)
  /** Number of brush strokes. */
  strokes = $state(0)
  /** Repair of the board since the last stroke; null without a stroke, or on a board of another size than the target. */
  repair = $state.raw<Readonly<Pick<Repair, 'worst' | 'wrong' | 'steps'>> | null>(null)
  #repair: Repair | null = null
  /** Whether the board has been as the target again since the last stroke. */
  readonly isRepaired = $derived(this.repair !== null && this.repair.worst > 0 && this.repair.wrong === 0)
  /** Number of resets that the experiment has not performed yet. */
  #resets = 0
  /** Whether the latest frame shows the board since its last reset. */
  isCurrent = $state(true)

  /** Resets the settings for a new experiment; tool, brush and speed are kept. */
  begin(fire: number): void {
    this.fire = fire
    this.cell = null
    this.channel = null
    this.opened = null
    this.start = 'as_trained'
    this.#repair = this.repair = null
    this.sendSpeed()
  }

  /** Compares the board of a new frame with the target after a stroke. */
  measure({ sandbox, target, sandboxStep }: LogicFrame): void {
    if (this.#resets === 0) this.isCurrent = true
    const repair = this.#repair
    if (!repair || repair.done) return
    const wrong = wrongCells(sandbox, target)
    if (wrong === null) return
    repair.update(sandboxStep, wrong)
    this.repair = { worst: repair.worst, wrong, steps: repair.steps }
  }

  /** The command that sets the current speed. */
  get speedCommand(): Command {
    return { kind: 'set_sandbox_speed', steps_per_second: this.paused ? 0 : sandboxSpeeds[this.speed]! }
  }

  /** Sends the current speed to the experiment. */
  private sendSpeed(): void {
    void this.automaton.ask(this.speedCommand)
  }

  setSpeed(speed: number): void {
    this.speed = speed
    this.paused = false
    this.sendSpeed()
  }

  setPaused(paused: boolean): void {
    this.paused = paused
    this.sendSpeed()
  }

  step(): void {
    this.setPaused(true)
    void this.automaton.ask({ kind: 'step_sandbox', steps: 1 })
  }

  setFire(rate: number): void {
    this.fire = rate
    void this.automaton.ask({ kind: 'set_sandbox_fire_rate', rate })
  }

  /** Resizes the board and keeps its content centered; `restart` resets it to the last initial state instead. */
  resize(width: number, height: number, restart: boolean): void {
    this.cell = null
    void this.automaton.ask({ kind: 'resize_sandbox', width, height })
    if (restart) this.reset(this.start)
  }

  reset(start: SandboxStart): void {
    this.start = start
    this.#resets++
    this.isCurrent = false
    void this.automaton.ask({ kind: 'reset_sandbox', start }).finally(() => this.#resets--)
  }

  clear(): void {
    void this.automaton.ask({ kind: 'clear_sandbox' })
  }

  /** Runs the circuit of a file. Returns false if the file is invalid; the sandbox is unchanged then. */
  async open(file: File): Promise<boolean> {
    toasts.dismissErrors()
    let json: string
    try {
      json = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
    } catch {
      // The error of the experiment would quote binary data.
      toasts.error({
        message: `${file.name} is not a circuit file: it is not text.`,
        hint: 'Open a circuit saved as JSON.',
      })
      return false
    }
    if (!(await this.automaton.ask({ kind: 'open_circuit', json }, file.name))) return false
    this.opened = file.name
    return true
  }

  useTrained(): void {
    this.opened = null
    void this.automaton.ask({ kind: 'use_trained_circuit' })
  }

  /** Draws a brush stroke; coordinates in cells, clamped to the range that the experiment accepts. */
  stroke(from: [number, number], to: [number, number], radius: number, paint: Paint): void {
    const stroke = ++this.strokes
    this.#repair = this.repair = null
    const near = ([x, y]: [number, number]): [number, number] => [within(x), within(y)]
    void this.automaton
      .ask({
        kind: 'brush',
        from: near(from),
        to: near(to),
        radius: Math.min(widestBrush, radius),
        paint,
        channel: this.channel,
      })
      // Frames before do not show the stroke.
      .then(() => {
        if (stroke === this.strokes) this.#repair = new Repair()
      })
  }
}

export const [useSandbox, sandboxOf] = partOf((lab) => new Sandbox(automatonOf(lab)))

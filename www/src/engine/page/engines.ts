// The workers of one family of learners: one for the CPU and one for the GPU. One worker trains at a time. An
// experiment moves between the workers with its state, and resumes on the CPU if the GPU fails.
import type { GpuState } from './session'
import { attempts, type Capabilities } from './capabilities'
import { closed, SessionError, StartError } from './error'
import type { Family } from '../shared/family'
import type { Host } from './host'
import { Link, type Event } from './link'
import { withoutGpu } from './gpu-modules'
import { preloadedModule } from './preloaded'
import type { OpenedRun, Problem } from '../../protocol/types'
import type { Engine } from '../shared/messages'

/** Receiver of the events of the engines: CPU worker and GPU worker. */
export interface EnginesListener {
  /** Handles a message that the active worker sent without a request. */
  onEvent(event: Event): void
  /** Handles a change of the active engine. */
  moved(engine: Engine): void
  gpu(state: GpuState): void
  /** Handles a failure of the CPU worker while training. `life`: time since the start of the worker in milliseconds. */
  broke(problem: Problem, life: number): void
  /** Handles the end of the phase that runs on the GPU; `bytes` is the state from which the CPU continues. */
  leftGpu(bytes: Uint8Array): void
  /** Handles the loss of the GPU while training. `bytes` is the state of the last readback, or null. */
  lost(problem: Problem, bytes: Uint8Array | null): void
}

const continuesOnCpu = 'Training continues on the CPU from the last readback.'

export class Engines {
  readonly family: Family
  capabilities: Capabilities
  engine: Engine = 'cpu'
  gpu: GpuState = { status: 'looking', report: null, reason: '' }

  #host: Host
  #owner: EnginesListener
  #links: { [E in Engine]: Link | null } = { cpu: null, gpu: null }
  #looking: Promise<void> | null = null
  #ended = false

  constructor(family: Family, capabilities: Capabilities, host: Host, owner: EnginesListener) {
    this.family = family
    this.capabilities = capabilities
    this.#host = host
    this.#owner = owner
  }

  /** Link to the active worker; null if none is active. */
  get active(): Link | null {
    return this.#links[this.engine]
  }

  /** Returns an engine's worker; starts it if necessary. */
  async link(engine: Engine): Promise<Link> {
    if (engine === 'cpu') return this.#links.cpu ?? this.#bootCpu()
    await this.#looking
    // A lost GPU may be available again.
    if (this.gpu.status === 'lost') await this.detectGpu()
    if (this.gpu.status === 'unchecked') await (this.#looking ??= this.#once(this.#openGpu()))
    const { gpu } = this.#links
    if (gpu && this.gpu.status === 'ready') return gpu
    throw new SessionError({
      message: `No GPU is available. ${this.gpu.reason}`.trim(),
      hint: 'Training continues on the CPU.',
    })
  }

  /**
   * Detects a GPU and runs the self-check in the background. Software GPUs are checked only when chosen, because
   * compiling their kernels blocks drawing for seconds.
   */
  detectGpu(): Promise<void> {
    return (this.#looking ??= this.#once(this.#look()))
  }

  /** Moves to another engine, with the experiment if one is `open`. On an error, nothing changes. */
  async move(
    engine: Engine,
    to: Link,
    open: boolean,
  ): Promise<{ bytes: Uint8Array; opened: OpenedRun } | null> {
    const from = this.active
    const bytes = open && from ? await from.ask('suspend', null) : null
    const opened = bytes && (await to.ask('open', { bytes }))
    this.activate(engine)
    from?.send({ kind: 'close' })
    return bytes && opened && { bytes, opened }
  }

  /** Makes an engine active: commands and requests then go to its worker. */
  activate(engine: Engine): void {
    if (this.engine === engine) return
    this.engine = engine
    this.#owner.moved(engine)
  }

  /** Terminates the workers; pending requests reject with this problem. */
  end(problem: Problem = closed): void {
    this.#ended = true
    this.#drop('cpu', problem)
    this.#drop('gpu', problem)
  }

  #listener = {
    event: (link: Link, event: Event): void => {
      if (event.kind === 'lost') this.#lost(link, event.problem, event.bytes)
      else if (event.kind === 'leftGpu') this.#leftGpu(link, event.bytes)
      // Events of an inactive worker belong to an experiment that has moved.
      else if (link === this.active) this.#owner.onEvent(event)
    },
    broke: (link: Link, problem: Problem): void => {
      if (link === this.#links.gpu) return this.#lost(link, { ...problem, hint: continuesOnCpu }, null)
      if (link !== this.#links.cpu) return
      this.#drop('cpu', problem)
      if (this.engine === 'cpu') this.#owner.broke(problem, performance.now() - link.born)
    },
  }

  /** Starts the CPU worker. Tries the settings that `attempts` returns until one of them starts. */
  async #bootCpu(): Promise<Link> {
    let problem = closed
    for (const capabilities of attempts(this.capabilities)) {
      if (this.#ended) break
      const { module, threads } = capabilities.chosen
      const link = this.#open('cpu')
      try {
        await link.boot(this.family, module, threads, preloadedModule(this.family, module))
        this.capabilities = capabilities
        return link
      } catch (error) {
        problem = error as SessionError
        this.#drop('cpu', problem)
      }
    }
    throw new StartError(problem)
  }

  async #look(): Promise<void> {
    const without = withoutGpu(this.family)
    if (without) return this.#absent(without)
    this.#setState({ status: 'looking', report: null, reason: '' })
    const { missing, software } = await this.#host.findAdapter()
    if (this.#ended) return
    if (missing) return this.#absent(missing)
    if (software) return this.#setState({ status: 'unchecked', report: null, reason: '' })
    await this.#openGpu()
  }

  async #openGpu(): Promise<void> {
    this.#setState({ status: 'looking', report: null, reason: '' })
    const link = this.#open('gpu')
    try {
      const report = await link.boot(this.family, 'gpu', 1)
      if (!report) throw new SessionError({ message: 'The GPU module did not open a GPU.', hint: '' })
      if (report.disagreements.length === 0) return this.#setState({ status: 'ready', report, reason: '' })
      this.#drop('gpu', closed)
      const reason = `The GPU failed its self-check: ${report.disagreements.join('; ')}.`
      this.#setState({ status: 'wrong', report, reason })
    } catch (error) {
      this.#drop('gpu', closed)
      if (!this.#ended) this.#absent((error as SessionError).message)
    }
  }

  /** Handles a run whose next phase runs only on the CPU. */
  #leftGpu(link: Link, bytes: Uint8Array): void {
    if (link !== this.active || this.engine !== 'gpu') return
    this.activate('cpu')
    this.#owner.leftGpu(bytes)
  }

  /** Handles the loss of the GPU, or the failure of its worker. */
  #lost(link: Link, problem: Problem, bytes: Uint8Array | null): void {
    if (link !== this.#links.gpu) return
    this.#drop('gpu', problem)
    // While the GPU is still being opened, `#openGpu` handles the failure.
    if (this.gpu.status !== 'ready') return
    this.#setState({ status: 'lost', report: this.gpu.report, reason: problem.message })
    if (this.engine !== 'gpu') return
    this.activate('cpu')
    this.#owner.lost(problem, bytes)
  }

  #once(looking: Promise<void>): Promise<void> {
    return looking.finally(() => (this.#looking = null))
  }

  #absent(reason: string): void {
    this.#setState({ status: 'absent', report: null, reason })
  }

  #setState(state: GpuState): void {
    this.gpu = state
    this.#owner.gpu(state)
  }

  #open(engine: Engine): Link {
    const link = new Link(this.#host.spawn(), this.#listener)
    this.#links[engine] = link
    return link
  }

  #drop(engine: Engine, problem: Problem): void {
    this.#links[engine]?.end(problem)
    this.#links[engine] = null
  }
}

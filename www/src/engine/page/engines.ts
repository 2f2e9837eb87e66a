// The workers of one family of learners: one computes on the processor and one on the GPU, and one of them trains. An
// experiment moves between them with all that it has learned, and goes on where one of them broke down.
import type { GpuState } from './session'
import { simplify, type Capabilities } from './capabilities'
import { closed, SessionError, StartError } from './error'
import type { Family } from '../shared/family'
import type { Host } from './host'
import { Link, type Event } from './link'
import { withoutGpu } from '../shared/modules'
import type { OpenedRun, Problem } from '../../protocol/types'
import type { Engine } from '../shared/messages'

/** The owner of engines, which receives their events. */
export interface Owner {
  /** An event of the worker that trains. */
  heard(event: Event): void
  /** Another engine trains from now on. */
  moved(engine: Engine): void
  gpu(state: GpuState): void
  /** The processor's worker is beyond use while it trained. `life`: for how many milliseconds it had lived. */
  broke(problem: Problem, life: number): void
  /** The processor has taken over, as planned, with this state. */
  leftGpu(bytes: Uint8Array): void
  /** The GPU went away while it trained; the processor has taken over, with this state if anything was read back. */
  lost(problem: Problem, bytes: Uint8Array | null): void
}

const goesOn = 'Training goes on on the CPU, from what was read back last.'

export class Engines {
  readonly family: Family
  capabilities: Capabilities
  engine: Engine = 'cpu'
  gpu: GpuState = { status: 'looking', report: null, reason: '' }

  #host: Host
  #owner: Owner
  #links: { [E in Engine]: Link | null } = { cpu: null, gpu: null }
  #looking: Promise<void> | null = null
  #ended = false

  constructor(family: Family, capabilities: Capabilities, host: Host, owner: Owner) {
    this.family = family
    this.capabilities = capabilities
    this.#host = host
    this.#owner = owner
  }

  /** The worker that trains. */
  get active(): Link | null {
    return this.#links[this.engine]
  }

  /** An engine's worker, ready to work; one that is not there yet is started. */
  async link(engine: Engine): Promise<Link> {
    if (engine === 'cpu') return this.#links.cpu ?? this.#bootCpu()
    await this.#looking
    // A GPU that was lost may be back.
    if (this.gpu.status === 'lost') await this.lookForGpu()
    if (this.gpu.status === 'unchecked') await (this.#looking ??= this.#once(this.#openGpu()))
    const { gpu } = this.#links
    if (gpu && this.gpu.status === 'ready') return gpu
    throw new SessionError({
      message: `There is no GPU to use. ${this.gpu.reason}`.trim(),
      hint: 'The CPU goes on.',
    })
  }

  /**
   * Looks for a GPU and compares its numbers with the processor's, while the rest goes on. One that is a program is
   * compared when somebody chooses it: to compile for it would keep the page from drawing for seconds.
   */
  lookForGpu(): Promise<void> {
    return (this.#looking ??= this.#once(this.#look()))
  }

  /** Hands over to another engine, with the experiment if one is `open`. Where that fails it goes on where it was. */
  async move(engine: Engine, to: Link, open: boolean): Promise<{ bytes: Uint8Array; opened: OpenedRun } | null> {
    const from = this.active
    const bytes = open && from ? await from.ask('leave', null) : null
    const opened = bytes && (await to.ask('open', { bytes }))
    this.activate(engine)
    from?.send({ kind: 'rest' })
    return bytes && opened && { bytes, opened }
  }

  /** From here on this engine is the one that trains. */
  activate(engine: Engine): void {
    if (this.engine === engine) return
    this.engine = engine
    this.#owner.moved(engine)
  }

  /** Ends the workers and their threads; whatever they were asked is refused with this. */
  end(problem: Problem = closed): void {
    this.#ended = true
    this.#drop('cpu', problem)
    this.#drop('gpu', problem)
  }

  #listener = {
    event: (link: Link, event: Event): void => {
      if (event.kind === 'lost') this.#lost(link, event.problem, event.bytes)
      else if (event.kind === 'leftGpu') this.#leftGpu(link, event.bytes)
      // Other events of a worker that does not train belong to an experiment that has moved to the other worker.
      else if (link === this.active) this.#owner.heard(event)
    },
    broke: (link: Link, problem: Problem): void => {
      if (link === this.#links.gpu) return this.#lost(link, { ...problem, hint: goesOn }, null)
      if (link !== this.#links.cpu) return
      this.#drop('cpu', problem)
      if (this.engine === 'cpu') this.#owner.broke(problem, performance.now() - link.born)
    },
  }

  /** A module that does not start is followed by the next simpler one. */
  async #bootCpu(): Promise<Link> {
    const { module, threads } = this.capabilities.chosen
    const link = this.#open('cpu')
    try {
      await link.boot(this.family, module, threads)
      return link
    } catch (error) {
      const simpler = simplify(this.capabilities)
      this.#drop('cpu', error as SessionError)
      if (!simpler || this.#ended) throw new StartError(error as SessionError)
      this.capabilities = simpler
      return this.#bootCpu()
    }
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
      if (!report) throw new SessionError({ message: 'The module for the GPU did not open one.', hint: '' })
      if (report.disagreements.length === 0) return this.#setState({ status: 'ready', report, reason: '' })
      this.#drop('gpu', closed)
      const reason = `It does not compute what the CPU computes: ${report.disagreements.join('; ')}.`
      this.#setState({ status: 'wrong', report, reason })
    } catch (error) {
      this.#drop('gpu', closed)
      if (!this.#ended) this.#absent((error as SessionError).message)
    }
  }

  /** The next work is for the CPU alone. */
  #leftGpu(link: Link, bytes: Uint8Array): void {
    if (link !== this.active || this.engine !== 'gpu') return
    this.activate('cpu')
    this.#owner.leftGpu(bytes)
  }

  /** The GPU went away, or its worker broke down. */
  #lost(link: Link, problem: Problem, bytes: Uint8Array | null): void {
    if (link !== this.#links.gpu) return
    this.#drop('gpu', problem)
    // One that is still being opened is answered by whoever waits for it.
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

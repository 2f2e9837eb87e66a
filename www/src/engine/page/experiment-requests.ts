// Requests to the open experiment and its view, independent of the worker that trains it.
import type { Command, ViewRequest } from '../../protocol/types'
import type { RequestKind, Requests } from '../shared/messages'
import { Emitter } from './emitter'
import type { FrameLoop } from './frame-loop'
import { RecoveryState } from './recovery-state'
import type { SessionEvents } from './session'

export abstract class ExperimentRequests extends Emitter<SessionEvents> {
  protected readonly recovery = new RecoveryState()
  protected abstract readonly frameLoop: FrameLoop

  /** Sends a request to the worker that trains. */
  protected abstract ask<K extends RequestKind>(
    kind: K,
    args: Requests[K]['args'],
  ): Promise<Requests[K]['result']>

  act(on: boolean): void {
    this.frameLoop.act(on)
  }

  stepPreview(): void {
    this.frameLoop.requestStep()
  }

  view(request: ViewRequest | null): void {
    this.frameLoop.setView(request)
  }

  async set(path: string, value: unknown) {
    await this.ask('set', { path, value })
    this.frameLoop.requestOnce()
  }

  async openPlayer(bytes: Uint8Array) {
    await this.ask('openPlayer', { bytes })
    this.frameLoop.requestOnce()
  }

  async command(command: Command) {
    const reply = await this.ask('command', { command })
    this.frameLoop.requestOnce()
    return reply
  }

  async bringText(names: string[], files: Uint8Array[]) {
    await this.ask('text', { names, files })
    this.recovery.text = { names, files }
    this.frameLoop.requestOnce()
  }

  save() {
    return this.ask('save', null)
  }

  async pack() {
    const bytes = await this.ask('pack', null)
    this.recovery.checkpoint = bytes
    return bytes
  }

  evaluate(episodes: number) {
    return this.ask('evaluate', { episodes })
  }
}

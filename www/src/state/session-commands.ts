/** Commands that the components of an exhibit send to the experiment. */
import { SessionError, type Command, type Reply } from '../engine/page/session'
import { download } from '../lib/files'
import { bytes as size } from '../lib/format'
import { asProblem, inFile, sentence } from '../lib/problem'
import type { Lab } from './lab.svelte'
import { toasts } from './toasts.svelte'

/** Commands after which the run is saved: actions of the user in a game or on a cube. */
const plays: readonly Command['kind'][] = [
  'move',
  'undo_move',
  'confirm_turn',
  'take_back',
  'resign',
  'new_game',
  'start_match',
  'double',
  'take',
  'drop',
  'roll',
  'set_position',
  'turn',
  'apply',
  'set_cube',
  'generate',
]

/**
 * Commands that change the run in training. All other commands apply to the displayed session, which may show a
 * snapshot.
 */
const ofRun: readonly Command['kind'][] = ['set_target', 'set_samples', 'set_evaluation']

/** Sends commands to the current experiment. */
export class Commands {
  constructor(protected readonly lab: Lab) {}

  /**
   * Sends a command and returns its reply. If the command is rejected, shows an error that names `file` and returns
   * null.
   */
  async ask(command: Command, file?: string): Promise<Reply | null> {
    // Errors about the previous file are obsolete.
    if (command.kind.startsWith('open_')) toasts.dismissErrors()
    return this.orMessage(this.send(command), file)
  }

  /** Sends a command to the training session, also while a snapshot is displayed; otherwise as {@link ask}. */
  askTraining(command: Command): Promise<Reply | null> {
    return this.orMessage(this.send(command, this.lab.session))
  }

  /**
   * Opens a network that the user has chosen, as {@link addPlayer} does; the display leaves a snapshot, which lacks the
   * network.
   */
  openPlayer(bytes: Uint8Array, file?: string): Promise<boolean> {
    toasts.dismissErrors()
    this.lab.timeline.present()
    return this.addPlayer(bytes, file)
  }

  /**
   * Opens the network of a checkpoint as a player in the training session. Returns whether the network was opened. If
   * not, shows an error that names `file`.
   */
  async addPlayer(bytes: Uint8Array, file?: string): Promise<boolean> {
    const { session, runStorage } = this.lab
    if (!session) return false
    const opened = session.openPlayer(bytes).then(() => {
      runStorage?.changed()
      return true
    })
    return (await this.orMessage(opened, file)) ?? false
  }

  /** Returns the result of a request. If the request fails, shows its error, which names `file`, and returns null. */
  private async orMessage<T>(asked: Promise<T>, file?: string): Promise<T | null> {
    try {
      return await asked
    } catch (problem) {
      toasts.error(file === undefined ? problem : inFile(file, problem))
      return null
    }
  }

  /** Sends a command with typed input. Returns the error to show beside the input, or null. */
  async trial(command: Command): Promise<string | null> {
    try {
      if (!this.lab.session) return 'No experiment is there yet.'
      await this.send(command)
      return null
    } catch (problem) {
      return besideField(problem)
    }
  }

  /** Sends a command whose reply is a file and downloads the file. Returns whether it succeeded. */
  async download(command: Command): Promise<boolean> {
    const reply = await this.ask(command)
    if (reply?.kind !== 'file') return false
    download(reply.bytes, reply.name, reply.mime)
    toasts.report(`Saved ${reply.name}`, size(reply.bytes.length))
    return true
  }

  private async send(
    command: Command,
    session = ofRun.includes(command.kind) ? this.lab.session : this.lab.viewed,
  ): Promise<Reply | null> {
    const reply = (await session?.command(command)) ?? null
    if (session !== this.lab.session) return reply
    if (plays.includes(command.kind)) this.lab.mark('played')
    else this.lab.runStorage?.changed()
    return reply
  }
}

/** Returns the part of an error message that is shown beside the input: the allowed values. */
function besideField(problem: unknown): string {
  if (problem instanceof SessionError && problem.cause?.code === 'invalid') {
    const { field, allowed } = problem.cause
    return sentence(`${field.split('.').at(-1)!.replaceAll('_', ' ')}: ${allowed}`)
  }
  const { message, hint } = asProblem(problem)
  return hint ? `${sentence(message)} ${hint}` : message
}

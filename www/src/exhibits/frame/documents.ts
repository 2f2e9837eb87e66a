/** The documents of a frame, and commands to the experiment. */
import { SessionError, type Command, type Documents, type Frame, type Reply } from '../../session'
import { lab } from '../../state/lab.svelte'
import { asProblem, inFile } from '../../lib/problem'
import { toasts } from '../../state/toasts.svelte'

type Of<K extends Documents['kind']> = Extract<Documents, { kind: K }>

/** The documents of this family that have changed; none of a frame of another family. */
export function documentsOf<K extends Documents['kind']>(frame: Frame, kind: K): Partial<Of<K>> {
  const { documents } = frame
  return documents?.kind === kind ? (documents as Of<K>) : {}
}

/** What a person does at a table that would be missed. */
const plays: readonly Command['kind'][] = [
  'move',
  'undo_move',
  'confirm_turn',
  'take_back',
  'resign',
  'new_game',
  'roll',
  'set_position',
  'turn',
  'apply',
  'set_cube',
  'write',
]

async function send(command: Command): Promise<Reply | null> {
  const reply = (await lab.session?.command(command)) ?? null
  if (plays.includes(command.kind)) lab.mark('played')
  else lab.keeper?.changed()
  return reply
}

/** Asks for something; null where it was refused and a message says why, naming the file that the command came from. */
export async function ask(command: Command, file?: string): Promise<Reply | null> {
  // Whoever tries another file is done with what was wrong with the last one.
  if (command.kind.startsWith('open_')) toasts.leave()
  try {
    return await send(command)
  } catch (problem) {
    toasts.error(file === undefined ? problem : inFile(file, problem))
    return null
  }
}

/** Asks for something that may be wrong; what is wrong with it, for where it was typed, or null. */
export async function trial(command: Command): Promise<string | null> {
  try {
    if (!lab.session) return 'Nothing is there yet to take it.'
    await send(command)
    return null
  } catch (problem) {
    return besideField(problem)
  }
}

/** What is wrong, where it was typed: without what was typed, and without assuring that everything else goes on. */
function besideField(problem: unknown): string {
  if (problem instanceof SessionError && problem.field !== undefined && problem.allowed !== undefined) {
    const field = problem.field.split('.').at(-1)!.replaceAll('_', ' ')
    return sentence(`${field}: ${problem.allowed}`)
  }
  const { message, hint } = asProblem(problem)
  return hint ? `${sentence(message)} ${hint}` : message
}

const sentence = (text: string): string =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`

/** What crosses from the lab in words, and what is asked of it. */
import type { Command, FrameArray, Reply } from '../../session'
import { lab } from '../../state/lab.svelte'
import { asProblem, toasts } from '../../state/toasts.svelte'

const decoder = new TextDecoder()

/** A document of a picture; undefined where it has not changed. */
export function documentOf<T>(array: FrameArray | undefined): T | undefined {
  if (!array || !(array.data instanceof Uint8Array) || array.data.length === 0) return undefined
  return JSON.parse(decoder.decode(array.data)) as T
}

/** Asks for something; null where it was refused and a message says why. */
export async function ask(command: Command): Promise<Reply | null> {
  try {
    return (await lab.session?.command(command)) ?? null
  } catch (problem) {
    toasts.error(problem)
    return null
  }
}

/** Asks for something that may be wrong; what is wrong with it, for where it was typed, or null. */
export async function trial(command: Command): Promise<string | null> {
  try {
    if (!lab.session) return 'Nothing is there yet to take it.'
    await lab.session.command(command)
    return null
  } catch (problem) {
    const { message, hint } = asProblem(problem)
    return hint ? `${message} ${hint}` : message
  }
}

import type { Session } from '../engine/page/session'

/** Time after which a started session without steps counts as complete: its run waits for the user, or the link is invalid. */
const longestWait = 1000

let resolveComplete = () => {}
/** Resolves when the first view is complete. Files that the first view does not need are requested afterwards. */
export const firstViewComplete = new Promise<void>((resolve) => (resolveComplete = resolve))

/** Sets the page's first view, which is complete when `view` resolves. */
export function setFirstView(view: Promise<void>): void {
  void view.then(resolveComplete)
}

/**
 * Loads a part of the page after the first view. A failure is an error that names the part. The request is not repeated, because
 * browsers cache failed imports.
 */
export async function afterFirstView<T>(load: () => Promise<T>, part: string): Promise<T> {
  await firstViewComplete
  return load().catch(() => {
    throw { message: `${part} could not be loaded.`, hint: 'Check the connection and reload the page.' }
  })
}

/**
 * Resolves when the run of the first view has reported steps, at the latest a second after its session has started; also
 * if there is no session.
 */
export async function firstView(starting: Promise<Pick<Session, 'on'> | null>): Promise<void> {
  const session = await starting
  if (!session) return
  await new Promise<void>((complete) => {
    setTimeout(complete, longestWait)
    session.on('progress', ({ steps }) => {
      if (steps > 0) complete()
    })
  })
}

/** Toast messages. */
import { asProblem } from '../lib/problem'

export interface Toast {
  id: number
  /** `busy` and `recording`: an activity in progress. */
  kind: 'info' | 'error' | 'busy' | 'recording'
  message: string
  /** Advice on the remedy, or the state of an activity; may be empty. */
  hint: string
  /** Button of the message; null if it has none. */
  action: Action | null
}

export interface Action {
  label: string
  run: () => void
}

let next = 0

/** A message about an activity in progress. */
export interface ActivityToast {
  message: string
  /** State of the activity, such as the elapsed time; may be empty. */
  hint: string
  /** Removes the message, at the end of the activity. */
  close: () => void
}

/** Reading time of a character in milliseconds. */
const reading = 70

/** Maximum number of older messages with a button that stay beside a new message. */
const mostAnswerable = 2

const isActivity = ({ kind }: Toast) => kind === 'busy' || kind === 'recording'

class Toasts {
  list = $state<Toast[]>([])

  report(message: string, hint = ''): void {
    this.add('info', message, hint, Math.max(4_000, reading * (message.length + hint.length)))
  }

  /** Shows a message with a button for 12 seconds. */
  offer(message: string, action: Action): void {
    this.add('info', message, '', 12_000, action)
  }

  /** Shows a text to be copied manually until dismissed. */
  show(message: string, text: string): void {
    this.add('info', message, text, null)
  }

  /** Shows an error until dismissed, with a button if there is an `action`. */
  error(problem: unknown, action: Action | null = null): void {
    const { message, hint } = asProblem(problem)
    if (this.list.some((toast) => toast.kind === 'error' && toast.message === message)) return
    this.add('error', message, hint, null, action)
  }

  /** Shows a message about an activity until it is closed. Its texts may change. */
  activity(kind: 'busy' | 'recording', message: string, action: Action | null = null): ActivityToast {
    const toast = $state({ id: next++, kind, message, hint: '', action })
    this.list = [...this.list, toast]
    return {
      get message() {
        return toast.message
      },
      set message(message) {
        toast.message = message
      },
      get hint() {
        return toast.hint
      },
      set hint(hint) {
        toast.hint = hint
      },
      close: () => this.dismiss(toast.id),
    }
  }

  /** Dismisses all errors, before an action that makes them obsolete. */
  dismissErrors(): void {
    this.list = this.list.filter((toast) => toast.kind !== 'error')
  }

  /** Dismisses all messages except those about activities in progress, on leaving a page. */
  dismissAll(): void {
    this.list = this.list.filter(isActivity)
  }

  dismiss(id: number): void {
    this.list = this.list.filter((toast) => toast.id !== id)
  }

  private add(
    kind: Toast['kind'],
    message: string,
    hint: string,
    life: number | null,
    action: Action | null = null,
  ): void {
    const id = next++
    // Shows one plain message at a time, the last error, and a few messages with buttons.
    const errors = this.list.filter((toast) => toast.kind === 'error').slice(-1)
    const offers = this.list.filter((toast) => toast.action && toast.kind === 'info')
    const activities = this.list.filter(isActivity)
    this.list = [
      ...activities,
      ...errors,
      ...offers.slice(-mostAnswerable),
      { id, kind, message, hint, action },
    ]
    if (life !== null) setTimeout(() => this.dismiss(id), life)
  }
}

export const toasts = new Toasts()

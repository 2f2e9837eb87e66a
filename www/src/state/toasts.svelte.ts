/** Toast messages. */
import { asProblem } from '../lib/problem'

export interface Toast {
  id: number
  kind: 'info' | 'error'
  message: string
  /** Advice on the remedy; may be empty. */
  hint: string
  /** Button of the message; null if it has none. */
  action: Action | null
}

export interface Action {
  label: string
  run: () => void
}

let next = 0

/** Reading time of a character in milliseconds. */
const reading = 70

/** Maximum number of older messages with a button that stay beside a new message. */
const mostAnswerable = 2

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

  /** Shows an error until dismissed. */
  error(problem: unknown): void {
    const { message, hint } = asProblem(problem)
    if (this.list.some((toast) => toast.kind === 'error' && toast.message === message)) return
    this.add('error', message, hint, null)
  }

  /** Dismisses all errors, before an action that makes them obsolete. */
  dismissErrors(): void {
    this.list = this.list.filter((toast) => toast.kind !== 'error')
  }

  /** Dismisses all messages, on leaving a page. */
  dismissAll(): void {
    this.list = []
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
    const answerable = this.list.filter((toast) => toast.action).slice(-mostAnswerable)
    this.list = [...errors, ...answerable, { id, kind, message, hint, action }]
    if (life !== null) setTimeout(() => this.dismiss(id), life)
  }
}

export const toasts = new Toasts()

/** Short messages at the edge of the page. */
import { asProblem } from '../lib/problem'

export interface Toast {
  id: number
  kind: 'news' | 'error'
  message: string
  /** Advice; empty where there is none. */
  hint: string
  /** A button in it. */
  action: Action | null
}

export interface Action {
  label: string
  run: () => void
}

let next = 0

/** Milliseconds that a character takes to read. */
const reading = 70

/** Older messages that wait for an answer beside a new one. */
const mostAnswerable = 2

class Toasts {
  list = $state<Toast[]>([])

  report(message: string, hint = ''): void {
    this.add('news', message, hint, Math.max(4_000, reading * (message.length + hint.length)))
  }

  /** News that can be answered: it stays for as long as it takes to decide. */
  offer(message: string, action: Action): void {
    this.add('news', message, '', 12_000, action)
  }

  /** A text that is to be copied by hand: it stays until it is put away. */
  show(message: string, text: string): void {
    this.add('news', message, text, null)
  }

  /** Stays until it is put away: an error may hold something to read twice. */
  error(problem: unknown): void {
    const { message, hint } = asProblem(problem)
    if (this.list.some((toast) => toast.kind === 'error' && toast.message === message)) return
    this.add('error', message, hint, null)
  }

  /** Puts the errors away: they belong to the page on which they happened, and to whoever is done with them. */
  leave(): void {
    this.list = this.list.filter((toast) => toast.kind !== 'error')
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
    // One piece of news at a time; the last error stays beside it, and what can still be answered. More would hide the page.
    const errors = this.list.filter((toast) => toast.kind === 'error').slice(-1)
    const answerable = this.list.filter((toast) => toast.action).slice(-mostAnswerable)
    this.list = [...errors, ...answerable, { id, kind, message, hint, action }]
    if (life !== null) setTimeout(() => this.dismiss(id), life)
  }
}

export const toasts = new Toasts()

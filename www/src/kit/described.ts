/** Text alternatives of pictures that change all the time. */
import { untrack } from 'svelte'
import type { Attachment } from 'svelte/attachments'

/** Time between two texts, ms. Screen readers start to read an element again when its text changes. */
const interval = 4000

/** Attaches a text alternative to an element: `text` says what the picture shows, and is called every few seconds. */
export const described =
  (text: () => string): Attachment<HTMLElement> =>
  (element) =>
    untrack(() => {
      const update = () => {
        const now = text()
        if (now !== element.getAttribute('aria-label')) element.setAttribute('aria-label', now)
      }
      update()
      const timer = setInterval(update, interval)
      return () => clearInterval(timer)
    })

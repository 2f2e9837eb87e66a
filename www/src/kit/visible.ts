import type { Attachment } from 'svelte/attachments'

/**
 * Reports whether an element is in view or less than `margin` outside it: CSS pixels, or the value of `rootMargin`.
 */
export const visible =
  (onchange: (seen: boolean) => void, margin: number | string = 160): Attachment =>
  (element) => {
    const rootMargin = typeof margin === 'number' ? `${margin}px` : margin
    // Several changes since the last call are reported oldest first.
    const report = (changes: IntersectionObserverEntry[]) => onchange(changes.at(-1)?.isIntersecting ?? false)
    const observer = new IntersectionObserver(report, { rootMargin })
    observer.observe(element)
    return () => observer.disconnect()
  }

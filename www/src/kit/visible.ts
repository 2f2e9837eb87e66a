import type { Attachment } from 'svelte/attachments'

/** Reports whether an element is in view or less than `margin` CSS pixels outside it. */
export const visible =
  (onchange: (seen: boolean) => void, margin = 160): Attachment =>
  (element) => {
    const observer = new IntersectionObserver(([entry]) => onchange(entry?.isIntersecting ?? false), {
      rootMargin: `${margin}px`,
    })
    observer.observe(element)
    return () => observer.disconnect()
  }

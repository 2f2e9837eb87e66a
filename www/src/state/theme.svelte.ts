/** Dark or light theme: the system's, until the user chooses; always the system's while the system forces its colors. */
import type { Theme } from '../lib/color'
import { storageKey } from '../lib/storage'

/** Calls `set` with whether the media query matches, now and after each change. */
function follow(query: string, set: (matches: boolean) => void): void {
  const media = matchMedia(query)
  set(media.matches)
  media.addEventListener('change', () => set(media.matches))
}

class ThemeState {
  private system = $state<Theme>('dark')
  private chosen = $state<Theme | null>(null)
  reducedMotion = $state(false)
  /** Whether the system replaces the colors of pages, such as by a contrast theme of Windows. */
  forcedColors = $state(false)

  constructor() {
    follow('(prefers-color-scheme: light)', (isLight) => (this.system = isLight ? 'light' : 'dark'))
    follow('(prefers-reduced-motion: reduce)', (isReduced) => (this.reducedMotion = isReduced))
    follow('(forced-colors: active)', (isForced) => (this.forcedColors = isForced))
    const set = document.documentElement.dataset.theme
    if (set === 'dark' || set === 'light') this.apply(set)
    // Chosen in another document, such as the page around a frame.
    addEventListener('storage', (event) => {
      const { key, newValue } = event as StorageEvent
      if (key === storageKey('theme') && (newValue === 'dark' || newValue === 'light')) this.apply(newValue)
    })
  }

  get now(): Theme {
    return (this.forcedColors ? null : this.chosen) ?? this.system
  }

  switch(): void {
    const next = this.now === 'dark' ? 'light' : 'dark'
    this.apply(next)
    try {
      localStorage.setItem(storageKey('theme'), next)
    } catch {
      // Without storage the choice lasts until the page is closed.
    }
  }

  /** Sets the theme of this document only, without storing it. */
  apply(theme: Theme): void {
    this.chosen = theme
    document.documentElement.dataset.theme = theme
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]'))
      meta.media = meta.dataset.theme === theme ? 'all' : 'not all'
  }
}

export const theme = new ThemeState()

/** Dark or light theme: the system's, until the user chooses. */
import type { Theme } from '../lib/color'
import { storageKey } from '../lib/storage'

class ThemeState {
  private system = $state<Theme>('dark')
  private chosen = $state<Theme | null>(null)
  reducedMotion = $state(false)

  constructor() {
    const light = matchMedia('(prefers-color-scheme: light)')
    this.system = light.matches ? 'light' : 'dark'
    light.addEventListener('change', () => (this.system = light.matches ? 'light' : 'dark'))
    const still = matchMedia('(prefers-reduced-motion: reduce)')
    this.reducedMotion = still.matches
    still.addEventListener('change', () => (this.reducedMotion = still.matches))
    const set = document.documentElement.dataset.theme
    if (set === 'dark' || set === 'light') this.chosen = set
    // Chosen in another document, such as the page around a frame.
    addEventListener('storage', (event) => {
      const { key, newValue } = event as StorageEvent
      if (key === storageKey('theme') && (newValue === 'dark' || newValue === 'light')) this.apply(newValue)
    })
  }

  get now(): Theme {
    return this.chosen ?? this.system
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

  private apply(theme: Theme): void {
    this.chosen = theme
    document.documentElement.dataset.theme = theme
  }
}

export const theme = new ThemeState()

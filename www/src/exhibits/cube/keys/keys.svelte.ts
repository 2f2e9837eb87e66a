/** Keyboard layout of the cubes, stored in the browser. */
import { storageKey } from '../../../lib/storage'
import { partOf } from '../../../state/context'
import type { KeyLayout } from './layouts'

const key = () => storageKey('cube-keys')

export class CubeKeys {
  #layout = $state<KeyLayout>(stored())

  get layout(): KeyLayout {
    return this.#layout
  }

  choose(layout: KeyLayout): void {
    this.#layout = layout
    try {
      localStorage.setItem(key(), layout)
    } catch {
      // Without storage, the choice lasts until the page is closed.
    }
  }
}

function stored(): KeyLayout {
  try {
    return localStorage.getItem(key()) === 'cstimer' ? 'cstimer' : 'letters'
  } catch {
    return 'letters'
  }
}

export const [useCubeKeys, cubeKeysOf] = partOf(() => new CubeKeys())

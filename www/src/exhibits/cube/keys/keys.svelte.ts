/** Keyboard layout of the cubes and the range of their keys, stored in the browser. */
import { store, stored } from '../../../lib/storage'
import { partOf } from '../../../state/context'
import type { KeyLayout } from './layouts'

export class CubeKeys {
  #layout = $state<KeyLayout>(stored('cube-keys') === 'cstimer' ? 'cstimer' : 'letters')
  #onPage = $state(stored('cube-key-range') !== 'cube')

  get layout(): KeyLayout {
    return this.#layout
  }

  choose(layout: KeyLayout): void {
    this.#layout = layout
    store('cube-keys', layout)
  }

  /** Whether the keys act on the whole page; otherwise, only with the focus on the cube. */
  get onPage(): boolean {
    return this.#onPage
  }

  set onPage(act: boolean) {
    this.#onPage = act
    store('cube-key-range', act ? 'page' : 'cube')
  }
}

export const [useCubeKeys, cubeKeysOf] = partOf(() => new CubeKeys())

/** Choices of the form that trains a second run beside the first one; they last as long as the lab. */
import type { Engine } from '../../engine/page/session'
import { partOf } from '../../state/context'
import type { Lab } from '../../state/lab.svelte'

class BesideChoice {
  /** Key of the settings of the second run; undefined before a choice. */
  settings = $state<string>()
  #first = $state<Engine>()
  #second = $state<Engine>()

  constructor(private readonly lab: Lab) {}

  /** Engine of this run; the present one before a choice. */
  get first(): Engine {
    return this.#first ?? this.lab.engine
  }

  set first(engine: Engine) {
    this.#first = engine
  }

  /** Engine of the second run; the present one of this run before a choice. */
  get second(): Engine {
    return this.#second ?? this.lab.engine
  }

  set second(engine: Engine) {
    this.#second = engine
  }
}

export const [useBesideChoice, besideChoiceOf] = partOf((lab) => new BesideChoice(lab))

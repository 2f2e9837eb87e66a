/** Views without content. A session sends all documents again after a frame of such a view. */
import type { ViewRequest } from '../engine/page/session'

const blank: { [K in ViewRequest['kind']]: Extract<ViewRequest, { kind: K }> | null } = {
  // Frames of a control preview are complete.
  control: null,
  games: { kind: 'games', thumbnails: 0, documents: false, turn: null, tree: null },
  cube: { kind: 'cube', documents: false, map: false, thumbnails: 0 },
  language: { kind: 'language', documents: false, attention: null, embeddings: false },
  logic_ca: { kind: 'logic_ca', channel: null, cell: null, circuit: false },
}

/** Returns the view without content of the same family; null if its frames are always complete. */
export const blankView = ({ kind }: ViewRequest): ViewRequest | null => blank[kind]

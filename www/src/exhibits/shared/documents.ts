/** The documents of a frame. */
import type { Documents, Frame } from '../../engine/page/session'

type Of<K extends Documents['kind']> = Extract<Documents, { kind: K }>

/** Returns the changed documents of a frame; empty if the frame belongs to another family of learners. */
export function documentsOf<K extends Documents['kind']>(frame: Frame, kind: K): Partial<Of<K>> {
  const { documents } = frame
  return documents?.kind === kind ? (documents as Of<K>) : {}
}

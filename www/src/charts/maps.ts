/** The maps of a lab that are displayed: heat maps, boards, trees. Their text alternatives and exports come from one declaration. */
import type { Attachment } from 'svelte/attachments'
import { described } from '../kit/described'
import type { Table } from '../lib/csv'
import { partOf } from '../state/context'
import type { HeatMap } from './heat-map'

export interface MapFigure {
  /** Part of the file name. */
  name: string
  title: string
  /** Returns the numbers of the map; null if there are none. */
  data: () => Table | null
  /** Says what the map shows; called every few seconds. Omitted for a map whose elements are read one by one. */
  text?: () => string
  /** Returns the map with its axes and color scale, if it has any; null before there are numbers. */
  heat?: () => HeatMap | null
}

export interface DisplayedMap extends MapFigure {
  /** The element that shows the map. */
  element: HTMLElement
}

class DisplayedMaps {
  private readonly shown = new Set<DisplayedMap>()

  /** Returns an attachment that declares the element of a map. */
  as(map: MapFigure): Attachment<HTMLElement> {
    return (element) => {
      const displayed = { ...map, element }
      this.shown.add(displayed)
      const stop = map.text && described(map.text)(element)
      return () => {
        this.shown.delete(displayed)
        stop?.()
      }
    }
  }

  /** Returns the maps that have numbers, in the order in which they appeared. */
  list(): { map: DisplayedMap; table: Table }[] {
    return [...this.shown].flatMap((map) => {
      const table = map.data()
      return table ? [{ map, table }] : []
    })
  }
}

export const [useMaps, mapsOf] = partOf(() => new DisplayedMaps())

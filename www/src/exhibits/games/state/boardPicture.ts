/** Picture of the position that the board shows, for the export. */
import type { SvgPicture } from '../../../charts/snapshot'
import { partOf } from '../../../state/context'

/** Parts of a picture that can be left out. */
interface PictureParts {
  /** Plays of the hints or the analysis. */
  withPlays: boolean
  /** ID of the position. */
  withId: boolean
}

export interface BoardPicture {
  /** ID of the position; null if the board shows another one, such as a position during its setup. */
  id: string | null
  /** Whether the board shows plays. */
  hasPlays: boolean
  /** Draws the position in the colors of the page. */
  draw: (parts: PictureParts) => Promise<SvgPicture>
}

class DisplayedBoard {
  #picture: (() => BoardPicture) | null = null

  /** Sets the displayed board. Returns a function that removes it. */
  show(picture: () => BoardPicture): () => void {
    this.#picture = picture
    return () => {
      if (this.#picture === picture) this.#picture = null
    }
  }

  /** Picture of the board; null if no board is displayed. */
  get picture(): BoardPicture | null {
    return this.#picture?.() ?? null
  }
}

export const [useDisplayedBoard, displayedBoardOf] = partOf(() => new DisplayedBoard())

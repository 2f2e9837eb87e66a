/**
 * The embedded page: one exhibit without header and footer, in a frame. It registers no service worker and stores no runs.
 * Frames of other sites contain `embed/`, since a host sets the headers that allow frames by path. Frames of the page itself
 * contain `frame/`: `Document-Isolation-Policy`, a header of `embed/`, would separate the frame from the scripts of the page.
 */

/** Whether this document is the embedded page. */
export const embedded: boolean = globalThis.document?.documentElement?.hasAttribute('data-embed') ?? false

/**
 * Whether this document is the second exhibit of the full page, in a frame beside the first one. The attribute of the
 * frame is unreadable for a frame of another site.
 */
export const isBeside: boolean = globalThis.frameElement?.hasAttribute('data-beside') ?? false

/** Returns the label of a landmark, which is unique in the page and the frame of the second exhibit. */
export const landmark = (label: string): string => (isBeside ? `${label}, second run` : label)

/** Returns the address of a URL fragment in the full page. `here`: address of the embedded page. */
export const fullAddress = (hash: string, here = location.href): string => new URL(`../${hash}`, here).href

/** Returns the address of a URL fragment in the embedded page, for frames of other sites. `here`: address of the full page. */
export const embedAddress = (hash: string, here = location.href): string => inFolder(`embed/${hash}`, here)

/** Returns the address of a URL fragment in the embedded page, for frames of the page itself. `here`: address of the full page. */
export const frameAddress = (hash: string, here = location.href): string => inFolder(`frame/${hash}`, here)

const inFolder = (path: string, here: string): string => new URL(path, here.replace(/[?#].*$/, '')).href

/** Style of a frame with a step of the guide, whose card is docked below the exhibit. */
export const guideStyle = 'border: 0; width: 100%; height: 880px'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '"': '&quot;' }

/** Height of a frame in a narrow column, where the learning curve is below the picture. */
const narrowHeight = 'calc(1020px - 60vw)'

/**
 * Returns the style of a frame whose content needs `height` CSS pixels. `isStacked`: whether the frame is higher in a narrow
 * column.
 */
export const frameStyle = (height: number, isStacked: boolean): string =>
  `border: 0; width: 100%; aspect-ratio: 16 / 9; min-height: ${isStacked ? `max(${height}px, ${narrowHeight})` : `${height}px`}`

/**
 * Returns the HTML of a frame with an exhibit, in a figure if there is a caption. The host's isolation, if any, lets the frame use
 * threads.
 */
export function embedCode(address: string, title: string, style: string, caption = ''): string {
  const escape = (text: string) => text.replace(/[&<"]/g, (character) => entities[character]!)
  const frame = `<iframe src="${escape(address)}" title="${escape(title)}" style="${escape(style)}" allow="cross-origin-isolated; clipboard-write" loading="lazy"></iframe>`
  return caption === ''
    ? frame
    : `<figure style="margin: 0">${frame}<figcaption>${escape(caption)}</figcaption></figure>`
}

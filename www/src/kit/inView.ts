/** Attachment that scrolls a new element into view, such as an error below the fold. */
export const inView = (element: Element): void => element.scrollIntoView({ block: 'nearest' })

// Stylesheets of chunks. Vite asks for each once in the life of a page: one that could not be loaded is never asked for again, and
// the chunk would come without its looks at the next attempt.

/** The stylesheets that could not be loaded, each with the chunk that needs it. */
const missing = new Map<string, string>()
/** The chunk that is being loaded. */
let loading = ''

/** Notes which stylesheets cannot be loaded, from now on. */
export function watchStylesheets(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const href = /preload CSS for (\S+)/.exec(event.payload.message)?.[1]
    if (!href) return
    missing.set(href, loading)
    // The other stylesheets of the chunk are loaded all the same.
    event.preventDefault()
  })
}

/** Loads a chunk with all of its stylesheets; rejects where one is missing. */
export async function withStylesheets<T>(chunk: string, load: () => Promise<T>): Promise<T> {
  loading = chunk
  const loaded = await load()
  await Promise.all([...missing].filter(([, of]) => of === chunk).map(([href]) => request(href)))
  return loaded
}

async function request(href: string): Promise<void> {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = href
  await new Promise((done, fail) => {
    link.onload = done
    link.onerror = () => fail(new Error(`${href} could not be loaded.`))
    document.head.append(link)
  }).catch((problem: unknown) => {
    link.remove()
    throw problem
  })
  missing.delete(href)
}

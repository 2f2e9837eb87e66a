// Stylesheets of chunks. Vite asks for each once in the life of a page: one that could not be loaded is never asked for again, and
// the chunk would come without its looks at the next attempt.

const missing = new Set<string>()

/** Notes which stylesheets could not be loaded, from now on. */
export function watchStylesheets(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const href = /preload CSS for (\S+)/.exec(event.payload.message)?.[1]
    if (!href) return
    missing.add(href)
    // The others of the chunk are looked at, too.
    event.preventDefault()
  })
}

/** Loads the stylesheets that are missing; rejects if one still cannot be loaded. */
export async function completeStylesheets(): Promise<void> {
  await Promise.all([...missing].map(load))
}

async function load(href: string): Promise<void> {
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

// Versions of the built page. The build writes the version into the head of every page; `vite dev` has none.

const stamp = /<meta name="version" content="(\w+)"/

/** Returns the version of this page. */
export const ownVersion = (): string | undefined =>
  document.querySelector<HTMLMetaElement>('meta[name=version]')?.content

/** Returns the version of the program and its commit, such as `0.1.0 (commit 6729cffd38)`; `undefined` in `vite dev`. */
export const release = (): string | undefined =>
  document.querySelector<HTMLMetaElement>('meta[name=release]')?.content

/** Returns the version on the host; `undefined` if the host cannot be reached or returns something else. */
async function hostVersion(): Promise<string | undefined> {
  try {
    const response = await fetch(location.pathname, { cache: 'no-cache' })
    return stamp.exec(await response.text())?.[1]
  } catch {
    return undefined
  }
}

/** Calls `found` if the host has another version; checks whenever the tab becomes visible. */
export function watchForNewVersion(found: () => void): void {
  const own = ownVersion()
  if (!own) return
  document.addEventListener('visibilitychange', async () => {
    if (document.visibilityState !== 'visible') return
    const version = await hostVersion()
    if (version && version !== own) found()
  })
}

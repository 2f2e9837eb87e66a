// Versions of the built page. The build writes the version into the head of every page; `vite dev` has none.

const stamp = /<meta name="version" content="(\w+)"/

/** The version that this page belongs to. */
export const ownVersion = (): string | undefined =>
  document.querySelector<HTMLMetaElement>('meta[name=version]')?.content

/** The version that the host has now; `undefined` if it cannot be reached or answers something else. */
async function hostVersion(): Promise<string | undefined> {
  try {
    const response = await fetch(location.pathname, { cache: 'no-cache' })
    return stamp.exec(await response.text())?.[1]
  } catch {
    return undefined
  }
}

/** Calls `found` when the host has another version than this page; looks each time the tab is shown again. */
export function watchForNewVersion(found: () => void): void {
  const own = ownVersion()
  if (!own) return
  document.addEventListener('visibilitychange', async () => {
    if (document.visibilityState !== 'visible') return
    const version = await hostVersion()
    if (version && version !== own) found()
  })
}

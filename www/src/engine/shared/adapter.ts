// Information about the GPU adapter, before a device is opened.

/** Properties of a GPU adapter that the browser discloses. */
export interface Adapter {
  /** Reason why no adapter is available; empty if one is. */
  missing: string
  /** Whether the adapter is a software renderer. */
  software: boolean
}

/** Properties of WebGPU's adapter interface that the page reads. */
interface WebGpuAdapter {
  info?: {
    vendor: string
    architecture: string
    device: string
    description: string
    isFallbackAdapter?: boolean
  }
  /** Location of `info.isFallbackAdapter` in older versions of WebGPU. */
  isFallbackAdapter?: boolean
}

const webgpu = () =>
  (navigator as { gpu?: { requestAdapter(wish?: object): Promise<WebGpuAdapter | null> } }).gpu

/** Requests the GPU adapter. If the browser does not respond in time, the adapter counts as missing. */
export function findAdapter(): Promise<Adapter> {
  const late = new Promise<Adapter>((done) =>
    setTimeout(() => done(none('The browser did not respond to the request for a GPU.')), timeout),
  )
  return Promise.race([ask(), late])
}

// The browser may have to start its GPU process, or may be busy with another page.
const timeout = 60_000

const none = (missing: string): Adapter => ({ missing, software: false })

async function ask(): Promise<Adapter> {
  const gpu = webgpu()
  if (gpu === undefined)
    return none(
      globalThis.isSecureContext === false
        ? 'WebGPU requires a page loaded over https.'
        : 'This browser does not support WebGPU.',
    )
  try {
    const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' })
    if (adapter === null) return none('This browser supports WebGPU, but found no adapter.')
    return { missing: '', software: isSoftware(adapter) }
  } catch (error) {
    const said = error instanceof Error ? error.message : error
    return none(`This browser supports WebGPU, but the adapter could not be opened: ${said}.`)
  }
}

/** Returns whether an adapter describes itself as a software renderer. */
export function isSoftware({ info, isFallbackAdapter }: WebGpuAdapter): boolean {
  if (isFallbackAdapter || info?.isFallbackAdapter) return true
  const { vendor = '', architecture = '', device = '', description = '' } = info ?? {}
  const said = [vendor, architecture, device, description].join(' ')
  return /swiftshader|llvmpipe|lavapipe|basic render|software/i.test(said)
}

/** Returns the adapter's name; empty if the browser hides it. */
export async function adapterName(): Promise<string> {
  const adapter = await webgpu()?.requestAdapter({ powerPreference: 'high-performance' })
  const { vendor = '', architecture = '', device = '', description = '' } = adapter?.info ?? {}
  return description || device || [vendor, architecture].filter(Boolean).join(' ')
}

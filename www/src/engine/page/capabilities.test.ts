import { describe, expect, it } from 'vitest'
import { attempts, choose } from './capabilities'
import { moduleOptionsFromUrl } from './module-selection'

const full = { isolated: true, sharedMemory: true, threads: 8, relaxedSimd: true }

describe('the selection of a module', () => {
  it('uses all cores and relaxed SIMD if both are available', () => {
    const { chosen, reason } = choose(full)
    expect(chosen).toEqual({ module: 'threads-relaxed', threads: 8 })
    expect(reason).toBe('8 of 8 cores; with fused multiply-add.')
  })

  it('uses one thread on a page that is not isolated, and reports why', () => {
    const { chosen, reason } = choose({ ...full, isolated: false })
    expect(chosen).toEqual({ module: 'single-simd128', threads: 1 })
    expect(reason).toContain('not cross-origin isolated')
  })

  it('uses one thread without shared memory, and reports why', () => {
    const { chosen, reason } = choose({ ...full, sharedMemory: false })
    expect(chosen).toEqual({ module: 'single-simd128', threads: 1 })
    expect(reason).toContain('this browser lacks SharedArrayBuffer')
    expect(reason).not.toContain('isolated')
  })

  it('uses one thread on a machine with one core', () => {
    expect(choose({ ...full, threads: 1 }).chosen).toEqual({ module: 'threads-relaxed', threads: 1 })
  })

  it('uses no relaxed SIMD if the browser lacks it', () => {
    const { chosen, reason } = choose({ ...full, relaxedSimd: false })
    expect(chosen.module).toBe('threads-simd128')
    expect(reason).toContain('which this browser lacks')
  })

  it('follows the options', () => {
    expect(choose(full, { module: 'single' }).chosen).toEqual({ module: 'single-simd128', threads: 1 })
    expect(choose(full, { module: 'simd128' }).chosen.module).toBe('threads-simd128')
    expect(choose(full, { threads: 2 }).chosen).toEqual({ module: 'threads-relaxed', threads: 2 })
    expect(choose(full, { threads: 1 }).chosen).toEqual({ module: 'threads-relaxed', threads: 1 })
  })

  it('ignores options that are not available', () => {
    expect(choose({ ...full, isolated: false }, { module: 'threads' }).chosen.module).toBe('single-simd128')
    expect(choose({ ...full, relaxedSimd: false }, { module: 'relaxed' }).chosen.module).toBe(
      'threads-simd128',
    )
    expect(choose(full, { threads: 100 }).chosen.threads).toBe(8)
  })
})

describe('the attempts to start a module', () => {
  const triesOf = (offer: typeof full) =>
    attempts({ ...offer, ...choose(offer) }).map(({ chosen: { module, threads } }) => `${module} ${threads}`)

  it('are the thread pool twice, one thread, and the module without threads', () => {
    const last = ['threads-relaxed 1', 'single-simd128 1']
    expect(triesOf(full)).toEqual(['threads-relaxed 8', 'threads-relaxed 8', ...last])
    expect(triesOf({ ...full, threads: 1 })).toEqual(last)
    expect(triesOf({ ...full, sharedMemory: false })).toEqual(['single-simd128 1'])
  })
})

describe('module options in the URL', () => {
  it('are parsed', () => {
    expect(moduleOptionsFromUrl('?module=single&threads=2')).toEqual({ module: 'single', threads: 2 })
  })

  it('are empty if absent or invalid', () => {
    expect(moduleOptionsFromUrl('')).toEqual({})
    expect(moduleOptionsFromUrl('?threads=many')).toEqual({})
    expect(moduleOptionsFromUrl('?threads=-1')).toEqual({})
  })
})

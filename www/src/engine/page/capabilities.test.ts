import { describe, expect, it } from 'vitest'
import { choose, wishFromAddress } from './capabilities'

const full = { isolated: true, threads: 8, relaxedSimd: true }

describe('the choice of a module', () => {
  it('is every core and fused multiply-add where both are there', () => {
    const { chosen, reason } = choose(full)
    expect(chosen).toEqual({ module: 'threads-relaxed', threads: 8 })
    expect(reason).toBe('8 of 8 cores; with fused multiply-add.')
  })

  it('is one thread on a page that is not isolated, and says so', () => {
    const { chosen, reason } = choose({ ...full, isolated: false })
    expect(chosen).toEqual({ module: 'single-simd128', threads: 1 })
    expect(reason).toContain('not cross-origin isolated')
  })

  it('is one thread on a machine with one core', () => {
    expect(choose({ ...full, threads: 1 }).chosen).toEqual({ module: 'threads-relaxed', threads: 1 })
  })

  it('does without fused multiply-add where the browser lacks it', () => {
    const { chosen, reason } = choose({ ...full, relaxedSimd: false })
    expect(chosen.module).toBe('threads-simd128')
    expect(reason).toContain('which this browser lacks')
  })

  it('follows a wish', () => {
    expect(choose(full, { module: 'single' }).chosen).toEqual({ module: 'single-simd128', threads: 1 })
    expect(choose(full, { module: 'simd128' }).chosen.module).toBe('threads-simd128')
    expect(choose(full, { threads: 2 }).chosen).toEqual({ module: 'threads-relaxed', threads: 2 })
    expect(choose(full, { threads: 1 }).chosen).toEqual({ module: 'threads-relaxed', threads: 1 })
  })

  it('does not follow a wish for what is not there', () => {
    expect(choose({ ...full, isolated: false }, { module: 'threads' }).chosen.module).toBe('single-simd128')
    expect(choose({ ...full, relaxedSimd: false }, { module: 'relaxed' }).chosen.module).toBe(
      'threads-simd128',
    )
    expect(choose(full, { threads: 100 }).chosen.threads).toBe(8)
  })
})

describe('a wish in the address', () => {
  it('is read', () => {
    expect(wishFromAddress('?module=single&threads=2')).toEqual({ module: 'single', threads: 2 })
  })

  it('is nothing where the address says nothing or nonsense', () => {
    expect(wishFromAddress('')).toEqual({})
    expect(wishFromAddress('?threads=many')).toEqual({})
    expect(wishFromAddress('?threads=-1')).toEqual({})
  })
})

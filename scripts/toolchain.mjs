// Which compiler builds the wasm modules.
//
// Threads need the standard library built anew with atomics (`-Z build-std`), so a compiler with its own sources
// beside it. Two ways lead to one: a pinned release through rustup, or Debian's packages for building browsers, which
// are the same release. `RUSTC_BOOTSTRAP=1` lets a released compiler take `-Z`: a nightly would have to be trusted to
// still be on the server, and would not be what Debian has.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { output, which } from './run.mjs'

/** The release that rustup installs. */
export const pinned = '1.96.0'
/** The name that rustup gives Debian's compiler, once linked. */
export const linked = 'web'
export const debianPackages = ['rustc-web', 'cargo-web', 'rust-web-src', 'rust-web-llvm']

const stdSources = (sysroot) => existsSync(join(sysroot, 'lib/rustlib/src/rust/library/std/Cargo.toml'))
const wasmStd = (sysroot) => existsSync(join(sysroot, 'lib/rustlib/wasm32-unknown-unknown/lib'))

/** The sysroot of a rustup toolchain if it can build every module, else `null`. Never installs anything. */
function usable(toolchain) {
  if (!which('rustup')) return null
  const installed = (output('rustup', ['toolchain', 'list']) ?? '').split('\n')
  if (!installed.some((line) => line.split(' ')[0].startsWith(toolchain))) return null
  const sysroot = output('rustc', [`+${toolchain}`, '--print', 'sysroot'])
  return sysroot && stdSources(sysroot) ? sysroot : null
}

/**
 * The compiler to use: `env` chooses it for cargo, `builtStd` tells whether its wasm standard library
 * comes built. `null` where there is none.
 */
export function wasmToolchain() {
  for (const toolchain of [pinned, linked]) {
    const sysroot = usable(toolchain)
    if (sysroot)
      return { env: { RUSTUP_TOOLCHAIN: toolchain, RUSTC_BOOTSTRAP: '1' }, builtStd: wasmStd(sysroot) }
  }
  if (!which('rustup') && which('rustc')) {
    const sysroot = output('rustc', ['--print', 'sysroot'])
    if (sysroot && stdSources(sysroot)) return { env: { RUSTC_BOOTSTRAP: '1' }, builtStd: wasmStd(sysroot) }
  }
  return null
}

// Since the autumn of 2025 `+atomics` no longer implies these: without them the module has no memory to share.
const threadFlags = [
  '-Ctarget-feature=+atomics,+bulk-memory,+mutable-globals',
  ...[
    '--shared-memory',
    '--import-memory',
    '--max-memory=1073741824',
    '--export=__wasm_init_tls',
    '--export=__tls_size',
    '--export=__tls_align',
    '--export=__tls_base',
    '--export=__heap_base',
  ].map((flag) => `-Clink-arg=${flag}`),
]

/**
 * Arguments for cargo that give `flags` to the crates that hold vector code, this project's own and one that they stand on: all
 * others, the standard library among them, are compiled once for the variants that differ in these flags.
 */
function whereVectorsAre(flags) {
  const quoted = JSON.stringify(flags)
  const settings = [
    `rustflags=${quoted}`,
    'package."*".rustflags=[]',
    `package.fearless_simd.rustflags=${quoted}`,
  ]
  return ['-Zprofile-rustflags', ...settings.flatMap((setting) => ['--config', `profile.web.${setting}`])]
}

/**
 * Environment and arguments for cargo, for one variant such as `threads-relaxed`. The GPU's module does without atomics:
 * what WebGPU hands out cannot be shared between threads.
 */
export function wasmBuild(variant, toolchain) {
  const [threads, simd] = variant.split('-')
  const ownStd = threads === 'threads' || !toolchain.builtStd
  const args = []
  // With `test`, which only tests link: every crate is told of what is built here, and is compiled again where that differs.
  // Without back traces, for which a browser has no symbols.
  if (ownStd) args.push('-Zbuild-std=std,panic_abort,test', '-Zbuild-std-features=')
  // The tile of a product fits V8's registers only in the order in which it was written: in the order that LLVM makes
  // of it, it runs at half the speed.
  if (simd === 'relaxed')
    args.push(...whereVectorsAre(['-Ctarget-feature=+relaxed-simd', '-Cllvm-args=-pre-RA-sched=source']))
  const flags = ['-Ctarget-feature=+simd128', ...(threads === 'threads' ? threadFlags : [])]
  return {
    env: { ...toolchain.env, CARGO_ENCODED_RUSTFLAGS: flags.join('\x1f') },
    args,
    features: threads === 'single' ? [] : [threads],
  }
}

// Selects the compiler for the wasm modules.
//
// Threads need a standard library rebuilt with atomics (`-Z build-std`) and therefore a compiler with its sources: a pinned
// release from rustup, or Debian's packages for building browsers, which are the same release. `RUSTC_BOOTSTRAP=1` enables `-Z`
// on a stable compiler; a pinned nightly could disappear from the server and is not in Debian.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { output, which } from './run.mjs'

/** The Rust release that rustup installs. */
export const pinned = '1.96.0'
/** Name of rustup's link to Debian's compiler. */
export const linked = 'web'

const stdSources = (sysroot) => existsSync(join(sysroot, 'lib/rustlib/src/rust/library/std/Cargo.toml'))
const wasmStd = (sysroot) => existsSync(join(sysroot, 'lib/rustlib/wasm32-unknown-unknown/lib'))

/** Returns the sysroot of a rustup toolchain if it can build every module, else `null`. Installs nothing. */
function usable(toolchain) {
  if (!which('rustup')) return null
  const installed = (output('rustup', ['toolchain', 'list']) ?? '').split('\n')
  if (!installed.some((line) => line.split(' ')[0].startsWith(toolchain))) return null
  const sysroot = output('rustc', [`+${toolchain}`, '--print', 'sysroot'])
  return sysroot && stdSources(sysroot) ? sysroot : null
}

/**
 * Returns the compiler as an object: `env` selects the compiler for cargo; `builtStd` is whether its wasm standard
 * library is precompiled. Returns `null` if there is no compiler.
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

// Since October 2025 `+atomics` no longer implies these arguments; without them the module has no shared memory.
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
 * Returns cargo arguments that apply `flags` only to crates with SIMD code. All other crates, including the standard library, are
 * compiled once for the variants that differ in these flags.
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
 * Returns cargo's environment and arguments for a variant such as `threads-relaxed`. GPU modules have no atomics, since WebGPU
 * objects cannot be shared between threads.
 */
export function wasmBuild(variant, toolchain) {
  const [threads, simd] = variant.split('-')
  const ownStd = threads === 'threads' || !toolchain.builtStd
  const args = []
  // The standard library includes the crate `test`, which only tests link, so that crates are not compiled twice. It
  // has no backtraces, because browsers have no symbols for them.
  if (ownStd) {
    args.push('-Zbuild-std=std,panic_abort,test', '-Zbuild-std-features=')
    // Contains the mathematical functions; the rest of the standard library is optimized for size (Cargo.toml).
    args.push('--config', 'profile.web.package.compiler_builtins.opt-level=3')
  }
  // Disables LLVM's instruction reordering: a matrix-product tile fits V8's registers only in source order and otherwise runs at
  // half the speed.
  if (simd === 'relaxed')
    args.push(...whereVectorsAre(['-Ctarget-feature=+relaxed-simd', '-Cllvm-args=-pre-RA-sched=source']))
  const flags = ['-Ctarget-feature=+simd128', ...(threads === 'threads' ? threadFlags : [])]
  return {
    env: { ...toolchain.env, CARGO_ENCODED_RUSTFLAGS: flags.join('\x1f') },
    args,
    features: threads === 'single' ? [] : [threads],
  }
}

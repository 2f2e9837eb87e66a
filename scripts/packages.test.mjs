import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { advice, installation, packageManager, packagesOf, shellLine } from './packages.mjs'
import { root } from './run.mjs'
import { pinned } from './toolchain.mjs'

const testTools = ['browser', 'vulkan', 'verilog', 'gnubg']

test('each system gets its own packages and command', () => {
  const command = (manager) => shellLine(installation(manager, packagesOf(manager, testTools)))
  expect(command('apt-get')).toBe(
    'sudo apt-get update -qq && sudo apt-get install -y -qq --no-install-recommends ' +
      'chromium chromium-driver libvulkan1 mesa-vulkan-drivers iverilog gnubg',
  )
  expect(command('dnf')).toBe(
    'sudo dnf install -y chromium chromedriver vulkan-loader mesa-vulkan-drivers iverilog gnubg',
  )
  expect(command('pacman')).toBe(
    'sudo pacman -S --needed --noconfirm chromium vulkan-icd-loader vulkan-swrast iverilog',
  )
  expect(command('brew')).toBe('brew install google-chrome chromedriver icarus-verilog')
  expect(command('winget')).toBe('winget install --exact Google.Chrome Chromium.ChromeDriver')
})

test('an administrator needs no sudo', () => {
  expect(installation('dnf', ['gnubg'], true)).toEqual([['dnf', 'install', '-y', 'gnubg']])
})

test('the advice has a command for packages, and addresses for everything else', () => {
  expect(advice(['verilog', 'gnubg'], 'pacman')).toBe(
    '    sudo pacman -S --needed --noconfirm iverilog\n    https://www.gnu.org/software/gnubg/',
  )
  expect(advice(['rustup'], 'dnf')).toBe('    sudo dnf install -y rustup\n    rustup-init -y')
  expect(advice(['rustup'], 'winget')).toBe('    winget install --exact Rustlang.Rustup')
  for (const manager of ['apt-get', null]) expect(advice(['rustup'], manager)).toBe('    https://rustup.rs')
  expect(advice(['compiler'], 'apt-get')).toContain('rustc-web')
})

test('the package manager of the system is preferred to Homebrew', () => {
  expect(packageManager((name) => ['brew', 'dnf'].includes(name))).toBe('dnf')
  expect(packageManager((name) => name === 'brew')).toBe('brew')
  expect(packageManager(() => false)).toBeNull()
})

test('the dev container has the compiler of the modules', () => {
  const dockerfile = readFileSync(join(root, '.devcontainer/Dockerfile'), 'utf8')
  expect(dockerfile).toContain(`rustup default ${pinned}`)
  expect(dockerfile.match(/\d+\.\d+\.\d+/g)).toEqual([pinned, pinned])
})

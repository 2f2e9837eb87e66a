// Packages of the tools that setup needs, for each package manager, and the commands that install them.
import { which } from './run.mjs'

/** Package managers: arguments of an installation, and whether it needs the rights of an administrator. */
const managers = {
  'apt-get': {
    refresh: ['update', '-qq'],
    install: ['install', '-y', '-qq', '--no-install-recommends'],
    administrator: true,
  },
  dnf: { install: ['install', '-y'], administrator: true },
  pacman: { install: ['-S', '--needed', '--noconfirm'], administrator: true },
  brew: { install: ['install'] },
  winget: { install: ['install', '--exact'] },
}
/** Command that installs a Rust compiler after the package of rustup. */
const toolchainInstallers = {
  dnf: 'rustup-init -y',
  pacman: 'rustup default stable',
  brew: 'rustup default stable',
}

/** Tools: their packages for each package manager, and the address of other downloads. */
const tools = {
  /** Rust compiler with the sources of the standard library, from which the wasm modules are built. */
  compiler: {
    'apt-get': ['rustc-web', 'cargo-web', 'rust-web-src', 'rust-web-llvm'],
    url: 'https://rustup.rs',
  },
  rustup: {
    dnf: ['rustup'],
    pacman: ['rustup'],
    brew: ['rustup'],
    winget: ['Rustlang.Rustup'],
    url: 'https://rustup.rs',
  },
  browser: {
    'apt-get': ['chromium', 'chromium-driver'],
    dnf: ['chromium', 'chromedriver'],
    pacman: ['chromium'],
    brew: ['google-chrome', 'chromedriver'],
    winget: ['Google.Chrome', 'Chromium.ChromeDriver'],
    url: 'https://googlechromelabs.github.io/chrome-for-testing',
  },
  firefox: { 'apt-get': ['firefox-esr'], dnf: ['firefox'], pacman: ['firefox', 'geckodriver'] },
  webkit: { 'apt-get': ['webkit2gtk-driver', 'xvfb'] },
  vulkan: {
    'apt-get': ['libvulkan1', 'mesa-vulkan-drivers'],
    dnf: ['vulkan-loader', 'mesa-vulkan-drivers'],
    pacman: ['vulkan-icd-loader', 'vulkan-swrast'],
    url: 'https://docs.mesa3d.org/drivers/llvmpipe.html',
  },
  verilog: {
    'apt-get': ['iverilog'],
    dnf: ['iverilog'],
    pacman: ['iverilog'],
    brew: ['icarus-verilog'],
    url: 'https://bleyer.org/icarus/',
  },
  gnubg: {
    'apt-get': ['gnubg'],
    dnf: ['gnubg'],
    url: 'https://www.gnu.org/software/gnubg/',
  },
}

/**
 * Returns the package manager of this system, or `null`. Homebrew also runs on Linux, where it is the last choice.
 *
 * @param {(name: string) => unknown} isThere
 */
export const packageManager = (isThere = which) => Object.keys(managers).find((name) => isThere(name)) ?? null

/** Returns the packages of the tools; tools without a package are omitted. */
export const packagesOf = (manager, wanted) => wanted.flatMap((tool) => tools[tool][manager] ?? [])

/** Returns whether the package manager has a package of the tool. */
export const isPackaged = (manager, tool) => Boolean(tools[tool][manager])

/**
 * Returns the commands that install packages, each a program with its arguments.
 *
 * @param {string} manager
 * @param {readonly string[]} packages
 */
export function installation(manager, packages, isAdministrator = false) {
  const { refresh, install, administrator } = managers[manager]
  const prefix = administrator && !isAdministrator ? ['sudo'] : []
  const commands = [...(refresh ? [refresh] : []), [...install, ...packages]]
  return commands.map((args) => [...prefix, manager, ...args])
}

/** Returns commands as one line of a shell. */
export const shellLine = (commands) => commands.map((command) => command.join(' ')).join(' && ')

/**
 * Returns how to install tools by hand: a command for those with a package, and addresses for the others.
 *
 * @param {readonly string[]} wanted
 * @param {string | null} manager
 */
export function advice(wanted, manager = packageManager()) {
  const packaged = manager ? wanted.filter((tool) => isPackaged(manager, tool)) : []
  const lines = wanted.filter((tool) => !packaged.includes(tool)).map((tool) => tools[tool].url)
  if (packaged.length) lines.unshift(shellLine(installation(manager, packagesOf(manager, packaged))))
  // This package has no compiler, but installs one.
  if (packaged.includes('rustup') && manager in toolchainInstallers) lines.push(toolchainInstallers[manager])
  return lines.map((line) => `    ${line}`).join('\n')
}

// Finds the browsers that the tests drive.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { which } from './run.mjs'

/** Paths of Chrome on macOS and Windows, whose installers do not add Chrome to PATH. */
const installed = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
]
const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** Returns the paths of Chromium (or Chrome) and its driver, or `null` if one is missing. */
export function browser() {
  const given = process.env.CHROME
  const chrome = given ?? names.map(which).find(Boolean) ?? installed.find(existsSync) ?? null
  const driver = process.env.CHROMEDRIVER ?? which('chromedriver')
  return chrome && driver ? { chrome, driver } : null
}

/** Returns the first file of this name in the folders of WebKitGTK, which depend on architecture and version; or `null`. */
function inWebkitFolders(name) {
  const libraries = existsSync('/usr/lib')
    ? readdirSync('/usr/lib').map((folder) => join('/usr/lib', folder))
    : []
  const folders = libraries.flatMap((folder) =>
    ['webkitgtk-6.0', 'webkit2gtk-4.1', 'webkit2gtk-4.0'].map((version) => join(folder, version)),
  )
  return folders.map((folder) => join(folder, name)).find(existsSync) ?? null
}

/** Returns `browser` and `driver`; `missing` is the reason if one is missing, otherwise `false`. */
const found = (programs, browser, driver) => ({
  browser,
  driver,
  missing: browser && driver ? false : `${programs} are not installed`,
})

export const firefox = () =>
  found('Firefox and geckodriver', which('firefox-esr') ?? which('firefox'), which('geckodriver'))

export const webkit = () =>
  found(
    'WebKitGTK, its driver and Xvfb',
    inWebkitFolders('MiniBrowser'),
    which('Xvfb') && which('WebKitWebDriver'),
  )

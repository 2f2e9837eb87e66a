// Finds the browser that the tests drive.
import { existsSync } from 'node:fs'
import { which } from './run.mjs'

const macChrome = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** Returns the paths of Chromium (or Chrome) and its driver, or `null` if one is missing. */
export function browser() {
  const given = process.env.CHROME
  const chrome = given ?? names.map(which).find(Boolean) ?? (existsSync(macChrome) ? macChrome : null)
  const driver = process.env.CHROMEDRIVER ?? which('chromedriver')
  return chrome && driver ? { chrome, driver } : null
}

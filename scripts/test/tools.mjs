import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { root } from '../setup.mjs'

/** Longest download, ms: a closed network may neither answer nor reject. */
const downloadLimit = 240_000

/**
 * Finds a Chromium for the tests, or gets one: the system's, Playwright's, Debian's. Prints a line for each step.
 * `headless`: the one for windows, which need no whole browser: where it can be had, Chromium's headless shell, which
 * takes two thirds of the time.
 * @returns {Promise<{ path: string, headless: string } | { reason: string }>}
 */
export async function installBrowser(log = console.log) {
  const own = process.env.CHROMIUM_PATH
  if (own !== undefined && own !== '') {
    return existsSync(own)
      ? { path: own, headless: own }
      : { reason: `CHROMIUM_PATH names ${own}, which does not exist` }
  }
  const present = systemBrowser() ?? (await playwrightBrowser())
  if (present !== null) return useBrowser(present, log)
  log('Browser: none found, trying Playwright’s download')
  const script = path.join(root, 'node_modules', 'playwright', 'cli.js')
  const download = spawnSync(process.execPath, [script, 'install', 'chromium'], {
    cwd: root,
    stdio: 'ignore',
    timeout: downloadLimit,
  })
  const downloaded = download.status === 0 ? await playwrightBrowser() : null
  if (downloaded !== null) return useBrowser(downloaded, log)
  log('Browser: Playwright’s download failed, trying apt-get')
  if (aptInstall(['chromium'])) {
    const installed = systemBrowser()
    if (installed !== null) return useBrowser(installed, log)
  }
  log('Browser: none was found or installed')
  return { reason: 'no Chromium was found, and neither Playwright’s download nor apt-get installed one' }
}

/**
 * Installs a keychain where there is no desktop. The keychain's tests look for the same programs and skip themselves,
 * with the reason in their names, where one is missing.
 */
export function installKeychain(log = console.log) {
  if (process.platform !== 'linux' || keychainPrograms()) return
  log('Keychain: gnome-keyring is missing, trying apt-get')
  const done = aptInstall(['gnome-keyring', 'libsecret-1-0', 'dbus']) && keychainPrograms()
  log(done ? 'Keychain: installed' : 'Keychain: not installed, its tests are skipped')
}

/**
 * Installs the tools that pack and inspect an AppImage. Its tests skip themselves, with the reason in their names,
 * where they are missing.
 */
export function installImageTools(log = console.log) {
  if (process.platform !== 'linux' || ['mksquashfs', 'unsquashfs'].every((name) => onPath(name) !== null)) return
  log('AppImage: squashfs-tools is missing, trying apt-get')
  log(aptInstall(['squashfs-tools']) ? 'AppImage: installed' : 'AppImage: not installed, its tests are skipped')
}

function keychainPrograms() {
  return ['gnome-keyring-daemon', 'dbus-run-session'].every((name) => onPath(name) !== null)
}

function useBrowser(file, log) {
  const headless = headlessBrowser(log) ?? file
  log(`Browser: ${file}${headless === file ? '' : `, ${headless}`}`)
  return { path: file, headless }
}

/** Chromium's headless shell, which Playwright itself takes by default. */
function headlessBrowser(log) {
  const name = 'chromium-headless-shell'
  if (onPath(name) === null && mayInstall()) {
    log('Browser: chromium-headless-shell is missing, trying apt-get')
    aptInstall([name])
  }
  return onPath(name)
}

function systemBrowser() {
  for (const name of ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']) {
    const file = onPath(name)
    if (file !== null) return file
  }
  const paths = {
    darwin: [
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
    ],
    win32: ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].map((name) =>
      path.join(process.env[name] ?? 'C:\\', 'Google', 'Chrome', 'Application', 'chrome.exe'),
    ),
  }
  return (paths[process.platform] ?? []).find((file) => existsSync(file)) ?? null
}

async function playwrightBrowser() {
  const entry = path.join(root, 'node_modules', 'playwright', 'index.mjs')
  const { chromium } = await import(pathToFileURL(entry).href)
  const file = chromium.executablePath()
  return existsSync(file) ? file : null
}

function onPath(name) {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '')
  return folders.map((folder) => path.join(folder, name)).find(executable) ?? null
}

function executable(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const mayInstall = () => process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/etc/debian_version')

/** Installs Debian packages, only as root and on Debian. */
function aptInstall(packages) {
  if (!mayInstall()) return false
  const options = {
    stdio: 'ignore',
    timeout: downloadLimit,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }
  spawnSync('apt-get', ['update'], options)
  return spawnSync('apt-get', ['install', '-y', '--no-install-recommends', ...packages], options).status === 0
}

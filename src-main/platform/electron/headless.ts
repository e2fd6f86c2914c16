import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { app } from 'electron'
import type * as Headless from '../headless/start.ts'
import type { Stops } from '../shared/shutdown.ts'

/** `muster --headless`: the core of `npm run headless` in Electron's main process, without anything that is seen. */

/** Built into `out/electron/main.js`. */
const out = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

/**
 * A file of its own, which shares nothing with the main: it is loaded while the main's own module waits for it, and
 * would wait for what it shares.
 */
const chunk = path.join(out, 'electron', 'later', 'headless.js')

/**
 * Starts the core. On Linux it never resolves: the application is not ready before its main module has run to its end
 * (Electron's `JoinAppCode`, which runs Node's loop until then), and Chromium looks for a display only afterwards. So
 * none is needed, and the end of a desktop session does not end Muster. Elsewhere the application becomes ready without
 * a window, so that the system can ask it to quit.
 */
export async function startWithoutWindow(
  argv: string[],
  stops: Stops,
  end: (code: number) => Promise<void>,
): Promise<void> {
  // Node's loop, and with it the wait, ends where nothing keeps it.
  const awake = setInterval(() => {}, 60_000)
  if (process.platform === 'darwin') app.dock?.hide()
  const loaded = await load()
  if (loaded === null) await end(1)
  await loaded?.startHeadless(argv, {
    command: 'muster --headless',
    threads: path.join(out, 'main'),
    stops,
    end,
    locked: (profile) => {
      // Chromium's own files have their own folder, as with a window.
      const userData = path.join(profile, 'electron')
      mkdirSync(userData, { recursive: true })
      app.setPath('userData', userData)
    },
  })
  if (process.platform === 'linux') await new Promise<never>(() => {})
  clearInterval(awake)
}

async function load(): Promise<typeof Headless | null> {
  try {
    return (await import(pathToFileURL(chunk).href)) as typeof Headless
  } catch (error) {
    process.stderr.write(`Muster could not be started: ${error instanceof Error ? error.message : chunk}\n`)
    return null
  }
}

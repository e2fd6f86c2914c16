import { spawn } from 'node:child_process'
import path from 'node:path'
import { own } from '../../../../src-shared/lib/own.ts'
import type { Log } from '../../../ports.ts'

export interface Program {
  /** What is started: an AppImage is the file itself, and not what it has unpacked. */
  file: string
  /** In development Electron is told which application it is. */
  args: readonly string[]
  packaged: boolean
}

export function programOf(packaged: boolean, execPath: string, appPath: string, env: NodeJS.ProcessEnv): Program {
  return { file: env['APPIMAGE'] ?? execPath, args: packaged ? [] : [appPath], packaged }
}

/** From the demo the flags of a start with one's own connections, and the other way: each has a profile of its own. */
export function otherFlags(demo: boolean, packaged: boolean): string[] {
  if (packaged) return demo ? [] : ['--demo']
  return demo ? ['--no-demo'] : []
}

/** Starts it beside this one; it lives on when this one ends, and raises what is open on its profile already. */
export function startBeside({ file, args }: Program, flags: readonly string[], log: Log): void {
  const child = spawn(file, [...args, ...flags], { detached: true, stdio: 'ignore' })
  child.on('error', (error) =>
    log('error', `a second Muster could not be started (${'code' in error ? String(error.code) : error.name})`),
  )
  child.unref()
}

/** Under what a dialog offers to save a file of this name. */
export function filtersOf(name: string): { name: string; extensions: string[] }[] {
  const extension = path.extname(name).slice(1).toLowerCase()
  const words: Record<string, string> = { csv: 'CSV', json: 'JSON', md: 'Markdown', zip: 'ZIP archive' }
  return extension === '' ? [] : [{ name: own(words, extension) ?? extension.toUpperCase(), extensions: [extension] }]
}

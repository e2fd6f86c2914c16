import { spawn } from 'node:child_process'
import path from 'node:path'
import { own } from '../../../../src-shared/lib/own.ts'
import type { Log } from '../../../ports.ts'

export interface Program {
  /** The program to start; for an AppImage the file itself, not its unpacked content. */
  file: string
  /** In development, Electron needs the path of the application. */
  args: readonly string[]
  packaged: boolean
}

export function programOf(packaged: boolean, execPath: string, appPath: string, env: NodeJS.ProcessEnv): Program {
  return { file: env['APPIMAGE'] ?? execPath, args: packaged ? [] : [appPath], packaged }
}

/**
 * Returns the flags that start the other kind: one's own connections from the demo, or the demo. Each has its own
 * profile.
 */
export function otherFlags(demo: boolean, packaged: boolean): string[] {
  if (packaged) return demo ? [] : ['--demo']
  return demo ? ['--no-demo'] : []
}

/** Starts a program beside this one, which it outlives; it raises a Muster that already runs on its profile. */
export function startBeside({ file, args }: Program, flags: readonly string[], log: Log): void {
  const child = spawn(file, [...args, ...flags], { detached: true, stdio: 'ignore' })
  child.on('error', (error) =>
    log('error', `a second Muster could not be started (${'code' in error ? String(error.code) : error.name})`),
  )
  child.unref()
}

/** Returns the filters of the save dialog for a file of this name. */
export function filtersOf(name: string): { name: string; extensions: string[] }[] {
  const extension = path.extname(name).slice(1).toLowerCase()
  const words: Record<string, string> = {
    csv: 'CSV',
    html: 'HTML',
    json: 'JSON',
    md: 'Markdown',
    pdf: 'PDF',
    zip: 'ZIP archive',
  }
  return extension === '' ? [] : [{ name: own(words, extension) ?? extension.toUpperCase(), extensions: [extension] }]
}

import { realpathSync } from 'node:fs'
import path from 'node:path'

/**
 * An AppImage tells by APPIMAGE which file it is, and whatever it starts inherits that: a terminal's, say. Muster starts, notes and
 * replaces the file that is named there, so what is not its own is forgotten. `program`: the path of the one that runs.
 */
export function forgetInheritedAppImage(env: NodeJS.ProcessEnv, program: string): void {
  if (env['APPIMAGE'] === undefined || isBelow(program, env['APPDIR'])) return
  delete env['APPIMAGE']
}

function isBelow(program: string, folder: string | undefined): boolean {
  if (folder === undefined || folder === '') return false
  try {
    return realpathSync(program).startsWith(`${realpathSync(folder)}${path.sep}`)
  } catch {
    return false
  }
}

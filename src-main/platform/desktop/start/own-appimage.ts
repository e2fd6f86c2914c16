import { realpathSync } from 'node:fs'
import path from 'node:path'

/**
 * Removes APPIMAGE from the environment if it belongs to another program, such as a terminal that started Muster:
 * Muster starts, records and replaces the file that it names. `program`: path of the running one.
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

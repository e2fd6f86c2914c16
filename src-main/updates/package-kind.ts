import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** By what a copy is renewed. */
export type Kind = 'nsis' | 'mac' | 'AppImage' | 'deb' | 'rpm'

/**
 * Which package this copy came in, by what electron-builder and the AppImage leave; null for one that was only unpacked, or
 * that was built without `app-update.yml`, by which electron-updater knows whose signature a Windows installer must have.
 */
export function packageKind(platform: NodeJS.Platform, resources: string, env: Record<string, string | undefined>): Kind | null {
  if (!existsSync(path.join(resources, 'app-update.yml'))) return null
  if (platform === 'win32') return 'nsis'
  if (platform === 'darwin') return 'mac'
  const named = textOf(path.join(resources, 'package-type'))
  if (named === 'deb' || named === 'rpm') return named
  return env['APPIMAGE'] === undefined ? null : 'AppImage'
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return ''
  }
}

import type { App } from 'electron'
import { linkScheme } from '../../../../src-shared/navigation/link.ts'
import { autostart, loginFlag, type LoginStart } from '../../desktop/start/login-start.ts'
import type { StartArgs } from '../../shared/args.ts'

/** Returns the login start of this system. */
export function loginStart(
  app: Pick<App, 'setLoginItemSettings'>,
  platform: NodeJS.Platform,
  program: string,
  env: NodeJS.ProcessEnv,
): LoginStart {
  if (platform === 'linux') return autostart(env['APPIMAGE'] ?? program, env)
  return {
    // Windows only: Electron writes the path unquoted. macOS itself reports a login start.
    set: (openAtLogin) => app.setLoginItemSettings({ openAtLogin, path: `"${program}"`, args: [loginFlag] }),
    // Both systems have their own list, which the user may have changed.
    renew() {},
  }
}

/** Returns whether macOS started the application at login, where no flag shows it. */
export function openedAtLogin(app: Pick<App, 'getLoginItemSettings'>): boolean {
  return process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin
}

/**
 * Registers Muster for `muster://` links; in development Electron with the checkout. Not for another profile, nor for
 * an AppImage, which is only a file that may be moved.
 */
export function claimLinks(
  app: Pick<App, 'setAsDefaultProtocolClient' | 'isPackaged' | 'getAppPath'>,
  { demo, profile }: StartArgs,
): void {
  if (profile !== null || process.env['APPIMAGE'] !== undefined) return
  const dev = app.isPackaged ? [] : [app.getAppPath(), ...(demo ? [] : ['--no-demo'])]
  // Behind `--` no part of a link is a flag.
  app.setAsDefaultProtocolClient(linkScheme, process.execPath, [...dev, '--'])
}

import type { App } from 'electron'
import { linkScheme } from '../../../../src-shared/navigation/link.ts'
import { autostart, loginFlag, type LoginStart } from '../../desktop/start/login-start.ts'
import type { StartArgs } from '../../shared/args.ts'

/** Start at login, as this system does it. */
export function loginStart(
  app: Pick<App, 'setLoginItemSettings'>,
  platform: NodeJS.Platform,
  program: string,
  env: NodeJS.ProcessEnv,
): LoginStart {
  if (platform === 'linux') return autostart(env['APPIMAGE'] ?? program, env)
  return {
    // Path and arguments are Windows' alone, and Electron writes the path as it comes; macOS tells by itself that it was login.
    set: (openAtLogin) => app.setLoginItemSettings({ openAtLogin, path: `"${program}"`, args: [loginFlag] }),
    // Both keep it in a list of their own, which their person may have changed.
    renew() {},
  }
}

/** macOS: the system started it at login, where no flag can say so. */
export function openedAtLogin(app: Pick<App, 'getLoginItemSettings'>): boolean {
  return process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin
}

/**
 * Says to the system that Muster opens `muster://` links; in development by Electron with the checkout. A profile of
 * one's own changes nothing, and neither does an AppImage, which is only a file that may be moved.
 */
export function claimLinks(
  app: Pick<App, 'setAsDefaultProtocolClient' | 'isPackaged' | 'getAppPath'>,
  { demo, profile }: StartArgs,
): void {
  if (profile !== null || process.env['APPIMAGE'] !== undefined) return
  const dev = app.isPackaged ? [] : [app.getAppPath(), ...(demo ? [] : ['--no-demo'])]
  // Behind `--` nothing that a link holds is a flag.
  app.setAsDefaultProtocolClient(linkScheme, process.execPath, [...dev, '--'])
}

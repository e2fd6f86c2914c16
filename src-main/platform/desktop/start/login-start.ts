import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { textOf } from '../../../settings/text-file.ts'

/** Sets whether the system starts Muster at login. Throws the system's errors. */
export interface LoginStart {
  set(on: boolean): void
  /** Updates an existing entry to this program at each start, unless it was removed in the system's settings. */
  renew(): void
}

/** The flag for a start without a visible window. */
export const loginFlag = '--hidden'

/**
 * Linux: an entry in the desktop's autostart folder. `program`: path of the program (for an AppImage that file itself).
 */
export function autostart(program: string, env: NodeJS.ProcessEnv): LoginStart {
  const configHome = env['XDG_CONFIG_HOME'] ?? ''
  const file = path.join(
    path.isAbsolute(configHome) ? configHome : path.join(env['HOME'] ?? homedir(), '.config'),
    'autostart',
    'muster.desktop',
  )
  const wanted = desktopEntry(program)
  const write = () => {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, wanted, { mode: 0o644 })
  }
  return {
    set(on) {
      if (on) write()
      else rmSync(file, { force: true })
    },
    renew() {
      const before = textOf(file)
      if (before !== '' && before !== wanted && !/^(Hidden=true|X-GNOME-Autostart-enabled=false)\s*$/mu.test(before))
        write()
    },
  }
}

/** Returns the entry of the autostart folder that starts this program. */
export function desktopEntry(program: string): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Muster',
    'Comment=Watches your meeting-room devices',
    `Exec=${execOf(program, loginFlag)}`,
    'Icon=muster',
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n')
}

/**
 * Updates the entry at the start if it is on, and returns a function that applies the setting. Reports errors of the
 * system.
 */
export function followLogin(
  login: LoginStart,
  on: boolean,
  notify: (title: string, body: string) => void,
): (on: boolean) => void {
  let current = on
  const attempt = (work: () => void) => {
    try {
      work()
    } catch {
      notify(
        'Start at login could not be changed',
        'The system rejected it. Look at its own list of programs that start at login.',
      )
    }
  }
  if (on) attempt(login.renew)
  return (next) => {
    if (next !== current) attempt(() => login.set(next))
    current = next
  }
}

/** Returns how the window opens at a login start: not at all where the tray surely offers it, otherwise minimised. */
export function loginWindow(platform: NodeJS.Platform, closeToTray: boolean): 'none' | 'minimised' {
  // Linux does not report whether its desktop shows trays; a user who closes to the tray has one.
  return platform === 'linux' && !closeToTray ? 'minimised' : 'none'
}

/**
 * Returns a command of a desktop file: the program quoted by the Desktop Entry Specification (1.5, "The Exec key"), and
 * the rest unchanged.
 */
function execOf(program: string, rest: string): string {
  const quoted = program.replaceAll(/["`$\\]/gu, '\\$&').replaceAll('%', '%%')
  return stringValue(`"${quoted}" ${rest}`)
}

/** Returns a value escaped as a string of a desktop file. */
const stringValue = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r')

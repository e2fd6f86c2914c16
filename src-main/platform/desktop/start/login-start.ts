import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { textOf } from '../../../settings/text-file.ts'

/** Whether the system starts Muster when its person logs in. Throws what the system refuses. */
export interface LoginStart {
  set(on: boolean): void
  /** At each start: where it is on and was not taken away in the system's own settings, it starts this program. */
  renew(): void
}

/** With this flag Muster starts without standing in anybody's way. */
export const loginFlag = '--hidden'

/** Linux: an entry in the desktop's autostart folder. `program`: what is to be started (of an AppImage that file itself). */
export function autostart(program: string, env: NodeJS.ProcessEnv): LoginStart {
  const given = env['XDG_CONFIG_HOME'] ?? ''
  const file = path.join(
    path.isAbsolute(given) ? given : path.join(env['HOME'] ?? homedir(), '.config'),
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

/** The entry of the autostart folder that starts this program. */
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

/** Renews it at the start where it is on, and does what the setting says from then on. What the system refuses is said. */
export function followLogin(
  login: LoginStart,
  on: boolean,
  say: (title: string, body: string) => void,
): (on: boolean) => void {
  let held = on
  const tried = (work: () => void) => {
    try {
      work()
    } catch {
      say(
        'Start at login could not be changed',
        'The system rejected it. Look at its own list of programs that start at login.',
      )
    }
  }
  if (on) tried(login.renew)
  return (next) => {
    if (next !== held) tried(() => login.set(next))
    held = next
  }
}

/** How the window comes at a start that nobody waits for: not at all where the tray is sure to lead to it, else minimised. */
export function loginWindow(platform: NodeJS.Platform, closeToTray: boolean): 'none' | 'minimised' {
  // Linux cannot tell whether its desktop shows trays; who closes to the tray has one.
  return platform === 'linux' && !closeToTray ? 'minimised' : 'none'
}

/** A command of a desktop file: the program quoted as the Desktop Entry Specification wants it (1.5, "The Exec key"), and what follows it as it is. */
function execOf(program: string, rest: string): string {
  const quoted = program.replaceAll(/["`$\\]/gu, '\\$&').replaceAll('%', '%%')
  return stringValue(`"${quoted}" ${rest}`)
}

/** A value of such a file, escaped as a string of it. */
const stringValue = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r')

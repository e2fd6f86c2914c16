import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'

/** Resolves with whether the keychain is locked; null where that is unknown without asking the user. */
export type AskLocked = () => Promise<boolean | null>

const answerTimeoutMs = 3000
const dbusArguments = [
  '--session',
  '--print-reply=literal',
  '--dest=org.freedesktop.secrets',
  '/org/freedesktop/secrets/aliases/default',
  'org.freedesktop.DBus.Properties.Get',
  'string:org.freedesktop.Secret.Collection',
  'string:Locked',
]

/**
 * Returns a check of whether the keychain is locked that opens no password dialog: keytar would open one, and reports a
 * locked keychain as an empty one. Secret Service reports it on the session bus.
 */
export function lockedBy(platform: NodeJS.Platform, env: NodeJS.ProcessEnv = process.env): AskLocked {
  if (platform !== 'linux' || !hasBus(env)) return async () => null
  return () =>
    new Promise((resolve) => {
      execFile('dbus-send', dbusArguments, { timeout: answerTimeoutMs, env }, (error, output) => {
        const value = error === null ? /boolean (true|false)/.exec(output)?.[1] : undefined
        resolve(value === undefined ? null : value === 'true')
      })
    })
}

/** Returns whether there is a session bus. Without one dbus-send would start its own, which has no keychain. */
function hasBus({ DBUS_SESSION_BUS_ADDRESS: address = '', XDG_RUNTIME_DIR: folder = '' }: NodeJS.ProcessEnv): boolean {
  return address !== '' || (folder !== '' && existsSync(path.join(folder, 'bus')))
}

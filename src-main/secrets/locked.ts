import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'

/** True or false as the keychain says; null where it cannot be asked without asking a person. */
export type AskLocked = () => Promise<boolean | null>

const answerLimit = 3000
const question = [
  '--session',
  '--print-reply=literal',
  '--dest=org.freedesktop.secrets',
  '/org/freedesktop/secrets/aliases/default',
  'org.freedesktop.DBus.Properties.Get',
  'string:org.freedesktop.Secret.Collection',
  'string:Locked',
]

/**
 * Whether the keychain is locked, without a window that asks for its password: keytar would bring that up, and what it
 * answers of a locked keychain looks like "there is nothing". Secret Service says it on the session bus.
 */
export function lockedBy(platform: NodeJS.Platform, env: NodeJS.ProcessEnv = process.env): AskLocked {
  if (platform !== 'linux' || !hasBus(env)) return async () => null
  return () =>
    new Promise((resolve) => {
      execFile('dbus-send', question, { timeout: answerLimit, env }, (error, told) => {
        const said = error === null ? /boolean (true|false)/.exec(told)?.[1] : undefined
        resolve(said === undefined ? null : said === 'true')
      })
    })
}

/** Without a bus dbus-send would start one of its own, on which there is no keychain. */
function hasBus({ DBUS_SESSION_BUS_ADDRESS: address = '', XDG_RUNTIME_DIR: folder = '' }: NodeJS.ProcessEnv): boolean {
  return address !== '' || (folder !== '' && existsSync(path.join(folder, 'bus')))
}

import { readFileSync, statSync } from 'node:fs'
import { z } from 'zod'
import { channels, feedProblem, type Channel } from '../../src-shared/model/updates.ts'

/** The administrator's policy; null: no rule, so the operator's settings apply. */
export interface Policy {
  /** `ask`: nothing is downloaded without the operator's consent. */
  updates: 'off' | 'ask' | null
  feed: string | null
  channel: Channel | null
  /** `off`: no action on devices and places is possible. */
  actions: 'off' | null
}

/** A policy, or the reason why it cannot be read, as a clause: then its restrictions are unknown. */
export type PolicyResult = { policy: Policy } | { policy: null; unread: string }

export const noPolicy: Policy = { updates: null, feed: null, channel: null, actions: null }

/** Unknown keys make the policy unreadable: one may be a misspelt restriction. */
const schema = z.strictObject({
  updates: z.enum(['off', 'ask']).nullish(),
  feed: z
    .string()
    .max(2048)
    .refine((text) => feedProblem(text) === null)
    .nullish(),
  channel: z.enum(channels).nullish(),
  actions: z.enum(['off']).nullish(),
})
const maxBytes = 64 * 1024

/**
 * Returns the path of a machine's policy, written by its administrator for all users. It is fixed, because a user can
 * start Muster with another environment, and so with another %ProgramData% or %SystemDrive%. On Windows it is not in
 * C:\ProgramData, where by default each user can create a missing folder; in Program Files only administrators can. (As
 * Microsoft documents these folders; not tried on Windows.) It is on C: even where Windows is on another drive.
 */
export function policyFile(platform: NodeJS.Platform): string {
  if (platform === 'win32') return 'C:\\Program Files\\Common Files\\Muster\\policy.json'
  return platform === 'darwin' ? '/Library/Application Support/Muster/policy.json' : '/etc/muster/policy.json'
}

/** Reads the policy once. A missing file means `noPolicy`. */
export function readPolicy(file: string): PolicyResult {
  try {
    const stat = statSync(file, { throwIfNoEntry: false })
    if (stat === undefined) return { policy: noPolicy }
    if (!stat.isFile() || stat.size > maxBytes) return unread(file, stat.isFile() ? 'it is too large' : 'it is no file')
    // Windows editors begin a text with a byte order mark.
    return checked(file, JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, '')))
  } catch (thrown) {
    return unread(file, thrown instanceof SyntaxError ? 'it is no JSON' : codeOf(thrown))
  }
}

/** Returns whether the policy switches actions off. One that cannot be read does, because its restrictions are unknown. */
export const forbidsActions = (read: PolicyResult): boolean => read.policy === null || read.policy.actions === 'off'

function checked(file: string, value: unknown): PolicyResult {
  const read = schema.safeParse(value)
  if (read.success)
    return {
      policy: {
        updates: read.data.updates ?? null,
        feed: read.data.feed ?? null,
        channel: read.data.channel ?? null,
        actions: read.data.actions ?? null,
      },
    }
  const unknown = read.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map(quoted) : [],
  )
  const wrong = read.error.issues.flatMap(({ code, path: [key] }) =>
    code === 'unrecognized_keys' ? [] : key === undefined ? ['the whole'] : [quoted(String(key))],
  )
  const clauses = [
    ...(wrong.length === 0 ? [] : [`${[...new Set(wrong)].join(' and ')} cannot be used`]),
    ...(unknown.length === 0 ? [] : [`${unknown.join(' and ')} is not known here`]),
  ]
  return unread(file, clauses.join(', '))
}

const quoted = (key: string): string => `"${key.replaceAll(/\p{Cc}/gu, ' ').slice(0, 60)}"`

const unread = (file: string, why: string): PolicyResult => ({ policy: null, unread: `${file}: ${why}` })

function codeOf(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'it cannot be read'
}

import { own } from '../../../src-shared/lib/own.ts'
import type { MemberNames } from '../../storage/journal/member-names.ts'
import type { LoggedName } from './logged-calls.ts'

/** Where a call of the log names the operator who wrote it. */
const names: ReadonlyMap<string, readonly string[]> = new Map<LoggedName, readonly string[]>([
  ['claimName', ['name']],
  ['saveNote', ['by']],
  ['tag', ['by']],
  ['setTags', ['by']],
  ['createJob', ['record', 'owner', 'operator']],
  ['saveJob', ['record', 'owner', 'operator']],
  ['takeJob', ['owner', 'operator']],
  ['saveHandover', ['from']],
  ['acceptHandover', ['by']],
])

/**
 * Returns the input of a call of the log with its writer's name as the login vouches for it (journal/member-names.ts): all
 * members come to the same. `role`: with which its writer signed in to the database.
 */
export function signedInput(memberNames: MemberNames, call: string, input: unknown, role: string): unknown {
  const path = names.get(call)
  return path === undefined ? input : replaced(input, path, (claimed) => memberNames.signed(claimed, role))
}

/** Returns the value with the text at a path replaced; itself where there is none. */
function replaced(value: unknown, path: readonly string[], by: (text: string) => string): unknown {
  const [name, ...rest] = path
  if (name === undefined) return typeof value === 'string' ? by(value) : value
  if (typeof value !== 'object' || value === null) return value
  const held = own(value as Record<string, unknown>, name)
  return held === undefined ? value : { ...value, [name]: replaced(held, rest, by) }
}

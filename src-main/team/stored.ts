import { createHash } from 'node:crypto'
import { z } from 'zod'
import { savingSettings } from '../settings/saving.ts'
import type { Settings } from '../ports.ts'
import { parseTeamAddress, teamAddressText } from './database/address.ts'

/** How this Muster is joined to a team, without its password, which is in the keychain. */
export const joinedTeam = z.object({
  /** `postgresql://user@host:port/database`. */
  address: z.string(),
  ca: z.string(),
  operator: z.string(),
  /** Its id in the team; null before it was there for the first time. */
  member: z.string().nullable(),
  /** The database's own id of the team; null before it was reached for the first time. */
  team: z.string().nullable(),
  /** Its own connections are to be added to the team's. */
  share: z.boolean().optional(),
})
export type JoinedTeam = z.infer<typeof joinedTeam>

const settingsKey = 'team'
/** The account of the password in the keychain. */
export const teamPassword = 'team'

/** Returns how this Muster is joined; null where it is on its own. */
export function loadJoined(settings: Pick<Settings, 'get'>): JoinedTeam | null {
  return joinedTeam.safeParse(settings.get(settingsKey)).data ?? null
}

/** Throws a fault of kind `storage`; then nothing was changed. */
export function storeJoined(settings: Settings, joined: JoinedTeam | null): void {
  savingSettings(() => settings.set(settingsKey, joined))
}

/** What a file says of a team, for a Muster without a window. */
const teamFile = z.object({
  address: z.string(),
  operator: z.string().trim().min(1).max(200),
  ca: z.string().default(''),
})

/**
 * Joins the team of a file's text, from the next start of the core on. Throws a fault of kind `input` where the text is
 * wrong, or `storage`.
 */
export function joinByFile(settings: Settings, text: string): void {
  const { address: given, operator, ca } = teamFile.parse(JSON.parse(text))
  const address = teamAddressText(parseTeamAddress(given))
  storeJoined(settings, { address, ca, operator, ...idsAt(loadJoined(settings), address) })
}

/** Returns the ids that stay at an address: of the team in the same database, and of the member with the same login. */
export function idsAt(before: JoinedTeam | null, address: string): Pick<JoinedTeam, 'member' | 'team'> {
  const isSame = before !== null && keptAs(before) === keptAs({ address })
  // The database lets each login change its own members only.
  return { member: before?.address === address ? before.member : null, team: isSame ? before.team : null }
}

/** Settings about connections and their data: the team's are kept beside the Muster's own. */
const apart = new Set([
  'connections',
  'readings',
  'access',
  'schemas',
  'placeDirectories',
  'columnsOn',
  'secretsLeft',
  'secretsExpected',
  'visits',
  'secretAddresses',
  'channelSecrets',
  'teamId',
])

/** Returns the name under which a team's data is kept here: one for each database, whoever signs in there. */
export function keptAs({ address }: Pick<JoinedTeam, 'address'>): string {
  const database = address.slice(address.lastIndexOf('@') + 1)
  return `team-${createHash('sha256').update(database).digest('hex').slice(0, 12)}`
}

/** Returns the settings of a Muster in a team: those about connections are the team's. */
export function teamSettings(settings: Settings, joined: JoinedTeam): Settings {
  const name = keptAs(joined)
  const keyOf = (key: string) => (apart.has(key) ? `${name}.${key}` : key)
  return {
    ...settings,
    damaged: settings.damaged,
    get: (key) => settings.get(keyOf(key)),
    set: (key, value) => settings.set(keyOf(key), value),
  }
}

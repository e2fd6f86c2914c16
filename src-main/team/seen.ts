import { z } from 'zod'
import { repeat, type Clock } from '../../src-shared/lib/clock.ts'
import type { ConnectionState } from '../../src-shared/model/connection.ts'
import type { SeenElsewhere, SharedConnections } from '../connections/team-connections.ts'
import { changesOfTrust, type ConnectionRecord } from '../connections/stored/record.ts'
import type { Settings } from '../ports.ts'
import type { Message } from './replica/replica.ts'
import type { Team } from './team.ts'

/** A leader tells of its connections when they change, at most this often, and at least this often, ms. */
const changedMs = 1000
const stillMs = 5000
/** A connection of which nobody has told for so long, ms, is read by nobody, as far as this member knows. */
const silentMs = 15_000

type Status = Extract<Message, { is: 'status' }>

interface SeenConnection {
  state: ConnectionState
  member: string
  /** By this computer's monotonic clock, and by the team's time, ms. */
  heardAt: number
  at: number
}

/** What other members tell of the connections that they read. */
export interface Seen extends Pick<SharedConnections, 'seen' | 'gauges' | 'pin' | 'trusts'> {
  heard(status: Status): void
  /** A member has opened its copy: what this one reads is told to it soon. */
  greeted(): void
  /** Returns who sends the messages of a channel, as far as other members tell: its operator; null: nobody. */
  senderOf(channel: string): string | null
  /** Returns the members (ids) that tell of connections which they read. */
  readers(): string[]
  /** Returns when it was last told of, by the team's time, ms; 0 for never. */
  lastHeardAt(connection: string): number
  /** Tells the team of what this member leads, while it leads anything. Returns a function that stops it. */
  tell(read: () => Pick<Status, 'connections' | 'gauges' | 'channels'>, onFault: (error: unknown) => void): () => void
}

/** Addresses for which a secret was typed here, by connection. */
const settingsKey = 'secretAddresses'
const addresses = z.object({
  tokenUrl: z.string(),
  graphqlUrl: z.string(),
  subscriptionUrl: z.string(),
  ca: z.string(),
})
const pinned = z.record(z.string(), addresses).catch({})

/** `trusted`: addresses to which secrets may be sent that nobody typed here. */
export function openSeen(
  clock: Clock,
  settings: Settings,
  team: Team,
  trusted: (record: ConnectionRecord) => boolean = () => false,
): Seen {
  const seen = new Map<string, SeenConnection>()
  const members = new Map<string, Pick<Status, 'gauges' | 'channels'> & { reads: boolean; heardAt: number }>()
  let isAsked = false
  const isSilent = (heardAt: number) => clock.monotonic() - heardAt > silentMs
  const pins = () => new Map(Object.entries(pinned.parse(settings.get(settingsKey) ?? {})))
  return {
    seen(connection): SeenElsewhere | null {
      const known = seen.get(connection)
      if (known === undefined || isSilent(known.heardAt)) return null
      return { state: known.state, operator: team.operatorOf(known.member) ?? '' }
    },
    gauges: () => [...members.values()].flatMap((one) => (isSilent(one.heardAt) ? [] : one.gauges)),
    senderOf(channel) {
      const found = [...members].find(([, one]) => !isSilent(one.heardAt) && one.channels.includes(channel))
      return found === undefined ? null : (team.operatorOf(found[0]) ?? '')
    },
    pin({ id, tokenUrl, graphqlUrl, subscriptionUrl, ca }) {
      const next = pins().set(id, { tokenUrl, graphqlUrl, subscriptionUrl, ca })
      settings.set(settingsKey, Object.fromEntries(next))
    },
    trusts(record: ConnectionRecord) {
      const known = pins().get(record.id)
      return trusted(record) || (known !== undefined && changesOfTrust(known, record).length === 0)
    },
    heard({ member, connections, gauges, channels }) {
      const heardAt = clock.monotonic()
      for (const state of connections) seen.set(state.id, { state, member, heardAt, at: team.clock.now() })
      members.set(member, { gauges, channels, reads: connections.length > 0, heardAt })
    },
    greeted: () => void (isAsked = true),
    readers: () => [...members].flatMap(([id, one]) => (one.reads && !isSilent(one.heardAt) ? id : [])),
    lastHeardAt: (connection) => seen.get(connection)?.at ?? 0,
    tell(read, onFault) {
      let told = ''
      let toldAt = -Infinity
      let isTelling = false
      return repeat(clock, changedMs, () => {
        const member = team.member()
        const now = read()
        if (member === null || isTelling || (isNothing(now) && told === '')) return
        const text = isNothing(now) ? '' : JSON.stringify(now)
        if (text === told && !isAsked && clock.monotonic() - toldAt < stillMs) return
        isTelling = true
        isAsked = false
        team
          .tell({ is: 'status', member, ...now })
          .then(() => {
            told = text
            toldAt = clock.monotonic()
          }, onFault)
          .finally(() => (isTelling = false))
      })
    },
  }
}

/** Returns whether a member leads nothing. That it does so no longer is told once. */
const isNothing = ({ connections, channels }: Pick<Status, 'connections' | 'channels'>): boolean =>
  connections.length === 0 && channels.length === 0

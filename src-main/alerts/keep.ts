import { z } from 'zod'
import type { AlertsDelta, StoredAlerts, StoredBlind, StoredDrop, StoredTelling } from '../journal/alerts.ts'
import { told } from '../../src-shared/model.ts'
import type { Blind, Drop, State, Telling } from './state.ts'

const open = z.object({
  shape: z.enum(['node', 'device', 'several', 'blind', 'sighted']),
  why: z.enum(['now', 'absence']),
  path: z.array(z.string()),
  where: z.string(),
  context: z.string(),
  named: z.array(z.object({ key: z.string(), name: z.string() })),
  since: z.number().nullable(),
  // Missing, or a number, in what was kept before.
  firstAt: z.number().catch(0),
  toldAt: z.number(),
  peak: z.number(),
  backs: z.array(z.string()).catch([]),
  backToldAt: z.number().nullable(),
})
const kept = z.object({ told, open: open.nullable() })

/** The state as it was kept. What cannot be read of it is left out: it is not told again for that. */
export function stateOf(stored: StoredAlerts, now: number): State {
  return {
    drops: new Map(stored.drops.map((drop) => [drop.key, { ...drop, waitUntil: 0 }])),
    tellings: new Map(stored.tellings.flatMap(({ id, about, value }) => {
      const read = kept.safeParse(value)
      return read.success ? [[id, { ...read.data, about }] as const] : []
    })),
    blind: new Map(stored.blind.map(({ tenant, since, telling }) =>
      [tenant, { tenant, name: '', since, noticedAt: now, telling, sightedAt: null, waitUntil: 0 }])),
    pause: stored.pause,
  }
}

/** What changed between two states, as the journal keeps it; null when nothing did. */
export function deltaOf(before: State, after: State): Omit<AlertsDelta, 'taken'> | null {
  const drops = changed(before.drops, after.drops, storedDrop, sameDrop)
  const tellings = changed(before.tellings, after.tellings, storedTelling, (one, other) => one === other)
  const blind = changed(toldBlind(before), toldBlind(after), storedBlind, (one, other) => one.telling === other.telling && one.since === other.since)
  const pause = before.pause?.since === after.pause?.since && before.pause?.until === after.pause?.until ? {} : { pause: after.pause }
  const parts = [drops, tellings, blind]
  if (parts.every(({ put, gone }) => put.length + gone.length === 0) && !('pause' in pause)) return null
  return { drops, tellings, blind, ...pause }
}

function changed<T, S>(before: ReadonlyMap<string, T>, after: ReadonlyMap<string, T>, stored: (value: T, key: string) => S, same: (one: T, other: T) => boolean): { put: S[]; gone: string[] } {
  if (before === after) return { put: [], gone: [] }
  const put = [...after].flatMap(([key, value]) => {
    const known = before.get(key)
    return known !== undefined && (known === value || same(known, value)) ? [] : [stored(value, key)]
  })
  return { put, gone: [...before.keys()].filter((key) => !after.has(key)) }
}

const toldBlind = ({ blind }: State) => new Map([...blind].filter(([, { telling }]) => telling !== null))

const storedDrop = ({ key, at, notBefore, telling, backAt }: Drop): StoredDrop => ({ key, at, notBefore, telling, backAt })
const sameDrop = (one: Drop, other: Drop) =>
  one.at === other.at && one.notBefore === other.notBefore && one.telling === other.telling && one.backAt === other.backAt
const storedTelling = ({ told, about, open }: Telling, id: string): StoredTelling => ({ id, at: told.at, about: [...about], value: { told, open } })
const storedBlind = ({ tenant, since, telling }: Blind): StoredBlind => ({ tenant, since, telling: telling ?? '' })

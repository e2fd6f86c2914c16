import { randomUUID } from 'node:crypto'
import type { Handlers } from '../../src-shared/contract/contract.ts'
import type { Clock } from '../../src-shared/lib/clock.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import {
  maxHandoverLength,
  type TeamHandover,
  teamHandover,
  writtenHandover,
} from '../../src-shared/model/handovers.ts'
import { tenantKeysOf } from '../incidents/service/listing-connections.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { Team } from './team.ts'

export interface HandoverDeps {
  data: Pick<
    InventoryData,
    'handovers' | 'handover' | 'saveHandover' | 'acceptHandover' | 'locations' | 'incidentsBetween'
  >
  /** Null for a Muster on its own. */
  team: Pick<Team, 'state'> | null
  clock: Pick<Clock, 'now'>
  /** Writes the shift handover of a span. Rejects with a fault of kind `input` for a span that it does not take. */
  write: (span: { from: number; until: number; format: 'md' }) => Promise<{ text: string }>
  /** The window is told of the handovers. */
  onChange: () => void
}

type HandoverCall = 'handover.give' | 'handover.list' | 'handover.read' | 'handover.accept'

/** The calls of a team's shift handovers. */
export function handoverHandlers({ data, team, clock, write, onChange }: HandoverDeps): Pick<Handlers, HandoverCall> {
  const joined = () => {
    if (team === null)
      throw new FaultError('input', 'A shift is handed over within a team, and this Muster is in none.')
    return team.state()
  }
  const one = async (id: string) => writtenHandover.safeParse(await data.handover({ id })).data ?? null
  return {
    'handover.give': async ({ to, note, from, until }) => {
      const { operator, members } = joined()
      if (to !== operator && !members.some((member) => member.operator === to))
        throw new FaultError('input', 'Nobody in the team has this name.')
      // Before the text is written: a tenant that goes meanwhile is named too.
      const tenants = await tenantsOf(data, { from, until: Math.max(until, clock.now()) })
      const text = cut((await write({ from, until, format: 'md' })).text)
      const id = randomUUID()
      const at = clock.now()
      const span = { since: from, until }
      await data.saveHandover({ id, at, from: operator, to, ...span, note, text, accepted: null, tenants })
      onChange()
      return { id }
    },
    'handover.list': async () => {
      joined()
      return { handovers: await listed(data) }
    },
    'handover.read': async ({ id }) => {
      joined()
      return { handover: await one(id) }
    },
    'handover.accept': async ({ id }) => {
      const { operator } = joined()
      const handover = await one(id)
      if (handover === null) throw new FaultError('input', 'This handover is not known any more.')
      if (handover.to !== operator) throw new FaultError('input', 'This handover is for somebody else.')
      if (handover.accepted === null) await data.acceptHandover({ id, at: clock.now(), by: operator })
      if ((await one(id))?.accepted === null)
        throw new FaultError(
          'input',
          `The name ${operator} belongs to another login of the database, which can accept it.`,
        )
      onChange()
      return {}
    },
  }
}

/** Returns the handovers that this version can read, the newest first. */
export async function listed(data: Pick<InventoryData, 'handovers'>): Promise<TeamHandover[]> {
  return (await data.handovers()).flatMap((stored) => teamHandover.safeParse(stored).data ?? [])
}

/** Returns the keys of all tenants that a handover may name: the known ones, and those of its incidents. */
async function tenantsOf(data: HandoverDeps['data'], span: { from: number; until: number }): Promise<string[]> {
  const { tenants, withdrawn } = await data.locations({ keys: [], paused: [] })
  const incidents = await data.incidentsBetween(span)
  const all = [...tenants.map(({ key }) => key), ...withdrawn, ...incidents.flatMap(({ about }) => about)]
  return [...new Set(tenantKeysOf(all))].toSorted()
}

const cutWords = '\n\nThe rest was cut, because it is too long.\n'

/** Returns a text of at most `maxHandoverLength` characters. */
const cut = (text: string): string =>
  text.length <= maxHandoverLength
    ? text
    : `${text.slice(0, maxHandoverLength - cutWords.length).toWellFormed()}${cutWords}`

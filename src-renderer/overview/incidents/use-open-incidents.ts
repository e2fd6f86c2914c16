import type { Answer } from '../../../src-shared/contract/contract.ts'
import type { Incident } from '../../../src-shared/model/incidents.ts'
import { useAppContext } from '../../lib/context.ts'
import type { Session } from '../../lib/session.ts'
import { useStore } from '../../lib/store.ts'
import { useLast, type Last } from '../../lib/hooks/use-last.ts'

export interface OpenIncidents {
  /** At most `maxRead` of each list. */
  incidents: readonly Incident[]
  /** Number of all open incidents, acknowledged ones too. */
  total: number
}

/** The most incidents that are read of each list, and of one call (contract: incidents.list). */
const maxRead = 2000
const atOnce = 200

/** Returns the open incidents, acknowledged and snoozed ones too. */
export function useOpenIncidents(coreLost: boolean): Last<OpenIncidents> {
  const { session } = useAppContext()
  const rev = useStore(session.state, ({ app }) => app?.incidents.rev ?? 0)
  return useLast(`incidents ${rev} ${coreLost}`, () => readOpenIncidents(session))
}

/** Reads the open incidents, acknowledged and snoozed ones too. */
export async function readOpenIncidents(session: Session): Promise<Answer<OpenIncidents>> {
  const [open, acknowledged] = await Promise.all([listed(session, 'open'), listed(session, 'acknowledged')])
  if (!open.ok) return open
  if (!acknowledged.ok) return acknowledged
  return {
    ok: true,
    value: {
      incidents: [...open.value.incidents, ...acknowledged.value.incidents],
      total: open.value.total + acknowledged.value.total,
    },
  }
}

async function listed({ pipe }: Session, state: 'open' | 'acknowledged'): Promise<Answer<OpenIncidents>> {
  const incidents: Incident[] = []
  for (;;) {
    const answer = await pipe.call('incidents.list', { state, text: '', offset: incidents.length, limit: atOnce })
    if (!answer.ok) return answer
    const { rows, total } = answer.value
    for (const row of rows) incidents.push(row)
    if (rows.length === 0 || incidents.length >= Math.min(total, maxRead))
      return { ok: true, value: { incidents, total } }
  }
}

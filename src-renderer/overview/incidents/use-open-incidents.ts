import type { Incident } from '../../../src-shared/model/incidents.ts'
import { useAppContext } from '../../lib/context.ts'
import { useCall } from '../../lib/hooks/use-call.ts'
import { useStore } from '../../lib/store.ts'

export interface OpenIncidents {
  /** At most `maxRead` of each list. */
  incidents: readonly Incident[]
  /** Number of all open incidents, acknowledged ones too. */
  total: number
}

/** The most incidents that are read of each list, and of one call (contract: incidents.list). */
const maxRead = 2000
const atOnce = 200

/** Returns the open incidents, acknowledged and snoozed ones too; null before the first answer. Without an answer the last stay. */
export function useOpenIncidents(): OpenIncidents | null {
  const { session } = useAppContext()
  const rev = useStore(session.state, ({ app }) => app?.incidents.rev ?? 0)
  const listed = async (state: 'open' | 'acknowledged'): Promise<OpenIncidents | null> => {
    const incidents: Incident[] = []
    for (;;) {
      const answer = await session.pipe.call('incidents.list', {
        state,
        text: '',
        offset: incidents.length,
        limit: atOnce,
      })
      if (!answer.ok) return null
      const { rows, total } = answer.value
      for (const row of rows) incidents.push(row)
      if (rows.length === 0 || incidents.length >= Math.min(total, maxRead)) return { incidents, total }
    }
  }
  const load = async () => {
    const [open, acknowledged] = await Promise.all([listed('open'), listed('acknowledged')])
    if (open === null || acknowledged === null) return null
    return {
      incidents: [...open.incidents, ...acknowledged.incidents],
      total: open.total + acknowledged.total,
    }
  }
  return useCall<OpenIncidents>(`incidents ${rev}`, load).value
}

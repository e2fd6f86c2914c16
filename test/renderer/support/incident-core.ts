import { titleOf } from '../../support/messages.ts'
import { startIncidents } from '../../../src-renderer/incidents/incidents.ts'
import { rowAt } from '../../../src-renderer/lib/list/paged.ts'
import { startSession } from '../../../src-renderer/lib/session.ts'
import type { Incident } from '../../../src-shared/model/incidents.ts'
import { manualClock } from '../../support/clock.ts'
import { night } from './incident-stub.ts'
import { appState, corePipe } from './pipe-stub.ts'

export type ListAsk = { state: string; text: string; offset: number; limit: number }

/** A core whose incidents the test holds. */
export async function start(first: Incident[]) {
  const fleet = { open: first, acknowledged: [] as Incident[], closed: [] as Incident[] }
  const listOf = (state: string) =>
    state === 'open' ? fleet.open : state === 'closed' ? fleet.closed : fleet.acknowledged
  const clock = manualClock(night)
  const core = corePipe({
    'app.state': () => appState(),
    'incidents.list': (input) => {
      const { state, text, offset, limit } = input as ListAsk
      const found = listOf(state).filter((one) => titleOf(one).includes(text))
      return {
        rev: 1,
        total: found.length,
        offset,
        rows: found.slice(offset, offset + limit),
        counts: { open: fleet.open.length, acknowledged: fleet.acknowledged.length, closed: fleet.closed.length },
      }
    },
    'incidents.show': (input) => {
      const found = [...fleet.open, ...fleet.acknowledged, ...fleet.closed].find(
        ({ id }) => id === (input as { id: string }).id,
      )
      return {
        rev: 1,
        shown: found === undefined ? null : { incident: found, why: [{ kind: 'not-notified' }], history: [] },
      }
    },
    'incidents.members': () => ({ total: 0, rows: [] }),
  })
  const session = startSession(core.pipe, clock)
  const incidents = startIncidents(session, clock)
  await clock.advance(300)
  const change = async () => {
    await core.report('incidents', { ...appState().incidents, rev: clock.now() })
    await clock.advance(300)
  }
  return {
    ...core,
    clock,
    session,
    incidents,
    fleet,
    change,
    row: (index: number) => rowAt(incidents.rows.state.get(), index)?.id,
  }
}

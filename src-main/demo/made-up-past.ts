import type { Clock } from '../../src-shared/lib/clock.ts'
import type { ConnectionState } from '../../src-shared/model/connection.ts'
import type { Incidents } from '../incidents/open.ts'
import type { Notify } from '../incidents/engine/evaluate.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { Log } from '../ports.ts'
import { makeUpIncidents } from './made-up-incidents.ts'

export interface MadeUpPastOptions {
  isDemo: boolean
  data: Pick<InventoryData, 'makeUpPast' | 'locations' | 'saveAlerts'>
  clock: Pick<Clock, 'now' | 'monotonic'>
  log: Log
  incidents: Pick<Incidents, 'reload'> & { runner: Pick<Incidents['runner'], 'rules'> }
  notify: Notify
}

/** Returns what is told the state of the connections: in the demo, the first reading of its fleet is given a past. */
export function startMadeUpPast({ isDemo, log, ...options }: MadeUpPastOptions) {
  let isAsked = !isDemo
  return (states: readonly Pick<ConnectionState, 'lastReadingAt'>[]): void => {
    if (isAsked || !states.some(({ lastReadingAt }) => lastReadingAt !== null)) return
    isAsked = true
    makeUp(options).then(
      ({ transitions, incidents }) =>
        log('info', `demo: a past of ${transitions} transitions and ${incidents} incidents was made up`),
      () => log('warn', 'demo: no past could be made up'),
    )
  }
}

async function makeUp({
  data,
  clock,
  incidents: { runner, reload },
  notify,
}: Omit<MadeUpPastOptions, 'isDemo' | 'log'>): Promise<{ transitions: number; incidents: number }> {
  const { count, latest } = await data.makeUpPast({ now: clock.now() })
  if (latest.length === 0) return { transitions: count, incidents: 0 }
  const incidents = await makeUpIncidents({ data, clock, notify, rules: runner.rules() }, latest)
  await reload()
  return { transitions: count, incidents }
}

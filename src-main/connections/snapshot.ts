import type { Diagnostics } from '../../src-shared/contract/diagnostics.ts'
import { gaugesOf, type ConnectionContext } from './context.ts'
import type { ConnectionRecord } from './stored/record.ts'

/** What the connections are like inside, for whoever looks into a trouble. No secret is in any of it. */
export interface ConnectionsSnapshot {
  records(): ConnectionRecord[]
  /** What became of each one's socket in this run. */
  sockets(): Diagnostics['connections']
  /** What waits for points, by credential set, and how long the last ones had to. */
  queues(): Diagnostics['queues']
  /** A text without any secret and any token that a connection of this run was given. */
  hide(text: string): string
  /** Whether a service has told its time in this run, and none tells another one than this computer's clock. */
  clockAgrees(): boolean
}

export const snapshotOf = (desk: ConnectionContext): ConnectionsSnapshot => ({
  records: () => [...desk.entries.values()].map(({ record }) => record),
  sockets: () =>
    [...desk.entries.values()].map(({ record: { id, name } }) => ({
      id,
      name,
      moves: desk.histories.get(id)?.moves() ?? [],
    })),
  queues: () => queuesOf(desk),
  hide: (text) => [...desk.entries.values()].reduce((hidden, { runner }) => runner?.hide(hidden) ?? hidden, text),
  clockAgrees() {
    const told = [...desk.entries.values()].flatMap(({ runner }) => (runner?.skew.told() === true ? [runner.skew] : []))
    return told.length > 0 && told.every((skew) => skew.agrees())
  },
})

function queuesOf(desk: ConnectionContext): Diagnostics['queues'] {
  const gauges = gaugesOf(desk)
  return [...desk.pacers].map(([set, pacer]) => {
    const users = [...desk.entries.values()].filter((entry) => entry.set === set).map(({ record }) => record)
    const gauge = gauges.find(({ connections }) => connections.includes(users[0]?.id ?? ''))
    const waits = (gauge?.waits ?? []).map(({ name, lane, why, count }) => ({ name, lane, why, count }))
    return { name: users.map(({ name }) => name).join(', '), waiting: gauge?.waiting ?? 0, waits, ...pacer.waits() }
  })
}

import type { Diagnostics } from '../../src-shared/contract/diagnostics.ts'
import type { ConnectionContext } from './context.ts'
import { gaugesOf } from './pacers.ts'
import type { ConnectionRecord } from './stored/record.ts'

/** The internal state of the connections, for diagnostics. It holds no secret. */
export interface ConnectionsSnapshot {
  records(): ConnectionRecord[]
  /** What became of each one's socket in this run. */
  sockets(): Diagnostics['connections']
  /** What waits for points, by credential set, and how long the last ones had to. */
  queues(): Diagnostics['queues']
  /** A text without any secret and any token that a connection of this run was given. */
  redact(text: string): string
  /** Whether a service has told its time in this run, and none tells another one than this computer's clock. */
  clockAgrees(): boolean
}

export const snapshotOf = (context: ConnectionContext): ConnectionsSnapshot => ({
  records: () => [...context.entries.all()].map(({ record }) => record),
  sockets: () =>
    [...context.entries.all()].map(({ record: { id, name } }) => ({
      id,
      name,
      moves: context.entries.history(id).moves(),
    })),
  queues: () => queuesOf(context),
  redact: (text) => [...context.entries.all()].reduce((hidden, { runner }) => runner?.redact(hidden) ?? hidden, text),
  clockAgrees() {
    const told = [...context.entries.all()].flatMap(({ runner }) =>
      runner?.skew.isKnown() === true ? [runner.skew] : [],
    )
    return told.length > 0 && told.every((skew) => skew.agrees())
  },
})

function queuesOf(context: ConnectionContext): Diagnostics['queues'] {
  const gauges = gaugesOf(context.pacers, context.entries.all())
  return [...context.pacers.state()].map(([set, pacer]) => {
    const users = [...context.entries.all()].filter((entry) => entry.set === set).map(({ record }) => record)
    const gauge = gauges.find(({ connections }) => connections.includes(users[0]?.id ?? ''))
    const waits = (gauge?.waits ?? []).map(({ name, lane, why, count }) => ({ name, lane, why, count }))
    return { name: users.map(({ name }) => name).join(', '), waiting: gauge?.waiting ?? 0, waits, ...pacer.waits() }
  })
}

import type { Diagnostics } from '../../src-shared/contract/diagnostics.ts'
import type { ConnectionContext } from './context.ts'
import { gaugesOf } from './pacers.ts'
import type { ConnectionRecord } from './stored/record.ts'

/** The internal state of the connections, for diagnostics. It contains no secret. */
export interface ConnectionsSnapshot {
  records(): ConnectionRecord[]
  /** Returns the history of each connection's socket in this run. */
  sockets(): Diagnostics['connections']
  /** Returns what waits for points, by credential set, and the waiting times of recent requests. */
  queues(): Diagnostics['queues']
  /** Removes every secret and token of this run's connections from a text. */
  redact(text: string): string
  /**
   * Returns whether a service has reported its time in this run, and all such times agree with this computer's clock.
   */
  clockAgrees(): boolean
}

/** Removes the secrets and tokens of all running connections from a text. */
export const redactAll = ({ entries }: ConnectionContext, text: string): string =>
  [...entries.all()].reduce((hidden, { client }) => client?.redact(hidden) ?? hidden, text)

export const snapshotOf = (context: ConnectionContext): ConnectionsSnapshot => ({
  records: () => [...context.entries.all()].map(({ record }) => record),
  sockets: () =>
    [...context.entries.all()].map(({ record: { id, name } }) => ({
      id,
      name,
      moves: context.entries.history(id).moves(),
    })),
  queues: () => queuesOf(context),
  redact: (text) => redactAll(context, text),
  clockAgrees() {
    const skews = [...context.entries.all()].flatMap(({ client }) =>
      client?.skew.isKnown() === true ? [client.skew] : [],
    )
    return skews.length > 0 && skews.every((skew) => skew.agrees())
  },
})

function queuesOf(context: ConnectionContext): Diagnostics['queues'] {
  const gauges = gaugesOf(context.pacers.state(), context.entries.all())
  return [...context.pacers.state()].map(([set, pacer]) => {
    const users = [...context.entries.all()].filter((entry) => entry.set === set).map(({ record }) => record)
    const gauge = gauges.find(({ connections }) => connections.includes(users[0]?.id ?? ''))
    const waits = (gauge?.waits ?? []).map(({ name, lane, why, count }) => ({ name, lane, why, count }))
    return { name: users.map(({ name }) => name).join(', '), waiting: gauge?.waiting ?? 0, waits, ...pacer.waits() }
  })
}

import { expect, onTestFinished, test } from 'vitest'
import type { LogRow, LogStore, Position } from '../../../../src-main/team/log/log-store.ts'
import { bodiesOf } from '../../../../src-main/team/replica/codec.ts'
import { openReplica, type ReplicaOptions } from '../../../../src-main/team/replica/replica.ts'
import { manualClock } from '../../../support/clock.ts'

const ignore = (): void => {}
const unheard = {
  onCall: ignore,
  onAnswer: ignore,
  onMessage: ignore,
  onStorage: ignore,
  onFault: ignore,
  onErased: ignore,
  onCaughtUp: ignore,
  onNewer: ignore,
}

test('where the log has messages alone, the position is stored once a minute', async () => {
  const clock = manualClock()
  const rows: LogRow[] = []
  const add = () => {
    const number = rows.length + 1
    const [body = new Uint8Array()] = bodiesOf({ is: 'hello', member: 'm' })
    rows.push({ number, id: `id ${number}`, entry: `entry ${number}`, term: 0, role: 'anna', at: clock.now(), body })
  }
  const store = {
    read: async (from: Position | null) => ({ isKnown: true, rows: rows.slice(from?.number ?? 0), isFull: false }),
    newest: async () => null,
  } as unknown as LogStore
  const applied: { calls: number; position: number }[] = []
  const data: ReplicaOptions['data'] = {
    logPosition: async () => null,
    async applyLog({ calls, position }) {
      applied.push({ calls: calls.length, position: position.number })
      return { results: [] }
    },
  }
  const bell = { on: () => ignore }
  const replica = await openReplica({ data, store, clock, bell, takeIn: async () => {}, ...unheard })
  onTestFinished(() => replica.stop())
  for (let second = 0; second < 180; second += 5) {
    add()
    await clock.advance(5000)
  }
  expect(replica.position()?.number).toBe(36)
  expect(applied.map(({ calls }) => calls)).toEqual([0, 0])
  expect(applied.at(-1)?.position).toBeGreaterThan(20)
})

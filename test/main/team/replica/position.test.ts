import { expect, onTestFinished, test } from 'vitest'
import type { LogRow, LogStore, Position } from '../../../../src-main/team/log/log-store.ts'
import { bodiesOf } from '../../../../src-main/team/replica/codec.ts'
import { openReplica, type ReplicaOptions } from '../../../../src-main/team/replica/replica.ts'
import { FaultError } from '../../../../src-shared/model/fault.ts'
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

test('a copy that has lost rows is replaced, and nothing is carried out on top of it', async () => {
  const clock = manualClock()
  const bodies = ['one', 'two', 'three'].map((id) => bodiesOf({ is: 'call', call: 'removeView', input: { id } })[0])
  const rows = bodies.map((body = new Uint8Array(), index) => {
    const number = index + 1
    return { number, id: `id ${number}`, entry: `entry ${number}`, term: 0, role: 'anna', at: 0, body }
  })
  let visible = 2
  const store = {
    read: async (from: Position | null) => {
      const isKnown = from === null || rows[from.number - 1]?.id === from.id
      return { isKnown, rows: isKnown ? rows.slice(from?.number ?? 0, visible) : [], isFull: false }
    },
    newest: async () => null,
  } as unknown as LogStore
  // The files of the copy: its position is lost in between, as when they are opened anew without the last rows.
  const files = { position: null as Position | null, calls: 0 }
  const taken: (Position | null)[] = []
  const faults: (string | null)[] = []
  const replica = await openReplica({
    data: {
      logPosition: async () => files.position,
      async applyLog({ calls, after, position }) {
        if (after?.id !== files.position?.id) throw new FaultError('not-found')
        files.calls += calls.length
        files.position = position
        return { results: calls.map(() => ({ ok: true as const, value: undefined })), again: [] }
      },
    },
    store,
    clock,
    bell: { on: () => ignore },
    async takeIn(_snapshot, before) {
      taken.push(before)
      Object.assign(files, { position: null, calls: 0 })
    },
    ...unheard,
    onStorage: (fault) => faults.push(fault?.kind ?? null),
  })
  onTestFinished(() => replica.stop())
  await clock.advance(3000)
  expect(files.calls).toBe(2)
  files.position = null
  visible = 3
  await clock.advance(10_000)
  expect(files).toEqual({ position: { number: 3, id: 'id 3' }, calls: 3 })
  // At the start, and for the rows that were lost: not as after a failover.
  expect(taken).toEqual([null, null])
  expect(faults).toEqual(['not-found', null])
})

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
      return { results: [], again: [] }
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

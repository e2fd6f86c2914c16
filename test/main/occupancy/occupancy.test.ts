import { expect, test } from 'vitest'
import { openOccupancy, type PeopleSource } from '../../../src-main/occupancy/occupancy.ts'
import type { RawListeners } from '../../../src-main/live/raw/subscriptions.ts'
import type { RawState } from '../../../src-main/live/raw/subscription.ts'
import type { StreamedTenant } from '../../../src-main/inventory/thread/place-protocol.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { manualClock } from '../../support/clock.ts'

const minute = 60_000

interface Started {
  variables: Record<string, unknown>
  listeners: RawListeners
  stopped: boolean
}

const room = (ref: string, capacity: number | null = null) => ({
  id: `m:${ref}`,
  ref,
  name: `Room ${ref}`,
  site: 'HQ',
  capacity,
})
const tenant = (id: string, refs: string[]): StreamedTenant => ({
  key: `s/${id}`,
  id,
  node: `t:${id}`,
  name: id.toUpperCase(),
  rooms: refs.map((ref) => room(ref)),
})

function setup({ isOn = true, offered = true as boolean | null } = {}) {
  const clock = manualClock()
  const started: Started[] = []
  const fleet = { tenants: [tenant('a', ['1', '2'])], isOn, running: true, readAt: 1, readings: 0, isEnding: false }
  const subscriptions: PeopleSource['subscriptions'] = {
    start(listeners) {
      if (fleet.isEnding) throw new FaultError('stopped')
      const one: Started = { variables: listeners.operation.variables, listeners, stopped: false }
      started.push(one)
      // As the real one: it tells its state before `start` returns.
      listeners.onState({ is: 'connecting', attempt: 0 })
      let state: RawState = { is: 'connecting', attempt: 0 }
      const tell = (next: RawState) => listeners.onState((state = next))
      return {
        state: () => state,
        retry: () => undefined,
        restart: () => undefined,
        stop() {
          one.stopped = true
          tell({ is: 'ended', at: 0, end: { is: 'stopped' } })
        },
      }
    },
  }
  const occupancy = openOccupancy({
    data: { streamedRooms: () => ((fleet.readings += 1), Promise.resolve(fleet.tenants)) },
    clock,
    log: () => undefined,
    isOn: () => fleet.isOn,
    sources: () => (fleet.running ? [{ id: 'c', name: 'C', offered, readAt: fleet.readAt, subscriptions }] : []),
  })
  const settle = async (ms = 2_000) => {
    occupancy.changed()
    await clock.advance(ms)
  }
  const live = (one = started.at(-1)) => one?.listeners.onState({ is: 'live', since: clock.now() })
  const event = (roomId: string, count: unknown, updatedAt: unknown = null, one = started.at(-1)) =>
    one?.listeners.onEvent(
      JSON.stringify({ data: { peopleCountStream: { roomId, count, updatedAt } } }),
      clock.now(),
      false,
    )
  const read = () => occupancy.handlers['occupancy.read']({})
  return { clock, fleet, started, occupancy, settle, live, event, read }
}

test('a room is known from its first event, and in use while people are in it', async () => {
  const { settle, live, event, read, started } = setup()
  await settle()
  expect(started.map(({ variables }) => variables)).toEqual([{ tenantId: 'a', roomIds: ['1', '2'] }])
  live()
  expect((await read()).now).toEqual({ rooms: 2, known: 0, inUse: 0, people: 0 })
  event('1', 4)
  expect((await read()).now).toEqual({ rooms: 2, known: 1, inUse: 1, people: 4 })
  event('1', 0)
  event('2', 2)
  const { now, tenants, fullest, sources } = await read()
  expect(now).toEqual({ rooms: 2, known: 2, inUse: 1, people: 2 })
  expect(tenants).toEqual([{ id: 't:a', name: 'A', rooms: 2, known: 2, inUse: 1, people: 2 }])
  expect(fullest).toMatchObject([{ id: 'm:2', name: 'Room 2', site: 'HQ', tenant: 'A', count: 2 }])
  expect(sources).toEqual([
    { id: 'c', name: 'C', offer: 'offered', tenants: 1, leftOut: 0, streams: 1, live: 1, fault: null },
  ])
})

test('after a gap, a cut and an end the rooms are unknown, never empty', async () => {
  const { settle, live, event, read, started } = setup()
  await settle()
  const listeners = started[0]?.listeners
  live()
  event('1', 4)
  listeners?.onGap(0, 1)
  expect((await read()).now).toMatchObject({ known: 0, inUse: 0 })
  event('1', 4)
  const fault = { kind: 'reset' as const, detail: '' }
  listeners?.onState({ is: 'waiting', attempt: 1, retryAt: 0, fault })
  expect(await read()).toMatchObject({ now: { known: 0 }, sources: [{ live: 0, fault }] })
  live()
  event('1', 4)
  listeners?.onState({ is: 'ended', at: 0, end: { is: 'completed' } })
  expect((await read()).now).toMatchObject({ rooms: 0, known: 0 })
})

test('a completed stream begins again; a rejected one says why and is tried again much later', async () => {
  const { clock, settle, live, read, started } = setup()
  await settle()
  live()
  started[0]?.listeners.onState({ is: 'ended', at: 0, end: { is: 'completed' } })
  await clock.advance(31_000)
  expect(started).toHaveLength(2)
  const fault = { kind: 'forbidden' as const, detail: 'not in your plan' }
  started[1]?.listeners.onState({ is: 'ended', at: 0, end: { is: 'rejected', fault, words: [] } })
  await settle()
  expect([started.length, (await read()).sources[0]?.fault]).toEqual([2, fault])
  await clock.advance(16 * minute)
  expect(started).toHaveLength(3)
})

test('an error in the place of a count is told, and its stream is not begun again at once', async () => {
  const { clock, settle, live, event, read, started } = setup()
  await settle()
  live()
  const [one] = started
  const errors = [{ message: 'You need the premium plan', extensions: { code: 'FORBIDDEN' } }]
  one?.listeners.onEvent(JSON.stringify({ errors }), 0, true)
  const fault = { kind: 'forbidden', detail: 'You need the premium plan' }
  expect((await read()).sources[0]?.fault).toEqual(fault)
  event('1', 2)
  expect((await read()).sources[0]?.fault).toBeNull()
  one?.listeners.onEvent(JSON.stringify({ errors }), 0, true)
  one?.listeners.onState({ is: 'ended', at: 0, end: { is: 'completed' } })
  await clock.advance(60_000)
  expect([started.length, (await read()).sources[0]?.fault]).toEqual([1, fault])
})

test('nothing is streamed while the setting is off, nor where the service does not offer it', async () => {
  const off = setup({ isOn: false })
  await off.settle()
  expect(off.started).toEqual([])
  expect(await off.read()).toMatchObject({ on: false, sources: [{ offer: 'offered', streams: 0 }] })
  const absent = setup({ offered: false })
  await absent.settle()
  expect(absent.started).toEqual([])
  expect((await absent.read()).sources).toMatchObject([{ offer: 'absent' }])
  const unknown = setup({ offered: null })
  await unknown.settle()
  expect(unknown.started).toHaveLength(1)
})

test('the setting, other rooms and an ended connection end streams, and their rooms', async () => {
  const { fleet, settle, live, event, read, started } = setup()
  await settle()
  live()
  event('1', 4)
  fleet.tenants = [{ ...tenant('a', ['1', '2', '3']), name: 'renamed' }]
  fleet.readAt = 2
  await settle()
  expect([started.length, started[0]?.stopped, (await read()).now.known]).toEqual([2, true, 0])
  live()
  event('1', 4)
  event('1', 9, null, started[0])
  expect((await read()).now.people).toBe(4)
  fleet.isOn = false
  await settle()
  expect([started[1]?.stopped, (await read()).now]).toEqual([true, { rooms: 0, known: 0, inUse: 0, people: 0 }])
})

test('a connection that ends while its streams begin has them when it is back', async () => {
  const { fleet, settle, read, started } = setup()
  fleet.isEnding = true
  await settle()
  expect([started.length, (await read()).sources[0]?.streams]).toEqual([0, 0])
  fleet.isEnding = false
  fleet.readAt = 2
  await settle()
  expect([started.length, (await read()).sources[0]?.streams]).toEqual([1, 1])
})

test('a connection that only hears events has its rooms not read again', async () => {
  const { fleet, clock, settle } = setup()
  await settle()
  for (let change = 0; change < 20; change += 1) await settle()
  expect(fleet.readings).toBe(1)
  fleet.readAt = 2
  await settle()
  expect(fleet.readings).toBe(2)
  await clock.advance(16 * minute)
  expect(fleet.readings).toBe(3)
})

test('events of other rooms, without a count, or older than the known one change nothing', async () => {
  const { settle, live, event, read } = setup()
  await settle()
  live()
  event('1', 4, '2026-04-08T19:50:18.747Z')
  for (const count of [-1, 1.5, '3', null]) event('1', count)
  event('elsewhere', 7)
  event('1', 1, '2026-04-08T19:50:17.000Z')
  expect((await read()).now).toEqual({ rooms: 2, known: 1, inUse: 1, people: 4 })
})

test('the day has the mean of each quarter, and none while no room is known', async () => {
  const { clock, settle, live, event, read } = setup()
  const first = clock.now() - (clock.now() % (15 * minute)) + 15 * minute
  await settle(first - clock.now())
  live()
  event('1', 1)
  await clock.advance(10 * minute)
  event('2', 1)
  await clock.advance(5 * minute)
  const { day } = await read()
  expect(day.inUse).toHaveLength(96)
  expect([day.inUse.at(-1), day.inUse.at(-2)]).toEqual([null, 1 + 1 / 3])
  expect(day.inUse.at(-3)).toBeNull()
})

import { DatabaseSync } from 'node:sqlite'
import path from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { startService } from '../../../src-service/service.ts'
import { fillStore } from '../../../src-service/world/generate/fill.ts'
import { createLife, startLife } from '../../../src-service/world/life/life.ts'
import { createRoomLife } from '../../../src-service/world/life/room-life.ts'
import { createScenario } from '../../../src-service/world/life/scenarios.ts'
import type { ScenarioName } from '../../../src-service/world/life/scenarios.ts'
import { openStore } from '../../../src-service/world/store/store.ts'
import { createWorld } from '../../../src-service/world/world.ts'
import type { World } from '../../../src-service/world/world.ts'
import { until } from '../client.ts'
import { freshFolder } from '../storage/folder.ts'

const moment = Date.parse('2026-04-01T12:00:00Z')
const full = 'database or disk is full'

afterEach(() => void vi.useRealTimers())

/** The lines on standard error from now on. */
function told(): string[] {
  const lines: string[] = []
  const spy = vi.spyOn(console, 'error').mockImplementation((...words) => void lines.push(words.join(' ')))
  onTestFinished(() => spy.mockRestore())
  return lines
}

/** A world whose devices can be written so often until `disk` is full. */
function brittleWorld(devices: number) {
  const world = createWorld({ devices, tenants: 2, seed: 4, now: () => moment })
  onTestFinished(() => world.close())
  const disk = { left: Infinity, refused: 0 }
  const writing =
    <Args extends unknown[], Result>(verb: (...args: Args) => Result) =>
    (...args: Args): Result => {
      disk.left -= 1
      if (disk.left >= 0) return verb(...args)
      disk.refused += 1
      throw new Error(full)
    }
  const brittle: World = {
    ...world,
    setConnected: writing(world.setConnected),
    beginReboot: writing(world.beginReboot),
  }
  return { world, brittle, disk }
}

const connected = (world: World): string => world.connected().join()

test('a full disk is reported once, and life goes on when there is space again', () => {
  vi.useFakeTimers({ now: moment, toFake: ['setInterval', 'clearInterval', 'performance'] })
  const lines = told()
  const { world, brittle, disk } = brittleWorld(5000)
  const other = brittleWorld(5000).world
  const stops = [startLife('Life stands still', createLife(brittle, 4)), startLife('Other life', createLife(other, 4))]
  onTestFinished(() => stops.forEach((stop) => stop()))
  vi.advanceTimersByTime(60_000)
  disk.left = 0
  vi.advanceTimersByTime(120_000)
  expect(disk.refused).toBeGreaterThan(10)
  expect(lines).toEqual([`Life stands still: ${full}. It is tried again until it works.`])
  expect(connected(world)).not.toEqual(connected(other))
  disk.left = Infinity
  vi.advanceTimersByTime(60_000)
  expect(lines.slice(1)).toEqual(['Life stands still: it works again'])
  expect(connected(world)).toEqual(connected(other))
})

/** The connected devices after each second; in some of them the disk is full after two writes. */
function watch(name: ScenarioName, seconds: number, fullAt: readonly number[]): unknown[] {
  const { world, brittle, disk } = brittleWorld(600)
  const scenario = createScenario(name, { world: brittle, seed: 4, startsAt: moment, region: () => undefined })
  const refusals: unknown[] = []
  const seen = Array.from({ length: seconds }, (_, second) => {
    disk.left = fullAt.includes(second) ? 2 : Infinity
    try {
      scenario.advance(1000)
    } catch (error) {
      refusals.push(error)
    }
    return connected(world)
  })
  expect(refusals).toHaveLength(fullAt.length)
  return seen
}

test.each<[ScenarioName, number[]]>([
  ['site-outage', [31, 32]],
  ['flapping', [59, 60]],
  ['maintenance', [121, 122, 123, 150]],
  ['storm', [30, 31, 32]],
])('%s: a change that could not be stored is stored later, once', (name, fullAt) => {
  const outside = (_world: unknown, second: number): boolean =>
    second < Math.min(...fullAt) || second > Math.max(...fullAt)
  expect(watch(name, 320, fullAt).filter(outside)).toEqual(watch(name, 320, []).filter(outside))
})

test('people: a room that could not be read continues its meeting', () => {
  const world = createWorld({ devices: 600, tenants: 2, seed: 4, now: () => moment })
  onTestFinished(() => world.close())
  const disk = { full: false }
  const counts = new Map<string, number>()
  const brittle: World = {
    ...world,
    setPeople(roomId, count) {
      if (disk.full) throw new Error(full)
      counts.set(roomId, count)
    },
  }
  const life = createRoomLife(brittle, 4, moment)
  for (let minute = 0; minute < 60; minute += 1) life.advance(60_000)
  disk.full = true
  expect(() => life.advance(3_600_000)).toThrow(full)
  expect(() => life.advance(3_600_000)).toThrow(full)
  disk.full = false
  life.advance(60_000)
  const calm = new Map<string, number>()
  const other = createRoomLife({ ...world, setPeople: (roomId, count) => void calm.set(roomId, count) }, 4, moment)
  other.advance(3 * 3_600_000 + 60_000)
  expect([counts.size > 0, counts]).toEqual([true, calm])
})

test('a service with a full disk goes on answering and ends reboots when there is space', async () => {
  const data = freshFolder()
  await (await startService({ data, devices: 50, tenants: 1 })).stop()
  const database = new DatabaseSync(path.join(data, 'world.sqlite'), { timeout: 5000 })
  onTestFinished(() => database.close())
  database.exec(`UPDATE devices SET connected = 0 WHERE n = 1; INSERT INTO reboots SELECT id, 0 FROM devices WHERE n = 1;
    CREATE TRIGGER full_disk BEFORE UPDATE ON devices BEGIN SELECT RAISE(ABORT, '${full}'); END`)
  const id = String(database.prepare('SELECT id FROM devices WHERE n = 1').get()?.['id'])
  const lines = told()
  const service = await startService({ data })
  onTestFinished(() => service.stop())
  await until(() => lines.length > 0)
  expect(lines).toEqual([`Devices that reboot do not come back: ${full}. It is tried again until it works.`])
  expect(() => service.world.setConnected(id, true)).toThrow(full)
  expect(service.world.device(id)?.connected).toBe(false)
  database.exec('DROP TRIGGER full_disk')
  await until(() => lines.length > 1)
  expect([lines.slice(1), service.world.device(id)?.connected]).toEqual([
    ['Devices that reboot do not come back: it works again'],
    true,
  ])
})

test('a disk that is too small for a new world is reported as such', () => {
  const folder = freshFolder()
  const store = openStore(folder)
  onTestFinished(() => store.close())
  store.get('PRAGMA max_page_count = 30')
  expect(() => fillStore(store, { devices: 2000, tenants: 2, seed: 1 }, moment)).toThrow(full)
  expect(store.world()).toBeNull()
})

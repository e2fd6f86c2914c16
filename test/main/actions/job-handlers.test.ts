import { afterEach, expect, test } from 'vitest'
import { jobHandlers } from '../../../src-main/actions/job-handlers.ts'
import { createPlaceGuard } from '../../../src-main/actions/place-guard.ts'
import { createJobs } from '../../../src-main/actions/runner/jobs.ts'
import { openOtherJobs } from '../../../src-main/actions/runner/other-jobs.ts'
import type { RoomFields, SentOutcome } from '../../../src-main/api/mutations/mutations.ts'
import { shownJob } from '../../../src-main/storage/journal/job-records.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { settle } from '../../support/clock.ts'
import { openWorld, plan, tenantKey } from './sheets/sheet-world.ts'

let world: ReturnType<typeof openWorld>
afterEach(() => world.close())

const confirmed: SentOutcome = { outcome: 'confirmed', id: 'r9' }
const tenant = tenantKey('acme')

/** The calls about jobs over a journal whose reads and writes can fail or wait, and a service that answers when the test says so. */
function open() {
  world = openWorld()
  const { data, clock } = world
  const disk = { fails: false, created: Promise.resolve() }
  const used: string[][] = []
  const sent: RoomFields[] = []
  const answers: ((outcome: SentOutcome) => void)[] = []
  const saveRoom = (fields: RoomFields) => {
    sent.push(fields)
    return new Promise<SentOutcome>((resolve) => answers.push(resolve))
  }
  const begin = () => {
    const jobs = createJobs({
      data: {
        actionDevices: (input) => data.actionDevices(input),
        saveJob: (input) => data.saveJob(input),
        takeJob: (input) => data.takeJob(input),
        job: (input) => data.job(input),
        jobs: (input) => data.jobs(input),
        device: (input) => data.device(input),
        locations: (input) => data.locations(input),
        takenDevices: (input) => data.takenDevices(input),
        async openJobs(input) {
          if (disk.fails) throw new FaultError('storage', 'full')
          return data.openJobs(input)
        },
        async createJob(input) {
          await disk.created
          await data.createJob(input)
        },
      },
      clock,
      others: openOtherJobs({ data, clock, log: () => {}, team: null, onChange: () => {} }),
      log: () => {},
      onChange: () => {},
      onExpected: () => {},
      onWritten: () => {},
      onPermission: () => {},
      ready: async () => {},
      senderFor: () => ({ sender: { ...world.sender, mutations: { ...world.mutations, saveRoom } } }),
    })
    const places = createPlaceGuard(jobs.list)
    world.state.placeConflict = places.conflict
    const use = (tenants: Iterable<string>) => void used.push([...tenants])
    return {
      jobs,
      ...jobHandlers({ data, jobs, sheets: world.sheets, places, use, shown: (job) => shownJob(job, null) }),
    }
  }
  return { ...begin(), begin, disk, used, sent, answer: (outcome = confirmed) => answers.shift()?.(outcome) }
}

type Opened = Pick<ReturnType<typeof open>, 'jobs.prepare' | 'jobs.start'>
const prepare = async (muster: Opened, name: string, id: string | null = null) =>
  (await muster['jobs.prepare']({ kind: 'room', tenant, id, name, site: 's1' })).id
const start = async (muster: Opened, sheet: string, at: number | null = null) =>
  (await muster['jobs.start']({ sheet, confirmation: '', plan: { ...plan, at } })).job
/** Starts a job of tomorrow, and ends Muster. Resolves with the job's id. */
async function startAndEnd(muster: ReturnType<typeof open>) {
  const job = await start(muster, await prepare(muster, 'Lobby'), world.clock.now() + 86_400_000)
  await muster.jobs.stop()
  return job
}
const input = (detail: string) => ({ fault: { kind: 'input', detail: expect.stringContaining(detail) } })

test('two sheets create one room once: the second waits, and is prepared anew', async () => {
  const muster = open()
  const [one, other] = [await prepare(muster, 'Lobby'), await prepare(muster, 'Lobby')]
  await start(muster, one)
  await settle()
  await expect(start(muster, other)).rejects.toMatchObject(input('Another job creates a room of this name.'))
  muster.answer()
  await settle()
  expect(muster.jobs.list()).toMatchObject([{ state: 'done', place: { id: 'r9' } }])
  await expect(start(muster, other)).rejects.toMatchObject(input('Prepare the action again.'))
  expect(muster.sent).toHaveLength(1)
  await world.clock.advance(1)
  await start(muster, await prepare(muster, 'Lobby'))
  await settle()
  expect(muster.sent).toHaveLength(2)
})

test('a room whose job is still being stored is taken, and free again where that fails', async () => {
  const muster = open()
  const sheets = [await prepare(muster, 'Lobby'), await prepare(muster, 'Lobby'), await prepare(muster, 'Bar')]
  const [one = '', other = '', third = ''] = sheets
  let fail = (_error: Error) => {}
  muster.disk.created = new Promise<void>((_resolve, reject) => (fail = reject))
  const first = start(muster, one)
  await settle()
  await expect(start(muster, other)).rejects.toMatchObject(input('Another job creates'))
  const unrelated = start(muster, third)
  fail(new FaultError('storage', 'full'))
  await expect(first).rejects.toMatchObject({ fault: { kind: 'storage' } })
  await expect(unrelated).rejects.toMatchObject({ fault: { kind: 'storage' } })
  muster.disk.created = Promise.resolve()
  expect(await start(muster, other)).toEqual(expect.any(String))
})

test('a room is changed by one job at a time, whatever its new name', async () => {
  const muster = open()
  const [one, other] = [await prepare(muster, 'Lobby', 'r1'), await prepare(muster, 'Bar', 'r1')]
  const created = await prepare(muster, 'Lobby')
  await start(muster, one)
  await settle()
  await expect(start(muster, other)).rejects.toMatchObject(input('Another job changes this room.'))
  expect(await start(muster, created)).toEqual(expect.any(String))
  await settle()
  muster.answer()
  muster.answer()
  await settle()
  expect(await start(muster, other)).toEqual(expect.any(String))
})

test('a creation without an answer may have happened: a sheet of before does not repeat it', async () => {
  const muster = open()
  const [one, other] = [await prepare(muster, 'Lobby'), await prepare(muster, 'Lobby')]
  await start(muster, one)
  await settle()
  muster.answer({ outcome: 'unknown', words: '' })
  await settle()
  await expect(start(muster, other)).rejects.toMatchObject(input('or may have'))
})

test('a sheet whose job created nothing leaves the name to the other', async () => {
  const muster = open()
  const [one, other] = [await prepare(muster, 'Lobby'), await prepare(muster, 'Lobby')]
  await start(muster, one)
  await settle()
  muster.answer({ outcome: 'refused', words: 'No', fault: null })
  await settle()
  expect(await start(muster, other)).toEqual(expect.any(String))
})

test('a job of an earlier run counts, also where it could not be restored at once', async () => {
  const first = open()
  await startAndEnd(first)
  first.disk.fails = true
  const second = first.begin()
  const sheet = await prepare(second, 'Lobby')
  await expect(start(second, sheet)).rejects.toMatchObject({ fault: { kind: 'storage' } })
  first.disk.fails = false
  await expect(start(second, sheet)).rejects.toMatchObject(input('Another job creates'))
})

test('a job that could not be restored is continued once the disk works', async () => {
  const first = open()
  const job = await startAndEnd(first)
  first.disk.fails = true
  const second = first.begin()
  await expect(second.jobs.restore()).rejects.toMatchObject({ fault: { kind: 'storage' } })
  const goOn = () => second['jobs.control']({ job, command: 'continue' })
  await expect(goOn()).rejects.toMatchObject({ fault: { kind: 'storage' } })
  first.disk.fails = false
  first.used.length = 0
  await goOn()
  expect(first.used).toEqual([[tenant]])
})

import { afterEach, expect, test } from 'vitest'
import { createJobs } from '../../../../src-main/actions/runner/jobs.ts'
import { openOtherJobs } from '../../../../src-main/actions/runner/other-jobs.ts'
import { intendedMutation, settledMutation } from '../../../../src-main/actions/runner/mutation-job.ts'
import type { SentOutcome } from '../../../../src-main/api/mutations/mutations.ts'
import type { InventoryData } from '../../../../src-main/inventory/thread/protocol.ts'
import { unanswered, type StoredJob } from '../../../../src-main/storage/journal/job-records.ts'
import { FaultError } from '../../../../src-shared/model/fault.ts'
import { settle } from '../../../support/clock.ts'
import { connection } from '../../inventory/profile.ts'
import { job as storedJob } from '../../storage/journal/jobs/records.ts'
import { keyOf, openWorld, plan, tenantKey } from '../sheets/sheet-world.ts'

let world: ReturnType<typeof openWorld>
afterEach(() => world.close())

const confirmed: SentOutcome = { outcome: 'confirmed', id: null }
const away = new FaultError('team-away', 'whether it was written is not known')
const owner = { member: 'ann', operator: 'Ann' }
const devices = ['a', 'b', 'c']

/** Ann's jobs on a journal that her team has too. `fate`: what becomes of the next writes. */
function open() {
  world = openWorld()
  const { data, clock } = world
  world.devices(devices.map((id) => ({ id })))
  const sent: string[] = []
  const link = { fate: 'written' as 'written' | 'lost' | 'away', delayMs: 0, writes: 0, isMember: true, bertAwayMs: 0 }
  const written = async (run: () => Promise<void>) => {
    link.writes += 1
    if (link.fate !== 'away') await run()
    if (link.delayMs > 0) await new Promise<void>((resolve) => clock.after(link.delayMs, resolve))
    if (link.fate !== 'written') throw away
  }
  const team = {
    member: () => (link.isMember ? owner.member : null),
    operator: () => owner.operator,
    members: () => [
      { id: owner.member, seenAt: clock.now(), isSelf: true },
      { id: 'bert', seenAt: clock.now() - link.bertAwayMs, isSelf: false },
    ],
  }
  const given: InventoryData = {
    ...world.data,
    createJob: (input) => written(() => data.createJob(input)),
    saveJob: (input) => written(() => data.saveJob(input)),
    takeJob: (input) => written(() => data.takeJob(input)),
  }
  const reboot = async (id: string) => {
    sent.push(id)
    return confirmed
  }
  const begin = () =>
    createJobs({
      data: given,
      clock,
      log: () => {},
      others: openOtherJobs({ data: given, clock, log: () => {}, team, onChange: () => {} }),
      onChange: () => {},
      onExpected: () => {},
      onWritten: () => {},
      onPermission: () => {},
      ready: async () => {},
      senderFor: () => ({ sender: { ...world.sender, mutations: { ...world.mutations, reboot } } }),
    })
  return { jobs: begin(), begin, link, sent, clock, data }
}

const sheet = (ids: readonly string[]) => {
  const { record, targets } = storedJob(
    '',
    ids.map((id) => keyOf(id)),
  )
  const { kind, place, undoes, linkedDevices, fields } = record
  const tenants = [{ key: tenantKey('acme'), name: 'Acme' }]
  return {
    record: { kind: kind as 'reboot', place, tenants, undoes, linkedDevices, fields },
    targets: targets.map((target) => ({ ...target, ...unanswered })),
  }
}
const one = { ...plan, batch: 1 }
/** A job that a member has stored. */
const stored = (id: string, ids: readonly string[], member: string): StoredJob =>
  storedJob(
    id,
    ids.map((each) => keyOf(each)),
    { owner: { member, operator: member.toUpperCase() }, state: 'scheduled' },
  )
const awayFault = { fault: { kind: 'team-away' } }

test('a job whose answer was lost is not begun, and is found as interrupted', async () => {
  const { jobs, link, sent, data } = open()
  link.fate = 'lost'
  await expect(jobs.start(sheet(['a']), plan)).rejects.toMatchObject(awayFault)
  await settle()
  expect([jobs.list(), sent, (await data.openJobs({ endedSince: 0 })).length]).toEqual([[], [], 1])
  link.fate = 'written'
  jobs.team.reached()
  await settle()
  expect(jobs.list()).toMatchObject([{ state: 'interrupted', counts: { pending: 1 } }])
  expect(jobs.list()[0]).not.toHaveProperty('owner')
  // It is opened once, and only the operator continues it.
  jobs.team.caughtUp()
  await settle()
  expect([jobs.list().length, sent]).toEqual([1, []])
  await jobs.control(jobs.list()[0]?.id ?? '', 'continue')
  await settle()
  expect(sent).toEqual(['a'])
})

test('a row of an own job that comes late is found, and what is being started is left alone', async () => {
  const { jobs, link, clock, sent, data } = open()
  await jobs.restore()
  const late = stored('late', ['a'], owner.member)
  await data.createJob(late)
  jobs.team.carriedOut({ call: 'createJob', input: late })
  await settle()
  expect(jobs.list()).toMatchObject([{ id: 'late', state: 'interrupted' }])
  link.delayMs = 1_000
  const starting = jobs.start(sheet(['b']), one)
  await settle()
  jobs.team.reached()
  await settle()
  expect(jobs.list().map(({ id }) => id)).toEqual(['late'])
  await clock.advance(10_000)
  await starting
  expect([
    sent,
    jobs
      .list()
      .map(({ state }) => state)
      .sort(),
  ]).toEqual([['b'], ['interrupted', 'running']])
})

test('a job of which nobody heard for half a minute waits for the operator', async () => {
  const { jobs, link, clock, sent } = open()
  link.delayMs = 31_000
  const starting = jobs.start(sheet(['a']), plan)
  await clock.advance(31_000)
  link.delayMs = 0
  await clock.advance(31_000)
  await starting
  expect([jobs.list()[0]?.state, sent]).toEqual(['interrupted', []])
})

test('jobs of others are neither restored nor controlled', async () => {
  const { jobs, data, clock } = open()
  await data.createJob(stored('theirs', ['a'], 'bert'))
  await data.createJob(storedJob('older', [keyOf('b')]))
  await jobs.restore()
  jobs.team.caughtUp()
  await clock.advance(1_000)
  expect(jobs.list().map(({ id, owner: by, state }) => [id, by, state])).toEqual([
    ['older', undefined, 'interrupted'],
    ['theirs', 'BERT', 'scheduled'],
  ])
  const detail = 'job: It is BERT’s: only BERT’s Muster can control it.'
  for (const command of ['pause', 'continue', 'stop'] as const)
    await expect(jobs.control('theirs', command)).rejects.toMatchObject({ fault: { kind: 'input', detail } })
  await expect(jobs.tenantsOf('theirs')).rejects.toMatchObject({ fault: { detail } })
  expect((await data.storedJob({ id: 'theirs' }))?.record.state).toBe('scheduled')
})

test('a job of a member that is away is taken over, and waits for the operator', async () => {
  const { jobs, link, data, clock, sent } = open()
  await data.createJob(stored('theirs', ['a', 'b'], 'bert'))
  await jobs.restore()
  jobs.team.caughtUp()
  await clock.advance(1_000)
  link.bertAwayMs = 10 * 60_000
  const here = 'job: It is BERT’s, whose Muster was seen in the last ten minutes.'
  await expect(jobs.take('theirs')).rejects.toMatchObject({ fault: { kind: 'input', detail: here } })
  expect(jobs.list()[0]).toMatchObject({ owner: 'BERT', ownerAway: false })
  link.bertAwayMs += 1
  expect(jobs.list()[0]).toMatchObject({ owner: 'BERT', ownerAway: true })
  await jobs.take('theirs')
  await settle()
  expect(jobs.list()).toMatchObject([{ id: 'theirs', state: 'interrupted', counts: { pending: 2 } }])
  expect(jobs.list()[0]?.owner).toBeUndefined()
  expect((await data.storedJob({ id: 'theirs' }))?.record.owner).toEqual(owner)
  await expect(jobs.take('theirs')).rejects.toMatchObject({ fault: { kind: 'input' } })
  expect(sent).toEqual([])
  await jobs.control('theirs', 'continue')
  await settle()
  expect(sent).toEqual(['a', 'b'])
})

test('a mutation of a member that is away is unknown once it is taken over', async () => {
  const { jobs, link, data, clock } = open()
  const theirs = stored('theirs', ['a'], 'bert')
  const [target] = theirs.targets
  if (target === undefined) throw new Error('no target')
  await data.createJob({
    record: { ...theirs.record, kind: 'mutation', state: 'running' },
    targets: [{ ...target, outcome: 'sent' }],
  })
  await jobs.restore()
  link.bertAwayMs = 11 * 60_000
  await jobs.take('theirs')
  await clock.advance(1_000)
  expect(jobs.list()).toMatchObject([{ id: 'theirs', state: 'done', counts: { unknown: 1 } }])
})

test('a job that another member has taken over sends nothing more here', async () => {
  const { jobs, data, sent, clock } = open()
  const id = await jobs.start(sheet(['a', 'b']), one)
  await settle()
  expect(sent).toEqual(['a'])
  const taken = { id, from: owner.member, owner: { member: 'bert', operator: 'Bert' } }
  await data.takeJob(taken)
  // It is found out by the next write, which comes before what is sent.
  await jobs.control(id, 'pause').catch(() => {})
  await settle()
  expect(jobs.list().filter((one) => one.owner === undefined)).toEqual([])
  jobs.team.carriedOut({ call: 'takeJob', input: taken })
  await clock.advance(1_000)
  expect(jobs.list()).toMatchObject([{ id, owner: 'Bert' }])
  await clock.advance(10 * 60_000)
  expect(sent).toEqual(['a'])
})

test('a job that another member has taken over is dropped when that is heard', async () => {
  const { jobs, data } = open()
  const id = await jobs.start(sheet(['a', 'b']), one)
  await settle()
  const taken = { id, from: owner.member, owner: { member: 'bert', operator: 'Bert' } }
  await data.takeJob(taken)
  jobs.team.carriedOut({ call: 'takeJob', input: taken })
  expect(jobs.list()).toEqual([])
})

test('in a copy of an earlier membership the jobs are of others, until this member is there', async () => {
  const { jobs, link, data } = open()
  link.isMember = false
  await data.createJob(stored('theirs', ['a'], 'bert'))
  await jobs.restore()
  await expect(jobs.start(sheet(['b']), plan)).rejects.toMatchObject(awayFault)
  expect([jobs.list(), (await data.storedJob({ id: 'theirs' }))?.record.state]).toEqual([[], 'scheduled'])
})

test('a job is not begun on a device of another member’s job', async () => {
  const { jobs, data, sent } = open()
  await data.createJob(stored('theirs', ['a'], 'bert'))
  // It is not listed yet: the rule of the journal rejects it.
  await expect(jobs.start(sheet(['a', 'b']), plan)).rejects.toMatchObject({
    fault: { kind: 'input', detail: expect.stringContaining('BERT') },
  })
  await jobs.start(sheet(['b']), plan)
  await settle()
  expect(sent).toEqual(['b'])
})

test('a device that another member took while this Muster was away is not sent', async () => {
  const { jobs, data, sent } = open()
  await data.createJob(stored('mine', ['a', 'b'], owner.member))
  await jobs.restore()
  await data.createJob({ ...stored('newer', ['a'], 'bert'), absent: [owner.member] })
  await jobs.control('mine', 'continue')
  await settle()
  expect(sent).toEqual(['b'])
  expect((await data.storedJob({ id: 'mine' }))?.targets).toMatchObject([
    { outcome: 'not-sent', obstacle: 'busy' },
    { outcome: 'sent' },
  ])
})

test('a job whose write failed is paused, and what was written all the same is put right', async () => {
  const { jobs, link, clock, sent, data } = open()
  await data.createJob(stored('mine', ['a'], owner.member))
  await jobs.restore()
  link.fate = 'lost'
  await expect(jobs.control('mine', 'continue')).rejects.toMatchObject(awayFault)
  await settle()
  // The journal has it as running: the answer was lost.
  expect((await data.storedJob({ id: 'mine' }))?.record.state).toBe('running')
  expect([jobs.list()[0], sent]).toMatchObject([{ state: 'interrupted', fault: null }, []])
  link.fate = 'written'
  await clock.advance(30_000)
  expect((await data.storedJob({ id: 'mine' }))?.record.state).toBe('interrupted')

  await jobs.control('mine', 'continue')
  link.fate = 'away'
  await settle()
  await jobs.control('mine', 'pause').catch(() => {})
  expect(jobs.list()[0]).toMatchObject({ state: 'paused', fault: { kind: 'team-away' } })
  link.fate = 'written'
  jobs.team.reached()
  await settle()
  expect((await data.storedJob({ id: 'mine' }))?.record).toMatchObject({ state: 'paused' })
})

test('a device whose step took half a minute to write is looked at again before it is sent', async () => {
  const { jobs, link, clock, sent, data } = open()
  await data.createJob(stored('mine', ['a', 'b'], owner.member))
  await jobs.restore()
  link.delayMs = 31_000
  const continued = jobs.control('mine', 'continue')
  await clock.advance(31_000)
  await continued
  link.delayMs = 0
  expect((await data.storedJob({ id: 'mine' }))?.targets[0]?.outcome).toBe('sent')
  world.devices([{ id: 'a', connected: false }])
  await clock.advance(31_000)
  expect(sent).toEqual(['b'])
  expect((await data.storedJob({ id: 'mine' }))?.targets[0]).toMatchObject({ outcome: 'not-sent', obstacle: 'offline' })
})

test('a job that the database lost is written again, and one that was erased goes', async () => {
  const { jobs, data, link, sent } = open()
  const id = await jobs.start(sheet(devices), one)
  await settle()
  await jobs.control(id, 'pause')
  await settle()
  const before = await data.storedJob({ id })
  world.store.journal.db.exec('DELETE FROM job; DELETE FROM job_device')
  expect(await data.storedJob({ id })).toBeNull()
  jobs.team.replaced()
  jobs.team.caughtUp()
  await settle()
  expect(await data.storedJob({ id })).toEqual(before)
  expect([jobs.list().length, sent]).toEqual([1, ['a']])

  await data.forget({ connection })
  const { writes } = link
  jobs.team.erased()
  await settle()
  expect([jobs.list(), await data.storedJob({ id }), link.writes]).toEqual([[], null, writes])
})

test('a mutation that waits for its answer is left alone, and what came of it is written later', async () => {
  const { jobs, data } = open()
  const mutation = {
    name: 'Mine',
    fields: [{ name: 'a', field: 'do' }],
    tenants: [{ key: tenantKey('acme'), name: 'Acme' }],
  }
  const intent = intendedMutation(mutation, owner, 5)
  jobs.hold(intent)
  await data.createJob(intent)
  jobs.note(intent)
  jobs.team.reached()
  await settle()
  const outcome = async () => (await data.storedJob({ id: intent.record.id }))?.targets[0]?.outcome
  expect(await outcome()).toBe('sent')
  jobs.note(settledMutation(intent, [confirmed], 6))
  jobs.team.reached()
  await settle()
  expect(await outcome()).toBe('done')
  // Of an earlier run nothing is known.
  const earlier = intendedMutation(mutation, owner, 7)
  await data.createJob(earlier)
  jobs.team.reached()
  await settle()
  expect((await data.storedJob({ id: earlier.record.id }))?.targets[0]?.outcome).toBe('unknown')
})

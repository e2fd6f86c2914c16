import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openLogStore } from '../../src-main/team/log/sql-log.ts'
import { bodiesOf } from '../../src-main/team/replica/codec.ts'
import { teamLog } from '../../src-main/team/replica/replica.ts'
import { connectionTo, openConsole, service, until, type Console } from '../support/fleet.ts'
import { atOnce, idOf, jobsOf, reboot } from '../support/jobs-console.ts'
import { useTeamDatabases } from '../support/postgres/databases.ts'
import { noPostgres } from '../support/postgres/server.ts'
import { poolOf, targetOf } from '../support/postgres/team.ts'
import { openMember } from '../support/team-consoles.ts'
import { job as storedJob } from '../main/storage/journal/jobs/records.ts'

/* The jobs of a team are one history, each with its owner, and no two members act on one device. */

const { skip, leftovers, postgres, makeTeam, cut, admit, forgetSeen } = useTeamDatabases('jobs')

const joinedIn = async (muster: Console) => (await muster.call('team.read', {})).joined

const leads = async (muster: Console) => {
  expect((await joinedIn(muster))?.leads[0]?.leader?.isSelf).toBe(true)
  const [state] = (await muster.call('app.state', {})).connections
  expect([state?.link.state, state?.sync.state]).toEqual(['live', 'idle'])
}

const linkOf = async (muster: Console) => (await joinedIn(muster))?.link.is

/** Anna, who leads a connection, and Berta, who has its secret too. */
async function setup() {
  const { database } = await makeTeam()
  const reference = await service(leftovers, { devices: 60, tenants: 1, life: false, reboots: { seconds: [1, 2] } })
  const options = { leftovers, postgres, database }
  const anna = await openMember({ ...options, operator: 'Anna' })
  await anna.call('connections.save', connectionTo(reference))
  await until(() => leads(anna), 40_000)
  const berta = await openMember({ ...options, operator: 'Berta' })
  const [known] = (await berta.call('app.state', {})).connections
  await berta.call('connections.save', connectionTo(reference, { id: known?.id ?? '' }))
  const jobs = { anna: jobsOf(anna), berta: jobsOf(berta) }
  const { keys } = await jobs.anna.keys()
  const sent = (key: string) =>
    reference
      .operations()
      .filter(({ operationName, variables }) => operationName === 'Reboot' && variables['id'] === idOf(key)).length
  return { database, reference, anna, berta, jobs, keys, sent }
}

const liveIn = async (muster: Console) => (await muster.call('actions.state', {})).jobs

const faultOf = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: { fault?: unknown }) => error.fault,
  )

/** A job of Anna that has rebooted one device and is paused before the next one. */
async function paused({ anna, jobs, keys }: Awaited<ReturnType<typeof setup>>) {
  const [first = '', second = ''] = keys
  const id = await jobs.anna.start(reboot([first, second]), { batch: 1 })
  await until(async () => expect((await jobs.anna.shown(id))?.counts).toMatchObject({ sent: 1, pending: 1 }))
  await anna.call('jobs.control', { job: id, command: 'pause' })
  await until(async () => expect(await jobs.berta.shown(id)).toMatchObject({ state: 'paused', owner: 'Anna' }))
  return { id, second }
}

test(
  `a job is seen by all with its owner, who alone controls it${noPostgres}`,
  { skip, timeout: 150_000 },
  async () => {
    const team = await setup()
    const { anna, berta, jobs } = team
    const { id } = await paused(team)
    await until(async () => expect(await liveIn(berta)).toMatchObject([{ id, owner: 'Anna', state: 'paused' }]))
    expect((await liveIn(anna)).map(({ owner }) => owner)).toEqual([undefined])
    const page = { text: '', device: null, offset: 0, limit: 10 }
    expect((await berta.call('jobs.list', page)).rows).toMatchObject([{ id, owner: 'Anna', devices: 2 }])
    expect((await anna.call('jobs.list', page)).rows[0]?.owner).toBeUndefined()
    await until(async () => expect(await jobs.berta.rows(id)).toEqual(await jobs.anna.rows(id)))
    const { text } = await berta.call('jobs.export', { from: 0, until: Date.now() + 60_000, after: null })
    expect(text.match(/,Anna\r\n/gu)).toHaveLength(2)

    for (const command of ['continue', 'pause', 'stop'] as const)
      expect(await faultOf(berta.call('jobs.control', { job: id, command }))).toEqual({
        kind: 'input',
        detail: 'job: It is Anna’s: only Anna’s Muster can control it.',
      })
    await anna.call('jobs.control', { job: id, command: 'stop' })
    await until(async () =>
      expect(await liveIn(berta)).toMatchObject([{ id, counts: { done: 1, 'not-sent': 1 }, state: 'stopped' }]),
    )
  },
)

test(
  `who leads next acts on no device of a job that another member has paused${noPostgres}`,
  { skip, timeout: 150_000 },
  async () => {
    const team = await setup()
    const { anna, berta, jobs, keys, sent } = team
    const { id, second } = await paused(team)
    const third = keys[2] ?? ''
    await cut('muster_owner')
    await until(() => leads(berta), 60_000)
    await admit('muster_owner')
    await until(async () => expect(await linkOf(anna)).toBe('online'), 40_000)

    await jobs.berta.arm()
    const sheet = await jobs.berta.prepare(reboot([second, third]))
    expect([sheet.ready, sheet.obstacles]).toEqual([1, [{ obstacle: 'busy', devices: 1 }]])
    const other = await jobs.berta.startSheet(sheet)
    await until(async () => expect((await jobs.berta.shown(other))?.state).toBe('done'), 60_000)
    expect([sent(second), sent(third)]).toEqual([0, 1])
    expect(await jobs.berta.rows(other)).toEqual(
      expect.arrayContaining([expect.objectContaining({ key: second, outcome: 'not-sent', obstacle: 'busy' })]),
    )
    const rejected = jobs.berta.prepare(reboot([second])).then((only) => jobs.berta.startSheet(only))
    expect(await faultOf(rejected)).toMatchObject({ kind: 'input' })
    expect(await jobs.anna.shown(id)).toMatchObject({ state: 'paused', counts: { pending: 1 } })

    await anna.call('jobs.control', { job: id, command: 'stop' })
    await until(async () => expect((await jobs.berta.prepare(reboot([second]))).ready).toBe(1))
  },
)

test(
  `a job of a member that is cut off waits, for its owner alone${noPostgres}`,
  { skip, timeout: 150_000 },
  async () => {
    const team = await setup()
    const { anna, berta, jobs, keys, sent } = team
    const [first = '', second = ''] = keys
    const id = await jobs.anna.start(reboot([first, second]), { batch: 1 })
    await until(async () => expect((await jobs.berta.shown(id))?.counts).toMatchObject({ sent: 1 }))
    await cut('muster_owner')
    await until(async () => expect(await linkOf(anna)).toBe('lost'))
    expect(await faultOf(anna.call('jobs.control', { job: id, command: 'pause' }))).toMatchObject({ kind: 'team-away' })
    expect((await liveIn(anna))[0]).toMatchObject({ state: 'paused', fault: { kind: 'team-away' } })
    // As killed: nothing of its end is written.
    await anna.stop()
    await until(() => leads(berta), 60_000)
    expect(await jobs.berta.shown(id)).toMatchObject({ owner: 'Anna', state: 'running', counts: { pending: 1 } })
    await admit('muster_owner')
    const again = await openConsole(leftovers, anna.profile, { secrets: anna.secrets })
    await until(async () => {
      for (const muster of [again, berta])
        expect((await muster.call('jobs.show', { job: id })).job).toMatchObject({ state: 'interrupted', fault: null })
    }, 40_000)
    expect((await liveIn(again)).map((one) => [one.id, one.owner])).toEqual([[id, undefined]])
    expect([sent(first), sent(second)]).toEqual([1, 0])
    await again.call('jobs.control', { job: id, command: 'stop' })
    await until(async () => expect(await jobs.berta.shown(id)).toMatchObject({ state: 'stopped' }))
  },
)

test(
  `a job of a member that is gone is taken over, and stays so when it is back${noPostgres}`,
  { skip, timeout: 150_000 },
  async () => {
    const team = await setup()
    const { database, anna, berta, jobs, sent } = team
    const { id, second } = await paused(team)
    const take = () => faultOf(berta.call('jobs.take', { job: id }))
    expect(await take()).toMatchObject({ kind: 'input', detail: expect.stringContaining('in the last ten minutes') })
    await cut('muster_owner')
    await anna.stop()
    await forgetSeen('muster_owner', database)
    await until(
      async () => expect(await jobs.berta.shown(id)).toMatchObject({ owner: 'Anna', ownerAway: true }),
      40_000,
    )
    expect(await take()).toBeNull()
    expect(await jobs.berta.shown(id)).toMatchObject({ state: 'interrupted', counts: { pending: 1 } })

    await admit('muster_owner')
    const again = await openConsole(leftovers, anna.profile, { secrets: anna.secrets })
    await until(async () => {
      const { job } = await again.call('jobs.show', { job: id })
      expect(job).toMatchObject({ owner: 'Berta', ownerAway: false })
      expect((await liveIn(again)).map((one) => one.owner)).toEqual(['Berta'])
    }, 40_000)
    expect(await faultOf(again.call('jobs.control', { job: id, command: 'continue' }))).toMatchObject({ kind: 'input' })
    await until(() => leads(berta), 60_000)
    await jobs.berta.arm()
    await berta.call('jobs.control', { job: id, command: 'continue' })
    await jobs.berta.whenState(id, 'done')
    expect(sent(second)).toBe(1)
    await until(async () => expect((await again.call('jobs.show', { job: id })).job).toMatchObject({ state: 'done' }))
  },
)

test(
  `what was stored although nobody heard of it is interrupted, and sent nothing${noPostgres}`,
  { skip, timeout: 150_000 },
  async () => {
    const { database, anna, berta, jobs, keys, sent } = await setup()
    const [first = '', second = ''] = keys
    await jobs.anna.arm()
    const sheet = await jobs.anna.prepare(reboot([first]))
    await cut('muster_owner')
    const start = anna.call('jobs.start', { sheet: sheet.id, confirmation: sheet.confirm ?? '', plan: atOnce })
    expect(await faultOf(start)).toMatchObject({ kind: 'team-away' })
    await admit('muster_owner')
    await until(async () => expect(await linkOf(anna)).toBe('online'), 40_000)

    // It comes late, as a row of which the answer was lost.
    const member = (await joinedIn(anna))?.members.find(({ isSelf }) => isSelf)?.id ?? ''
    const lost = storedJob(randomUUID(), [first], { owner: { member, operator: 'Anna' }, state: 'scheduled' })
    const item = { is: 'call', call: 'createJob', input: { ...lost, absent: [] } } as const
    const store = openLogStore(
      poolOf(targetOf(postgres, 'muster_owner', database), (stop) => leftovers.push(stop)),
      teamLog,
    )
    const post = (given: typeof item) => store.post(bodiesOf(given).map((body) => ({ id: randomUUID(), body })))
    await post(item)
    const { id } = lost.record
    for (const muster of [anna, berta])
      await until(async () =>
        expect((await liveIn(muster)).find((one) => one.id === id)).toMatchObject({
          state: 'interrupted',
          counts: { pending: 1 },
        }),
      )
    expect(sent(first)).toBe(0)
    // Another job on its device is stored by no member, whatever its writer knows.
    const late = storedJob(randomUUID(), [first], { owner: { member: randomUUID(), operator: 'Cleo' } })
    await post({ ...item, input: { ...late, absent: [] } })
    const free = storedJob(randomUUID(), [second], { owner: { member: randomUUID(), operator: 'Cleo' } })
    await post({ ...item, input: { ...free, absent: [] } })
    for (const muster of [anna, berta])
      await until(async () => {
        const { rows } = await muster.call('jobs.list', { text: '', device: null, offset: 0, limit: 10 })
        expect(rows.map((one) => one.id).sort()).toEqual([id, free.record.id].sort())
      })
  },
)

test(`a job that a failover lost is written again by its owner${noPostgres}`, { skip, timeout: 150_000 }, async () => {
  const team = await setup()
  const { database, anna, berta, jobs, sent } = team
  await until(async () => expect(await postgres.admin('SELECT 1 FROM muster.snapshot', database)).not.toHaveLength(0))
  const [before] = await postgres.admin('SELECT last::int AS last FROM muster.log_end', database)
  const { id, second } = await paused(team)
  for (const role of ['muster_owner', 'berta'] as const) await cut(role)
  const last = Number(before?.['last'])
  await postgres.admin(
    `DELETE FROM muster.log WHERE number > ${last}; UPDATE muster.log_end SET last = ${last}`,
    database,
  )
  await admit('berta')
  await until(async () => expect(await linkOf(berta)).toBe('online'), 40_000)
  await until(async () => expect(await jobs.berta.shown(id)).toBeNull(), 40_000)
  await admit('muster_owner')
  for (const muster of [jobs.anna, jobs.berta])
    await until(async () => expect(await muster.shown(id)).toMatchObject({ state: 'paused', devices: 2 }), 60_000)
  await until(async () => expect(await jobs.berta.rows(id)).toEqual(await jobs.anna.rows(id)))
  await anna.call('jobs.control', { job: id, command: 'stop' })
  await until(async () => expect(await jobs.berta.shown(id)).toMatchObject({ state: 'stopped', owner: 'Anna' }))
  expect(sent(second)).toBe(0)
})

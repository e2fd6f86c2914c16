import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { connectionTo, service, until, type Console } from '../support/fleet.ts'
import { jobsOf, reboot, rename } from '../support/jobs-console.ts'
import { useTeamDatabases } from '../support/postgres/databases.ts'
import { noPostgres } from '../support/postgres/server.ts'
import { openMember } from '../support/team-consoles.ts'

/* A member that has the secret of a connection sends what its operator wants, whoever reads the connection. */

const { skip, leftovers, postgres, makeTeam, cut } = useTeamDatabases('clients')
const options = { skip, timeout: 150_000 }

const stateOf = async (muster: Console) => (await muster.call('app.state', {})).connections[0]

const reads = (muster: Console) =>
  until(async () => {
    const state = await stateOf(muster)
    expect([state?.link.state, state?.sync.state, state?.readBy]).toEqual(['live', 'idle', undefined])
  }, 60_000)

/** Anna, who reads a connection, and Berta, who only has its secret. */
async function setup(profile: 'full' | 'contrary') {
  const { database } = await makeTeam()
  const reference = await service(leftovers, {
    devices: 60,
    tenants: 1,
    life: false,
    reboots: { seconds: [1, 2] },
    profile,
    ...(profile === 'contrary' && { contrary: {} }),
  })
  const of = { leftovers, postgres, database }
  const anna = await openMember({ ...of, operator: 'Anna' })
  await anna.call('connections.save', connectionTo(reference))
  await reads(anna)
  const berta = await openMember({ ...of, operator: 'Berta' })
  const id = (await stateOf(berta))?.id ?? ''
  const sent = (...names: string[]) =>
    reference.operations().filter(({ operationName }) => operationName !== null && names.includes(operationName))
  const ask = (document: string) =>
    berta.call('query.run', { run: randomUUID(), connection: id, document, operation: null, variables: {} })
  return { reference, anna, berta, id, sent, ask, jobs: jobsOf(berta) }
}

const enterSecret = ({ reference, berta, id }: Awaited<ReturnType<typeof setup>>) =>
  berta.call('connections.save', connectionTo(reference, { id }))

for (const profile of ['full', 'contrary'] as const)
  test(`who has the secret acts and asks a ${profile} service, and reads nothing${noPostgres}`, options, async () => {
    const team = await setup(profile)
    const { anna, berta, id, sent, jobs, ask, reference } = team
    const rejected = expect.objectContaining({ fault: expect.objectContaining({ kind: 'input' }) })
    await expect(ask('{ tenants { id } }')).rejects.toEqual(rejected)
    await until(async () =>
      expect((await berta.call('actions.state', {})).tenants).toMatchObject([{ offered: [], readBy: 'Anna' }]),
    )

    await enterSecret(team)
    await until(async () => expect((await berta.call('actions.state', {})).tenants[0]?.offered).toContain('reboot'))
    expect(await stateOf(berta)).toMatchObject({ readBy: 'Anna', secret: 'session', link: { state: 'live' } })
    const before = reference.operations().length
    const [device = ''] = (await jobs.keys()).keys
    const job = await jobs.start(reboot([device]))
    await jobs.whenState(job, 'done')
    await until(async () => expect(await jobsOf(anna).shown(job)).toMatchObject({ state: 'done', owner: 'Berta' }))
    expect(sent('Reboot')).toHaveLength(1)

    expect(await ask('{ tenants { id } }')).toMatchObject({ fault: null })
    expect(await berta.call('configuration.offered', { device })).toMatchObject({ settings: { offered: null } })
    const fresh = reference.operations().slice(before)
    // Anna's Muster may look after the device that went offline.
    const names = fresh.map(({ operationName }) => operationName ?? '').filter((name) => !name.endsWith('ByIds'))
    expect(names).toEqual(['ReadDevices', 'ReadDevices', 'Reboot', ''])
    // The gauge is that of whoever reads.
    expect((await berta.call('app.state', {})).gauges.map(({ connections }) => connections)).toEqual([[id]])
  })

test(`a job goes on when its member begins to read, and queries when it ends to${noPostgres}`, options, async () => {
  const team = await setup('full')
  const { anna, berta, jobs, sent, ask, reference } = team
  await enterSecret(team)
  reference.misfortune.always('latency', { ms: 3_000, match: ({ operationName }) => operationName === 'UpdateDevices' })
  const keys = (await jobs.keys()).keys.slice(0, 5)
  const job = await jobs.start(rename(keys, 'New {n:3}'), { batch: 1 })
  await until(async () => expect((await jobs.shown(job))?.counts.done).toBe(1))
  await anna.stop()
  await reads(berta)
  expect((await jobs.whenState(job, 'done'))?.counts.done).toBe(5)
  expect(sent('UpdateDevices')).toHaveLength(5)

  // Without the database it does not lead, and nobody reads.
  await cut('berta')
  await until(async () => expect((await stateOf(berta))?.link.state).toBe('off'), 40_000)
  expect(await ask('{ tenants { id } }')).toMatchObject({ fault: null })
})

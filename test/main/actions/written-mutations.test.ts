import { expect, test } from 'vitest'
import { createArming } from '../../../src-main/actions/arming.ts'
import { interruptedMutation } from '../../../src-main/actions/runner/mutation-job.ts'
import { createWrittenMutations } from '../../../src-main/actions/written-mutations.ts'
import type { SentOutcome } from '../../../src-main/api/mutations/mutations.ts'
import type { Sender } from '../../../src-main/connections/senders.ts'
import type { StoredJob } from '../../../src-main/storage/journal/job-records.ts'
import { FaultError } from '../../../src-shared/model/fault.ts'
import { manualClock } from '../../support/clock.ts'

const confirmed: SentOutcome = { outcome: 'confirmed', id: null }

function open() {
  const clock = manualClock()
  const link = {}
  const sender: Sender = { connection: 'c1', service: 's', link, mutations: null }
  const known = ['t1', 't2'].map((id) => ({
    key: `s/${id}`,
    service: 's',
    id,
    name: id.toUpperCase(),
    connections: [sender.connection],
    senders: [sender],
  }))
  const arming = createArming({
    clock,
    lockEvents: true,
    isOff: () => off.is,
    linksOf: () => new Set([link]),
    onChange: () => {},
  })
  const off = { is: false }
  const disk: StoredJob[] = []
  const steps: string[] = []
  const onDisk = { fault: null as FaultError | null, after: () => {} }
  const written = createWrittenMutations({
    clock,
    log: () => {},
    arming,
    tenants: { all: () => known, get: () => undefined, refresh: async () => {} },
    jobs: { restore: async () => void steps.push('restored'), hold: () => {}, note: () => {}, release: () => {} },
    owner: () => undefined,
    data: {
      async createJob(job) {
        if (onDisk.fault !== null) throw onDisk.fault
        steps.push('intent')
        disk.push(job)
        onDisk.after()
      },
      locations: async () => ({ tenants: [] }) as never,
      async saveJob({ record, changed }) {
        steps.push(`outcome ${changed.map(({ target }) => target.outcome).join(' ')}`)
        disk.push({ record, targets: changed.map(({ target }) => target) })
      },
    },
  })
  const arm = () => known.forEach(({ key }) => arming.arm(key))
  const run = (outcomes: SentOutcome[] = [confirmed], tenants = known) =>
    written.run('c1', { name: 'Mine', fields: [{ name: 'a', field: 'do' }], tenants }, async (barred) => {
      steps.push(barred() === null ? 'sent' : 'barred')
      return { outcomes }
    })
  return { arming, off, disk, steps, onDisk, written, known, arm, run }
}

test('the intent is on disk before it is sent, and its outcome after', async () => {
  const { steps, disk, arm, run } = open()
  arm()
  await run()
  expect(steps).toEqual(['restored', 'intent', 'sent', 'outcome done'])
  expect(disk[0]?.targets).toMatchObject([{ name: 'a: do', outcome: 'sent', key: 's/t1/mutation:a' }])
  expect(disk[1]?.record).toMatchObject({ state: 'done', fields: { name: 'Mine' } })
})

test('it is not sent while one tenant is locked, actions are off, or the tenants are others', async () => {
  const { steps, arming, off, known, arm, run } = open()
  arming.arm('s/t1')
  await expect(run()).rejects.toMatchObject({ fault: { kind: 'locked', detail: expect.stringContaining('Arm T2.') } })
  arm()
  await expect(run([confirmed], known.slice(0, 1))).rejects.toMatchObject({ fault: { kind: 'input' } })
  off.is = true
  await expect(run()).rejects.toMatchObject({ fault: { kind: 'actions-off' } })
  expect(steps.filter((step) => step !== 'restored')).toEqual([])
})

test('it is not sent where the intent cannot be written, or a tenant is locked while it is', async () => {
  const { steps, arming, onDisk, arm, run } = open()
  arm()
  onDisk.fault = new FaultError('storage')
  await expect(run()).rejects.toMatchObject({ fault: { kind: 'storage' } })
  onDisk.fault = null
  onDisk.after = () => arming.lock('s/t2')
  await expect(run()).rejects.toMatchObject({ fault: { kind: 'locked' } })
  expect(steps.filter((step) => step !== 'restored')).toEqual(['intent', 'outcome not-sent'])
})

test('what waits for points is barred when a tenant is locked meanwhile', async () => {
  const { arming, written, known, arm } = open()
  arm()
  const fields = [{ name: 'a', field: 'do' }]
  await written.run('c1', { name: null, fields, tenants: known }, async (barred) => {
    expect(barred()).toBeNull()
    arming.lock('s/t2')
    expect(barred()).toMatchObject({ fault: { kind: 'locked' } })
    return { outcomes: [confirmed] }
  })
})

test('one that Muster left without an answer is unknown', async () => {
  const { disk, arm, run } = open()
  arm()
  await run([{ outcome: 'unknown', words: 'gone' }])
  const [intent] = disk
  if (intent === undefined) throw new Error('nothing was written')
  expect(interruptedMutation(intent, 5)).toMatchObject({
    record: { state: 'done', endedAt: 5 },
    targets: [{ outcome: 'unknown' }],
  })
  expect(disk[1]?.targets).toMatchObject([{ outcome: 'unknown', words: 'gone' }])
})

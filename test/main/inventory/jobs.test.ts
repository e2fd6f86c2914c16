import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type StartedData, startData } from '../../../src-main/inventory/thread/client.ts'
import { job, record, target } from '../storage/journal/jobs/records.ts'
import { tempProfile } from './profile.ts'

const thread = join(import.meta.dirname, '../../../src-main/inventory/thread/thread.ts')

let temp: ReturnType<typeof tempProfile>
let started: StartedData
beforeEach(async () => {
  temp = tempProfile()
  started = await startData({ profile: temp.profile, thread })
})
afterEach(async () => {
  await started.stop()
  temp.remove()
})

const page = { offset: 0, limit: 10 }

test('jobs over the thread: created, saved, found again', async () => {
  const { data } = started
  await data.createJob(job('j', ['s/t/a', 's/t/b']))
  const sent = target('s/t/b', { outcome: 'sent', words: 'Größe' })
  await data.saveJob({ record: record('j', { startedAt: 5 }), changed: [{ position: 1, target: sent }] })
  const stored = { record: record('j', { startedAt: 5 }), targets: [target('s/t/a'), sent] }
  expect(await data.openJobs({ endedSince: 0 })).toEqual([stored])
  expect(await data.storedJob({ id: 'j' })).toEqual(stored)
  expect(await data.unreadableJobs()).toBe(0)
  expect(await data.job({ id: 'j' })).toMatchObject({ devices: 2, counts: { sent: 1, pending: 1 } })
  expect(await data.jobDevices({ id: 'j', outcomes: null, ...page })).toMatchObject({
    total: 2,
    rows: [{ key: 's/t/b' }, { key: 's/t/a' }],
  })
  const found = async (text: string, device: string | null = null) => (await data.jobs({ text, device, ...page })).total
  expect(await Promise.all([found('  GROSSE '), found(' '), found('x'), found('', 's/t/x')])).toEqual([1, 1, 0, 0])
  expect(await data.jobs({ text: '', device: null, incident: 'none', ...page })).toEqual({ total: 0, rows: [] })
})

test('jobs of a team over the thread: their owner, those of others, and what these have taken', async () => {
  const { data } = started
  const [ann, bert] = ['Ann', 'Bert'].map((operator) => ({ owner: { member: operator.toLowerCase(), operator } }))
  await data.createJob({ ...job('j', ['s/t/a', 's/t/b'], ann), absent: [] })
  const rejected = data.createJob({ ...job('k', ['s/t/a'], bert), absent: [] })
  await expect(rejected).rejects.toMatchObject({ fault: { kind: 'input', detail: expect.stringContaining('of Ann,') } })
  await data.createJob({ ...job('k', ['s/t/a'], bert), absent: ['ann'] })
  expect(await data.job({ id: 'j' })).toMatchObject(ann ?? {})
  expect(await data.openJobs({ endedSince: 0, member: 'bert' })).toMatchObject([{ record: { id: 'k' } }])
  expect(await data.otherJobs({ member: 'bert', endedSince: 0 })).toMatchObject([
    { job: { id: 'j' }, open: ['s/t/a', 's/t/b'] },
  ])
  expect(await data.takenDevices({ job: 'j', member: 'ann', keys: ['s/t/a', 's/t/b'], absent: [] })).toEqual(['s/t/a'])
  const { text } = await data.exportJobs({ from: 0, until: 5000, after: null })
  expect(text.match(/,(?:Ann|Bert)\r\n/gu)).toEqual([',Ann\r\n', ',Ann\r\n', ',Bert\r\n'])
})

test('a job that names a device twice fails with a fault of kind input', async () => {
  await expect(started.data.createJob(job('j', ['s/t/a', 's/t/a']))).rejects.toMatchObject({ fault: { kind: 'input' } })
})

/** Returns all parts of an export. */
async function exported(from: number, until: number): Promise<string[]> {
  const parts: string[] = []
  for (let after: string | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
    const part: { text: string; after: string | null } = await started.data.exportJobs({ from, until, after })
    parts.push(part.text)
    after = part.after
  }
  return parts
}

const head =
  '\uFEFFjob,kind,created,started,ended,state,tenant,device,id,site,room,before,after,outcome,reason,words,sent,answered,proven,provenBy,backAfterSeconds,operator\r\n'

describe('the history as CSV', () => {
  test('has a line for each device, with times in UTC', async () => {
    await started.data.createJob({
      record: record('j', { kind: 'update', createdAt: 1000, startedAt: 2000, endedAt: 3000, state: 'done' }),
      targets: [
        target('s/t/a', {
          name: 'Lobby',
          before: { name: 'Old', site: null },
          after: { name: 'Lobby', site: { id: 's1', name: 'Berlin' }, room: { id: 'r9', name: '' } },
          outcome: 'done',
          sentAt: 2000,
          answeredAt: 2500,
          provenAt: 2600,
          provenBy: 'read',
          backAfter: 65_400,
        }),
        target('s/t/b', { name: 'Bar', site: null, room: null, outcome: 'not-sent', obstacle: 'offline', words: 'no' }),
      ],
    })
    expect(await exported(0, 5000)).toEqual([
      `${head}j,update,1970-01-01T00:00:01.000Z,1970-01-01T00:00:02.000Z,1970-01-01T00:00:03.000Z,done,Initech,Lobby,a,Berlin,Attic,"name: Old; site: none","name: Lobby; site: Berlin; room: r9",done,,,1970-01-01T00:00:02.000Z,1970-01-01T00:00:02.500Z,1970-01-01T00:00:02.600Z,read,65,\r\n` +
        'j,update,1970-01-01T00:00:01.000Z,1970-01-01T00:00:02.000Z,1970-01-01T00:00:03.000Z,done,Initech,Bar,b,,,,,not-sent,offline,no,,,,,,\r\n',
    ])
  })

  test('has no formula, and no cell that becomes two', async () => {
    await started.data.createJob({
      record: record('=j', { tenants: [{ key: 's/t', name: '@t' }] }),
      targets: [
        target('s/t/a', {
          id: '-1',
          name: '=1+1',
          tenant: { key: 's/t', name: '@t' },
          site: { id: 'x', name: '+x' },
          room: { id: 'y', name: 'a,"b"\r\n=c' },
          before: { name: '=2' },
          words: '\t=3',
        }),
      ],
    })
    const [text = ''] = await exported(0, 5000)
    expect(text.slice(head.length)).toBe(
      `'=j,reboot,1970-01-01T00:00:00.100Z,,,running,'@t,'=1+1,'-1,'+x,"a,""b""\r\n=c",name: =2,,pending,,"'\t=3",,,,,,\r\n`,
    )
  })

  test('comes in parts, each device once, in the order of creation', async () => {
    const keys = Array.from({ length: 1500 }, (_, n) => `s/t/${n}`)
    await started.data.createJob(job('late', keys.slice(0, 600), { createdAt: 900 }))
    await started.data.createJob(job('early', keys.slice(600), { createdAt: 300 }))
    const parts = await exported(0, 5000)
    const ids = parts
      .join('')
      .slice(head.length)
      .split('\r\n')
      .slice(0, -1)
      .map((line) => line.split(',')[8])
    expect(parts.length).toBe(2)
    expect(ids).toEqual(keys.map((key) => key.slice(4)))
  })

  test('has the jobs of its time, both ends included, and only its head without any', async () => {
    for (const createdAt of [99, 100, 200, 201])
      await started.data.createJob(job(`j${createdAt}`, ['s/t/a'], { createdAt }))
    const [text = ''] = await exported(100, 200)
    expect(text.match(/^j\d+/gmu)).toEqual(['j100', 'j200'])
    expect(await exported(300, 400)).toEqual([head])
  })

  test('a part of an export that is none fails with a fault of kind input', async () => {
    for (const after of ['', '1', '1:', '1:2:3', 'a:b'])
      await expect(started.data.exportJobs({ from: 0, until: 1, after })).rejects.toMatchObject({
        fault: { kind: 'input' },
      })
  })
})

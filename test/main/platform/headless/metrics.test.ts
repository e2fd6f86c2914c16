import { expect, test } from 'vitest'
import { type MetricsSource, openMetrics } from '../../../../src-main/platform/headless/metrics.ts'

type Asked = Parameters<MetricsSource['inventory.tree']>[0]

/** Two regions with so many tenants each, of five devices. */
function source(tenants: number) {
  const asked: Asked[] = []
  const node = (id: string, kind: string, name: string) => ({
    id,
    kind,
    name,
    counts: { connected: 3, disconnected: 1, unknown: 1 },
  })
  const core = {
    'channels.read': () => Promise.resolve({ channels: [], unread: 0, ownZone: 'UTC' }),
    'team.read': () => Promise.resolve({ joined: null }),
    'app.state': () =>
      Promise.resolve({
        connections: [
          { name: 'C "1"\n', link: { state: 'live' }, faults: [], lastReadingAt: 5000, lastEventAt: null },
          { name: 'D', link: { state: 'off' }, faults: [{}], lastReadingAt: null, lastEventAt: null },
        ],
        gauges: [
          { name: 'C', remaining: 7, limit: 10, known: true, rejections: { count: 2 } },
          { name: 'D', remaining: 50_000, limit: 100_000, known: false, rejections: { count: 0 } },
        ],
        incidents: { open: { critical: 1, major: 0, minor: 2 }, acknowledged: 3, snoozed: 0, suppressed: 0 },
      }),
    'inventory.tree': (input: Asked) => {
      asked.push(input)
      const lines = ['r1', 'r2'].flatMap((region) => [
        node(region, 'region', region),
        ...(input.expanded.includes(region)
          ? Array.from({ length: tenants }, (_, n) => node(`${region} ${n}`, 'tenant', `Tenant ${n % 400}`))
          : []),
      ])
      return Promise.resolve({ total: lines.length, rows: lines.slice(input.offset, input.offset + input.limit) })
    },
  } as unknown as MetricsSource
  return { core, asked }
}

const samples = (text: string, name: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`))
    .map((line) => line.slice(name.length))

test('devices are of all tenants of all regions, page by page, and two of one name are added up', async () => {
  const { core, asked } = source(500)
  const text = await openMetrics(core, '1.2.3').read()
  expect(asked.map(({ offset }) => offset)).toEqual([0, 0, 500, 1000])
  const online = samples(text, 'muster_devices').filter((line) => line.includes('status="connected"'))
  expect(online).toHaveLength(400)
  expect(online.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)).toBe(3 * 1000)
  expect(text).toContain('muster_info{version="1.2.3"} 1')
})

test('what is not known is no sample, and a name is no syntax', async () => {
  const text = await openMetrics(source(1).core, '1').read()
  expect(samples(text, 'muster_points_left')).toEqual(['{connections="C"} 7'])
  expect(samples(text, 'muster_points_rejections_total')).toEqual(['{connections="C"} 2', '{connections="D"} 0'])
  expect(samples(text, 'muster_connection_last_sync_seconds')).toEqual(['{connection="C \\"1\\"\\n"} 5'])
  expect(samples(text, 'muster_connection_live').map((line) => line.slice(-1))).toEqual(['1', '0'])
  expect(samples(text, 'muster_incidents_open')).toEqual([
    '{severity="critical"} 1',
    '{severity="major"} 0',
    '{severity="minor"} 2',
  ])
})

test('who asks while a reading hangs waits for that one, and asks nothing more of the core', async () => {
  const { core } = source(1)
  const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<MetricsSource['channels.read']>>>()
  let asked = 0
  const hanging: MetricsSource = {
    ...core,
    'channels.read'() {
      asked += 1
      return promise
    },
  }
  const metrics = openMetrics(hanging, '1')
  const readings = [metrics.read(), metrics.read(), metrics.read()]
  await new Promise((done) => setImmediate(done))
  resolve({ channels: [], unread: 0, ownZone: 'UTC' })
  expect(new Set(await Promise.all(readings)).size).toBe(1)
  expect(asked).toBe(1)
  await metrics.read()
  expect(asked).toBe(2)
})

test('takeovers of a team are a counter that is told as it is, and a Muster on its own has none', async () => {
  const { core } = source(1)
  const joined = { link: { is: 'online' }, members: [], leads: [], evaluator: null, lagMs: 500, takeovers: 3 }
  const team: { joined: typeof joined | null } = { joined }
  Object.assign(core, { 'team.read': () => Promise.resolve(team) })
  const metrics = openMetrics(core, '1')
  for (const _twice of [1, 2]) expect(await metrics.read()).toMatch(/^muster_team_takeovers_total 3$/mu)
  expect(await metrics.read()).toMatch(/^# TYPE muster_team_takeovers_total counter$/mu)
  team.joined = null
  expect(await metrics.read()).not.toMatch(/^muster_team_/mu)
})

test('readings at once have the same values, and what is gone has none', async () => {
  const { core } = source(2)
  const metrics = openMetrics(core, '1')
  const texts = await Promise.all([metrics.read(), metrics.read(), metrics.read()])
  for (const text of texts) expect(samples(text, 'muster_devices')).toEqual(samples(texts[0] ?? '', 'muster_devices'))
  const none = { ...core, 'inventory.tree': () => Promise.resolve({ total: 0, rows: [] }) } as unknown as MetricsSource
  Object.assign(core, none)
  expect(samples(await metrics.read(), 'muster_devices')).toEqual([])
})

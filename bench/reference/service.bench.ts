import type { BenchRow } from '../row.ts'
import { percentile } from '../support/percentile.ts'
import { forkGraphServer } from './graph-server.ts'
import type { GraphServer, Memory } from './graph-server.ts'
import { openPages } from './pages.ts'
import type { PageReader } from './pages.ts'

/**
 * Pages of 100 devices of a fleet of 100,000 from the reference service over HTTP/2, as fast as possible, beside a bare
 * graphql-js handler on the same schema and world. Both take turns, so that other load on the machine affects both
 * alike. Then the service alone, until it has answered 100,000 requests: its memory must not grow.
 */
const devices = 100_000
const pageSize = 100
const lanes = 8
const rounds = 11
const perRound = 1000
const requests = 100_000
const sampleEvery = 20_000
const target = 0.6
/** Tolerance for flat memory, MiB: garbage, and buffers that grow once. */
const wobble = 32

export async function run(): Promise<BenchRow[]> {
  const servers = await Promise.all([forkGraphServer('service', devices), forkGraphServer('bare', devices)])
  const [service, bare] = servers
  try {
    const readers = {
      service: await openPages(service, { pageSize, lanes }),
      bare: await openPages(bare, { pageSize, lanes }),
    }
    const speeds = await inTurns(readers)
    readers.bare.stop()
    await bare.stop()
    const samples = await untilTired(service, readers.service, (rounds + 1) * perRound)
    readers.service.stop()
    return [...speedRows(speeds), ...memoryRows(samples)]
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

interface Speed {
  perSecond: number[]
  each: number[]
}

async function inTurns(readers: { service: PageReader; bare: PageReader }): Promise<{ service: Speed; bare: Speed }> {
  const speeds = { service: { perSecond: [], each: [] } as Speed, bare: { perSecond: [], each: [] } as Speed }
  // Warms up both before the measurement.
  await readers.bare.read(perRound)
  await readers.service.read(perRound)
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? (['service', 'bare'] as const) : (['bare', 'service'] as const)
    for (const who of order) {
      const { each, all } = await readers[who].read(perRound)
      speeds[who].perSecond.push((each.length / all) * 1000)
      speeds[who].each.push(...each)
    }
  }
  return speeds
}

interface Sample extends Memory {
  after: number
}

async function untilTired(service: GraphServer, reader: PageReader, already: number): Promise<Sample[]> {
  const samples: Sample[] = []
  let done = already
  for (let after = sampleEvery; after <= requests; after += sampleEvery) {
    await reader.read(after - done)
    done = after
    samples.push({ after, ...(await service.memory()) })
  }
  return samples
}

function speedRows({ service, bare }: { service: Speed; bare: Speed }): BenchRow[] {
  // Each round is compared with its neighbour, so that a temporary load affects both.
  const ratio = median(service.perSecond.map((value, round) => value / (bare.perSecond[round] ?? Number.NaN)))
  const latency = (share: number): Pick<BenchRow, 'value' | 'baseline'> => ({
    value: round1(percentile(service.each, share)),
    baseline: round1(percentile(bare.each, share)),
  })
  return [
    {
      name: 'service: pages of 100 devices over a bare graphql-js handler (median of 11)',
      value: Number(ratio.toFixed(2)),
      unit: 'times',
      baseline: 1,
      target,
      holds: ratio >= target,
    },
    {
      name: 'service: pages of 100 devices at 100,000, 8 at a time (median of 11)',
      value: Math.round(median(service.perSecond)),
      unit: '1/s',
      baseline: Math.round(median(bare.perSecond)),
      target: null,
      holds: null,
    },
    { name: 'service: a page, p50', ...latency(0.5), unit: 'ms', target: null, holds: null },
    { name: 'service: a page, p99', ...latency(0.99), unit: 'ms', target: null, holds: null },
  ]
}

function memoryRows(samples: Sample[]): BenchRow[] {
  const [first] = samples
  if (!first) return []
  const last = samples.at(-1) ?? first
  const rows = samples.flatMap(({ after, rss, heap }): BenchRow[] => [
    {
      name: `service: memory after ${after / 1000},000 requests`,
      value: round1(rss),
      unit: 'MiB',
      baseline: null,
      target: null,
      holds: null,
    },
    {
      name: `service: used heap after ${after / 1000},000 requests`,
      value: round1(heap),
      unit: 'MiB',
      baseline: null,
      target: null,
      holds: null,
    },
  ])
  const growth = last.rss - first.rss
  return [
    ...rows,
    {
      name: 'service: memory added from 20,000 to 100,000 requests',
      value: round1(growth),
      unit: 'MiB',
      baseline: null,
      target: wobble,
      holds: growth <= wobble,
    },
  ]
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

const round1 = (value: number): number => Number(value.toFixed(1))

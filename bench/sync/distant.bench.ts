import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { BenchRow } from '../row.ts'
import { percentile } from '../support/percentile.ts'
import { forkReference, type Reference } from '../support/reference.ts'
import { forkSlowRelay } from '../support/slow-relay.ts'
import { openCore } from '../support/web-shell.ts'
import { firstSync, secondSync } from './core-sync.ts'

/**
 * A full sync of 20,000 devices from a service that is 40 ms away, over HTTP/2 beside HTTP/1.1. Operations cost a
 * hundredth, so that the network is measured and not the wait for points.
 */
const devices = 20_000
const tenants = 6
const rounds = 5
const oneWayMs = 20
const priceFactor = 0.01

interface Times {
  first: number
  again: number[]
}

export async function run(): Promise<BenchRow[]> {
  const older = await timesOver('http/1.1')
  const newer = await timesOver('h2')
  const ratio = percentile(newer.again, 0.5) / percentile(older.again, 0.5)
  const name = (what: string) => `20,000 devices, 40 ms away, HTTP/2 beside HTTP/1.1: ${what}`
  return [
    {
      name: name('first sync'),
      value: Math.round(newer.first),
      unit: 'ms',
      baseline: Math.round(older.first),
      target: null,
      holds: null,
    },
    {
      name: name(`full sync, again (median of ${rounds})`),
      value: Math.round(percentile(newer.again, 0.5)),
      unit: 'ms',
      baseline: Math.round(percentile(older.again, 0.5)),
      target: null,
      holds: null,
    },
    { name: name('ratio'), value: Number(ratio.toFixed(2)), unit: 'times', baseline: 1, target: null, holds: null },
  ]
}

async function timesOver(protocol: 'http/1.1' | 'h2'): Promise<Times> {
  const reference = await forkReference({
    devices,
    tenants,
    points: true,
    priceFactor,
    ...(protocol === 'h2' ? { http: 'h2' } : {}),
  })
  const relay = await forkSlowRelay(Number(new URL(reference.graphqlUrl).port), oneWayMs)
  const profile = mkdtempSync(path.join(tmpdir(), 'muster-bench-'))
  const core = await openCore(profile)
  try {
    const first = await firstSync(core, through(reference, relay.port))
    const again: number[] = []
    for (let round = 0; round < rounds; round += 1) again.push((await secondSync(core)).took)
    return { first, again }
  } finally {
    await core.stop()
    await relay.stop()
    await reference.stop()
    rmSync(profile, { recursive: true, force: true })
  }
}

/** Returns the connection data with the port of the relay in place of the service's. */
function through(reference: Reference, port: number): Reference {
  const own = new URL(reference.graphqlUrl).port
  const relayed = (url: string) => url.replace(`:${own}/`, `:${port}/`)
  return {
    ...reference,
    tokenUrl: relayed(reference.tokenUrl),
    graphqlUrl: relayed(reference.graphqlUrl),
    subscriptionUrl: relayed(reference.subscriptionUrl),
  }
}

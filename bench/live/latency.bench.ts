import type { Step, NotifiedAt } from './processes/core-process.ts'
import { openParties, type Parties } from './processes/parties.ts'
import { atOnce } from '../support/settings.ts'
import type { BenchRow } from '../row.ts'
import { percentile } from '../support/percentile.ts'

/**
 * From an event in the service to the notification call, over real sockets, with 20,000 devices watched and no
 * hold-off: one device drops, and recovers after the notification. Service, core and a naive graphql-ws client with a
 * callback for each event are processes of their own and share the machine's monotonic clock.
 */
const devices = 20_000
const tenants = 6
const samples = 100
const warmUp = 5
/** Longest wait for a notification, ms; a later one counts as missing. */
const patienceMs = 5_000

interface Sample {
  connected: boolean
  /** From the event, ms. */
  frame: number
  committed: number
  notified: number
  naive: number
}

export async function run(): Promise<BenchRow[]> {
  const parties = await openParties({ devices, tenants, points: false }, atOnce)
  try {
    const online = parties.facts.devices.filter(({ connected }) => connected === true).map(({ id }) => id)
    const taken: Sample[] = []
    let missing = 0
    for (let n = 0; n < samples + warmUp; n += 1) {
      // From all over the fleet, so that it is no site outage.
      const id = online[(n * 7919) % online.length] ?? ''
      for (const connected of [false, true]) {
        const sample = await measure(parties, id, connected)
        if (n < warmUp) continue
        if (sample === null) missing += 1
        else taken.push(sample)
      }
    }
    return rowsOf(taken, missing)
  } finally {
    await parties.stop()
  }
}

async function measure({ service, core, naive }: Parties, id: string, connected: boolean): Promise<Sample | null> {
  await Promise.all([core.ask('take'), naive.ask('take')])
  const [began = 0] = await service.ask('change', [id], connected, 0)
  const steps: Step[] = []
  const notified: NotifiedAt[] = []
  for (let waited = 0; notified.length === 0 && waited < patienceMs; waited += 50) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    const taken = await core.ask('take')
    steps.push(...taken.steps)
    notified.push(...taken.notified)
  }
  const toast = (await naive.ask('take')).find((each) => each.id === id && each.connected === connected)
  const [first] = notified
  if (first === undefined || toast === undefined) return null
  const after = (what: Step['what']): number =>
    (steps.find((step) => step.what === what && step.ids.includes(id))?.at ?? Number.NaN) - began
  return {
    connected,
    frame: after('frame'),
    committed: after('committed'),
    notified: first.at - began,
    naive: toast.at - began,
  }
}

function rowsOf(taken: readonly Sample[], missing: number): BenchRow[] {
  const at = (of: (sample: Sample) => number, share: number): number =>
    Number(percentile(taken.map(of), share).toFixed(1))
  const noTarget = { target: null, holds: null }
  const name = (what: string): string => `live latency, 20,000 watched, hold-off 0: ${what}`
  const p95 = at((sample) => sample.notified, 0.95)
  return [
    {
      name: name('event to notification call, p95'),
      value: p95,
      unit: 'ms',
      baseline: at((sample) => sample.naive, 0.95),
      target: 150,
      holds: p95 <= 150,
    },
    {
      name: name('the same, p50'),
      value: at((sample) => sample.notified, 0.5),
      unit: 'ms',
      baseline: at((sample) => sample.naive, 0.5),
      ...noTarget,
    },
    {
      name: name('of it, event to frame at the core, p95'),
      value: at((sample) => sample.frame, 0.95),
      unit: 'ms',
      baseline: at((sample) => sample.naive, 0.95),
      ...noTarget,
    },
    {
      name: name('frame to journal, cache and window, p95'),
      value: at((sample) => sample.committed - sample.frame, 0.95),
      unit: 'ms',
      baseline: null,
      ...noTarget,
    },
    {
      name: name('from there to the notification call, p95'),
      value: at((sample) => sample.notified - sample.committed, 0.95),
      unit: 'ms',
      baseline: null,
      ...noTarget,
    },
    {
      name: name(`missing of ${taken.length + missing}`),
      value: missing,
      unit: '',
      baseline: null,
      target: 0,
      holds: missing === 0,
    },
  ]
}

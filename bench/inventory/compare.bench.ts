import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { assetsOf, readAssetList } from '../../src-main/compare/asset-list.ts'
import type { Calls } from '../../src-main/inventory/thread/calls.ts'
import type { BenchRow } from '../row.ts'
import { fill, now, openWorld, row, seed, timed } from './measure.ts'
import { makeWorld, seeded } from './world.ts'

const devices = 50_000

/**
 * An asset list of 50,000 lines and a fleet of 50,000 devices, of which a tenth differs: from the text of the file to the first page of
 * differences. The baseline looks up each serial in a map, and compares nothing.
 */
export async function run(): Promise<BenchRow[]> {
  const profile = mkdtempSync(join(tmpdir(), 'muster-bench-'))
  try {
    const world = makeWorld(devices, seed, now)
    const filled = fill(profile, world)
    const calls = openWorld(profile, filled)
    const serials = filled.ids.map((_, index) => `8G${index.toString(36).toUpperCase().padStart(10, '0')}`)
    giveSerials(calls, filled, serials)
    const text = listOf(
      world.tenants.flatMap((tenant) => tenant.devices),
      serials,
    )
    const read = timed(() => assetsOf(readAssetList('assets.csv', text)))
    const given = timed(() => calls.giveAssets({ list: 'bench', assets: structuredClone(read.result) })).ms
    const turns: number[] = []
    const asked = {
      first: { kind: 'list', list: 'bench' },
      second: { kind: 'place', place: 'all', name: '' },
      kinds: [],
      text: '',
    } as const
    const compared = timed(() => {
      for (;;) {
        const turn = timed(() => calls.compareRead({ ...asked, kinds: [], offset: 0, limit: 100, now }))
        turns.push(turn.ms)
        if (turn.result !== null) return turn.result
      }
    })
    const { missing, renamed, moved } = compared.result.counts
    if (missing === 0 || renamed === 0 || moved === 0) throw new Error('the benchmark compared nothing')
    const baseline = timed(() => {
      const known = new Map(serials.map((serial, index) => [serial, index]))
      return read.result.filter(({ serial }) => known.has(serial)).length
    }).ms
    const csv = timed(() => {
      for (let from: number | null = 0; from !== null;)
        from = calls.compareCsv({ ...asked, kinds: [], row: from, now })?.next ?? null
    }).ms
    calls.close(undefined)
    return [
      row('50,000 lines read, given and compared', read.ms + given + compared.ms, 'ms', baseline, 2000),
      row('of that, the file read by the core', read.ms, 'ms', null, null),
      row('the longest turn of the thread', Math.max(...turns), 'ms', null, null),
      row('its CSV', csv, 'ms', null, null),
    ]
  } finally {
    rmSync(profile, { recursive: true, force: true })
  }
}

function giveSerials(
  calls: Calls,
  { service, ids, tenants }: ReturnType<typeof fill>,
  serials: readonly string[],
): void {
  calls.extraColumns({ columns: [{ name: 'serialNumber', type: 'text', services: [service] }] })
  const byTenant = Map.groupBy(
    ids.map((id, index) => ({ id, tenant: tenants[index] ?? '', values: { serialNumber: serials[index] ?? '' } })),
    ({ tenant }) => tenant,
  )
  for (const [tenant, all] of byTenant) calls.extraValues({ service, tenant, devices: all })
}

type Devices = ReturnType<typeof makeWorld>['tenants'][number]['devices']

function listOf(all: Devices, serials: readonly string[]): string {
  const random = seeded(3)
  const lines = all.map(({ name, hardwareModel, site, room }, index) => {
    const dice = random()
    const serial = dice < 0.02 ? `NEW${index}` : (serials[index] ?? '')
    const cells = [
      serial,
      dice < 0.01 ? `New ${index}` : dice > 0.97 ? `${name} old` : name,
      hardwareModel,
      dice > 0.93 && dice < 0.97 ? 'Elsewhere' : site?.name,
      room?.name,
    ]
    return cells.map((cell) => `"${(cell ?? '').replaceAll('"', '""')}"`).join()
  })
  return ['Serial,Name,Model,Site,Room', ...lines].join('\r\n')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.table(await run())

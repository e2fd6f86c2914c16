import type { Calls } from '../../../src-main/inventory/thread/calls.ts'
import type { Counts, DeviceRow, TreeRow } from '../../../src-shared/model/inventory.ts'

/** The places whose counts in the tree differ from the rows, by tenant and by site. */
export function treeDiffers(calls: Calls, rows: readonly DeviceRow[]): string[] {
  const nodes = expandedTree(calls)
  return nodes
    .filter(({ kind }) => kind === 'tenant')
    .flatMap(({ id, name, counts }) => {
      const own = rows.filter((row) => row.tenant.name === name)
      const counted: Counts = { connected: 0, disconnected: 0, unknown: 0 }
      for (const { status } of own) counted[status] += 1
      const isSame =
        counts.connected === counted.connected &&
        counts.disconnected === counted.disconnected &&
        counts.unknown === counted.unknown
      const ofSites = nodes
        .filter(({ parent, kind }) => parent === id && kind === 'site')
        .reduce((sum, site) => sum + totalOf(site.counts), 0)
      return [
        ...(isSame ? [] : [`the tree has ${JSON.stringify(counts)} of ${name}, its rows ${JSON.stringify(counted)}`]),
        ...(ofSites === own.length ? [] : [`the sites of ${name} have ${ofSites} devices, its rows ${own.length}`]),
      ]
    })
}

const totalOf = ({ connected, disconnected, unknown }: Counts): number => connected + disconnected + unknown

function expandedTree(calls: Calls): TreeRow[] {
  let expanded: string[] = []
  for (;;) {
    const { rows } = calls.tree({ expanded, offset: 0, limit: 10_000, reveal: null })
    const open = rows.filter(({ kind }) => kind === 'region' || kind === 'tenant').map(({ id }) => id)
    if (open.length === expanded.length) return rows
    expanded = open
  }
}

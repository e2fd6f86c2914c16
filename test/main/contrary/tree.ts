import type { Calls } from '../../../src-main/inventory/thread/calls.ts'
import type { Counts, DeviceRow, TreeRow } from '../../../src-shared/model/inventory.ts'

/** The places whose counts in the tree differ from the rows, by tenant, account and site. */
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
      const accounts = nodes.filter(({ parent, kind }) => parent === id && kind === 'account')
      const above = new Set([id, ...accounts.map((account) => account.id)])
      const ofSites = totalOf(nodes.filter(({ parent, kind }) => kind === 'site' && above.has(parent ?? '')))
      const ofAccounts = totalOf(accounts)
      return [
        ...(isSame ? [] : [`the tree has ${JSON.stringify(counts)} of ${name}, its rows ${JSON.stringify(counted)}`]),
        ...(accounts.length === 0 || ofAccounts === own.length
          ? []
          : [`the accounts of ${name} have ${ofAccounts} devices, its rows ${own.length}`]),
        ...(ofSites === own.length ? [] : [`the sites of ${name} have ${ofSites} devices, its rows ${own.length}`]),
      ]
    })
}

const totalOf = (nodes: readonly TreeRow[]): number =>
  nodes.reduce((sum, { counts }) => sum + counts.connected + counts.disconnected + counts.unknown, 0)

function expandedTree(calls: Calls): TreeRow[] {
  let expanded: string[] = []
  for (;;) {
    const { rows } = calls.tree({ expanded, offset: 0, limit: 10_000, reveal: null })
    const open = rows
      .filter(({ kind }) => kind === 'region' || kind === 'tenant' || kind === 'account')
      .map(({ id }) => id)
    if (open.length === expanded.length) return rows
    expanded = open
  }
}

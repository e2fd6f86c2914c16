import type { PlaceReport } from '../../storage/journal/device-places.ts'
import { textAt } from '../engine/columns/columns.ts'
import { accountOfSite, accountsOf, type Directory } from '../engine/directory.ts'
import { slotsBelow } from '../engine/inventory.ts'
import type { Tenant } from '../engine/tenants.ts'
import { siteNode } from '../keys.ts'
import type { Store } from '../store.ts'

/**
 * Most devices whose accounts a reading of the lists enters into the journal at once. A list that is read for the first
 * time, or moves many sites, touches every device of a tenant: entering 100,000 would hold the thread for seconds.
 */
const maxReports = 1000

/**
 * Returns the reports of the devices whose site has another account, or an account of another name, with this directory
 * of a connection, in the order of sites and devices, which is the same in every copy of a team's. Beyond `maxReports` the devices of further sites get theirs from their next page, which reports every
 * device with its account. A site whose account is no longer known keeps its last one.
 */
export function accountReports(
  { inventory: { rows, places } }: Store,
  tenant: Tenant,
  connection: string,
  directory: Directory,
): PlaceReport[] {
  const reports: PlaceReport[] = []
  const accounts = accountsOf(new Map(tenant.directories).set(connection, directory).values())
  for (const id of [...accounts.bySite.keys()].toSorted()) {
    const account = accountOfSite(accounts, id)
    const before = accountOfSite(tenant.accounts, id)
    const site = places.byId.get(siteNode(tenant.key, id))
    if (account === null || site === undefined) continue
    if (before?.id === account.id && before.name === account.name) continue
    const keys: string[] = []
    slotsBelow({ rows }, site, (slot) => void keys.push(textAt(rows.key, slot)))
    const left = keys.toSorted().slice(0, maxReports - reports.length)
    for (const key of left) reports.push({ key, at: directory.readAt, account })
    if (reports.length >= maxReports) break
  }
  return reports
}

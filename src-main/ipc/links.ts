import type { Handlers } from '../../src-shared/contract/contract.ts'
import type { Fault } from '../../src-shared/model/fault.ts'
import { parseFilter } from '../../src-shared/filter/filter.ts'
import { openedBy, parseLink, type Link } from '../../src-shared/navigation/link.ts'
import { everything } from '../../src-shared/model/inventory.ts'
import { savedOperation } from '../../src-shared/model/kept-queries.ts'
import { musterOperations } from '../../src-shared/query/muster-operations.ts'
import type { Connections } from '../connections/connections.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { Banners } from './banners.ts'

/** The targets that a link may have in this Muster. */
export interface LinkTargets {
  /** Returns the names of the extra columns that the services offer. */
  columns(): readonly string[]
  /** Returns the number of connections. */
  connections(): number
  /** Resolves with whether a node exists. */
  knows(scope: string): Promise<boolean>
  /** Resolves with whether there is a saved operation with this id. */
  hasOperation(id: string): Promise<boolean>
}

/** Returns the targets from the connections and the inventory. */
export const linkTargets = (
  data: Pick<InventoryData, 'counts' | 'savedOperations'>,
  { columns, states }: Pick<Connections, 'columns' | 'states'>,
): LinkTargets => ({
  columns: () => columns.state().map(({ name }) => name),
  connections: () => states().length,
  knows: async (scope) => (await data.counts({ scope })).counts !== null,
  hasOperation: async (id) =>
    musterOperations.some((each) => each.id === id) ||
    (await data.savedOperations()).some((each) => savedOperation.safeParse(each).data?.id === id),
})

/**
 * Reads links. Reports an invalid link, or one with an unknown target, as a banner until it is dismissed or a valid
 * link follows.
 */
export function linkHandlers(banners: Banners, targets: LinkTargets): Pick<Handlers, 'links.read'> {
  return {
    'links.read': async ({ link }) => {
      const read = parseLink(link)
      const fault: Fault | null =
        'problem' in read ? { kind: 'link', detail: read.problem } : await linkFault(read, targets)
      if ('problem' in read || fault !== null) {
        if (fault !== null) banners.show('link', 'info', fault)
        return { open: null }
      }
      banners.remove('link')
      return { open: openedBy(read) }
    },
  }
}

/**
 * Returns why a link cannot be shown as intended; null: it can. A list of other devices than the link's would mislead.
 * The window itself shows an unknown device or incident as such, and displays it if it appears; without a connection
 * none will.
 */
async function linkFault(
  link: Link,
  { columns, connections, knows, hasOperation }: LinkTargets,
): Promise<Fault | null> {
  const unknown = (detail: string): Fault => ({ kind: 'link-unknown', detail })
  if (link.to === 'operation')
    return (await hasOperation(link.id)) ? null : unknown('There is no such saved operation here.')
  if (link.to === 'place')
    return hasPage(link.id) && (await knows(link.id)) ? null : unknown('There is no such tenant, account or site here.')
  if (link.to === 'device') return connections() === 0 ? unknown('') : null
  if (link.to !== 'devices') return null
  const [problem] = parseFilter(link.filter, columns()).problems
  // The filter was already parsed, so only the name of a field can be wrong.
  if (problem !== undefined) return unknown(`There is no field “${link.filter.slice(problem.from, problem.to)}” here.`)
  return link.scope === everything || (await knows(link.scope)) ? null : unknown('')
}

/** Tenants, accounts and sites have pages (inventory/keys.ts). */
const hasPage = (node: string): boolean => /^[tas]:/u.test(node)

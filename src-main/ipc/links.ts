import type { Handlers } from '../../src-shared/contract/contract.ts'
import type { Fault } from '../../src-shared/model/fault.ts'
import { parseFilter } from '../../src-shared/filter/filter.ts'
import { openedBy, parseLink, type Link } from '../../src-shared/navigation/link.ts'
import { everything } from '../../src-shared/model/inventory.ts'
import type { Connections } from '../connections/connections.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { Banners } from './banners.ts'

/** What a link may lead to in this Muster. */
export interface LinkTargets {
  /** Names of the extra columns that its services offer. */
  columns(): readonly string[]
  /** How many connections there are. */
  connections(): number
  /** Whether there is such a place in the tree. */
  knows(scope: string): Promise<boolean>
}

/** Returns what the connections and the inventory know now. */
export const linkTargets = (
  data: Pick<InventoryData, 'counts'>,
  { columns, states }: Pick<Connections, 'columns' | 'states'>,
): LinkTargets => ({
  columns: () => columns.state().map(({ name }) => name),
  connections: () => states().length,
  knows: async (scope) => (await data.counts({ scope })).counts !== null,
})

/** Reads links. One that leads nowhere, or to what is not known here, is said in the window, until it is dismissed or a good one comes. */
export function linkHandlers(banners: Banners, targets: LinkTargets): Pick<Handlers, 'links.read'> {
  return {
    'links.read': async ({ link }) => {
      const read = parseLink(link)
      const fault: Fault | null =
        'problem' in read ? { kind: 'link', detail: read.problem } : await linkFault(read, targets)
      if ('problem' in read || fault !== null) {
        if (fault !== null) banners.say('link', 'info', fault)
        return { open: null }
      }
      banners.take('link')
      return { open: openedBy(read) }
    },
  }
}

/**
 * Why a link cannot be shown here as it was meant: a list of other devices than the link's would be a lie. Of a device and an
 * incident the window says itself that it is not known, and shows it if it comes; but without a connection none comes.
 */
async function linkFault(link: Link, { columns, connections, knows }: LinkTargets): Promise<Fault | null> {
  const unknown = (detail: string): Fault => ({ kind: 'link-unknown', detail })
  if (link.to === 'device') return connections() === 0 ? unknown('') : null
  if (link.to !== 'devices') return null
  const [problem] = parseFilter(link.filter, columns()).problems
  // Its words were read before: what is left to be wrong is a field's name.
  if (problem !== undefined) return unknown(`There is no field “${link.filter.slice(problem.from, problem.to)}” here.`)
  return link.scope === everything || (await knows(link.scope)) ? null : unknown('')
}

import type { Clock } from '../../src-shared/lib/clock.ts'
import { sharedColumns } from '../../src-shared/model/team-settings.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { OfferedColumn, SharedColumns } from '../sync/columns/shared-columns.ts'
import type { Message } from './replica/replica.ts'
import type { Team } from './team.ts'
import { createTelling, type Telling } from './telling.ts'

/** The extra columns of the team. Their names are a list of its settings; what leaders offer is in memory alone. */
export interface TeamColumns extends SharedColumns, Pick<Telling<readonly OfferedColumn[]>, 'start' | 'stop'> {
  heard(message: Extract<Message, { is: 'columns' }>): void
  /** A member has opened its copy, and does not know what is offered. */
  greeted(): void
  /** Reads the names again. */
  reload(): Promise<void>
  /** Adds columns that a Muster has on its own. Rejects as `switch` does. */
  share(names: readonly string[]): Promise<void>
}

export function openTeamColumns(
  clock: Clock,
  team: Pick<Team, 'member' | 'tell'> & {
    data: Pick<InventoryData, 'sharedSettings' | 'saveSharedSettings'>
  },
): TeamColumns {
  const others = new Map<string, readonly OfferedColumn[]>()
  let names: readonly string[] | null = null
  let offered = '[]'
  const none: readonly OfferedColumn[] = []
  const telling = createTelling(clock, none, async (columns) => {
    const member = team.member()
    if (member !== null) await team.tell({ is: 'columns', member, columns: [...columns] })
    return member !== null
  })
  const reload = async () => {
    const stored = (await team.data.sharedSettings()).find(({ name }) => name === sharedColumns)?.value
    names = Array.isArray(stored) ? stored.filter((name) => typeof name === 'string') : []
  }
  const change = async (add: readonly string[], remove: readonly string[]) => {
    await team.data.saveSharedSettings({ values: [], lists: [{ name: sharedColumns, add, remove }] })
    await reload()
  }
  return {
    names: () => names,
    reload,
    switch: (name, on) => (on ? change([name], []) : change([], [name])),
    share: async (own) => {
      if (own.length > 0) await change(own, [])
    },
    told: () => [...others.values()].flat(),
    tell(columns) {
      const text = JSON.stringify(columns)
      if (text === offered) return
      offered = text
      telling.set(columns)
    },
    heard({ member, columns }) {
      if (member !== team.member()) others.set(member, columns)
    },
    greeted: telling.again,
    start: telling.start,
    stop: telling.stop,
  }
}

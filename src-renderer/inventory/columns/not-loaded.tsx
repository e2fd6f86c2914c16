import { useState } from 'react'
import { Button } from 'react-aria-components'
import { parseFilter } from '../../../src-shared/filter/filter.ts'
import type { ExtraColumn } from '../../../src-shared/model/inventory.ts'
import { useStore } from '../../lib/store.ts'
import { useAppContext } from '../../lib/context.ts'
import { numberText, many } from '../../lib/format/numbers.ts'
import { extraName } from './column-layout.ts'
import { fieldLabels } from './labels.ts'
import { CostLine } from './extra-columns.tsx'
import type { Inventory, Unread } from '../inventory.ts'

/** Fields by which operators look for a device. A filter cannot find them while they are not loaded. */
const searched = ['serialNumber', 'macAddress']

/** Returns for example "Serial is not loaded for 5,000 devices", or for how many it is not. */
export function notLoadedText({ column, read, of }: Unread[number]): string {
  const word = fieldLabels(extraName(column) ?? column)
  return read === 0
    ? `${word} is not loaded for ${many(of, 'device')}.`
    : `${word} is not loaded for ${numberText(of - read)} of ${many(of, 'device')}; none of the others match.`
}

/**
 * Fields of the filter that are not loaded, so that it is unknown whether a device matches. Each can be loaded at the
 * shown cost.
 */
export function NotLoaded({ inventory, unread }: { inventory: Inventory; unread: Unread }) {
  return (
    <>
      {unread.map((each) => (
        <NotLoadedField key={each.column} inventory={inventory} unread={each} />
      ))}
    </>
  )
}

function NotLoadedField({ inventory, unread }: { inventory: Inventory; unread: Unread[number] }) {
  const column = useColumn(extraName(unread.column) ?? unread.column)
  return (
    <div className="not-loaded">
      <p>{notLoadedText(unread)}</p>
      {column?.on === false && <CostLine name={column.name} onTake={() => void load(inventory, column.name)} />}
      {column?.on === true && column.reading && (
        <p className="muted-text">
          Loading: {numberText(column.read)} of {many(column.of, 'device')}.
        </p>
      )}
    </div>
  )
}

/** Below "no match" of a text search: the fields that were not searched because they are not loaded. */
export function NotSearched({ inventory }: { inventory: Inventory }) {
  const { session } = useAppContext()
  const filter = useStore(inventory.view, (view) => view.filter)
  const columns = useStore(session.state, ({ app }) => app?.columns) ?? none
  const [asking, setAsking] = useState<string | null>(null)
  const missing = columns.filter(({ name, read, of }) => searched.includes(name) && read < of)
  if (missing.length === 0 || !parseFilter(filter).terms.some(({ kind }) => kind === 'text')) return null
  return (
    <div className="not-loaded">
      <p>
        Not searched:{' '}
        {missing
          .map(({ name, read, of }) => `${fieldLabels(name)} (not loaded for ${many(of - read, 'device')})`)
          .join(', ')}
        .
      </p>
      <span className="no-rows-actions">
        {missing
          .filter(({ on, name }) => !on && name !== asking)
          .map(({ name }) => (
            <Button key={name} className="button" onPress={() => setAsking(name)}>
              Load {fieldLabels(name)}…
            </Button>
          ))}
      </span>
      {missing.some(({ name, on }) => name === asking && !on) && asking !== null && (
        <CostLine
          key={asking}
          name={asking}
          onTake={() => void load(inventory, asking)}
          onLeave={() => setAsking(null)}
        />
      )}
    </div>
  )
}

async function load({ columns, actions }: Inventory, name: string): Promise<void> {
  const fault = await columns.load(name)
  if (fault !== null) actions.fail(fault)
}

const none: readonly ExtraColumn[] = []

function useColumn(name: string): ExtraColumn | undefined {
  const { session } = useAppContext()
  return useStore(session.state, ({ app }) => app?.columns.find((column) => column.name === name))
}

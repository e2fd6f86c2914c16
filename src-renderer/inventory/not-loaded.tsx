import { useState } from 'react'
import { Button } from 'react-aria-components'
import { parseFilter } from '../../src-shared/filter.ts'
import type { ExtraColumn } from '../../src-shared/model.ts'
import { useStore } from '../store.ts'
import { useSurroundings } from '../surroundings.ts'
import { figure, many } from '../words/numbers.ts'
import { furtherName } from './column-layout.ts'
import { fieldWords } from './column-words.ts'
import { CostLine } from './further-columns.tsx'
import type { Inventory, Unread } from './inventory.ts'

/** Fields by which a person looks for one device: what is not loaded of them is not found. */
const searched = ['serialNumber', 'macAddress']

/** "Serial is not loaded for 5,000 devices"; where it is loaded for some, for how many it is not. */
export function notLoadedWords({ column, read, of }: Unread[number]): string {
  const word = fieldWords(furtherName(column) ?? column)
  return read === 0
    ? `${word} is not loaded for ${many(of, 'device')}.`
    : `${word} is not loaded for ${figure(of - read)} of ${many(of, 'device')}; none of the others match.`
}

/** What a filter asks of and what is not loaded: nobody knows whether a device matches. Each can be loaded, at the cost that is said. */
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
  const column = useColumn(furtherName(unread.column) ?? unread.column)
  return (
    <div className="not-loaded">
      <p>{notLoadedWords(unread)}</p>
      {column?.on === false && <CostLine name={column.name} onTake={() => void load(inventory, column.name)} />}
      {column?.on === true && column.reading && (
        <p className="quiet-text">
          Loading: {figure(column.read)} of {many(column.of, 'device')}.
        </p>
      )}
    </div>
  )
}

/** Under “no match” of a free text: which fields it was not looked for in, because they are not loaded. */
export function NotSearched({ inventory }: { inventory: Inventory }) {
  const { session } = useSurroundings()
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
          .map(({ name, read, of }) => `${fieldWords(name)} (not loaded for ${many(of - read, 'device')})`)
          .join(', ')}
        .
      </p>
      <span className="no-rows-acts">
        {missing
          .filter(({ on, name }) => !on && name !== asking)
          .map(({ name }) => (
            <Button key={name} className="button" onPress={() => setAsking(name)}>
              Load {fieldWords(name)}…
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

async function load({ columns, acts }: Inventory, name: string): Promise<void> {
  const fault = await columns.load(name)
  if (fault !== null) acts.fail(fault)
}

const none: readonly ExtraColumn[] = []

function useColumn(name: string): ExtraColumn | undefined {
  const { session } = useSurroundings()
  return useStore(session.state, ({ app }) => app?.columns.find((column) => column.name === name))
}

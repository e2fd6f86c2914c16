import { Search } from 'lucide-react'
import { useEffect, useState, type KeyboardEvent } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import { listMove } from '../../inventory/tree/tree-moves.ts'
import { useAppContext } from '../../lib/context.ts'
import { afterFrames, isFocusLost } from '../../lib/ui/focus.ts'
import { many } from '../../lib/format/numbers.ts'
import { actionsOf } from './actions.ts'
import type { PaletteContext } from './palette-context.ts'
import { grouped, matching, type Item } from './item.ts'
import { useFound } from './use-found.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'

interface Props extends Omit<PaletteContext, 'session' | 'policyEditor' | 'deviceActions' | 'now'> {
  open: boolean
  onOpen: (open: boolean) => void
}

/** The command palette: actions, saved views, screens, places and devices. */
export function Palette({ open, onOpen, ...context }: Props) {
  useFocusReturn(open)
  return (
    <ModalOverlay className="overlay" isOpen={open} onOpenChange={onOpen} isDismissable>
      <Modal className="modal palette">
        <Dialog className="palette-box" aria-label="Commands">
          <Commands {...context} onDone={() => onOpen(false)} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

/** Moves the focus to the screen's list, or else its content, when the palette closes and the focus would be lost. */
function useFocusReturn(open: boolean): void {
  useEffect(() => {
    if (!open) return undefined
    return () =>
      void afterFrames(() =>
        afterFrames(() => {
          const main = document.getElementById('main')
          if (isFocusLost()) (main?.querySelector<HTMLElement>('#incidents, #devices') ?? main)?.focus()
        }),
      )
  }, [open])
}

function Commands({
  onDone,
  ...context
}: Omit<PaletteContext, 'session' | 'policyEditor' | 'deviceActions' | 'now'> & { onDone: () => void }) {
  const { session, policyEditor, deviceActions, ticker } = useAppContext()
  const [typed, setTyped] = useState('')
  const [wanted, setWanted] = useState(0)
  const found = useFound(context.inventory, typed, () => context.onScreen('inventory'))
  const groups = grouped([
    ...matching(actionsOf({ ...context, session, policyEditor, deviceActions, now: ticker.now() }), typed),
    ...found,
  ])
  // The items in the order of the screen, group by group.
  const items = groups.flatMap((group) => group.items)
  const at = Math.min(wanted, items.length - 1)

  function run(chosen: Item | undefined) {
    if (chosen === undefined || chosen.reason !== '') return
    onDone()
    // The focus first returns to where it was; the action may then move it.
    requestAnimationFrame(chosen.run)
  }

  function onKeyDown(event: KeyboardEvent) {
    const to = event.key === 'Home' || event.key === 'End' ? null : listMove(event.key, at, items.length, 8)
    if (event.key === 'Enter') run(items[at])
    else if (to !== null) setWanted(round(event.key, at, to, items.length))
    else return
    event.preventDefault()
  }

  return (
    <>
      <div className="palette-field">
        <Search size={16} aria-hidden />
        <input
          type="text"
          role="combobox"
          aria-label="Command, view, place or device"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-autocomplete="list"
          aria-activedescendant={at >= 0 ? `palette-${at}` : undefined}
          value={typed}
          placeholder="What do you want to do?"
          spellCheck={false}
          autoComplete="off"
          maxLength={200}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the field of a dialog that was just called up
          autoFocus
          onChange={(event) => {
            setTyped(event.target.value)
            setWanted(0)
          }}
          onKeyDown={onKeyDown}
        />
        <kbd>Esc</kbd>
      </div>
      <ItemList groups={groups} at={at} onRun={run} />
      <div className="sr-only" role="status">
        {items.length === 0 ? 'No results' : many(items.length, 'entry', 'entries')}
      </div>
    </>
  )
}

/** Returns the next index. At the ends the arrow keys wrap around. */
function round(key: string, at: number, to: number, length: number): number {
  if (to !== at) return to
  if (key === 'ArrowDown') return 0
  return key === 'ArrowUp' ? length - 1 : to
}

interface ListProps {
  groups: readonly { group: string; items: readonly Item[] }[]
  at: number
  onRun: (item: Item) => void
}

function ItemList({ groups, at, onRun }: ListProps) {
  const places = new Map(groups.flatMap(({ items }) => items).map(({ id }, index) => [id, index]))
  return (
    <div id="palette-list" className="palette-list" role="listbox" aria-label="Commands">
      {groups.length === 0 && <p className="palette-none">No results</p>}
      {groups.map(({ group, items }) => (
        <div key={group} role="group" aria-label={group}>
          <div className="palette-group" aria-hidden="true">
            {group}
          </div>
          {items.map((each) => (
            <Line
              key={each.id}
              item={each}
              index={places.get(each.id) ?? 0}
              active={places.get(each.id) === at}
              onRun={onRun}
            />
          ))}
        </div>
      ))}
    </div>
  )
}

function Line({
  item,
  index,
  active,
  onRun,
}: {
  item: Item
  index: number
  active: boolean
  onRun: (item: Item) => void
}) {
  const { label, hint, keys, reason } = item
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field has the focus and the keys; this is its active descendant
    <div
      id={`palette-${index}`}
      className="palette-item"
      role="option"
      aria-selected={active}
      aria-disabled={reason !== ''}
      ref={(line) => {
        if (active) line?.scrollIntoView({ block: 'nearest' })
      }}
      onClick={() => onRun(item)}
    >
      <Isolated className="clip" title={label}>
        {label}
      </Isolated>
      <span className="palette-hint clip">
        {reason === '' ? hint : reason}
        {keys !== '' && (
          <>
            {' '}
            <kbd>{keys}</kbd>
          </>
        )}
      </span>
    </div>
  )
}

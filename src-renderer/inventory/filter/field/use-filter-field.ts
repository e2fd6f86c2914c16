import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { useStore } from '../../../lib/store.ts'
import { accepted, type Suggestion } from './completion.ts'
import type { Inventory } from '../../inventory.ts'
import { useSuggestions } from './use-suggestions.ts'

/** `typing`: completions of the word at the caret. `history`: recent filters. */
type List = 'closed' | 'typing' | 'history'

/** Holds the filter's field: its text, the list below it, and its keys. */
export function useFilterField(inventory: Inventory, input: RefObject<HTMLInputElement | null>, onDone: () => void) {
  const { text, list, setList, offers, open, at, step, type, take } = useOfferList(inventory, input)

  function clear() {
    inventory.type('')
    setList('closed')
  }

  function leave() {
    setList('closed')
    inventory.remember()
    onDone()
  }

  /** Handles a key of the open list. Returns whether it was one. */
  function listKey({ key, shiftKey }: KeyboardEvent): boolean {
    if (!open) return false
    const offer = offers[at] ?? (key === 'Tab' ? offers[0] : undefined)
    if (key === 'ArrowDown' || key === 'ArrowUp') step(key === 'ArrowDown' ? 1 : -1)
    else if (offer !== undefined && (key === 'Enter' || (key === 'Tab' && !shiftKey))) take(offer)
    else if (key === 'Escape') setList('closed')
    else return false
    return true
  }

  function fieldKey({ key }: KeyboardEvent): boolean {
    if (key === 'Escape' && text !== '') clear()
    else if (key === 'ArrowUp' && text.trim() === '') setList('history')
    else if (key === 'Enter' || key === 'ArrowDown' || key === 'Escape') leave()
    else return false
    return true
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (listKey(event) || fieldKey(event)) event.preventDefault()
  }

  function onBlur() {
    setList('closed')
    inventory.remember()
    inventory.putCaret(null)
  }

  return {
    text,
    offers: open ? offers : [],
    open,
    at,
    history: list === 'history',
    type,
    take,
    clear,
    setCaret: inventory.putCaret,
    onKeyDown,
    onBlur,
  }
}

/** Holds the text and the list below it, with its cursor and the completion. */
function useOfferList(inventory: Inventory, input: RefObject<HTMLInputElement | null>) {
  const { text, caret } = useStore(inventory.draft)
  const [list, setList] = useState<List>('closed')
  const [active, setActive] = useState(-1)
  const offers = useSuggestions(inventory, text, list === 'closed' ? null : (caret ?? 0), list === 'history')
  const open = list !== 'closed' && offers.length > 0
  const at = open && active < offers.length ? active : -1
  const putCaret = useCaret(input, text)

  function type(next: string, place: number) {
    inventory.type(next, place)
    setActive(-1)
    setList('typing')
  }

  function take(offer: Suggestion) {
    const next = accepted(text, offer)
    putCaret(next.caret)
    type(next.text, next.caret)
    if (offer.past) setList('closed')
  }

  const step = (by: 1 | -1) => setActive(stepped(at, by, offers.length))
  return { text, list, setList, offers, open, at, step, type, take }
}

/** Returns the next index, from -1 (none) through the list and around. */
function stepped(at: number, step: 1 | -1, length: number): number {
  if (at === -1) return step === 1 ? 0 : length - 1
  return (at + step + length) % length
}

/** Returns a function that places the caret after a completion, because React moves it to the end. */
function useCaret(input: RefObject<HTMLInputElement | null>, text: string) {
  const wanted = useRef<number | null>(null)
  useEffect(() => {
    if (wanted.current === null) return
    input.current?.setSelectionRange(wanted.current, wanted.current)
    wanted.current = null
  }, [input, text]) // oxlint-disable-line react/exhaustive-effect-dependencies, react/exhaustive-deps -- it moves when the text is the new one
  return (place: number) => {
    wanted.current = place
  }
}

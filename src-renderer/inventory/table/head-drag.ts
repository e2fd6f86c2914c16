import type { PointerEvent } from 'react'

/** A movement below this many CSS pixels is a click. */
const slack = 6

interface DragOptions {
  /** Called during a drag with the index that the head would get; null when it ended without a move. */
  onOver: (to: number | null) => void
  onDrop: (to: number) => void
}

/** Drags a head along its row by the pointer. A press without movement stays a click. */
export function dragHead(event: PointerEvent<HTMLElement>, { onOver, onDrop }: DragOptions): void {
  const row = event.currentTarget.closest('[role=row]')
  if (event.button !== 0 || row === null) return
  const handle = event.currentTarget
  const from = event.clientX
  let to: number | null = null
  // Captured at once, because a fast pointer leaves the head with its first move.
  handle.setPointerCapture(event.pointerId)

  const move = (moved: globalThis.PointerEvent) => {
    if (to === null && Math.abs(moved.clientX - from) < slack) return
    to = placeAt(row, moved.clientX)
    onOver(to)
  }
  const end = (ended: Event) => {
    handle.removeEventListener('pointermove', move)
    handle.removeEventListener('pointerup', end)
    handle.removeEventListener('pointercancel', end)
    if (to === null) return
    // The click after a drag would sort the table.
    handle.addEventListener('click', swallow, { capture: true, once: true })
    setTimeout(() => handle.removeEventListener('click', swallow, { capture: true }), 0)
    if (ended.type === 'pointerup') onDrop(to)
    onOver(null)
  }
  handle.addEventListener('pointermove', move)
  handle.addEventListener('pointerup', end)
  handle.addEventListener('pointercancel', end)
}

function swallow(event: Event) {
  event.preventDefault()
  event.stopPropagation()
}

/** Returns the index of the head under the pointer. */
function placeAt(row: Element, x: number): number {
  const heads = [...row.querySelectorAll('[role=columnheader]')]
  const place = heads.findIndex((head) => x < head.getBoundingClientRect().right)
  return place === -1 ? heads.length - 1 : place
}

/**
 * Follows the pointer from a handle at a column's end. `onWidth` receives CSS pixels; `last` is true for the final
 * width.
 */
export function dragWidth(event: PointerEvent<HTMLElement>, onWidth: (width: number, last: boolean) => void): void {
  const head = event.currentTarget.closest('[role=columnheader]')
  if (event.button !== 0 || head === null) return
  event.preventDefault()
  const handle = event.currentTarget
  const from = event.clientX
  const before = head.getBoundingClientRect().width
  handle.setPointerCapture(event.pointerId)
  const move = (moved: globalThis.PointerEvent) => onWidth(before + moved.clientX - from, false)
  const end = (ended: globalThis.PointerEvent) => {
    handle.removeEventListener('pointermove', move)
    handle.removeEventListener('pointerup', end)
    handle.removeEventListener('pointercancel', end)
    onWidth(before + ended.clientX - from, true)
  }
  handle.addEventListener('pointermove', move)
  handle.addEventListener('pointerup', end)
  handle.addEventListener('pointercancel', end)
}

import { useEffect, useRef } from 'react'
import { useStore } from '../../lib/store.ts'
import { afterFrames } from '../../lib/ui/focus.ts'
import type { Inventory } from '../inventory.ts'

/** Below this width, in CSS pixels, only the first column is sticky. */
const slim = 560

/**
 * Keeps the table's scroll position while another screen is shown, and scrolls to the top for another query. Sets
 * `data-sideways` when the table is scrolled horizontally, `data-more` when it can scroll further, and `data-slim`.
 * `minWidth`: the width of all columns in CSS pixels.
 */
export function useScroll({ view, scrolled }: Inventory, scroller: HTMLDivElement, minWidth: number): void {
  const asked = useStore(view)
  const shown = useRef(asked)
  const top = useRef(0)
  useEffect(() => {
    const box = scroller
    box.scrollTo({ ...scrolled })
    const savePosition = () => {
      top.current = box.scrollTop
      scrolled.top = top.current
      scrolled.left = box.scrollLeft
      box.toggleAttribute('data-sideways', scrolled.left > 0)
    }
    box.addEventListener('scroll', savePosition, { passive: true })
    return () => box.removeEventListener('scroll', savePosition)
  }, [scrolled, scroller])
  useEffect(() => followWidth(scroller, minWidth), [scroller, minWidth])
  useEffect(() => {
    if (shown.current === asked) return
    shown.current = asked
    // Reading or setting the box's scroll position would force a layout for each keystroke.
    if (top.current !== 0) void scroller.scrollTo({ top: 0 })
  }, [asked, scroller])
}

/**
 * Follows the width with an observer, because reading it during scrolling would force a layout for each frame. Returns
 * a function that stops it.
 */
function followWidth(box: HTMLDivElement, minWidth: number): () => void {
  let width = 0
  const update = () => box.toggleAttribute('data-more', minWidth - width - box.scrollLeft > 1)
  const sizes = new ResizeObserver(() => {
    width = box.clientWidth
    box.toggleAttribute('data-slim', width < slim)
    box.parentElement?.style.setProperty('--scrollbar', `${box.offsetWidth - width}px`)
    update()
  })
  sizes.observe(box)
  box.addEventListener('scroll', update, { passive: true })
  return () => {
    sizes.disconnect()
    box.removeEventListener('scroll', update)
  }
}

/**
 * Moves the focus to the table when requested, after the list of notifications has closed, which would otherwise return
 * it to its own button.
 */
export function useWantedFocus({ focusRequest }: Inventory, scroller: HTMLDivElement): void {
  const wanted = useStore(focusRequest)
  useEffect(() => {
    if (!wanted) return undefined
    return afterFrames(() => {
      focusRequest.set(false)
      scroller.focus()
    })
  }, [wanted, focusRequest, scroller])
}

import { useEffect, useRef } from 'react'
import { useStore } from '../../lib/store.ts'
import { afterFrames } from '../../lib/ui/focus.ts'
import type { Inventory } from '../inventory.ts'

/** Narrower than this, in CSS pixels, only the first column stays in sight when the table scrolls sideways. */
const slim = 560

/**
 * Where the table is scrolled to: kept while another room is shown, and at the top for another question. Its box says whether it is scrolled sideways
 * (`data-sideways`), whether more follows there (`data-more`), and whether it is `data-slim`. `least`: the width of all columns, CSS pixels.
 */
export function useScroll({ view, scrolled }: Inventory, scroller: HTMLDivElement, least: number): void {
  const asked = useStore(view)
  const shown = useRef(asked)
  const top = useRef(0)
  useEffect(() => {
    const box = scroller
    box.scrollTo({ ...scrolled })
    const keep = () => {
      top.current = box.scrollTop
      scrolled.top = top.current
      scrolled.left = box.scrollLeft
      box.toggleAttribute('data-sideways', scrolled.left > 0)
    }
    box.addEventListener('scroll', keep, { passive: true })
    return () => box.removeEventListener('scroll', keep)
  }, [scrolled, scroller])
  useEffect(() => followWidth(scroller, least), [scroller, least])
  useEffect(() => {
    if (shown.current === asked) return
    shown.current = asked
    // To ask the box itself, or to scroll it in vain, would lay out everything once more for each letter.
    if (top.current !== 0) void scroller.scrollTo({ top: 0 })
  }, [asked, scroller])
}

/** The width is known by being told of it: to ask for it while it scrolls would lay out each frame once more. Returns the way to stop. */
function followWidth(box: HTMLDivElement, least: number): () => void {
  let width = 0
  const look = () => box.toggleAttribute('data-more', least - width - box.scrollLeft > 1)
  const sizes = new ResizeObserver(() => {
    width = box.clientWidth
    box.toggleAttribute('data-slim', width < slim)
    box.parentElement?.style.setProperty('--scrollbar', `${box.offsetWidth - width}px`)
    look()
  })
  sizes.observe(box)
  box.addEventListener('scroll', look, { passive: true })
  return () => {
    sizes.disconnect()
    box.removeEventListener('scroll', look)
  }
}

/** Takes the focus when it is wanted; after the list in which it was chosen has gone, which would give it back to its own button. */
export function useWantedFocus({ wantsFocus }: Inventory, scroller: HTMLDivElement): void {
  const wanted = useStore(wantsFocus)
  useEffect(() => {
    if (!wanted) return undefined
    return afterFrames(() => {
      wantsFocus.set(false)
      scroller.focus()
    })
  }, [wanted, wantsFocus, scroller])
}

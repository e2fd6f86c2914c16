import { useEffect, useRef, useState, type RefObject } from 'react'

/** Whether a box holds more than it shows, so that it must be reached by the keys that scroll; and not otherwise, for each stop of Tab costs. */
export function useScrolls(): { box: RefObject<HTMLDivElement | null>; scrolls: boolean } {
  const box = useRef<HTMLDivElement>(null)
  const [scrolls, setScrolls] = useState(false)
  useEffect(() => {
    const { current } = box
    if (current === null) return undefined
    const look = () => setScrolls(current.scrollHeight > current.clientHeight + 1)
    const sizes = new ResizeObserver(look)
    sizes.observe(current)
    for (const child of current.children) sizes.observe(child)
    return () => sizes.disconnect()
  }, [])
  return { box, scrolls }
}

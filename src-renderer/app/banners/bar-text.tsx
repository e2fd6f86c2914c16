import { useRef, type ReactNode } from 'react'

/**
 * The text of a banner. Where a low window cuts it to one line, its tooltip has the full text; a screen reader always
 * reads all of it.
 */
export function BarText({ children }: { children: ReactNode }) {
  const words = useRef<HTMLParagraphElement>(null)
  function useFullText() {
    const { current } = words
    if (current !== null) current.title = current.scrollWidth > current.clientWidth ? current.textContent : ''
  }
  return (
    <p ref={words} className="bar-text" onPointerEnter={useFullText}>
      {children}
    </p>
  )
}

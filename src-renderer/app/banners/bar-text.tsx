import { useRef, type ReactNode } from 'react'

/** The words of one bar. Where a low window cuts them to one line, hovering tells them whole; a screen reader always has all. */
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

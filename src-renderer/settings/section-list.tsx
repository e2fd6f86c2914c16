import { type RefObject, useEffect, useRef, useState } from 'react'
import { Button } from 'react-aria-components'

/** A section is the current one when its heading is this close to the top, in CSS pixels. */
const nearTop = 96

interface Props {
  /** Headings of the sections, in order. */
  names: readonly string[]
  /** The scroll container of the sections. */
  scroller: RefObject<HTMLElement | null>
}

/** A list of sections beside the settings, which shows the current one and scrolls to each. */
export function SectionList({ names, scroller }: Props) {
  const { current, choose } = useCurrent(names, scroller)
  const go = (name: string) => {
    const section = sectionOf(scroller.current, name)
    section?.scrollIntoView({ block: 'start' })
    choose(name)
    // The keyboard continues from the section.
    section?.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true })
  }
  return (
    <nav className="section-list" aria-label="Sections of the settings">
      <ul>
        {names.map((name) => (
          <li key={name}>
            <Button
              className="section-link"
              aria-current={name === current ? 'location' : 'false'}
              onPress={() => go(name)}
            >
              {name}
            </Button>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function sectionOf(scroller: HTMLElement | null, name: string): HTMLElement | null {
  return scroller?.querySelector<HTMLElement>(`.settings-group[aria-label="${CSS.escape(name)}"]`) ?? null
}

function useCurrent(names: readonly string[], scroller: RefObject<HTMLElement | null>) {
  const [current, setCurrent] = useState(names[0])
  // A short section at the end never reaches the top, so a chosen section stays current until the operator scrolls.
  const chosen = useRef<{ name: string; top: number } | null>(null)
  const choose = (name: string) => {
    chosen.current = { name, top: scroller.current?.scrollTop ?? 0 }
    setCurrent(name)
  }
  useEffect(() => {
    const box = scroller.current
    if (box === null) return undefined
    const update = () => {
      if (chosen.current !== null && Math.abs(chosen.current.top - box.scrollTop) < 2) return
      chosen.current = null
      const limit = box.getBoundingClientRect().top + nearTop
      const above = names.filter((name) => (sectionOf(box, name)?.getBoundingClientRect().top ?? Infinity) <= limit)
      setCurrent(above.at(-1) ?? names[0])
    }
    box.addEventListener('scroll', update, { passive: true })
    return () => box.removeEventListener('scroll', update)
  }, [names, scroller])
  return { current, choose }
}

import { useId, type ReactNode } from 'react'

interface Props {
  title: string
  /** A few words beside the title. */
  note?: string
  className?: string
  /** Choices and links at the end of the heading. */
  tools?: ReactNode
  children: ReactNode
}

/** A part of the overview with a heading. */
export function Panel({ title, note = '', className = '', tools, children }: Props) {
  const id = useId()
  return (
    <section className={`overview-panel ${className}`} aria-labelledby={id}>
      <div className="overview-panel-head">
        <h2 id={id}>{title}</h2>
        {note !== '' && <span className="overview-panel-note">{note}</span>}
        <span className="spring" />
        {tools}
      </div>
      {children}
    </section>
  )
}

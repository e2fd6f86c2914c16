import { useId, type ReactNode } from 'react'

/** A section of a detail pane with a heading. */
export function Part({ title, children }: { title: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section className="detail-part" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  )
}

import { useLoaded } from '../../app/screens/lazy-screens.ts'
import { documentedSchema } from '../documented-schema.ts'
import type { KnownSchema } from '../use-schema.ts'

const load = () => import('./panel.tsx')

/** The documentation of the connection's schema; its code is loaded when it is first opened. */
export function DocumentationLoader({ known }: { known: KnownSchema | null }) {
  const loaded = useLoaded(load)
  if (known === null || loaded === null)
    return (
      <section className="query-docs" aria-label="Documentation">
        <p className="muted-text" role="status">
          {known === null ? 'Reading the schema…' : 'Loading…'}
        </p>
      </section>
    )
  const isOwn = 'schema' in known
  return (
    <loaded.DocumentationPanel schema={isOwn ? known.schema : documentedSchema()} isOwn={isOwn} onClose={toEditor} />
  )
}

/** The focus goes back to where the documentation was asked for. */
const toEditor = () => document.querySelector<HTMLElement>('.query-document .cm-content')?.focus()

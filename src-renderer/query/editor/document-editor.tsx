import { Compartment } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { completion, graphqlLanguageSupport, lint, stateExtensions, updateSchema } from 'cm6-graphql'
import { useEffect, useMemo, useState } from 'react'
import { documentedSchema } from '../documented-schema.ts'
import { change } from '../query-state.ts'
import type { KnownSchema } from '../use-schema.ts'
import { useTab } from '../use-tab.ts'
import { Editor } from './editor.tsx'

/** The document of the shown tab, completed and checked by the service's schema. */
export function DocumentEditor({ known, onRun }: { known: KnownSchema | null; onRun: () => void }) {
  const id = useTab((tab) => tab.id)
  const document = useTab((tab) => tab.document)
  const [view, setView] = useState<EditorView | null>(null)
  const checks = useMemo(() => new Compartment(), [])
  const language = useMemo(() => [graphqlLanguageSupport(), completion, ...stateExtensions(), checks.of([])], [checks])
  useEffect(() => {
    if (view === null) return
    const isOwn = known !== null && 'schema' in known
    updateSchema(view, isOwn ? known.schema : known === null ? undefined : documentedSchema())
    // By the documented minimum what else the service offers would be marked as wrong.
    view.dispatch({ effects: checks.reconfigure(isOwn ? lint : []) })
  }, [view, known, checks])
  return (
    <Editor
      key={id}
      tab={id}
      label="GraphQL document"
      value={document}
      language={language}
      onChange={(text) => change({ document: text })}
      onRun={onRun}
      onView={setView}
    />
  )
}

import '../../styles/query-editor.css'
import { Compartment } from '@codemirror/state'
import { keymap, type EditorView } from '@codemirror/view'
import { stateExtensions, updateSchema } from 'cm6-graphql'
import { BookOpen, ListPlus } from 'lucide-react'
import { useEffect, useMemo, useState, type ReactNode } from 'react'
import { Button } from 'react-aria-components'
import { openDocumentation } from '../documentation/documentation.ts'
import { documentedSchema } from '../documented-schema.ts'
import { change } from '../query-state.ts'
import type { KnownSchema } from '../use-schema.ts'
import { useTab } from '../use-tab.ts'
import { schemaCompletion } from './completion.ts'
import { Editor } from './editor.tsx'
import { fieldCosts, useFieldCosts } from './field-costs.ts'
import { fillAtCursor } from './fill-fields.ts'
import { graphqlSupport } from './grammar.ts'
import { schemaLint } from './lint.ts'
import { schemaHints } from './schema-hints.ts'

/** The longest document that is checked, characters: checking reads all of it. */
const maxChecked = 100_000

interface Props {
  known: KnownSchema | null
  onRun: () => void
  /** More buttons of its bar. */
  children: ReactNode
}

/** The document of the shown tab, completed and checked by the service's schema. */
export function DocumentEditor({ known, onRun, children }: Props) {
  const id = useTab((tab) => tab.id)
  const document = useTab((tab) => tab.document)
  const isLong = document.length > maxChecked
  const [view, setView] = useState<EditorView | null>(null)
  const checks = useMemo(() => new Compartment(), [])
  const language = useMemo(
    () => [
      graphqlSupport(),
      schemaCompletion,
      ...stateExtensions(),
      checks.of([]),
      schemaHints,
      keymap.of([{ key: 'Alt-Enter', run: fillAtCursor }]),
      fieldCosts,
    ],
    [checks],
  )
  useEffect(() => {
    if (view === null) return
    const isOwn = known !== null && 'schema' in known
    updateSchema(view, isOwn ? known.schema : known === null ? undefined : documentedSchema())
    // By the documented minimum what else the service offers would be marked as wrong.
    view.dispatch({ effects: checks.reconfigure(isOwn && !isLong ? schemaLint : []) })
  }, [view, known, checks, isLong])
  useFieldCosts(view)
  const fill = () => {
    if (view === null) return
    fillAtCursor(view)
    view.focus()
  }
  return (
    <div className="query-document">
      <div className="query-bar">
        <Button className="button subtle" onPress={() => openDocumentation(null, true)}>
          <BookOpen size={14} aria-hidden />
          Documentation
        </Button>
        <Button className="button subtle" onPress={fill}>
          <ListPlus size={14} aria-hidden />
          Fill fields
        </Button>
        {children}
        {isLong && <span className="muted-text">The document is too long to be checked.</span>}
      </div>
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
    </div>
  )
}

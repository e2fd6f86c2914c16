import { json, jsonParseLinter } from '@codemirror/lang-json'
import { linter } from '@codemirror/lint'
import type { EditorView } from '@codemirror/view'
import { useEffect, useMemo, useState } from 'react'
import { systemClock } from '../../../src-shared/lib/clock.ts'
import { documentedSchema } from '../documented-schema.ts'
import { change } from '../query-state.ts'
import type { KnownSchema } from '../use-schema.ts'
import { useTab } from '../use-tab.ts'
import { useTenants } from '../use-tenants.ts'
import { Editor } from './editor.tsx'
import { variablesOf } from './variable-types.ts'
import { setVariablesContext, variablesLanguage } from './variables-language.ts'

/** The pause in typing, ms, after which the document's variables are read. */
const pauseMs = 300

interface Props {
  connection: string | null
  /** The chosen operation; null: the first one. */
  operation: string | null
  known: KnownSchema | null
  onRun: () => void
}

/** The variables of the shown tab, completed and checked by what its operation takes. */
export function VariablesEditor({ connection, operation, known, onRun }: Props) {
  const id = useTab((tab) => tab.id)
  const variables = useTab((tab) => tab.variables)
  const [view, setView] = useState<EditorView | null>(null)
  const language = useMemo(() => [json(), linter(jsonParseLinter()), variablesLanguage], [])
  useVariables(view, { connection, operation, known })
  return (
    <Editor
      key={id}
      tab={id}
      label="Variables as JSON"
      value={variables}
      language={language}
      onChange={(text) => change({ variables: text })}
      onRun={onRun}
      onView={setView}
    />
  )
}

/** Tells the editor what the document's operation takes, after each pause in writing it. */
function useVariables(view: EditorView | null, { connection, operation, known }: Omit<Props, 'onRun'>): void {
  const tenants = useTenants(connection)
  const document = useTab((tab) => tab.document)
  useEffect(() => {
    if (view === null || known === null) return undefined
    const isChecked = 'schema' in known
    return systemClock.after(pauseMs, () => {
      const declared = variablesOf(document, operation, isChecked ? known.schema : documentedSchema())
      view.dispatch({ effects: setVariablesContext.of({ declared, isChecked, tenants }) })
    })
  }, [view, known, tenants, document, operation])
}

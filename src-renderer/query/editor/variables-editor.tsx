import { json, jsonParseLinter } from '@codemirror/lang-json'
import { linter } from '@codemirror/lint'
import { useMemo } from 'react'
import { change } from '../query-state.ts'
import { useTab } from '../use-tab.ts'
import { Editor } from './editor.tsx'

/** The variables of the shown tab. */
export function VariablesEditor({ onRun }: { onRun: () => void }) {
  const id = useTab((tab) => tab.id)
  const variables = useTab((tab) => tab.variables)
  const language = useMemo(() => [json(), linter(jsonParseLinter())], [])
  return (
    <Editor
      key={id}
      tab={id}
      label="Variables as JSON"
      value={variables}
      language={language}
      onChange={(text) => change({ variables: text })}
      onRun={onRun}
    />
  )
}

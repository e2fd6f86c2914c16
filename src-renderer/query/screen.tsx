import '../no-eval.ts'
import '../styles/query.css'
import { json, jsonParseLinter } from '@codemirror/lang-json'
import { linter } from '@codemirror/lint'
import { Compartment } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { completion, graphqlLanguageSupport, lint, stateExtensions, updateSchema } from 'cm6-graphql'
import { parse, print } from 'graphql'
import { Play, Square } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { Button } from 'react-aria-components'
import { explain } from '../../src-shared/model/fault.ts'
import { useAppContext } from '../lib/context.ts'
import { useCall } from '../lib/hooks/use-call.ts'
import { useStore } from '../lib/store.ts'
import { CopyCurl } from './copy-curl.tsx'
import { AnswerPane } from './answer/answer-pane.tsx'
import { CostLine } from './cost-line.tsx'
import { Editor } from './editor/editor.tsx'
import { documentedSchema } from './documented-schema.ts'
import { change, queryState } from './query-state.ts'
import { useRun } from './use-run.ts'
import { useSchema, type KnownSchema } from './use-schema.ts'
import { operationNames, withVariable } from './variables.ts'

/** Asks a connection's service anything: a document, its variables, what it would cost, and the answer. */
export function QueryScreen({ coreLost }: { coreLost: boolean }) {
  const { session } = useAppContext()
  const connections = useStore(session.state, ({ app }) => app?.connections ?? none)
  const chosen = useStore(queryState, (state) => state.connection)
  const connection = connections.find(({ id }) => id === chosen)?.id ?? connections[0]?.id ?? null
  const { known, again } = useSchema(connection)
  const document = useStore(queryState, (state) => state.document)
  const names = useMemo(() => operationNames(document), [document])
  const [wanted, setWanted] = useState<string | null>(null)
  const operation = names.length < 2 ? null : (names.find((name) => name === wanted) ?? names[0] ?? null)
  const { run, cancel } = useRun(connection, operation)
  const running = useStore(queryState, (state) => state.run.is === 'running')
  return (
    <div className="screen query-screen" id="query" tabIndex={-1}>
      <div className="screen-head">
        <h1>Query</h1>
        <Select
          label="Connection"
          value={connection ?? ''}
          options={connections.map(({ id, name }) => ({ value: id, word: name }))}
          onChange={(id) => change({ connection: id })}
        />
        <TenantChoice connection={connection} />
        {names.length > 1 && (
          <Select
            label="Operation"
            value={operation ?? ''}
            options={names.map((name) => ({ value: name, word: name }))}
            onChange={setWanted}
          />
        )}
        <span className="spring" />
        <CopyCurl connection={connection} operation={operation} />
        <Button className="button" onPress={format}>
          Format
        </Button>
        {running ? (
          <Button className="button primary" onPress={cancel}>
            <Square size={14} aria-hidden />
            Cancel
          </Button>
        ) : (
          <Button className="button primary" isDisabled={coreLost || connection === null} onPress={run}>
            <Play size={14} aria-hidden />
            Run
          </Button>
        )}
      </div>
      {connections.length === 0 && <p className="screen-note">Add a connection first.</p>}
      <div className="query-panes">
        <section className="query-left" aria-label="Query">
          <DocumentEditor known={known} onRun={run} />
          <h2>Variables</h2>
          <VariablesEditor onRun={run} />
          <CostLine connection={connection} />
          <SchemaNote known={known} connection={connection} onAgain={again} />
        </section>
        <AnswerPane coreLost={coreLost} />
      </div>
    </div>
  )
}

const none: readonly never[] = []

/** Writes the document with the usual indentation; one that is no GraphQL stays as it is. */
function format(): void {
  try {
    change({ document: `${print(parse(queryState.get().document))}\n` })
  } catch {
    // The editor marks what is wrong.
  }
}

/** Fills the variable `tenantId`. */
function TenantChoice({ connection }: { connection: string | null }) {
  const { session } = useAppContext()
  const { value, current } = useCall(connection, async () => {
    const answer = connection === null ? null : await session.pipe.call('query.tenants', { connection })
    return answer?.ok === true ? answer.value.tenants : []
  })
  const tenants = current && value !== null ? value : []
  const fill = (id: string) => {
    const variables = withVariable(queryState.get().variables, 'tenantId', id)
    if (id !== '' && variables !== null) change({ variables })
  }
  const options = [
    { value: '', word: 'Fill $tenantId…' },
    ...tenants.map(({ id, name }) => ({ value: id, word: name })),
  ]
  return <Select label="Tenant" value="" options={options} onChange={fill} />
}

interface SelectProps {
  label: string
  value: string
  options: readonly { value: string; word: string }[]
  onChange: (value: string) => void
}

function Select({ label, value, options, onChange }: SelectProps) {
  return (
    <label className="query-choice">
      <span>{label}</span>
      <select
        className="input"
        value={value}
        disabled={options.length === 0}
        onChange={(event) => onChange(event.target.value)}
      >
        {options.map((each) => (
          <option key={each.value} value={each.value}>
            {each.word}
          </option>
        ))}
      </select>
    </label>
  )
}

function DocumentEditor({ known, onRun }: { known: KnownSchema | null; onRun: () => void }) {
  const document = useStore(queryState, (state) => state.document)
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
      label="GraphQL document"
      value={document}
      language={language}
      onChange={(text) => change({ document: text })}
      onRun={onRun}
      onView={setView}
    />
  )
}

function VariablesEditor({ onRun }: { onRun: () => void }) {
  const variables = useStore(queryState, (state) => state.variables)
  const language = useMemo(() => [json(), linter(jsonParseLinter())], [])
  return (
    <Editor
      label="Variables as JSON"
      value={variables}
      language={language}
      onChange={(text) => change({ variables: text })}
      onRun={onRun}
    />
  )
}

/** Says why nothing is completed. */
function SchemaNote({
  known,
  connection,
  onAgain,
}: {
  known: KnownSchema | null
  connection: string | null
  onAgain: () => void
}) {
  if (connection === null) return null
  if (known === null) return <p className="muted-text">Reading the schema…</p>
  if ('schema' in known) return null
  const { title, advice } = explain(known.fault)
  return (
    <p className="muted-text" role="status">
      The service did not tell its schema: only what is documented is completed, and nothing is checked. {title}{' '}
      {advice}{' '}
      <Button className="button" onPress={onAgain}>
        Read again
      </Button>
    </p>
  )
}

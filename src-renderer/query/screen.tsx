import '../no-eval.ts'
import '../styles/query.css'
import { parse, print } from 'graphql'
import { AlignLeft, Info } from 'lucide-react'
import { useMemo } from 'react'
import { Button } from 'react-aria-components'
import { useAppContext } from '../lib/context.ts'
import { useStore } from '../lib/store.ts'
import { IconButton } from '../lib/ui/buttons/icon-button.tsx'
import { CopyCurl } from './copy-curl.tsx'
import { CostLine } from './cost-line.tsx'
import { DocumentationLoader } from './documentation/loader.tsx'
import { DocumentEditor } from './editor/document-editor.tsx'
import { VariablesEditor } from './editor/variables-editor.tsx'
import { KeptPanel } from './kept/kept-panel.tsx'
import { TabBar } from './kept/tab-bar.tsx'
import { tabId, tabPanelId } from './kept/tab-ids.ts'
import { activeTab, change, tabs } from './query-state.ts'
import { RunMore } from './run-more.tsx'
import { showOffers } from './offers/offers-state.ts'
import { RunButton } from './run-button.tsx'
import { SchemaNote } from './schema-note.tsx'
import { Select } from '../lib/ui/select.tsx'
import { sidePanel } from './side-panel.ts'
import { ResultPane } from './streams/result-pane.tsx'
import { useStart } from './streams/use-start.ts'
import { TenantChoice } from './tenant-choice.tsx'
import { useSchema } from './use-schema.ts'
import { ReadElsewhereNote } from './read-elsewhere-note.tsx'
import { useRunsElsewhere } from './use-runs-elsewhere.ts'
import { usePausedTab, useTab } from './use-tab.ts'
import { chosenOperation, operationNames } from './variables.ts'

/** Asks a connection's service anything: a document, its variables, what it would cost, and the answer. */
export function QueryScreen({ coreLost }: { coreLost: boolean }) {
  const { session } = useAppContext()
  const connections = useStore(session.state, ({ app }) => app?.connections ?? none)
  const chosen = useTab((tab) => tab.connection)
  const connection = connections.find(({ id }) => id === chosen)?.id ?? connections[0]?.id ?? null
  // Without its secret, its operations run at another member of the team alone.
  const runs = useRunsElsewhere(connection) === null ? connection : null
  const { known, again } = useSchema(connection)
  const paused = usePausedTab()
  const names = useMemo(() => operationNames(paused.document), [paused.document])
  const operation = useMemo(() => chosenOperation(paused), [paused])
  const tab = useTab(({ id }) => id)
  const panel = useStore(sidePanel)
  const start = useStart(runs, paused.document, operation)
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
        {connection !== null && (
          <IconButton label="What the service offers" onPress={() => showOffers(connection)}>
            <Info size={16} aria-hidden />
          </IconButton>
        )}
        <TenantChoice connection={connection} />
        {names.length > 1 && (
          <Select
            label="Operation"
            value={operation ?? ''}
            options={names.map((name) => ({ value: name, word: name }))}
            onChange={(name) => change({ operation: name })}
          />
        )}
        <span className="spring" />
        <RunButton start={start} connection={runs} coreLost={coreLost} />
        <RunMore
          connection={runs}
          operation={operation}
          isDisabled={start.running !== null || start.kind !== 'query' || coreLost}
        />
      </div>
      <TabBar />
      {connections.length === 0 && <p className="screen-note">Add a connection first.</p>}
      <ReadElsewhereNote connection={connection} />
      <div className="query-panes" id={tabPanelId} role="tabpanel" aria-labelledby={tabId(tab)}>
        {panel === 'kept' && <KeptPanel />}
        {panel === 'documentation' && <DocumentationLoader known={known} />}
        <section className="query-left" aria-label="Query">
          <DocumentEditor known={known} onRun={start.begin}>
            <Button className="button subtle" onPress={format}>
              <AlignLeft size={14} aria-hidden />
              Format
            </Button>
            <CopyCurl connection={connection} operation={operation} />
          </DocumentEditor>
          <h2>Variables</h2>
          <VariablesEditor connection={connection} operation={operation} known={known} onRun={start.begin} />
          <CostLine connection={connection} operation={operation} />
          <SchemaNote known={known} connection={connection} onAgain={again} />
        </section>
        <ResultPane coreLost={coreLost} subscriptions={start.subscriptions} />
      </div>
    </div>
  )
}

const none: readonly never[] = []

/** Writes the document with the usual indentation; one that is no GraphQL stays as it is. */
function format(): void {
  try {
    change({ document: `${print(parse(activeTab(tabs.get()).document))}\n` })
  } catch {
    // The editor marks what is wrong.
  }
}

import { randomBytes, randomUUID } from 'node:crypto'
import { homedir } from 'node:os'
import { calls, type CallInput, type Handlers } from '../../src-shared/contract/contract.ts'
import type { BundleFile, Diagnostics } from '../../src-shared/contract/diagnostics.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import type { Settings } from '../../src-shared/model/settings.ts'
import type { ConnectionState } from '../../src-shared/model/connection.ts'
import { baseFieldNames } from '../api/operations.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { Ports } from '../ports.ts'
import { bundleOf } from './bundle/bundle.ts'
import { inChunks, mapJsonTexts, zipOf } from './bundle/files.ts'
import { createMarker, noMarks } from './names/marker.ts'
import { withoutMarks } from './names/name-shapes.ts'
import { hostIn, namesInKey, namesOf, type Names } from './names/names.ts'
import { logTail } from './profile-files.ts'
import { createPseudonyms } from './names/pseudonyms.ts'
import { cleaned, takeSnapshot, type SnapshotSources } from './snapshot.ts'
import type { Self } from './self.ts'

export interface DiagnosticsDeps extends SnapshotSources {
  /** Its settings store the key of the pseudonyms. */
  ports: Ports
  self: Self
  /** The names known in this run; those of a bundle are added. */
  names: Names
  data: Pick<InventoryData, 'metrics' | 'statistics' | 'locations'>
  settings: () => Settings
  states: () => readonly ConnectionState[]
}

type Calls = Pick<Handlers, 'diagnostics.show' | 'diagnostics.drawn' | 'support.preview' | 'support.save'>

/** Returns the calls for diagnostics and the support bundle: made, previewed, and only then saved. */
export function diagnosticsHandlers(deps: DiagnosticsDeps): Calls {
  let preview: { id: string; at: number; files: BundleFile[] } | null = null
  return {
    'diagnostics.show': () => takeSnapshot(deps),
    async 'diagnostics.drawn'() {
      deps.self.marks.mark('drawn')
      return {}
    },
    async 'support.preview'(wanted) {
      const files = await previewOf(deps, wanted)
      preview = { id: randomUUID(), at: deps.ports.clock.now(), files }
      return { id: preview.id, files }
    },
    async 'support.save'({ id, files: chosen }) {
      if (preview === null || preview.id !== id)
        throw new FaultError('input', 'This preview is no longer kept. Make it again.')
      const files = preview.files.filter(({ name }) => chosen.includes(name))
      if (files.length === 0) throw new FaultError('input', 'Choose at least one file.')
      const day = new Date(preview.at).toISOString().slice(0, 16).replaceAll(/[-:]/g, '').replace('T', '-')
      return { name: `muster-support-${day}.zip`, zip: Buffer.from(await zipOf(files, preview.at)).toString('base64') }
    },
  }
}

async function previewOf(
  deps: DiagnosticsDeps,
  { pseudonyms, names, window }: CallInput<'support.preview'>,
): Promise<BundleFile[]> {
  const {
    ports,
    ports: { clock, paths },
    self: { findings },
    snapshot,
    settings,
    states,
    data,
  } = deps
  const [seen, log, statistics, locations] = await Promise.all([
    takeSnapshot(deps),
    logTail(paths.profile),
    data.statistics({ now: clock.now() }).catch(() => null),
    data.locations({ keys: [], paused: [] }).catch(() => null),
  ])
  const keys = [
    ...(statistics?.busiest ?? []).map(({ key }) => key),
    ...settings().watched,
    ...(locations?.tenants ?? []).map(({ key }) => key),
  ]
  deps.names.learn(keys.flatMap(namesInKey))
  learnAll(deps, seen, locations?.tenants ?? [])
  const replace = pseudonyms
    ? createPseudonyms(keyOf(ports.settings), deps.names.all(), plainNames(deps))
    : withoutMarks
  const retainedLog = seen.log
    .map(({ at, level, text }) => `${new Date(at).toISOString()} ${level.padEnd(5)} ${deps.names.marked(text)}\n`)
    .join('')
  const drafts = bundleOf({
    seen,
    window,
    log: log ?? retainedLog,
    settings: settings(),
    records: snapshot.records(),
    states: states(),
    findings: findings.all(),
    statistics,
    pseudonyms,
    names,
    mark: pseudonyms ? createMarker(deps.names) : noMarks,
  })
  const files: BundleFile[] = []
  for (const { name, what, text } of drafts) {
    const change = (part: string) => (name.endsWith('.json') ? mapJsonTexts(part, replace) : replace(part))
    const shown = await inChunks(text, (part) => change(withoutHome(cleaned(snapshot, part))))
    files.push({ name, what, bytes: Buffer.byteLength(shown), text: shown })
  }
  return files
}

/** Replaces the home folder, which contains the user's name, by ~. */
function withoutHome(text: string): string {
  const home = homedir()
  return home.length < 4
    ? text
    : [JSON.stringify(home).slice(1, -1), home].reduce((shorter, form) => shorter.replaceAll(form, '~'), text)
}

const keyName = 'pseudonymKey'

/** Adds the names that a bundle contains now to those that its log contains. */
function learnAll(
  { names, snapshot, settings, ports: { proxies } }: DiagnosticsDeps,
  seen: Diagnostics,
  tenants: readonly { name: string }[],
): void {
  names.learn(snapshot.records().flatMap(namesOf))
  names.learn(tenants.map(({ name }) => ({ kind: 'tenant', name })))
  const { updateFeed } = settings()
  names.learn(
    [
      updateFeed,
      ...proxies.states().map(({ address }) => address),
      ...seen.proxies.flatMap(({ proxy }) => proxy ?? []),
    ].flatMap(hostIn),
  )
}

/** Returns names of calls and fields, which occur in log and findings and look like hosts. */
function plainNames({ ports: { settings } }: DiagnosticsDeps): Set<string> {
  const schemas = Object.values(settings.get('schemas') ?? {}).flatMap((schema) => String(schema).split(/[\s:]/u))
  return new Set([...Object.keys(calls), ...baseFieldNames, ...schemas].map((name) => name.toLowerCase()))
}

/** Returns the key of the pseudonyms, made once for each profile, so that bundles of one computer can be compared. */
function keyOf(file: Ports['settings']): string {
  const stored = file.get(keyName)
  if (typeof stored === 'string' && stored.length >= 32) return stored
  const made = randomBytes(24).toString('hex')
  try {
    file.set(keyName, made)
  } catch {
    // On a full disk the next bundle has other pseudonyms.
  }
  return made
}

import { z } from 'zod'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { StoredPolicy } from '../storage/journal/incidents.ts'
import type { Clock } from '../../src-shared/lib/clock.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import {
  nodeThresholds,
  type NodeThresholds,
  type Policies,
  type PolicyPlace,
} from '../../src-shared/model/incidents.ts'
import { everything } from '../../src-shared/model/inventory.ts'
import { above } from '../../src-shared/model/tree.ts'
import { movedTo } from '../../src-shared/maintenance/move.ts'
import {
  createMaintenance,
  storedMaintenance,
  type Occurrence,
  type MaintenanceWindow,
} from '../../src-shared/maintenance/maintenance.ts'
import { createZones, isZone, type PlaceZone, zoneAt, zoneText } from '../../src-shared/maintenance/zones.ts'
import { openPolicyPlaces } from './policy-places.ts'
import type { PolicyState } from './policy-state.ts'

/**
 * The operator's policies beside the settings (design, section 8): maintenance windows, time zones and thresholds of
 * nodes. They are stored in the journal, and each change is an action that can be undone.
 */
export interface PolicyService {
  /** Returns the present policies in the engine's form. */
  state(): PolicyState
  policies(): Policies
  saveMaintenance(window: MaintenanceWindow): Promise<number>
  removeMaintenance(id: string): Promise<number>
  setZone(node: string, nodeName: string, zone: string | null): Promise<number>
  setThresholds(node: string, nodeName: string, thresholds: NodeThresholds): Promise<number>
  /** Restores policies to an earlier state. */
  restore(before: unknown): Promise<void>
  /** Reads the policies again, because the erasure of a connection may have removed some. */
  reload(): Promise<void>
  /** Must be called when places may have come, gone or moved. Resolves when their policies apply to them. */
  placesChanged(): Promise<void>
}

export interface PolicyOptions {
  data: Pick<InventoryData, 'policies' | 'savePolicies' | 'policyPlaces'>
  clock: Clock
  onChange: () => void
}

const storedZone = z.object({ nodeName: z.string(), zone: zoneText })
const storedThresholds = z.object({ nodeName: z.string(), thresholds: nodeThresholds })
const storedPolicies = z.array(
  z.object({ kind: z.enum(['maintenance', 'zone', 'thresholds']), id: z.string(), value: z.unknown() }),
)
/** The maximum number of maintenance windows. Each is examined at every evaluation. */
const maxWindows = 1000

interface PolicyValues {
  windows: Map<string, MaintenanceWindow>
  zones: Map<string, { nodeName: string; zone: string }>
  thresholds: Map<string, { nodeName: string; thresholds: NodeThresholds }>
}

export async function openPolicies({ data, clock, onChange }: PolicyOptions): Promise<PolicyService> {
  let values = readPolicies(await data.policies())
  const places = await openPolicyPlaces(data, () => nodesOf(values))
  const zones = createZones()
  const maintenance = createMaintenance(zones)
  const valueOf = (kind: StoredPolicy['kind'], id: string): unknown =>
    (kind === 'maintenance'
      ? values.windows.get(id)
      : kind === 'zone'
        ? values.zones.get(id)
        : values.thresholds.get(id)) ?? null
  const put = async (policies: StoredPolicy[]): Promise<number> => {
    const before = policies.map(({ kind, id }) => ({ kind, id, value: valueOf(kind, id) }))
    const { action } = await data.savePolicies({ policies, action: { at: clock.now(), kind: 'policies', before } })
    for (const policy of policies) setPolicy(values, policy)
    await places.read()
    onChange()
    return action
  }
  return {
    state: () => policyStateOf(values, maintenance, zoneOfNode(values, places.known())),
    policies: () => policiesOf(values, places.known()),
    async saveMaintenance(window) {
      if (!values.windows.has(window.id) && values.windows.size >= maxWindows)
        throw new FaultError('input', `There are ${maxWindows} maintenance windows already.`)
      return put([{ kind: 'maintenance', id: window.id, value: window }])
    },
    removeMaintenance: (id) => put([{ kind: 'maintenance', id, value: null }]),
    async setZone(node, nodeName, zone) {
      if (zone !== null && !isZone(zone)) throw new FaultError('input', 'This time zone is not known here.')
      // A window in its place's local time keeps its time of day.
      const moved = movedTo(policiesOf(values, places.known()), node, zone, zones, clock.now()).filter(
        ({ before, after }) => before !== after,
      )
      return put([
        { kind: 'zone', id: node, value: zone === null ? null : { nodeName, zone } },
        ...moved.map(({ after }) => ({ kind: 'maintenance' as const, id: after.id, value: after })),
      ])
    },
    setThresholds: (node, nodeName, thresholds) =>
      put([
        { kind: 'thresholds', id: node, value: Object.keys(thresholds).length === 0 ? null : { nodeName, thresholds } },
      ]),
    async restore(before) {
      const read = storedPolicies.safeParse(before)
      if (read.success) await put(read.data)
    },
    async reload() {
      values = readPolicies(await data.policies())
      await places.read()
      onChange()
    },
    async placesChanged() {
      if (await places.read()) onChange()
    },
  }
}

const nodesOf = ({ windows, zones, thresholds }: PolicyValues): string[] => [
  ...new Set([...[...windows.values()].map(({ node }) => node), ...zones.keys(), ...thresholds.keys()]),
]

/** Returns where the zone of a node comes from, by the present places. */
function zoneOfNode({ zones }: PolicyValues, places: readonly PolicyPlace[]): (node: string) => PlaceZone {
  const zoned = new Map([...zones].map(([node, { zone }]) => [node, zone]))
  const accounts = new Map(places.map(({ node, account }) => [node, account]))
  const own = ownZone()
  return (node) => zoneAt(above(node, accounts.get(node) ?? null), zoned, own)
}

/** Returns the stored policies. Those that cannot be read are left out and stay in the journal. */
function readPolicies(policies: readonly StoredPolicy[]): PolicyValues {
  const values: PolicyValues = { windows: new Map(), zones: new Map(), thresholds: new Map() }
  for (const policy of policies) setPolicy(values, policy)
  return values
}

function setPolicy({ windows, zones, thresholds }: PolicyValues, { kind, id, value }: StoredPolicy): void {
  if (kind === 'maintenance') setOrDelete(windows, id, storedMaintenance(value))
  else if (kind === 'zone') setOrDelete(zones, id, storedZone.safeParse(value).data)
  else setOrDelete(thresholds, id, storedThresholds.safeParse(value).data)
}

function setOrDelete<T>(map: Map<string, T>, id: string, value: T | undefined): void {
  if (value === undefined) map.delete(id)
  else map.set(id, value)
}

const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

function policyStateOf(
  { windows, thresholds }: PolicyValues,
  maintenance: ReturnType<typeof createMaintenance>,
  inherited: (node: string) => PlaceZone,
): PolicyState {
  const known = new Map<string, { now: number; at: Occurrence | null }>()
  const zoneOf = (window: MaintenanceWindow) => window.zone ?? inherited(window.node).zone
  const occurrence = (id: string, now: number): Occurrence | null => {
    const before = known.get(id)
    if (before?.now === now) return before.at
    const window = windows.get(id)
    const at = window === undefined ? null : maintenance.occurrenceAt(window, zoneOf(window), now)
    known.set(id, { now, at })
    return at
  }
  const spans = new Map<string, { span: string; times: Occurrence[] }>()
  // Most missed drops share one span, so the last result is cached.
  const times = (window: MaintenanceWindow, from: number, until: number): Occurrence[] => {
    const span = `${from} ${until}`
    const known = spans.get(window.id)
    if (known?.span === span) return known.times
    const found = maintenance.occurrencesBetween(window, zoneOf(window), from, until)
    spans.set(window.id, { span, times: found })
    return found
  }
  return {
    nodes: new Map([...thresholds].map(([node, one]) => [node, one.thresholds])),
    maintenanceUntil(time, now) {
      const { window, from, node } = runOf(time)
      const at = windows.get(window)?.node === node ? occurrence(window, now) : null
      return at?.from === from ? at.until : null
    },
    endedMaintenance(path, { from, until }, now) {
      const nodes = new Set([...path, everything])
      const all = [...windows.values()]
        .filter(({ node }) => nodes.has(node))
        .flatMap((window) =>
          times(window, from, until).flatMap((at) =>
            at.until > now
              ? []
              : [
                  {
                    id: runId(window.id, at.from, window.node),
                    name: window.name,
                    node: window.node,
                    until: at.until,
                  },
                ],
          ),
        )
      return all.reduce<(typeof all)[number] | null>(
        (last, one) => (last === null || one.until > last.until ? one : last),
        null,
      )
    },
    maintenanceAt(path, now) {
      if (windows.size === 0) return null
      const nodes = new Set([...path, everything])
      const all = [...windows.values()].flatMap(({ id, name, node }) => {
        const at = nodes.has(node) ? occurrence(id, now) : null
        return at === null ? [] : [{ id: runId(id, at.from, node), name, node, until: at.until }]
      })
      return all.reduce<(typeof all)[number] | null>(
        (latest, one) => (latest === null || one.until > latest.until ? one : latest),
        null,
      )
    },
  }
}

/**
 * Returns the id of one run of a window over one node. A run that begins at another time or covers another node has
 * another id.
 */
export const runId = (window: string, from: number, node: string): string => JSON.stringify([window, from, node])
const runParts = z.tuple([z.string(), z.number(), z.string()]).catch(['', 0, ''])

function runOf(id: string): { window: string; from: number; node: string } {
  const [window, from, node] = runParts.parse(parsedTime(id))
  return { window, from, node }
}

function parsedTime(id: string): unknown {
  try {
    return JSON.parse(id)
  } catch {
    return null
  }
}

function policiesOf(values: PolicyValues, places: readonly PolicyPlace[]): Policies {
  const { windows, zones, thresholds } = values
  const inherited = zoneOfNode(values, places)
  return {
    ownZone: ownZone(),
    windows: [...windows.values()].map((window) => {
      const { zone, from } = inherited(window.node)
      return { window, zone: window.zone ?? zone, inheritedFrom: window.zone === null ? from : null }
    }),
    zones: [...zones].map(([node, one]) => ({ node, ...one })),
    thresholds: [...thresholds].map(([node, one]) => ({ node, ...one })),
    places: [...places],
  }
}

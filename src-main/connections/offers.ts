import type { CallOutput } from '../../src-shared/contract/contract.ts'
import { baseFields } from '../../src-shared/model/base-fields.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import type { ServiceUse } from '../../src-shared/model/service-uses.ts'
import type { Capabilities } from '../api/capabilities.ts'
import type { StoredDialect } from '../api/dialect.ts'
import type { MutationOffer } from '../api/mutations/mutations.ts'
import { shardSize } from '../live/subscriptions/shards.ts'
import { operationLimit } from '../pacing/cost/costs.ts'
import { maxPageSize } from '../sync/tenants/tenant-sync.ts'
import type { ConnectionContext } from './context.ts'
import type { ManagedConnection } from './managed.ts'

type Offers = CallOutput<'offers.read'>

/** Returns what Muster uses of a connection's service. Sends nothing but, once, the question which mutations there are. */
export async function offersOf(context: ConnectionContext, connection: string): Promise<Offers> {
  const entry = context.entries.get(connection)
  if (entry === undefined) throw new FaultError('input', 'connection: There is no such connection.')
  const { runner, client, record } = entry
  const gauge = context.pacers.of(record).gauge()
  const dialect = client?.dialect.stored() ?? null
  const capabilities = runner?.sync.service()?.capabilities ?? null
  const on = new Set(context.extraColumns.state().flatMap((column) => (column.on ? [column.name] : [])))
  return {
    schema: capabilities === null ? 'unread' : capabilities.described ? 'yes' : 'refused',
    uses: usesOf(context, entry, capabilities, dialect),
    leftOut: (dialect?.lacks ?? []).map(([path, at]) => ({ path, at })),
    types: (dialect?.types ?? []).map(([variable, type]) => ({ variable, type })),
    baseFields: ['id', ...baseFields],
    columns: (capabilities?.columns ?? []).map(({ name }) => ({ name, isOn: on.has(name) })),
    limits: {
      operation: operationLimit,
      window: gauge.known ? gauge.limit : null,
      basis: gauge.basis,
      pageLimit: dialect?.pageLimit ?? null,
      largestPage: maxPageSize,
      subscriptionIds: shardSize,
    },
    regions: await context.options.data.regions({ connection }),
  }
}

type Finding = Omit<ServiceUse, 'name'>

function usesOf(
  context: ConnectionContext,
  entry: ManagedConnection,
  capabilities: Capabilities | null,
  dialect: StoredDialect | null,
): ServiceUse[] {
  const named = (name: ServiceUse['name'], found: Finding): ServiceUse => ({ name, ...found })
  const { record, client } = entry
  /** Returns how a feature of the schema is used; `without`: the state where there is none. */
  const inSchema = (has: (known: Capabilities) => string | boolean | null, without: Finding['state']): Finding => {
    if (capabilities === null) return { state: 'unknown', reason: 'unread', detail: '' }
    if (!capabilities.described) return { state: without, reason: 'no-schema', detail: '' }
    const found = has(capabilities)
    const state = found === false || found === null ? without : 'used'
    return { state, reason: 'schema', detail: typeof found === 'string' ? found : '' }
  }
  const columns = capabilities?.columns.length ?? 0
  return [
    named('introspection', introspectionUse(capabilities)),
    named(
      'pageSize',
      inSchema(({ pageSize }) => pageSize, 'fallback'),
    ),
    named(
      'sort',
      inSchema(({ sort }) => sort, 'fallback'),
    ),
    named(
      'deviceById',
      inSchema(({ deviceById }) => deviceById && `device(id: ${deviceById})`, 'fallback'),
    ),
    named('totals', totalsUse(capabilities, dialect)),
    named('searchError', errorUse(capabilities, dialect)),
    named('stream', streamUse(entry)),
    named('eventFields', eventUse(entry)),
    named('people', peopleUse(capabilities)),
    named(
      'credential',
      inSchema(({ credential }) => credential && `clientCredential(id: ${credential.idType})`, 'off'),
    ),
    named('places', placesUse(context.placeDirectories.of(record.id, entry.set)?.state ?? null)),
    named(
      'columns',
      inSchema(() => (columns > 0 ? `${columns}` : false), 'off'),
    ),
    named('cost', costUse(context.pacers.of(record).gauge())),
    ...mutationUses(client?.mutations ?? null),
  ]
}

function introspectionUse(capabilities: Capabilities | null): Finding {
  if (capabilities === null) return { state: 'unknown', reason: 'unread', detail: '' }
  return capabilities.described
    ? { state: 'used', reason: 'schema', detail: '' }
    : { state: 'fallback', reason: 'no-schema', detail: '' }
}

function totalsUse(capabilities: Capabilities | null, dialect: StoredDialect | null): Finding {
  if (capabilities === null || dialect === null) return { state: 'unknown', reason: 'unread', detail: '' }
  const lacks = new Set(dialect.lacks.map(([path]) => path))
  const hasPageInfo = !lacks.has('search.pageInfo') && !lacks.has('search.pageInfo.totalCount')
  const beside = lacks.has('search.pageInfo') && !lacks.has('search.totalCount')
  if (hasPageInfo) return { state: 'used', reason: 'answers', detail: 'pageInfo.totalCount' }
  return { state: beside ? 'used' : 'fallback', reason: 'answers', detail: beside ? 'totalCount' : '' }
}

function errorUse(capabilities: Capabilities | null, dialect: StoredDialect | null): Finding {
  const known = dialect?.error ?? capabilities?.searchError ?? null
  if (known === null) return { state: 'unknown', reason: 'unread', detail: '' }
  return {
    state: known ? 'used' : 'fallback',
    reason: capabilities?.described === true ? 'schema' : 'answers',
    detail: '',
  }
}

function streamUse({ runner }: ManagedConnection): Finding {
  const link = runner?.sync.state().link
  if (link?.state === 'live') return { state: 'used', reason: 'answers', detail: '' }
  if (link?.state === 'polling')
    return {
      state: 'fallback',
      reason: link.failing === undefined ? 'answers' : 'fault',
      detail: link.failing?.detail ?? '',
    }
  return { state: 'unknown', reason: 'unread', detail: '' }
}

function eventUse({ runner, record }: ManagedConnection): Finding {
  if (record.subscription.trim() !== '') return { state: 'used', reason: 'own', detail: '' }
  const known = runner?.sync.service()
  if (known === null || known === undefined) return { state: 'unknown', reason: 'unread', detail: '' }
  if (known.eventFields !== null) return { state: 'used', reason: 'schema', detail: known.eventFields }
  return { state: 'fallback', reason: known.capabilities.described ? 'schema' : 'no-schema', detail: '' }
}

function peopleUse(capabilities: Capabilities | null): Finding {
  if (capabilities === null) return { state: 'unknown', reason: 'unread', detail: '' }
  if (capabilities.peopleCount === null) return { state: 'unknown', reason: 'no-schema', detail: '' }
  return { state: capabilities.peopleCount ? 'used' : 'off', reason: 'schema', detail: '' }
}

function placesUse(state: 'read' | 'not-offered' | 'no-schema' | null): Finding {
  if (state === null) return { state: 'unknown', reason: 'unread', detail: '' }
  if (state === 'read') return { state: 'used', reason: 'schema', detail: '' }
  return { state: 'off', reason: state === 'no-schema' ? 'no-schema' : 'schema', detail: '' }
}

function costUse({ known, basis }: { known: boolean; basis: 'headers' | 'field' | 'guess' }): Finding {
  if (!known && basis !== 'guess') return { state: 'unknown', reason: 'unread', detail: '' }
  if (basis === 'headers') return { state: 'used', reason: 'answers', detail: '' }
  return { state: 'fallback', reason: 'answers', detail: basis === 'field' ? 'calculateQueryCost' : '' }
}

function mutationUses(
  mutations: { offer(): MutationOffer | null; offerFault(): { detail: string } | null } | null,
): ServiceUse[] {
  const offer = mutations?.offer() ?? null
  const fault = mutations?.offerFault() ?? null
  const use = (name: ServiceUse['name'], members: object | null | undefined): ServiceUse => {
    if (offer === null) {
      const isFault = fault !== null
      return { name, state: 'unknown', reason: isFault ? 'no-schema' : 'unread', detail: fault?.detail ?? '' }
    }
    if (members === null || members === undefined) return { name, state: 'off', reason: 'schema', detail: '' }
    const offered = Object.entries(members).flatMap(([member, has]) => (has === true ? [member] : []))
    return { name, state: 'used', reason: 'schema', detail: offered.join(', ') }
  }
  return [
    use('reboot', offer?.reboot),
    use('update', offer?.update),
    use('site', offer?.site),
    use('room', offer?.room),
  ]
}

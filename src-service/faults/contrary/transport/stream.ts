import { GraphQLError } from 'graphql'
import { getArgumentValues, getOperationAST, getVariableValues, Kind } from 'graphql'
import type { ExecutionArgs } from 'graphql'
import type { Call } from '../../../graphql/call.ts'
import type { Device } from '../../../world/device.ts'
import type { World } from '../../../world/world.ts'
import type { Reader } from '../../../stream/streams.ts'
import type { Contrary } from '../contrary.ts'

/** The numbers of watched ids, for the limits. */
export type WatchCounts = {
  /**
   * Returns the rejection of a subscription to these ids: too many for it, the socket or the credential set, or one of
   * a tenant whose devices cannot be watched. Null when it is accepted.
   */
  refusal(ids: readonly string[], call: Call): GraphQLError | null
  /** Admits a subscription, and counts its ids until its iterator ends. Throws the rejection where there is one. */
  admit<T>(
    ids: readonly string[],
    call: Call,
    watch: () => AsyncGenerator<T, void, void>,
  ): AsyncGenerator<T, void, void>
}

/** The first tenants of the world are those whose devices cannot be watched. */
export function startWatchCounts(contrary: Contrary, world: Pick<World, 'device' | 'tenants'>): WatchCounts {
  const bySocket = new WeakMap<Reader, number>()
  const bySet = new Map<string, number>()
  const isForbidden = (ids: readonly string[], tenants: readonly { id: string }[]): boolean => {
    const forbidden = new Set(tenants.map(({ id }) => id))
    return ids.flatMap(contrary.ids.worldIds).some((id) => forbidden.has(world.device(id)?.tenantId ?? ''))
  }
  const setOf = ({ session }: Call): string => session?.set.clientId ?? ''
  const refusal = (ids: readonly string[], call: Call): GraphQLError | null => {
    const { is } = contrary
    const count = new Set(ids).size
    const onSocket = (call.reader && bySocket.get(call.reader)) ?? 0
    if (is.streamForbids > 0 && isForbidden(ids, world.tenants().slice(0, is.streamForbids)))
      return new GraphQLError('resource mapping failed', { extensions: { code: 'FORBIDDEN' } })
    if (count > is.streamIdsPerSubscription)
      return tooMany(contrary, `A subscription takes at most ${is.streamIdsPerSubscription} ids, not ${count}`)
    if (onSocket + count > is.streamIdsPerSocket)
      return tooMany(contrary, `A socket takes at most ${is.streamIdsPerSocket} ids`)
    if ((bySet.get(setOf(call)) ?? 0) + count > is.streamIdsPerSet)
      return tooMany(contrary, `A credential set takes at most ${is.streamIdsPerSet} ids`)
    return null
  }
  return {
    refusal,
    admit(ids, call, watch) {
      const refused = refusal(ids, call)
      if (refused !== null) throw refused
      const items = watch()
      const add = (more: number): void => {
        if (call.reader) bySocket.set(call.reader, (bySocket.get(call.reader) ?? 0) + more)
        bySet.set(setOf(call), (bySet.get(setOf(call)) ?? 0) + more)
      }
      const count = new Set(ids).size
      add(count)
      return withEnd(items, () => add(-count))
    },
  }
}

/** Returns the ids of a valid subscription to devices; none where they stand in a fragment, and for any other. */
export function idsIn({ schema, document, operationName, variableValues }: ExecutionArgs): string[] {
  const operation = getOperationAST(document, operationName)
  const node = operation?.selectionSet.selections.find((one) => one.kind === Kind.FIELD)
  const field = schema.getSubscriptionType()?.getFields()[node?.name.value ?? '']
  const { coerced } = getVariableValues(schema, operation?.variableDefinitions ?? [], { ...variableValues })
  if (node === undefined || field === undefined || coerced === undefined) return []
  const ids: unknown = getArgumentValues(field, node, coerced)['deviceIds']
  return Array.isArray(ids) ? ids.map(String) : []
}

function tooMany({ is }: Contrary, words: string): GraphQLError {
  const message = is.streamRefusalWords === 'number' ? words : 'Subscription failed'
  return new GraphQLError(message, { extensions: is.streamRefusalCode === '' ? {} : { code: is.streamRefusalCode } })
}

/** Returns the same items; calls `onEnd` once, when there are no more or the consumer stops. */
function withEnd<T>(items: AsyncGenerator<T, void, void>, onEnd: () => void): AsyncGenerator<T, void, void> {
  let isOver = false
  const end = (): void => {
    if (!isOver) onEnd()
    isOver = true
  }
  const ended: AsyncGenerator<T, void, void> = {
    async next() {
      const result = await items.next()
      if (result.done) end()
      return result
    },
    return() {
      end()
      return items.return()
    },
    throw(error) {
      end()
      return items.throw(error)
    },
    [Symbol.asyncIterator]: () => ended,
    [Symbol.asyncDispose]: async () => void (await ended.return()),
  }
  return ended
}

/** Returns an event's data in the form of this profile; undefined for the usual one. */
export function reshapeEvent({ is }: Contrary, data: Record<string, unknown>): Record<string, unknown> | undefined {
  if (is.eventForm === 'plain') return undefined
  const reshaped = (device: unknown): unknown => {
    if (is.eventForm === 'list') return [device]
    return is.eventForm === 'no-device'
      ? null
      : typeof device === 'object' && device !== null
        ? { ...device, connected: undefined }
        : device
  }
  return Object.fromEntries(Object.entries(data).map(([name, device]) => [name, reshaped(device)]))
}

const unknownId = '00000000-0000-4000-a000-000000000000'

/** Returns the ids of an event's place, which may be missing, or those of nothing. */
export function placeIds<T extends { siteId: string | null; roomId: string | null; tenantId: string | null }>(
  { is }: Contrary,
  event: T,
): T {
  if (is.eventPlaces === 'ids') return event
  const id = is.eventPlaces === 'null' ? null : unknownId
  return { ...event, siteId: id, roomId: id, tenantId: id }
}

type ReportedEvent = Pick<Device, 'id' | 'connected'> & { name: string | null }

/** Returns an event that at random lacks the status, or everything but the name. */
export function omitFields(contrary: Contrary, event: ReportedEvent): Partial<ReportedEvent> {
  if (contrary.chance(contrary.is.nameEvents)) return { id: event.id, name: event.name }
  return contrary.chance(contrary.is.nullEvents) ? { ...event, connected: null } : event
}

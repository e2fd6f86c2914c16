import { createHash } from 'node:crypto'
import { badInput, forbidden, may, reachOf, tenantOf } from '../access/access.ts'
import type { GraphContext } from '../graphql/context.ts'
import { nameOf } from '../faults/contrary/fields/fields.ts'
import { omitFields, placeIds } from '../faults/contrary/transport/stream.ts'
import { TooManyWatched } from './streams.ts'
import type { Device } from '../world/device.ts'
import { reaches } from '../world/search/search.ts'
import type { People } from '../world/world.ts'

/**
 * The subscription of both profiles. The role is checked first; a later change of role, reach or region applies from
 * the next event.
 */
export const deviceStream = {
  subscribe(_source: unknown, { deviceIds }: { deviceIds: string[] }, context: GraphContext) {
    if (!may(context, 'device:stream')) throw forbidden('device:stream', null)
    const worldIds = deviceIds.flatMap(context.contrary.ids.worldIds)
    return context.watchCounts.admit(deviceIds, context.call, () =>
      bounded(() => context.hub.watch(worldIds, (device) => sees(context, device), context.call.reader)),
    )
  },
  resolve: (device: Device, _args: unknown, { contrary }: GraphContext) =>
    omitFields(contrary, {
      ...placeIds(contrary, toEvent(device)),
      id: contrary.ids.reported(device),
      name: nameOf(contrary, device),
    }),
}

/** The people in rooms. Unknown rooms, and those of another tenant, send nothing. */
export const peopleCountStream = {
  subscribe(_source: unknown, { tenantId, roomIds }: { tenantId: string; roomIds: string[] }, context: GraphContext) {
    if (!may(context, 'device:stream')) throw forbidden('device:stream', { id: tenantId, type: 'tenant' })
    tenantOf(context, tenantId)
    const seen = (people: People): boolean =>
      people.tenantId === tenantId &&
      sees(context, { tenantId, site: { id: people.siteId, accountId: people.accountId } })
    return bounded(() => context.hub.watchPeople(roomIds, seen, context.call.reader))
  },
  resolve: (people: People) => people,
}

function sees(context: GraphContext, place: Parameters<typeof reaches>[1]): boolean {
  return (
    may(context, 'device:stream') &&
    reaches(reachOf(context), place) &&
    context.planes.ofTenant(place.tenantId).state() !== 'gone'
  )
}

function bounded<T>(watch: () => T): T {
  try {
    return watch()
  } catch (error) {
    throw error instanceof TooManyWatched ? badInput(error.message) : error
  }
}

/** Returns the payload of `deviceStream` (twin section 12). */
function toEvent(device: Device) {
  return {
    ...device,
    modelId: () => modelId(device.hardwareModel),
    roomId: device.room?.id ?? null,
    siteId: device.site?.id ?? null,
  }
}

/** Returns a stable id of a model, derived from its name, in the form of a UUID: models have no id in this world. */
function modelId(model: string): string {
  const hex = createHash('sha256').update(model).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

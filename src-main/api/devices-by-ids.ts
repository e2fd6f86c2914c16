import type { Capabilities } from './capabilities.ts'
import type { ServiceError } from './classify.ts'
import { deviceOf, idOf, objectOf, type DeviceUpdate } from './decode.ts'
import { baseSelection, byIdsOperation, stateFields, type Operation } from './operations.ts'

/** A device that was requested by its id, with its tenant's id; null: the service does not tell its tenant. */
export interface DeviceById {
  device: DeviceUpdate
  tenant: string | null
}

type Offered = Pick<Capabilities, 'deviceFields'>

/** Returns the operation that reads state, name and place of `count` devices, as `statesByIdsOperation`. */
export const placesByIdsOperation = (count: number, idType: string, offered: Offered): Operation =>
  byIdsOperation(
    'PlacesByIds',
    `${stateFields} name site { id name } room { id name }${tenantOf(offered)}`,
    count,
    idType,
  )

/** Returns the operation that reads all base fields of `count` devices, as `statesByIdsOperation`. */
export const devicesByIdsOperation = (count: number, idType: string, offered: Offered): Operation =>
  byIdsOperation('DevicesByIds', `${baseSelection}${tenantOf(offered)}`, count, idType)

/** Returns whether a device that is read by its id tells its tenant. */
export const tellsTenant = ({ deviceFields }: Offered): boolean =>
  deviceFields.includes('tenantId') || deviceFields.includes('tenant')

function tenantOf({ deviceFields }: Offered): string {
  if (deviceFields.includes('tenantId')) return ' tenantId'
  return deviceFields.includes('tenant') ? ' tenant { id }' : ''
}

/**
 * Reads devices that were requested under aliases (`d0`, `d1` and so on), in the order of `ids`; null for each that the
 * service does not know, that is another one, or in which anything failed.
 */
export function readDevicesByIds(
  data: unknown,
  ids: readonly string[],
  errors: readonly ServiceError[],
): (DeviceById | null)[] {
  const wire = objectOf(data)
  const failed = new Set(errors.map(({ path }) => String(path?.[0])))
  // An error at no device may be in any of them.
  if ([...failed].some((alias) => !/^d\d{1,4}$/u.test(alias))) return ids.map(() => null)
  return ids.map((id, index) => {
    const answer = objectOf(wire?.[`d${index}`])
    const device = failed.has(`d${index}`) ? null : deviceOf(answer)
    if (answer === null || device?.id !== id) return null
    return { device, tenant: idOf(answer['tenantId']) ?? idOf(objectOf(answer['tenant'])?.['id']) }
  })
}

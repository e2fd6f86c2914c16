import type { DeviceFields } from './inventory.ts'

/** A field that a service may fail to tell, or not offer; it then keeps its former value and age. */
export type BaseField = Exclude<keyof DeviceFields, 'id'>

/** All of them. */
export const baseFields: readonly BaseField[] = [
  'name',
  'hardwareModel',
  'connected',
  'lastDetected',
  'lastConfigRequestDate',
  'site',
  'room',
]

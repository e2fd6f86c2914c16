import type { DeviceFields } from './model.ts'

/** A field that a service may fail to tell, or not offer; it then keeps its former value and age. */
export type ToldField = Exclude<keyof DeviceFields, 'id'>

/** All of them. */
export const toldFields: readonly ToldField[] = [
  'name',
  'hardwareModel',
  'connected',
  'lastDetected',
  'lastConfigRequestDate',
  'site',
  'room',
]

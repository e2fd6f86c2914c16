import type { CallInput, CallOutput } from '../../../src-shared/contract/contract.ts'
import type { FirmwareTarget } from '../../../src-shared/model/firmware.ts'
import type { CallOrder } from './call-order.ts'

/** The data thread's calls about firmware (protocol.ts). */
export interface FirmwareData {
  firmware(input: { targets: readonly FirmwareTarget[] }): Promise<CallOutput<'firmware.read'>>
  firmwareProgress(input: CallInput<'firmware.progress'>): Promise<CallOutput<'firmware.progress'>>
  /** Records a part of which firmware the devices have; `now` in ms. Returns true when all of it is recorded. */
  recordFirmware(input: { now: number }): Promise<boolean>
}

/** How the request queue orders each of these calls. */
export const firmwareCallOrder: { readonly [N in keyof FirmwareData]: CallOrder } = {
  firmware: 'read',
  firmwareProgress: 'read',
  recordFirmware: 'ordered',
}

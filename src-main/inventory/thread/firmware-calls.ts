import { firmwareOf, firmwareProgress, recordFirmware } from '../reads/firmware/firmware.ts'
import type { Store } from '../store.ts'
import type { FirmwareData } from './firmware-protocol.ts'

type FirmwareCalls = {
  [N in keyof FirmwareData]: (input: Parameters<FirmwareData[N]>[0]) => Awaited<ReturnType<FirmwareData[N]>>
}

/** The calls about firmware (firmware-protocol.ts). */
export function firmwareCalls(store: Store): FirmwareCalls {
  return {
    firmware: ({ targets }) => firmwareOf(store, targets),
    firmwareProgress: (input) => firmwareProgress(store, input),
    recordFirmware: ({ now }) => recordFirmware(store, now),
  }
}

import { firmwareOf, firmwareProgress } from '../reads/firmware/firmware.ts'
import type { Store } from '../store.ts'
import { newFirmwareRecording } from '../writes/firmware-record.ts'
import type { FirmwareData } from './firmware-protocol.ts'

type FirmwareCalls = {
  [N in keyof FirmwareData]: (input: Parameters<FirmwareData[N]>[0]) => Awaited<ReturnType<FirmwareData[N]>>
}

/** The calls about firmware (firmware-protocol.ts). */
export function firmwareCalls(store: Store): FirmwareCalls {
  const recording = newFirmwareRecording(store)
  return {
    firmware: ({ targets }) => firmwareOf(store, targets),
    firmwareProgress: (input) => firmwareProgress(store, input),
    recordFirmware: ({ now }) => recording.step(now),
  }
}

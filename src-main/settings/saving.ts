import { FaultError } from '../../src-shared/model/fault.ts'

/** Runs what writes the settings file. Throws a fault of kind `storage` when it cannot be written; then the file is as it was. */
export function savingSettings(write: () => void): void {
  try {
    write()
  } catch (error) {
    throw new FaultError('storage', 'the settings cannot be written', { cause: error })
  }
}

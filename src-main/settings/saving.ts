import { FaultError } from '../../src-shared/model/fault.ts'

/** Runs a write of the settings file. Throws a fault of kind `storage` when it fails; then the file is unchanged. */
export function savingSettings(write: () => void): void {
  try {
    write()
  } catch (error) {
    throw new FaultError('storage', 'the settings cannot be written', { cause: error })
  }
}

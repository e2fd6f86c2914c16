import { toFault } from '../../src-shared/model/fault.ts'

/** Returns whether a write was rejected because another member of the team has erased data since what it writes was read. */
export const isErased = (thrown: unknown): boolean => toFault(thrown).kind === 'erased'

/** Runs a function, and once more after `readAgain` where data was erased meanwhile. */
export async function onWhatIsLeft<T>(run: () => Promise<T>, readAgain: () => Promise<void>): Promise<T> {
  try {
    return await run()
  } catch (thrown) {
    if (!isErased(thrown)) throw thrown
    await readAgain()
    return run()
  }
}

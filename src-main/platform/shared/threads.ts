import path from 'node:path'
import type { Ports } from '../../ports.ts'

/** Returns the entries of the core's threads in the folder of the built files. */
export const threadsIn = (folder: string): Omit<Ports['paths'], 'profile'> => ({
  dataThread: path.join(folder, 'data-thread.cjs'),
  answersThread: path.join(folder, 'answers-thread.cjs'),
})

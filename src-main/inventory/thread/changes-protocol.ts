import type { CallInput, CallOutput } from '../../../src-shared/contract/contract.ts'
import type { CallOrder } from './call-order.ts'

/** When a device counts as flapping: so many transitions in so many ms. */
export interface FlapRule {
  transitions: number
  ms: number
}

/** What a comparison needs beside the asked time; `now` in ms. */
interface Asked {
  flap: FlapRule
  now: number
}

/** The data thread's calls for the screen Changes (protocol.ts). They answer null while they are not done, and are to be repeated. */
export interface ChangesData {
  changesRead(input: CallInput<'changes.read'> & Asked): Promise<CallOutput<'changes.read'> | null>
  changesCsv(input: CallInput<'changes.csv'> & Asked): Promise<CallOutput<'changes.csv'> | null>
}

/** How the request queue orders each of these calls. */
export const changesCallOrder: { readonly [N in keyof ChangesData]: CallOrder } = {
  changesRead: 'read',
  changesCsv: 'read',
}

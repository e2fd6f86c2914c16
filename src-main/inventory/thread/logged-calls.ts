import type { InventoryData } from './protocol.ts'

/**
 * The calls that the members of a team carry out alike, in the order of its log, and who may write each of them there: the
 * member that reads the credential set (`reader`), the one that evaluates transitions (`evaluator`), the one that sends
 * the messages of the channel (`sender`), or `anyone`. All other calls are each member's own.
 */
export const loggedCalls = {
  tenants: 'reader',
  page: 'reader',
  places: 'reader',
  finish: 'reader',
  departed: 'reader',
  events: 'reader',
  reconciliation: 'reader',
  adopt: 'reader',
  visibility: 'reader',
  subscriptionLost: 'reader',
  unsubscribed: 'reader',
  extraValues: 'reader',
  saveWithdrawn: 'reader',
  saveSchema: 'reader',
  saveAlerts: 'evaluator',
  forget: 'anyone',
  shareConnection: 'anyone',
  unshareConnection: 'anyone',
  shareChannel: 'anyone',
  unshareChannel: 'anyone',
  settleDeliveries: 'sender',
  reviseDeliveries: 'anyone',
  saveSharedSettings: 'anyone',
  saveOperations: 'anyone',
  removeOperation: 'anyone',
  savePolicies: 'anyone',
  markUndone: 'anyone',
  saveView: 'anyone',
  removeView: 'anyone',
  saveNote: 'anyone',
  tag: 'anyone',
  setTags: 'anyone',
  saveHandover: 'anyone',
  acceptHandover: 'anyone',
  createJob: 'anyone',
  saveJob: 'anyone',
  takeJob: 'anyone',
  claimName: 'anyone',
} as const satisfies { [N in keyof InventoryData]?: 'reader' | 'evaluator' | 'sender' | 'anyone' }

export type LoggedName = keyof typeof loggedCalls

export const isLogged = (name: string): name is LoggedName => Object.hasOwn(loggedCalls, name)

/**
 * Calls of an operator that are not written again where a failover lost them: the owner of a job writes all of it anew; a message that was
 * tried again may have been sent; and what an undo was of is another action in a copy that has lost some.
 */
export const unrepeatedCalls: ReadonlySet<LoggedName> = new Set([
  'createJob',
  'saveJob',
  'takeJob',
  'reviseDeliveries',
  'markUndone',
])

/**
 * Calls of an operator that need no other member, and do the same however often they are carried out: while the log cannot be
 * written they are carried out here, and wait.
 */
const waitingCalls = [
  'saveView',
  'removeView',
  'saveOperations',
  'removeOperation',
  'saveNote',
  'tag',
  'setTags',
] as const satisfies readonly LoggedName[]

export type WaitingName = (typeof waitingCalls)[number]

/** Returns whether a call may wait. */
export const mayWait = (call: string): boolean => (waitingCalls as readonly string[]).includes(call)

import { FaultError } from '../../src-shared/model/fault.ts'

/** Bytes of what a service says at a time: an event has some hundred. */
export const mostOfFrame = 1024 * 1024
/** Bytes that wait to be read by the service. All subscriptions of a large fleet are a few megabytes. */
export const mostUnread = 16 * 1024 * 1024

/** Why a socket was ended that said more than `mostOfFrame`. */
export const overlongFault = (host: string): FaultError =>
  new FaultError('socket', `${host} said more than 1 MB at a time`)
/** Why a socket was ended for which more than `mostUnread` waits. */
export const unreadFault = (host: string): FaultError =>
  new FaultError('reset', `${host} does not read what it is sent`)

import { FaultError } from '../../src-shared/model/fault.ts'

/** Largest message of a service, bytes: an event has some hundred. */
export const mostOfFrame = 1024 * 1024
/** Largest amount waiting to be sent to the service, bytes. All subscriptions of a large fleet are a few megabytes. */
export const mostUnread = 16 * 1024 * 1024

/** Returns the fault of a socket that received more than `mostOfFrame`. */
export const overlongFault = (host: string): FaultError =>
  new FaultError('socket', `${host} said more than 1 MB at a time`)
/** Returns the fault of a socket with more than `mostUnread` waiting. */
export const unreadFault = (host: string): FaultError =>
  new FaultError('reset', `${host} does not read what it is sent`)

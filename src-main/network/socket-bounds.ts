import { FaultError } from '../../src-shared/model/fault.ts'

/** Largest message of a service, bytes: an event has some hundred. */
export const maxFrameBytes = 1024 * 1024
/** Largest amount waiting to be sent to the service, bytes. All subscriptions of a large fleet are a few megabytes. */
export const maxBufferedBytes = 16 * 1024 * 1024

/** Returns the fault of a socket that received more than `maxFrameBytes`. */
export const frameTooLongFault = (host: string): FaultError =>
  new FaultError('socket', `${host} sent a message of more than 1 MB`)
/** Returns the fault of a socket with more than `maxBufferedBytes` waiting. */
export const notReadingFault = (host: string): FaultError =>
  new FaultError('reset', `${host} does not read what Muster sends`)

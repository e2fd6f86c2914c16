import type { EventEmitter } from 'node:events'
import type { Log } from '../../ports.ts'

/**
 * Handles uncaught errors. A rejection affects only its own task, and the console continues; after an exception the
 * state is unknown, so the process stops. The log contains the origin, never the message.
 */
export function catchUncaught(from: EventEmitter, log: Log, stop: () => void): void {
  from.on('unhandledRejection', (thrown: unknown) => log('error', `a rejection was not handled: ${origin(thrown)}`))
  from.on('uncaughtException', (thrown: unknown) => {
    // undici closes an idle connection with an error that may have no listener: that is not a fault.
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'UND_ERR_INFO')
      return log('info', 'an idle connection was closed')
    log('error', `Muster stops after an exception that was not caught: ${origin(thrown)}`)
    stop()
  })
}

/** Returns the error's class and the first place of its stack. The message may contain values. */
function origin(thrown: unknown): string {
  if (!(thrown instanceof Error)) return typeof thrown
  const stack = (thrown.stack ?? '').replace(thrown.message, '')
  const place = stack.split('\n').find((line) => /^\s+at /.test(line))
  return place === undefined ? thrown.name : `${thrown.name} ${place.trim()}`
}

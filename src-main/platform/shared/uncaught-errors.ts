import type { EventEmitter } from 'node:events'
import type { Log } from '../../ports.ts'

/**
 * What nobody caught. A rejection costs what it belonged to, and the console goes on; after an exception nothing is known
 * about the state of the process, so it is stopped. The log hears where it came from, never what was in it.
 */
export function catchUncaught(from: EventEmitter, log: Log, stop: () => void): void {
  from.on('unhandledRejection', (thrown: unknown) => log('error', `a rejection was not handled: ${origin(thrown)}`))
  from.on('uncaughtException', (thrown: unknown) => {
    // undici closes an idle connection with an error, and nobody may be left to hear it: that is news, and no fault.
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'UND_ERR_INFO')
      return log('info', 'an idle connection was closed')
    log('error', `Muster stops after an exception that was not caught: ${origin(thrown)}`)
    stop()
  })
}

/** The error's class and the first place of its stack. Its message may hold values. */
function origin(thrown: unknown): string {
  if (!(thrown instanceof Error)) return typeof thrown
  const stack = (thrown.stack ?? '').replace(thrown.message, '')
  const place = stack.split('\n').find((line) => /^\s+at /.test(line))
  return place === undefined ? thrown.name : `${thrown.name} ${place.trim()}`
}

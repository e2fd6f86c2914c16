import { FaultError, toFault } from '../../../src-shared/model/fault.ts'
import { isDamage, isDiskError, storageFault } from '../../storage/database.ts'
import type { Calls } from './calls.ts'
import type { LoggedCall, LoggedResult } from './log-protocol.ts'
import { isLogged } from './logged-calls.ts'

/**
 * Carries out a call of the log, after `before`. An error of the disk is thrown: it is this member's alone, and the call is to be
 * carried out later.
 */
export function runLogged(calls: Calls, { call, input }: LoggedCall, before: () => void = () => {}): LoggedResult {
  try {
    if (!isLogged(call)) throw new FaultError('input', 'no call of the log')
    const run = calls[call] as (input: unknown) => unknown
    before()
    return { ok: true, value: run(input) }
  } catch (thrown) {
    if (isDamage(thrown) || isDiskError(thrown)) throw thrown
    return { ok: false, fault: toFault(storageFault(thrown)) }
  }
}

import { calls, type Answer, type CallName, type Handlers } from '../../src-shared/contract/contract.ts'
import { FaultError, toFault } from '../../src-shared/model/fault.ts'
import { rejectLong, tooLong } from './call-limits.ts'

/**
 * Answers one call of the window: checks its name and input against the contract, runs the handler, and returns the
 * result or the fault in an envelope. Never throws and never rejects, so that no transport has to carry an error.
 */
export async function answer(handlers: Handlers, name: unknown, input: unknown): Promise<Answer<unknown>> {
  try {
    if (!isCall(name)) throw new FaultError('input', 'no such call')
    const tooLongPath = tooLong(calls[name].input, input)
    if (tooLongPath !== null) throw new FaultError('input', tooLongPath)
    const read = calls[name].input.safeParse(input)
    if (!read.success)
      throw new FaultError(
        'input',
        read.error.issues
          .slice(0, maxIssues)
          .map(({ path, message }) => `${path.join('.')}: ${message}`)
          .join('; '),
      )
    const handler = handlers[name] as (checked: unknown) => Promise<unknown>
    return { ok: true, value: await handler(read.data) }
  } catch (error) {
    return { ok: false, fault: toFault(error) }
  }
}

/**
 * Answers a call whose input is JSON text, which is checked for length (`limitOf`) and number of parts before it is
 * parsed. Invalid JSON is an invalid input.
 */
export async function answerText(handlers: Handlers, name: unknown, text: unknown): Promise<Answer<unknown>> {
  try {
    if (typeof name === 'string' && typeof text === 'string') rejectLong(name, text)
    return await answer(handlers, name, parsed(text))
  } catch (error) {
    return { ok: false, fault: toFault(error) }
  }
}

/** Number of issues that are shown to a person. */
const maxIssues = 10

function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}

function isCall(name: unknown): name is CallName {
  return typeof name === 'string' && Object.hasOwn(calls, name)
}

import { calls, type Answer, type CallName, type Handlers } from '../../src-shared/contract.ts'
import { FaultError, toFault } from '../../src-shared/fault.ts'

/**
 * Answers one call of the window: checks its name and input against the contract, runs the handler, and puts whatever
 * comes of it into the envelope. Never throws and never rejects, so that no pipe has to carry an error.
 */
export async function answer(handlers: Handlers, name: unknown, input: unknown): Promise<Answer<unknown>> {
  try {
    if (!isCall(name)) throw new FaultError('input', 'no such call')
    const read = calls[name].input.safeParse(input)
    if (!read.success) throw new FaultError('input', read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '))
    const handler = handlers[name] as (checked: unknown) => Promise<unknown>
    return { ok: true, value: await handler(read.data) }
  } catch (error) {
    return { ok: false, fault: toFault(error) }
  }
}

function isCall(name: unknown): name is CallName {
  return typeof name === 'string' && Object.hasOwn(calls, name)
}

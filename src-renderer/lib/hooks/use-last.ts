import type { Answer } from '../../../src-shared/contract/contract.ts'
import type { Fault } from '../../../src-shared/model/fault.ts'
import { useCall, type Repeat } from './use-call.ts'

/** The last answer of a call. `fault`: why there is none; an answer stays while later calls fail. */
export interface Last<T> {
  value: T | null
  fault: Fault | null
}

/** Calls for each `key`, and whenever `repeat` says so (use-call.ts). */
export function useLast<T>(key: string, call: () => Promise<Answer<T>>, repeat?: Repeat): Last<T> {
  const load = async (last: Last<T> | null): Promise<Last<T>> => {
    const answer = await call()
    if (answer.ok) return { value: answer.value, fault: null }
    return last?.value == null ? { value: null, fault: answer.fault } : last
  }
  return useCall<Last<T>>(key, load, repeat).value ?? { value: null, fault: null }
}

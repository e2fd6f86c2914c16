import { useRef, useState } from 'react'
import type { Fault } from '../../../src-shared/model/fault.ts'
import type { ConnectionInput, LegResult } from '../../../src-shared/model/connection.ts'
import { useAppContext } from '../../lib/context.ts'

/** The test of a connection. */
export type TestState = { /** The input has changed since. */ outdated?: boolean } & (
  | { state: 'none' }
  | { state: 'busy' }
  | { state: 'done'; legs: readonly LegResult[] }
  | { state: 'failed'; fault: Fault }
)

export type Test = TestState & {
  /**
   * Tests an input, or a stored connection by its id. Only the last test counts. Returns why it could not run; null
   * when it ran.
   */
  run(what: ConnectionInput | string): Promise<Fault | null>
  /** Discards the last result. */
  clear(): void
  /** Marks the last result as outdated. */
  outdate(): void
}

export function useTest(): Test {
  const { session } = useAppContext()
  const [state, setState] = useState<TestState>({ state: 'none' })
  const turn = useRef(0)
  /** True when the input has changed since the last test began. */
  const outdated = useRef(false)
  async function run(what: ConnectionInput | string) {
    turn.current += 1
    const mine = turn.current
    outdated.current = false
    setState({ state: 'busy' })
    const next = await tried(what)
    if (mine !== turn.current) return null
    setState({ ...next, outdated: outdated.current })
    return next.state === 'failed' ? next.fault : null
  }
  function clear() {
    turn.current += 1
    setState({ state: 'none' })
  }
  function outdate() {
    outdated.current = true
    setState((now) => (now.state === 'done' || now.state === 'failed' ? { ...now, outdated: true } : now))
  }
  async function tried(what: ConnectionInput | string): Promise<Extract<TestState, { state: 'done' | 'failed' }>> {
    const input = typeof what === 'string' ? await known(what) : what
    if ('fault' in input) return { state: 'failed', fault: input.fault }
    const answer = await session.pipe.call('connections.test', input)
    return answer.ok ? { state: 'done', legs: answer.value.legs } : { state: 'failed', fault: answer.fault }
  }
  async function known(id: string): Promise<ConnectionInput | { fault: Fault }> {
    const answer = await session.pipe.call('connections.show', { id })
    if (!answer.ok) return { fault: answer.fault }
    return answer.value.input ?? { fault: { kind: 'input', detail: 'This connection is no longer there.' } }
  }
  return { ...state, run, clear, outdate }
}

import type { Diagnostics } from '../../src-shared/contract/diagnostics.ts'
import type { Fault } from '../../src-shared/model/fault.ts'
import { useAppContext } from '../lib/context.ts'
import { useCall, type Repeat } from '../lib/hooks/use-call.ts'

/** Interval between two calls, in ms. Each costs the core some milliseconds. */
const everyMs = 3_000

export type DiagnosticsState =
  | { state: 'loading' }
  | { state: 'failed'; fault: Fault }
  /** `fault`: why the last call failed; the shown diagnostics are older. */
  | { state: 'shown'; diagnostics: Diagnostics; fault: Fault | null }

/** Returns the diagnostics, read repeatedly while the window is visible. */
export function useDiagnostics(): DiagnosticsState {
  const { session } = useAppContext()
  const load = async (last: DiagnosticsState | null): Promise<DiagnosticsState> => {
    const answer = await session.pipe.call('diagnostics.show', {})
    if (answer.ok) return { state: 'shown', diagnostics: answer.value, fault: null }
    return last?.state === 'shown' ? { ...last, fault: answer.fault } : { state: 'failed', fault: answer.fault }
  }
  return useCall('', load, whileVisible).value ?? { state: 'loading' }
}

const whileVisible: Repeat = (call) => {
  let busy = false
  const load = async () => {
    if (busy || document.visibilityState !== 'visible') return
    busy = true
    await call()
    busy = false
  }
  const onVisible = () => void load()
  const timer = setInterval(onVisible, everyMs)
  document.addEventListener('visibilitychange', onVisible)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', onVisible)
  }
}

import { useEffect, useState } from 'react'
import type { Diagnostics } from '../../src-shared/contract/diagnostics.ts'
import type { Fault } from '../../src-shared/model/fault.ts'
import { useAppContext } from '../lib/context.ts'

/** As often as an eye can follow, ms; each time costs the core some milliseconds. */
const everyMs = 3_000

export type Looking =
  | { state: 'loading' }
  | { state: 'failed'; fault: Fault }
  /** `fault`: the last question failed, and these are older. */
  | { state: 'seen'; seen: Diagnostics; fault: Fault | null }

/** Asks again and again while it is on the screen of a window that can be seen, and not otherwise. */
export function useDiagnostics(): Looking {
  const { session } = useAppContext()
  const [looking, setLooking] = useState<Looking>({ state: 'loading' })
  useEffect(() => {
    let wanted = true
    let timer: ReturnType<typeof setTimeout> | undefined
    async function look() {
      const answer = await session.pipe.call('diagnostics.show', {})
      if (!wanted) return
      setLooking((before) =>
        answer.ok
          ? { state: 'seen', seen: answer.value, fault: null }
          : before.state === 'seen'
            ? { ...before, fault: answer.fault }
            : { state: 'failed', fault: answer.fault },
      )
      plan()
    }
    function plan() {
      clearTimeout(timer)
      if (document.visibilityState === 'visible') timer = setTimeout(() => void look(), everyMs)
    }
    const onVisible = () => document.visibilityState === 'visible' && void look()
    document.addEventListener('visibilitychange', onVisible)
    void look()
    return () => {
      wanted = false
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [session])
  return looking
}

import { useEffect, useRef, useState } from 'react'
import type { Answer } from '../../../../src-shared/contract/contract.ts'
import type { Fault } from '../../../../src-shared/model/fault.ts'

/** A call that a press begins, and its last answer. */
export interface Pressed<T> {
  value: T | null
  fault: Fault | null
  busy: boolean
  press(call: () => Promise<Answer<T>>, merge?: (last: T | null, next: T) => T): void
  /** Forgets the answer. */
  forget(): void
}

/** Holds a call that a press begins. An answer that comes after the component is gone, or after `forget`, is dropped. */
export function usePress<T>(): Pressed<T> {
  const [state, setState] = useState<{ value: T | null; fault: Fault | null; busy: boolean }>({
    value: null,
    fault: null,
    busy: false,
  })
  const turn = useRef(0)
  useEffect(
    () => () => {
      turn.current += 1
    },
    [],
  )
  return {
    ...state,
    press(call, merge = (_last, next) => next) {
      turn.current += 1
      const mine = turn.current
      setState((last) => ({ ...last, fault: null, busy: true }))
      void call().then((answer) => {
        if (turn.current !== mine) return
        setState((last) =>
          answer.ok
            ? { value: merge(last.value, answer.value), fault: null, busy: false }
            : { ...last, fault: answer.fault, busy: false },
        )
      })
    },
    forget() {
      turn.current += 1
      setState({ value: null, fault: null, busy: false })
    },
  }
}

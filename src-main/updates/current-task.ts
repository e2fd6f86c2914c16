import { FaultError } from '../../src-shared/model/fault.ts'

/** Work that goes on one piece at a time. What was called off is not heard any more. */
export interface CurrentTask {
  /** `does` answers what is to be told when it is done. */
  begin(does: (signal: AbortSignal) => Promise<() => void>, onFailed: (thrown: unknown) => void): void
  callOff(): void
  /** Resolves when nothing is under way. */
  stop(): Promise<void>
}

export function createCurrentTask(): CurrentTask {
  let current = new AbortController()
  let underWay: Promise<void> = Promise.resolve()
  const callOff = () => current.abort(new FaultError('abort'))
  return {
    begin(does, onFailed) {
      current = new AbortController()
      const { signal } = current
      underWay = underWay
        .then(() => does(signal))
        .catch((thrown: unknown) => () => onFailed(thrown))
        .then((tell) => {
          if (!signal.aborted) tell()
        })
    },
    callOff,
    stop() {
      callOff()
      return underWay
    },
  }
}

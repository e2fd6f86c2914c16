import type { FaultError } from '../../src-shared/model/fault.ts'
import type { StartedTokens } from '../auth/token.ts'
import type { ServiceError } from './classify.ts'

/** Renews the token for the next operation where this one was rejected for it, or where it may have expired. */
export function followToken(
  tokens: StartedTokens,
  token: string,
  error: FaultError | null,
  errors: readonly ServiceError[],
): void {
  if (error?.fault.kind === 'token') tokens.drop(token)
  // A service may answer so to an expired token.
  else if (error?.fault.kind === 'forbidden' || errors.some(({ code }) => code === 'FORBIDDEN'))
    void tokens.renew(token).catch(() => {})
  else if (error === null) tokens.prove(token)
}

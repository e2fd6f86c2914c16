import { z } from 'zod'

/**
 * Where secrets are stored, in words ("Secret Service", "this session only"). `locked`: the keychain is locked; secrets
 * entered meanwhile stay in memory and move into it when it is unlocked.
 */
export const keychainState = z.object({ kind: z.enum(['keychain', 'locked', 'session']), detail: z.string() })

/**
 * A proxy to the services that requires a login. `state`: `required`: it has no working login; `rejected`: it rejected the
 * login that it was given (the operator's if `stored`, else that of HTTPS_PROXY); `locked`: the login is in a locked
 * keychain; `stored`: no problem; `erased`: the operator had the login erased, and the proxy has not asked since.
 * `stored`: the operator's login is in the keychain.
 */
export const proxyState = z.object({
  address: z.string(),
  state: z.enum(['required', 'rejected', 'locked', 'stored', 'erased']),
  stored: z.boolean(),
})
export type ProxyState = z.infer<typeof proxyState>

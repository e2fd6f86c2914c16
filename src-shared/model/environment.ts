import { z } from 'zod'

/**
 * Where secrets are kept, in words ("Secret Service", "this session only"). `locked`: a keychain that is locked now; what is
 * typed meanwhile is in memory, and goes into it as soon as that is unlocked.
 */
export const keychainState = z.object({ kind: z.enum(['keychain', 'locked', 'session']), detail: z.string() })
export type KeychainState = z.infer<typeof keychainState>

/**
 * A proxy between here and the services that wants, or has been given, a name and password. `state`: it has none that it
 * takes, has refused the one it was told (the operator's where `kept`, else that of HTTPS_PROXY), the one that is kept lies in a
 * keychain that is locked, or nothing is wrong; `asked`: the operator had theirs forgotten, and it has not asked
 * since. `kept`: the operator gave one, which is in the keychain.
 */
export const proxyState = z.object({
  address: z.string(),
  state: z.enum(['wanted', 'refused', 'locked', 'kept', 'asked']),
  kept: z.boolean(),
})
export type ProxyState = z.infer<typeof proxyState>

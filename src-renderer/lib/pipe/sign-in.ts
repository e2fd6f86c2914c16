import { musterProof, nonce, same, sessionKey, verifierOf, windowProof } from '../../../src-shared/lib/proof.ts'

/**
 * The sign-in keys of this tab. They belong to its origin, survive a reload, are deleted with the tab, and are never
 * sent.
 */
export interface WindowKeys {
  /** Returns the one-time key of an address, or else the session key; null when the operator must sign in. */
  first(): { key: string; once: boolean } | null
  /** Stores the session key that replaces a one-time key, which is kept until it is surely used up. */
  begin(session: string): void
  /** Stores the one-time key of an address. */
  take(once: string): void
  /** Deletes a key that is invalid or no longer needed. */
  drop(once: boolean): void
}

const [onceName, sessionName] = ['muster.once', 'muster.session']

export function openKeys(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): WindowKeys {
  return {
    first() {
      const once = storage.getItem(onceName)
      const key = once ?? storage.getItem(sessionName)
      return key === null ? null : { key, once: once !== null }
    },
    begin: (session) => storage.setItem(sessionName, session),
    take: (once) => storage.setItem(onceName, once),
    drop: (once) => storage.removeItem(once ? onceName : sessionName),
  }
}

/**
 * Removes the key of an address (`#key=…`, or `#key=…&` and a link) from it before anything else reads it. Returns
 * whether there was one.
 */
export function takeKey(keys: WindowKeys, { location, history }: Pick<Window, 'location' | 'history'>): boolean {
  const [, key, link = ''] = /^#key=([\w-]{43})(?:&(.+))?$/u.exec(location.hash) ?? []
  if (key === undefined) return false
  history.replaceState(null, '', location.pathname + location.search + (link === '' ? '' : `#${link}`))
  keys.take(key)
  return true
}

/** The messages to and from the other side of the pipe; `next` resolves with null when it is closed. */
export interface Talk {
  send(message: unknown): void
  next(): Promise<unknown>
}

/**
 * Runs the window's side of the proof (src-shared/lib/proof.ts). Resolves with `stranger` when the other side could not
 * prove that it is the Muster that issued the key, which then learned nothing useful, and with `lost` when it closed
 * the pipe.
 */
export async function signIn(
  { send, next }: Talk,
  keys: WindowKeys,
  { key, once }: { key: string; once: boolean },
  origin: string,
): Promise<'in' | 'stranger' | 'lost'> {
  const verifier = await verifierOf(key)
  const window = nonce()
  send({ hello: { id: verifier.id, nonce: window } })
  const answer = await next()
  if (answer === null) return 'lost'
  const challenge = fieldsOf(fieldsOf(answer)['challenge'])
  const exchange = { origin, id: verifier.id, window, muster: String(challenge['nonce']) }
  if (!same(String(challenge['proof']), await musterProof(verifier, exchange))) return 'stranger'
  // The session key is stored before the proof is sent, or a reload at this moment would lose both keys.
  if (once) keys.begin(await sessionKey(key, exchange))
  send({ proof: await windowProof(key, exchange) })
  if (fieldsOf(await next())['welcome'] !== true) return 'lost'
  if (once) keys.drop(true)
  return 'in'
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

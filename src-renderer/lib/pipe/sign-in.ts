import { musterProof, nonce, same, sessionKey, verifierOf, windowProof } from '../../../src-shared/lib/proof.ts'

/** The keys of this tab. They are of its origin alone, outlive a reload, go with the tab, and are never sent. */
export interface WindowKeys {
  /** The one-time key of an address, else that of the session; null: somebody has to sign in. */
  first(): { key: string; once: boolean } | null
  /** The session that the one-time key becomes; that one is kept until it is known to be used up. */
  begin(session: string): void
  /** Takes the key of an address in. */
  take(once: string): void
  /** This one is good no longer, or not needed any more. */
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

/** Takes the key of an address (`#key=…`, or `#key=…&` and a link) out of it, before anything else reads what stands there. Answers whether there was one. */
export function takeKey(keys: WindowKeys, { location, history }: Pick<Window, 'location' | 'history'>): boolean {
  const [, key, link = ''] = /^#key=([\w-]{43})(?:&(.+))?$/u.exec(location.hash) ?? []
  if (key === undefined) return false
  history.replaceState(null, '', location.pathname + location.search + (link === '' ? '' : `#${link}`))
  keys.take(key)
  return true
}

/** What goes to the other side of the pipe, and what comes from there; null when it is closed. */
export interface Talk {
  say(message: unknown): void
  next(): Promise<unknown>
}

/**
 * The window's side of the proof (src-shared/lib/proof.ts): `stranger` when the other side could not prove that it is the Muster
 * which gave out this key, and was told nothing that it could use; `lost` when it closed the pipe.
 */
export async function signIn(
  { say, next }: Talk,
  keys: WindowKeys,
  { key, once }: { key: string; once: boolean },
  origin: string,
): Promise<'in' | 'stranger' | 'lost'> {
  const verifier = await verifierOf(key)
  const window = nonce()
  say({ hello: { id: verifier.id, nonce: window } })
  const answer = await next()
  if (answer === null) return 'lost'
  const challenge = fieldsOf(fieldsOf(answer)['challenge'])
  const exchange = { origin, id: verifier.id, window, muster: String(challenge['nonce']) }
  if (!same(String(challenge['proof']), await musterProof(verifier, exchange))) return 'stranger'
  // Kept before it is given, or a reload just now would leave neither of the two.
  if (once) keys.begin(await sessionKey(key, exchange))
  say({ proof: await windowProof(key, exchange) })
  if (fieldsOf(await next())['welcome'] !== true) return 'lost'
  if (once) keys.drop(true)
  return 'in'
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

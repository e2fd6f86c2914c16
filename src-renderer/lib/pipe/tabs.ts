import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { Pipe } from '../../../src-shared/contract/contract.ts'
import { nonce, verifierOf, type Verifier } from '../../../src-shared/lib/proof.ts'
import type { WindowKeys } from './sign-in.ts'

/** Time (ms) to wait for another tab's answer. A visible tab answers sooner; a suspended one never does. */
const answerTimeoutMs = 1000

/** Returns the channel between the tabs of one browser and origin. Pages of another port cannot read it. */
export const tabs = (): BroadcastChannel => new BroadcastChannel('muster sign-in')

/**
 * Creates a key for this tab and asks signed-in tabs to vouch for it to Muster: `{"ask": Verifier}`, answered by
 * `{"vouched": id}`. An eavesdropper cannot sign in with these messages. Resolves with whether a tab vouched, in which
 * case the key is in `keys`, and closes the channel.
 */
export async function askTabs(
  keys: Pick<WindowKeys, 'take'>,
  channel: BroadcastChannel,
  clock: Clock,
): Promise<boolean> {
  const key = nonce()
  const verifier = await verifierOf(key)
  const answered = await new Promise<boolean>((resolve) => {
    const cancel = clock.after(answerTimeoutMs, () => resolve(false))
    channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (partOf(data, 'vouched') !== verifier.id) return
      cancel()
      resolve(true)
    })
    channel.postMessage({ ask: verifier })
  })
  channel.close()
  if (answered) keys.take(key)
  return answered
}

/** Vouches for new tabs while this one is signed in. Muster checks the verifier. Returns a function that stops it. */
export function answerTabs({ call }: Pick<Pipe, 'call'>, channel: BroadcastChannel): () => void {
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const asked = partOf(data, 'ask')
    if (typeof asked !== 'object' || asked === null) return
    const verifier = asked as Verifier
    void call('windows.admit', verifier).then((answer) => {
      if (answer.ok) channel.postMessage({ vouched: verifier.id })
    })
  })
  return () => channel.close()
}

const partOf = (data: unknown, name: string): unknown =>
  typeof data === 'object' && data !== null ? ({ ...data } as Record<string, unknown>)[name] : undefined

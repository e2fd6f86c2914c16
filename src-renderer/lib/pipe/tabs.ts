import type { Clock } from '../../../src-shared/lib/clock.ts'
import type { Pipe } from '../../../src-shared/contract/contract.ts'
import { nonce, verifierOf, type Verifier } from '../../../src-shared/lib/proof.ts'
import type { WindowKeys } from './sign-in.ts'

/** Longer than a tab in sight takes to answer; one that the browser has put to sleep answers not at all. */
const patienceMs = 1000

/** What the tabs of one browser and one origin hear of each other; no page of another port does. */
export const tabs = (): BroadcastChannel => new BroadcastChannel('muster sign-in')

/**
 * A tab without a key makes one up, and asks the tabs that are in to vouch for it at Muster: `{"ask": Verifier}`, and `{"vouched": id}`.
 * Nobody can sign in with what is heard of that. Answers whether one has, and closes the channel; the key is in `keys` then.
 */
export async function askTabs(
  keys: Pick<WindowKeys, 'take'>,
  channel: BroadcastChannel,
  clock: Clock,
): Promise<boolean> {
  const key = nonce()
  const verifier = await verifierOf(key)
  const answered = await new Promise<boolean>((resolve) => {
    const cancel = clock.after(patienceMs, () => resolve(false))
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

/** Vouches for new tabs, for as long as this one is in. What a verifier is, Muster checks. Returns the way to stop. */
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

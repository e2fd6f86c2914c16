import type { Sender } from '../../../connections/senders.ts'
import type { Deadline } from './read-devices.ts'

/** Waits until it is known what these connections' services offer, or why not, at most until the deadline. */
export async function offersKnown(senders: Iterable<Sender>, deadline: Deadline): Promise<void> {
  const all = new Set([...senders].flatMap(({ mutations }) => mutations ?? []))
  const known = [...all].map(
    (mutations) =>
      new Promise<void>((resolve) => {
        const isKnown = () => mutations.offer() !== null || mutations.offerFault() !== null
        if (isKnown()) return resolve()
        const off = mutations.onOffer(() => {
          if (isKnown()) end()
        })
        const end = () => {
          off()
          resolve()
        }
        void deadline.over.then(end)
      }),
  )
  await Promise.all(known)
}

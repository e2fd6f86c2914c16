import type { LiveEvent } from '../thread/protocol.ts'

/**
 * The last live word on each device, kept as long as an answer that was asked for before it may still come in
 * (design, invariant 10). Strangers too: the page that brings them may have been asked for before their event.
 */
export interface Recent {
  readonly words: Map<string, RecentWord>
}

interface RecentWord {
  at: number
  connected: { order: number; is: boolean | null } | null
  name: { order: number; is: string } | null
}

/** Fewer words than this are kept without asking for how long. */
const manyWords = 10_000
/** No request lives this long, ms; an answer to it will not come any more. */
const longestRequest = 15 * 60_000

export const newRecent = (): Recent => ({ words: new Map() })

const wordKey = (service: string, tenant: string | null, id: string) => JSON.stringify([service, tenant, id])

export function remember(recent: Recent, service: string, event: LiveEvent): void {
  const key = wordKey(service, event.tenant, event.id)
  const before = recent.words.get(key)
  recent.words.delete(key)
  recent.words.set(key, {
    at: event.at,
    connected:
      event.connected === undefined ? (before?.connected ?? null) : { order: event.order, is: event.connected },
    name: event.name === null ? (before?.name ?? null) : { order: event.order, is: event.name },
  })
  forgetOld(recent, event.at)
}

/** The map is in the order of arrival: the oldest come first. */
function forgetOld({ words }: Recent, now: number): void {
  if (words.size <= manyWords) return
  for (const [key, word] of words) {
    if (word.at > now - longestRequest) return
    words.delete(key)
  }
}

/** What was heard of a device after `asked`; `connected` is undefined where nothing was said of it. */
export function heardSince(
  recent: Recent,
  service: string,
  tenant: string,
  id: string,
  requestOrder: number,
): { connected: boolean | null | undefined; name: string | null; at: number; order: number } | null {
  if (recent.words.size === 0) return null
  const words = [recent.words.get(wordKey(service, tenant, id)), recent.words.get(wordKey(service, null, id))]
  const connected = words
    .map((word) => word?.connected)
    .filter((said) => said && said.order > requestOrder)
    .sort(byOrder)
    .at(-1)
  const name = words
    .map((word) => word?.name)
    .filter((said) => said && said.order > requestOrder)
    .sort(byOrder)
    .at(-1)
  if (!connected && !name) return null
  return {
    connected: connected?.is,
    name: name?.is ?? null,
    at: words.reduce((last, word) => Math.max(last, word?.at ?? 0), 0),
    order: connected?.order ?? requestOrder,
  }
}

const byOrder = (a: { order: number } | null | undefined, b: { order: number } | null | undefined) =>
  (a?.order ?? 0) - (b?.order ?? 0)

/** What a service was given, so that its own words, which are shown and logged, can be freed of it (invariant 1). */
export interface Veil {
  cover(secret: string): void
  /** The text with every covered secret hidden. */
  hide(text: string): string
}

/** The secret, the token, and the token before, of which an answer may still be under way. */
const kept = 3
/** Anything shorter is a part of ordinary words. */
const shortest = 6

export function createVeil(): Veil {
  let covered: string[] = []
  return {
    cover: (secret) => (covered = [secret, ...covered.filter((other) => other !== secret)].slice(0, kept)),
    hide: (text) => covered.reduce((shown, secret) => (secret.length < shortest ? shown : shown.replaceAll(secret, '[hidden]')), text),
  }
}

import { idsOf, isMarked, isOfMuted, type Draft } from './draft.ts'
import type { Down } from './fold.ts'
import type { Held } from './held.ts'
import { growMs, type Drop } from './state.ts'

/**
 * What went down while Muster did not see it, and a quiet window ended meanwhile: nobody can say whether it was in the
 * window or after it. It is told as any other, and the report of the window, which would never come, counts it as such.
 */
export function holdHidden(draft: Draft, down: readonly Down[]): void {
  for (const { key, path } of down) {
    const drop = draft.drops.get(key)
    if (drop === undefined || drop.notBefore === null || isMarked(draft, key, path)) continue
    const span = { from: drop.notBefore, until: drop.at }
    const window = draft.rules.quietOver(idsOf(path), span, draft.now)
    if (window !== null) draft.held.set(window.id, withHidden(draft, window, key, span))
  }
}

function withHidden({ held, now }: Draft, { id, name, node, until }: Pick<Held, 'id' | 'name' | 'node' | 'until'>, key: string, span: { from: number; until: number }): Held {
  const known = held.get(id)
  const hidden = known?.hidden ?? { ...span, keys: [] }
  // What is read again comes page after page.
  const sureAt = now + growMs
  return {
    id, name, node, until: Math.max(sureAt, known?.until ?? 0), overAt: known?.overAt ?? until, keys: [...new Set([...(known?.keys ?? []), key])],
    hidden: { keys: [...new Set([...hidden.keys, key])], from: Math.min(hidden.from, span.from), until: Math.max(hidden.until, span.until), sureAt },
  }
}

/** Whether something that may have gone down before then, out of sight, is still held: it may belong to a window that ended then. */
export function anyHidden(draft: Pick<Draft, 'drops' | 'found'>, at: number): boolean {
  return [...draft.drops.values()].some((drop) => drop.incident === null && drop.notBefore !== null && drop.notBefore < at && drop.at >= at && !isOfMuted(draft, drop))
}

/** Those that are still down of what was hidden, as far as anyone knows. */
export function hiddenDown({ drops }: Pick<Draft, 'drops'>, { hidden }: Pick<Held, 'hidden'>): Drop[] {
  return (hidden?.keys ?? []).flatMap((key) => drops.get(key) ?? []).filter(({ incident, flapping, backAt }) => incident !== null && !flapping && backAt === null)
}

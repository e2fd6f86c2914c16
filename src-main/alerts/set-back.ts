import type { State } from './state.ts'

/**
 * A state whose times lie ahead of now, because the computer's clock was ahead and was set back: what was noted as later
 * than now is as of now, or it would hold everything for as long as the clock was ahead. What was to last goes on for as long.
 */
export function setBack(state: State, now: number): State {
  const by = (at: number) => Math.min(at, now)
  const maybe = (at: number | null) => (at === null ? null : by(at))
  const all = <T>(map: ReadonlyMap<string, T>, change: (one: T) => T) => new Map([...map].map(([key, one]) => [key, change(one)]))
  const ahead = (at: number, until: number) => until - Math.max(0, at - now)
  return {
    ...state,
    drops: all(state.drops, (drop) => ({ ...drop, at: by(drop.at), backAt: maybe(drop.backAt), backNotBefore: maybe(drop.backNotBefore), waitUntil: 0 })),
    flaps: all(state.flaps, ({ times }) => ({ times: times.map(by), figures: null })),
    incidents: all(state.incidents, (one) => ({
      ...one, grewAt: by(one.grewAt), lastBack: one.lastBack === null ? null : { from: by(one.lastBack.from), at: by(one.lastBack.at) }, toldAt: maybe(one.toldAt), backToldAt: maybe(one.backToldAt),
      snoozed: one.snoozed === null ? null : { at: by(one.snoozed.at), until: one.snoozed.until === null ? null : ahead(one.snoozed.at, one.snoozed.until) },
    })),
    tellings: all(state.tellings, (one) => ({ ...one, told: { ...one.told, at: by(one.told.at) }, firstAt: by(one.firstAt) })),
    blind: all(state.blind, (one) => ({ ...one, noticedAt: by(one.noticedAt), sightedAt: maybe(one.sightedAt), waitUntil: 0 })),
    outs: all(state.outs, by),
    held: all(state.held, (one) => ({ ...one, overAt: maybe(one.overAt) })),
    pause: state.pause === null ? null : { since: by(state.pause.since), until: ahead(state.pause.since, state.pause.until) },
    waits: maybe(state.waits),
  }
}

import { growMs, type Extent, type Incident, type State } from './state.ts'
import type { Message } from '../../notifications/moments.ts'

/** Whether a state, as it was kept, was made by a clock that was ahead of this one. */
export function hasFutureTimes({ drops, incidents, tellings, blind, pause }: State, now: number): boolean {
  const isLater = (at: number | null) => at !== null && at > now
  return (
    isLater(pause?.since ?? null) ||
    [...blind.values()].some(({ since }) => isLater(since)) ||
    [...drops.values()].some(({ at, backAt }) => isLater(at) || isLater(backAt)) ||
    [...incidents.values()].some(({ changedAt }) => isLater(changedAt)) ||
    [...tellings.values()].some(({ told }) => isLater(told.at))
  )
}

/**
 * A state whose times lie ahead of now, because the computer's clock was ahead and was set back: what was noted as later
 * than now is as of now, or it would hold everything for as long as the clock was ahead. What was to last goes on for as long.
 */
export function clampFutureTimes(state: State, now: number): State {
  const by = (at: number) => Math.min(at, now)
  const maybe = (at: number | null) => (at === null ? null : by(at))
  const all = <T>(map: ReadonlyMap<string, T>, change: (one: T) => T) =>
    new Map([...map].map(([key, one]) => [key, change(one)]))
  const ahead = (at: number, until: number) => until - Math.max(0, at - now)
  return {
    ...state,
    drops: all(state.drops, (drop) => ({
      ...drop,
      at: by(drop.at),
      notBefore: maybe(drop.notBefore),
      backAt: maybe(drop.backAt),
      backNotBefore: maybe(drop.backNotBefore),
      waitUntil: 0,
      went: drop.went && { at: by(drop.went.at), notBefore: maybe(drop.went.notBefore) },
    })),
    // As of now they would make a device flap that does not; one that does is steady no sooner for it.
    flaps: new Map(
      [...state.flaps].map(([key, { times }]) => [
        key,
        {
          times: state.drops.get(key)?.flapping === true ? times.map(by) : times.filter((at) => at <= now),
          figures: null,
        },
      ]),
    ),
    incidents: all(state.incidents, (one) => ({
      ...incidentOf(one, by, maybe),
      snoozed:
        one.snoozed === null
          ? null
          : {
              at: by(one.snoozed.at),
              until: one.snoozed.until === null ? null : ahead(one.snoozed.at, one.snoozed.until),
            },
    })),
    tellings: all(state.tellings, (one) => ({
      ...one,
      told: { ...one.told, at: by(one.told.at), moments: momentsOf(one.told.moments ?? [], by) },
      firstAt: by(one.firstAt),
      earlier: one.earlier.map((words) => ({ ...words, at: by(words.at) })),
    })),
    blind: all(state.blind, (one) => ({
      ...one,
      since: by(one.since),
      noticedAt: by(one.noticedAt),
      sightedAt: maybe(one.sightedAt),
      waitUntil: 0,
    })),
    outs: all(state.outs, by),
    held: all(state.held, (one) => ({
      ...one,
      until: one.overAt === null ? one.until : Math.min(one.until, now + growMs),
      overAt: maybe(one.overAt),
      hidden: one.hidden && {
        ...one.hidden,
        from: by(one.hidden.from),
        until: by(one.hidden.until),
        sureAt: Math.min(one.hidden.sureAt, now + growMs),
      },
    })),
    reports: state.reports.map((one) => ({ ...one, at: by(one.at), words: wordsOf(one.words, by) })),
    pause:
      state.pause === null
        ? null
        : { since: by(state.pause.since), until: ahead(state.pause.since, state.pause.until) },
    waits: maybe(state.waits),
  }
}

type By = (at: number) => number
type Maybe = (at: number | null) => number | null

function incidentOf(one: Incident, by: By, maybe: Maybe): Incident {
  return {
    ...one,
    since: maybe(one.since),
    foundAt: maybe(one.foundAt),
    openedAt: by(one.openedAt),
    grewAt: by(one.grewAt),
    changedAt: by(one.changedAt),
    closedAt: maybe(one.closedAt),
    lastBack: one.lastBack && { from: by(one.lastBack.from), at: by(one.lastBack.at) },
    toldAt: maybe(one.toldAt),
    backToldAt: maybe(one.backToldAt),
    acknowledged: one.acknowledged && { ...one.acknowledged, at: by(one.acknowledged.at) },
    telling: one.telling && { ...one.telling, at: by(one.telling.at) },
    largest: one.largest && extentOf(one.largest, by, maybe),
    words: wordsOf(one.words, by),
  }
}

const extentOf = (one: Extent, by: By, maybe: Maybe): Extent => ({
  ...one,
  since: maybe(one.since),
  foundAt: maybe(one.foundAt),
  words: wordsOf(one.words, by),
})
/** The instants alone: the window writes them anew where they stand. */
const wordsOf = (words: Message, by: By): Message => ({ ...words, moments: momentsOf(words.moments, by) })
const momentsOf = (moments: Message['moments'], by: By): Message['moments'] =>
  moments.map((one) => ({ ...one, at: by(one.at) }))

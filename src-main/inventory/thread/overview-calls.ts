import { fleetMap, newFleetMaps } from '../reads/overview/fleet-map.ts'
import { monthOf, newFleetHistory, placesHistory } from '../reads/overview/fleet-history.ts'
import { newPlaceHistories } from '../reads/overview/place-history.ts'
import { fleetThen, newPastDays } from '../reads/time-machine/fleet-then.ts'
import { devicesThen, newPastNames } from '../reads/time-machine/then-devices.ts'
import { streamedRooms } from '../reads/streamed-rooms.ts'
import { tileFacts } from '../reads/overview/tile-facts.ts'
import type { Store } from '../store.ts'
import { newDayFilling } from '../writes/day-states.ts'
import { makeUpPast } from '../writes/made-up-past.ts'
import type { OverviewData } from './overview-protocol.ts'

type OverviewCalls = {
  [N in keyof OverviewData]: (input: Parameters<OverviewData[N]>[0]) => Awaited<ReturnType<OverviewData[N]>>
}

/** The calls for the overview (overview-protocol.ts). */
export function overviewCalls(store: Store): OverviewCalls {
  const maps = newFleetMaps(store.rev)
  let history = newFleetHistory(store)
  let places = newPlaceHistories(store)
  let days = newPastDays(store)
  const names = newPastNames(store)
  let filling = newDayFilling(store)
  return {
    overviewMap: (input) => ({ rev: store.rev, ...fleetMap(store.inventory, maps, input) }),
    overviewDay: ({ now }) => history.day.step(now),
    overviewMonth({ now }) {
      const month = history.month.step(now)
      return month && monthOf(store, month)
    },
    overviewPlaces({ now, tiles }) {
      const month = history.month.step(now)
      return month && placesHistory(store, month, tiles)
    },
    overviewFacts: (input) => tileFacts(store, maps, input),
    overviewPlace: ({ now, place }) => places.step(place, now),
    overviewThen({ now, ...input }) {
      const day = days.step(input.at, now)
      return day && { rev: store.rev, ...fleetThen(store, maps, day, input) }
    },
    thenDevices({ now, ...input }) {
      const isSearch = input.text.trim() !== ''
      const day = days.step(input.at, now)
      const its = isSearch && day !== null ? names.step(input.at, now) : null
      return day === null || (isSearch && its === null) ? null : devicesThen(store, day, its, input)
    },
    streamedRooms: ({ connection }) => streamedRooms(store, connection),
    fillDays: ({ now }) => filling.step(now),
    makeUpPast(input) {
      const made = makeUpPast(store, input)
      if (made.count > 0) {
        history = newFleetHistory(store)
        places = newPlaceHistories(store)
        days = newPastDays(store)
        filling = newDayFilling(store)
      }
      return made
    },
  }
}

import type { Answer, CallOutput, Pipe } from '../../src-shared/contract/contract.ts'
import type { KeptComparison } from '../../src-shared/model/comparison.ts'
import type { Fault } from '../../src-shared/model/fault.ts'
import { everything } from '../../src-shared/model/inventory.ts'
import { goneOf, type Place, placeOf, wholeFleet } from '../policies/place/place.ts'
import { comparison } from './comparison.ts'

/** Runs a kept comparison: its sides become the chosen ones. Resolves with its fault, or with null. */
export async function runSaved(pipe: Pick<Pipe, 'call'>, id: string): Promise<Fault | null> {
  const answer = await pipe.call('compare.open', { id })
  if (!answer.ok) return answer.fault
  const { comparison: found, list } = answer.value
  const places = await placesOf(found, (nodes) => pipe.call('inventory.places', { asked: { nodes }, limit: 2 }))
  const { first, second } = found
  const now = comparison.get()
  comparison.set({
    ...now,
    kind: first.kind,
    list: list ?? now.list,
    first: first.kind === 'place' ? places.first : now.first,
    second: places.second,
    at: first.kind === 'date' ? first.at : now.at,
    shown: { sides: { first, second }, run: (now.shown?.run ?? 0) + 1 },
    kinds: [],
    text: '',
    page: 0,
  })
  return null
}

type FindPlaces = (nodes: string[]) => Promise<Answer<CallOutput<'inventory.places'>>>

/** Returns the places of a comparison as the fleet has them now; one that is gone keeps its name. */
async function placesOf(
  { first, second }: KeptComparison,
  find: FindPlaces,
): Promise<{ first: Place | null; second: Place }> {
  const wanted = [first, second].flatMap((side) =>
    side.kind === 'list' || side.place === everything ? [] : [side.place],
  )
  const answer = wanted.length === 0 ? null : await find(wanted)
  const found = answer?.ok === true ? answer.value.places : []
  const place = ({ place: id, name }: { place: string; name: string }): Place => {
    if (id === everything) return wholeFleet
    const its = found.find((each) => each.id === id)
    return its === undefined ? goneOf(id, name) : placeOf(its)
  }
  return { first: first.kind === 'place' ? place(first) : null, second: place(second) }
}

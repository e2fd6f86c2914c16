import { useState } from 'react'
import { Button } from 'react-aria-components'
import type { DevicePlace } from '../../../src-shared/contract/place-calls.ts'
import type { Answer, CallOutput } from '../../../src-shared/contract/contract.ts'
import { explain } from '../../../src-shared/model/fault.ts'
import type { DeviceRow } from '../../../src-shared/model/inventory.ts'
import { useAppContext } from '../../lib/context.ts'
import { numberText } from '../../lib/format/numbers.ts'
import { useCall } from '../../lib/hooks/use-call.ts'
import { Moment } from '../../lib/ui/moment.tsx'
import { NameText } from '../../lib/ui/name-text.tsx'
import { Part } from '../../lib/ui/part.tsx'

/** The number of intervals that are shown first. */
const few = 10

/** Former names and places of a device, the newest first. Nothing for a device that always had the same. */
export function DeviceHistory({ row }: { row: DeviceRow }) {
  const { session } = useAppContext()
  const { key, name, account, site, room } = row
  // A rename or move may begin an interval.
  const seen = JSON.stringify([key, name, account, site, room])
  const { value, again } = useCall<{ key: string; answer: Answer<CallOutput<'inventory.deviceHistory'>> }>(
    seen,
    async () => ({ key, answer: await session.pipe.call('inventory.deviceHistory', { key }) }),
  )
  const answer = value?.key === key ? value.answer : null
  if (answer?.ok === true && answer.value.places.length < 2) return null
  return (
    <Part title="Names and places">
      {answer === null && <p className="detail-note">Loading…</p>}
      {answer?.ok === false && (
        <>
          <p className="detail-note" role="alert">
            {explain(answer.fault).title} {explain(answer.fault).advice}
          </p>
          <Button className="button" onPress={again}>
            Try again
          </Button>
        </>
      )}
      {answer?.ok === true && <Intervals key={key} {...answer.value} />}
    </Part>
  )
}

function Intervals({ places, total }: CallOutput<'inventory.deviceHistory'>) {
  const [all, setAll] = useState(false)
  const shown = all ? places : places.slice(0, few)
  const older = total - places.length
  return (
    <>
      <ol className="device-history">
        {shown.map((interval) => (
          <Interval key={`${interval.from} ${interval.until}`} interval={interval} />
        ))}
      </ol>
      {shown.length < places.length && (
        <Button className="button" onPress={() => setAll(true)}>
          Show {numberText(places.length - shown.length)} more
        </Button>
      )}
      {older > 0 && all && <p className="detail-note">{numberText(older)} older ones are not shown.</p>}
      <p className="detail-note">A time is when a sync or an event reported it.</p>
    </>
  )
}

function Interval({ interval: { from, until, name, account, site, room } }: { interval: DevicePlace }) {
  const places = [
    ...(account === null ? [] : [account]),
    ...(site === null ? [] : [site]),
    ...(room === null ? [] : [room]),
  ]
  return (
    <li>
      <NameText name={name} />
      <span className="device-history-time">
        {until === null ? (
          <>
            Since <Moment at={from} />
          </>
        ) : (
          <>
            <Moment at={from} /> to <Moment at={until} />
          </>
        )}
      </span>
      {places.length === 0 ? (
        <span className="absent">No site or room</span>
      ) : (
        <ol className="place">
          {places.map((place, index) => (
            <li key={index}>
              <NameText name={place.name} />
            </li>
          ))}
        </ol>
      )}
    </li>
  )
}

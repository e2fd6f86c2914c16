import { Button } from 'react-aria-components'
import { explain } from '../../../src-shared/model/fault.ts'
import { everything } from '../../../src-shared/model/inventory.ts'
import { useAppContext } from '../../lib/context.ts'
import { many, numberText } from '../../lib/format/numbers.ts'
import { afterChanges } from '../../lib/hooks/use-call.ts'
import { useLast } from '../../lib/hooks/use-last.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { NameText } from '../../lib/ui/name-text.tsx'
import { Sparkline } from '../numbers/sparkline.tsx'
import { Panel } from '../panel.tsx'
import { filterBehind, shareText } from './firmware.ts'

const readEvery = 5000
const dayMs = 24 * 3_600_000

/** How far a model is on the way to its target: by day, and where it is behind. */
export function Progress({ model, target, column }: { model: string; target: string; column: string }) {
  const { session } = useAppContext()
  const { value, fault } = useLast(
    `${model} ${target}`,
    () => session.pipe.call('firmware.progress', { model, version: target }),
    afterChanges(session, readEvery),
  )
  if (value === null)
    return (
      <Panel title={`${model}: progress`}>
        <p className="overview-empty">{fault === null ? 'Loading…' : explain(fault).title}</p>
      </Panel>
    )
  const { reached, behind: left, sites, days } = value
  return (
    <Panel
      title={`${model}: progress to ${target}`}
      note={`${numberText(reached)} of ${many(reached + left, 'device')}`}
      className="firmware-progress"
      tools={
        left > 0 && (
          <Button
            className="button"
            onPress={() =>
              session.open({ scope: everything, filter: filterBehind(model, column, target), device: null })
            }
          >
            Select what is behind in the inventory
          </Button>
        )
      }
    >
      <Days days={days} />
      {sites.length > 0 && (
        <>
          <h3>Behind by site</h3>
          <ul className="firmware-sites">
            {sites.map(({ id, name, tenant, behind: count }) => (
              <li key={id}>
                <button
                  type="button"
                  className="overview-link"
                  onClick={() => session.open({ scope: id, filter: filterBehind(model, column, target), device: null })}
                >
                  <NameText name={name} clip />
                </button>
                <Isolated className="muted-text clip">{tenant}</Isolated>
                <span className="number">{numberText(count)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  )
}

/** The share on target by day. A day on which Muster did not run has no value. */
function Days({ days }: { days: readonly { day: number; reached: number; read: number }[] }) {
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined || first === last)
    return (
      <p className="muted-text">
        The share is recorded once a day while Muster runs. The line begins with the second day.
      </p>
    )
  const count = Math.round((last.day - first.day) / dayMs) + 1
  const values: (number | null)[] = Array.from({ length: count }, () => null)
  for (const { day, reached, read } of days)
    values[Math.round((day - first.day) / dayMs)] = read === 0 ? null : reached / read
  const share = (one: { reached: number; read: number }) => shareText(one.read === 0 ? 0 : one.reached / one.read)
  return (
    <figure className="firmware-line">
      <Sparkline
        line={{ from: first.day, until: last.day + dayMs, values }}
        tone="good"
        fromZero
        label={`Share on target over ${many(count, 'day')}: from ${share(first)} to ${share(last)}`}
      />
      <figcaption className="muted-text">
        {share(first)} on {dayText(first.day)}, {share(last)} on {dayText(last.day)} (UTC)
      </figcaption>
    </figure>
  )
}

const dayText = (day: number): string => new Date(day).toISOString().slice(0, 10)

import { useState } from 'react'
import { ToggleButton } from 'react-aria-components'
import { explain } from '../../../src-shared/model/fault.ts'
import type { SchemaChange, SchemaSource } from '../../../src-shared/model/schema-history.ts'
import { useAppContext } from '../../lib/context.ts'
import { many, numberText } from '../../lib/format/numbers.ts'
import { every, useCall } from '../../lib/hooks/use-call.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { Age, Moment } from '../../lib/ui/moment.tsx'
import { foundEntries } from './listing.ts'

const sources: Readonly<Record<SchemaSource, string>> = {
  schema: 'the whole schema',
  sync: 'device fields and search parameters, by a sync',
  rejection: 'rejected fields',
}

const refreshMs = 5_000

/** The differences of the service's schema over time, the newest first. */
export function History({ connection, search }: { connection: string; search: string }) {
  const { session } = useAppContext()
  const [breakingOnly, setBreakingOnly] = useState(false)
  const answer = useCall(
    connection,
    async () => await session.pipe.call('offers.history', { connection }),
    every(refreshMs),
  ).value
  if (answer === null) return <p className="screen-note">Loading…</p>
  if (!answer.ok)
    return (
      <p className="screen-note" role="alert">
        {explain(answer.fault).title} {explain(answer.fault).advice}
      </p>
    )
  const { since, readAt, entries } = answer.value
  const found = foundEntries(entries, search, breakingOnly)
  return (
    <>
      <p className="muted-text">
        {readAt === null ? (
          'No whole schema was read yet. Device fields and search parameters are compared once a day.'
        ) : (
          <>
            Whole schema first read <Moment at={since} />, last read <Age at={readAt} />. Device fields and search
            parameters are compared once a day, the whole schema when this page or Query reads it.
          </>
        )}
      </p>
      <ToggleButton className="button toggle" isSelected={breakingOnly} onChange={setBreakingOnly}>
        Breaking only
      </ToggleButton>
      {found.length === 0 && (
        <p className="screen-note">{entries.length === 0 ? 'No change was seen.' : 'No match.'}</p>
      )}
      {found.map(({ entry, changes }, index) => (
        <section key={`${entry.at} ${index}`} className="offers-entry" aria-label="Schema change">
          <h2>
            <Moment at={entry.at} /> · {many(entry.total, 'change')}
            <span className="muted-text"> in {sources[entry.source]}</span>
          </h2>
          <ul className="offers-list">
            {changes.map((change) => (
              <Change key={`${change.what} ${change.coordinate}`} change={change} />
            ))}
          </ul>
          {entry.total > entry.changes.length && (
            <p className="muted-text">{numberText(entry.total - entry.changes.length)} more were not kept.</p>
          )}
        </section>
      ))}
    </>
  )
}

const whats: Readonly<Record<SchemaChange['what'], string>> = {
  added: 'Added',
  removed: 'Removed',
  changed: 'Changed',
  deprecated: 'Deprecated',
  undeprecated: 'No longer deprecated',
}
const severityNames = { breaking: 'Breaking', dangerous: 'Dangerous', safe: 'Safe' }

function Change({ change: { coordinate, what, severity, from, to } }: { change: SchemaChange }) {
  return (
    <li>
      <span className="offers-tag" data-severity={severity}>
        {severityNames[severity]}
      </span>{' '}
      {whats[what]} <Isolated className="mono">{coordinate}</Isolated>
      {from !== '' && to !== '' ? (
        <>
          : <Isolated className="mono">{from}</Isolated> to <Isolated className="mono">{to}</Isolated>
        </>
      ) : (
        from + to !== '' && (
          <>
            : <Isolated className="mono">{from + to}</Isolated>
          </>
        )
      )}
    </li>
  )
}

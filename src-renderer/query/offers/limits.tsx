import { many, numberText } from '../../lib/format/numbers.ts'
import { Fact } from '../../lib/ui/fact.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'
import type { Offers } from './listing.ts'

const bases = {
  headers: 'as the headers of answers say',
  field: 'as calculateQueryCost says',
  guess: 'a guess: the service tells no balance',
}

/** Limits that Muster has read, learned or set itself, and regions. `members`: of the search's parameters; null: not known. */
export function Limits({
  offers: { limits, regions },
  members,
}: {
  offers: Offers
  members: readonly string[] | null
}) {
  return (
    <dl className="facts offers-limits">
      <Fact name="One operation">{numberText(limits.operation)} points at most, as documented</Fact>
      <Fact name="Rate window of 60 s">
        {limits.window === null ? 'Not read yet' : `${numberText(limits.window)} points, ${bases[limits.basis]}`}
      </Fact>
      <Fact name="Depth">
        No limit is told. Where the service rejects a document for its depth, Muster leaves out site and room.
      </Fact>
      <Fact name="Page size">
        {limits.pageLimit === null
          ? 'No page was rejected for its size.'
          : `${numberText(limits.pageLimit)} at most: a larger one was rejected.`}{' '}
        Muster asks for {numberText(limits.largestPage)} at most.
      </Fact>
      <Fact name="Parameters of a search">
        {members === null ? (
          'Not known without the schema.'
        ) : (
          <Isolated className="mono">{members.join(', ')}</Isolated>
        )}
      </Fact>
      <Fact name="Subscriptions">
        Muster watches {numberText(limits.subscriptionIds)} devices in one at most, fewer where the service rejects
        that.
      </Fact>
      <Fact name="Regions">
        {regions.length === 0 ? 'No tenant is listed.' : null}
        {regions.map(({ id, tenants }) => (
          <span key={id ?? ''} className="offers-region">
            {id === null ? 'Not told' : <Isolated>{id}</Isolated>} ({many(tenants, 'tenant')})
          </span>
        ))}
      </Fact>
    </dl>
  )
}

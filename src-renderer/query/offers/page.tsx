import '../../no-eval.ts'
import '../../styles/query.css'
import '../../styles/offers.css'
import { RefreshCw, Search, SquareTerminal } from 'lucide-react'
import { useState } from 'react'
import { Button, Input, SearchField, ToggleButton } from 'react-aria-components'
import { explain } from '../../../src-shared/model/fault.ts'
import { useAppContext } from '../../lib/context.ts'
import { every, useCall } from '../../lib/hooks/use-call.ts'
import { inputText } from '../../lib/format/input.ts'
import { numberText } from '../../lib/format/numbers.ts'
import { useStore } from '../../lib/store.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { documentedSchema } from '../documented-schema.ts'
import { useSchema, type KnownSchema } from '../use-schema.ts'
import { FieldTable } from './field-table.tsx'
import { History } from './history.tsx'
import { Limits } from './limits.tsx'
import {
  deviceFieldsOf,
  foundFields,
  rootFieldsOf,
  searchMembersOf,
  type Offers,
  type OperationKind,
} from './listing.ts'
import { closeOffers, offersShown, offerSections, showOffers, type OfferSection } from './offers-state.ts'
import { Uses } from './uses.tsx'

/** The names of the sections, and of an operation's kind. */
const sectionNames: Readonly<Record<OfferSection, string>> = {
  uses: 'Used by Muster',
  queries: 'Queries',
  mutations: 'Mutations',
  subscriptions: 'Subscriptions',
  fields: 'Device fields',
  limits: 'Limits',
  history: 'Schema history',
}
const kinds: Partial<Record<OfferSection, OperationKind>> = {
  queries: 'query',
  mutations: 'mutation',
  subscriptions: 'subscription',
}

/** How often what Muster has learned is read again while the page is open, ms. */
const learnedMs = 5_000

/** What a connection's service offers, what Muster uses of it, and how its schema changed. */
export function OffersPage({ connection, coreLost }: { connection: string; coreLost: boolean }) {
  const { session } = useAppContext()
  const name = useStore(session.state, ({ app }) => app?.connections.find(({ id }) => id === connection)?.name ?? null)
  const section = useStore(offersShown, (shown) => shown?.section ?? 'uses')
  const [search, setSearch] = useState('')
  const { known, again } = useSchema(connection)
  const offers = useCall(
    connection,
    async () => await session.pipe.call('offers.read', { connection }),
    every(learnedMs),
  ).value
  if (name === null)
    return (
      <div className="screen" id="query" tabIndex={-1}>
        <p className="screen-note">This connection is not there any more.</p>
        <Button className="button" onPress={closeOffers}>
          Back to Query
        </Button>
      </div>
    )
  return (
    <div className="screen service-offers" id="query" tabIndex={-1}>
      <div className="screen-head">
        <h1>
          What <Isolated>{name}</Isolated> offers
        </h1>
        <span className="spring" />
        <Button className="button" isDisabled={coreLost || known === null || isReadElsewhere(known)} onPress={again}>
          <RefreshCw size={14} aria-hidden />
          Read schema again
        </Button>
        <Button className="button" onPress={closeOffers}>
          <SquareTerminal size={14} aria-hidden />
          Query
        </Button>
      </div>
      <SchemaLine known={known} />
      <div className="offers-bar">
        <div className="segments" role="group" aria-label="Section">
          {offerSections.map((each) => (
            <ToggleButton
              key={each}
              className="button toggle"
              isSelected={each === section}
              onChange={() => showOffers(connection, each)}
            >
              {sectionNames[each]}
            </ToggleButton>
          ))}
        </div>
        <SearchField className="offers-search" aria-label="Search this section" value={search} onChange={setSearch}>
          <Search size={14} aria-hidden />
          <Input className="input" placeholder="Search" />
        </SearchField>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: what scrolls is reached by keys */}
      <div className="offers-body" role="region" aria-label={sectionNames[section]} tabIndex={0}>
        {offers !== null && !offers.ok && <p className="screen-note">{explain(offers.fault).title}</p>}
        <Section
          section={section}
          connection={connection}
          search={search.trim()}
          known={known}
          offers={offers?.ok === true ? offers.value : null}
        />
      </div>
    </div>
  )
}

/** Returns whether another member of the team reads the connection, so that the schema is told there. */
const isReadElsewhere = (known: KnownSchema): boolean => 'fault' in known && known.fault.kind === 'team-lead'

/** Says whether the lists are what the service tells or what is documented. */
function SchemaLine({ known }: { known: KnownSchema | null }) {
  if (known === null)
    return (
      <p className="offers-note muted-text" role="status">
        Reading the schema…
      </p>
    )
  if ('schema' in known)
    return (
      <p className="offers-note muted-text" role="status">
        As the service tells its schema.
      </p>
    )
  const { title, advice } = explain(known.fault)
  const isRejected = known.fault.kind === 'query' || known.fault.kind === 'forbidden'
  return (
    <p className="offers-note" role="status">
      {isRejected ? 'The service does not tell its schema' : 'The schema could not be read'}: the lists have what is
      documented. What is missing in them may be there.{' '}
      {known.fault.kind === 'input' ? inputText(known.fault.detail) : `${title} ${advice}`}
    </p>
  )
}

interface SectionProps {
  section: OfferSection
  connection: string
  search: string
  known: KnownSchema | null
  offers: Offers | null
}

function Section({ section, connection, search, known, offers }: SectionProps) {
  if (section === 'history')
    return <History key={known === null ? '' : 'read'} connection={connection} search={search} />
  if (section === 'uses' || section === 'limits') {
    if (offers === null) return <p className="screen-note">Loading…</p>
    if (section === 'uses') return <Uses offers={offers} search={search} />
    const members = known !== null && 'schema' in known ? searchMembersOf(known.schema) : null
    return <Limits offers={offers} members={members} />
  }
  if (known === null) return <p className="screen-note">Loading…</p>
  const isTold = 'schema' in known
  const schema = isTold ? known.schema : documentedSchema()
  const kind = kinds[section]
  const all = kind === undefined ? deviceFieldsOf(schema) : rootFieldsOf(schema, kind)
  const fields = foundFields(all, search)
  if (fields.length === 0) return <p className="screen-note">{emptyText(section, isTold, all.length > 0)}</p>
  return (
    <>
      <p className="offers-count" role="status">
        {numberText(fields.length)} of {numberText(all.length)}
      </p>
      <FieldTable
        label={sectionNames[section]}
        fields={fields}
        use={kind === undefined ? fieldUse(offers) : null}
        open={kind === undefined ? null : { kind, schema, connection }}
      />
    </>
  )
}

function emptyText(section: OfferSection, isTold: boolean, isFiltered: boolean): string {
  if (isFiltered) return 'No match.'
  const name = sectionNames[section].toLowerCase()
  return isTold ? `The service offers no ${name}.` : `No ${name} are documented. Which the service offers is not known.`
}

/** Returns how Muster uses a device field. */
function fieldUse(offers: Offers | null): (name: string) => string {
  const base = new Set(offers?.baseFields)
  const leftOut = new Set(offers?.leftOut.map(({ path }) => path))
  return (name) => {
    if (leftOut.has(`device.${name}`)) return 'Left out: the service rejected it'
    if (base.has(name)) return 'Read by each sync'
    const columns = (offers?.columns ?? []).filter(
      (column) => column.name === name || column.name.startsWith(`${name}.`),
    )
    if (columns.some(({ isOn }) => isOn)) return 'Extra column'
    return columns.length > 0 ? 'Can be an extra column' : 'Not used'
  }
}

import '../styles/compare.css'
import { GitCompareArrows } from 'lucide-react'
import { useId } from 'react'
import { Button } from 'react-aria-components'
import type { CallOutput } from '../../src-shared/contract/contract.ts'
import type { AssetField } from '../../src-shared/model/comparison.ts'
import { ChangesParts } from '../changes/parts.tsx'
import { enteredTime, inputTime } from '../changes/query.ts'
import { useAppContext } from '../lib/context.ts'
import { many, numberText } from '../lib/format/numbers.ts'
import { useCall } from '../lib/hooks/use-call.ts'
import { useStore } from '../lib/store.ts'
import { Choice } from '../lib/ui/choice.tsx'
import { FaultNote } from '../lib/ui/fault-note.tsx'
import { SaveCsv } from '../lib/ui/save-csv.tsx'
import { PlaceField } from '../policies/place/place-field.tsx'
import { useSettings } from '../settings/use-settings.ts'
import { comparison, type ComparisonState, firstKinds, sidesOf } from './comparison.ts'
import { DifferenceTable, Kinds, pageRows } from './differences.tsx'
import { ListField } from './list-field.tsx'
import { SavedComparisons } from './saved.tsx'
import { fieldWords } from './words.ts'

/** Compares an asset list, a place or a past time with the fleet. */
export function Comparison({ coreLost }: { coreLost: boolean }) {
  const state = useStore(comparison)
  const change = (part: Partial<ComparisonState>) => comparison.set({ ...comparison.get(), ...part })
  const sides = sidesOf(state)
  const chosen = 'sides' in sides ? sides.sides : null
  return (
    <div className="screen changes compare" id="changes" tabIndex={-1}>
      <div className="screen-head">
        <h1>Changes</h1>
        <ChangesParts />
      </div>
      <Sides state={state} coreLost={coreLost} onChange={change} />
      <div className="compare-run">
        <Button
          className="button primary"
          isDisabled={coreLost || chosen === null}
          onPress={() =>
            chosen !== null &&
            change({ shown: { sides: chosen, run: (state.shown?.run ?? 0) + 1 }, page: 0, kinds: [], text: '' })
          }
        >
          <GitCompareArrows size={14} aria-hidden />
          Compare
        </Button>
        {'lacks' in sides && <p className="muted-text">{sides.lacks}</p>}
      </div>
      <SavedComparisons sides={chosen} coreLost={coreLost} />
      {state.shown !== null && <Found key={state.shown.run} state={state} shown={state.shown} onChange={change} />}
    </div>
  )
}

interface SidesProps {
  state: ComparisonState
  coreLost: boolean
  onChange: (part: Partial<ComparisonState>) => void
}

/** What is compared with what. */
function Sides({ state: { kind, list, first, second, at, shown }, coreLost, onChange }: SidesProps) {
  // A kept comparison brings its own places into the fields.
  const run = shown?.run ?? 0
  const { times } = useSettings()
  const id = useId()
  return (
    <div className="compare-sides">
      <section className="overview-panel" aria-label="First side">
        <Choice
          label="What the first side is"
          value={kind}
          options={firstKinds}
          onChange={(next) => onChange({ kind: next })}
        />
        {kind === 'list' && <ListField list={list} coreLost={coreLost} onList={(next) => onChange({ list: next })} />}
        {kind === 'place' && (
          <PlaceField key={run} label="First place" value={first} onChange={(place) => onChange({ first: place })} />
        )}
        {kind === 'date' && (
          <label className="changes-end" htmlFor={`${id}-at`}>
            As it was on
            <input
              key={run}
              id={`${id}-at`}
              className="input"
              type="datetime-local"
              defaultValue={at === null ? '' : inputTime(at, times)}
              onChange={({ target }) => onChange({ at: enteredTime(target.value, times) })}
            />
          </label>
        )}
      </section>
      <section className="overview-panel" aria-label="Second side">
        <PlaceField
          key={run}
          label={kind === 'place' ? 'Second place, as it is now' : 'Place in the fleet, as it is now'}
          value={second}
          onChange={(place) => onChange({ second: place })}
        />
      </section>
    </div>
  )
}

interface FoundProps {
  state: ComparisonState
  shown: NonNullable<ComparisonState['shown']>
  onChange: (part: Partial<ComparisonState>) => void
}

/** The differences of the last comparison; the next one is made by the button. */
function Found({ state: { kinds, text, page }, shown: { sides }, onChange }: FoundProps) {
  const { session } = useAppContext()
  const { value, current } = useCall(JSON.stringify({ sides, kinds, text, page }), () =>
    session.pipe.call('compare.read', {
      ...sides,
      kinds: [...kinds],
      text,
      offset: page * pageRows,
      limit: pageRows,
    }),
  )
  if (value === null)
    return (
      <p className="screen-note" role="status">
        Comparing…
      </p>
    )
  if (!value.ok) return <FaultNote fault={value.fault} />
  const found = value.value
  const first = sides.first.kind
  return (
    <div className="changes-found" aria-busy={!current}>
      <div className="changes-tools">
        <Kinds
          first={first}
          chosen={kinds}
          counts={found.counts}
          onChange={(next) => onChange({ kinds: next, page: 0 })}
        />
        <span className="spring" />
        <input
          className="input"
          type="search"
          aria-label="Search differences"
          placeholder="Name, serial or place"
          autoComplete="off"
          value={text}
          maxLength={200}
          onChange={({ target }) => onChange({ text: target.value, page: 0 })}
        />
        <SaveCsv
          what="comparison"
          disabled={found.total === 0}
          part={(row) => session.pipe.call('compare.csv', { ...sides, kinds: [...kinds], text, row })}
        />
      </div>
      <Notes found={found} isList={first === 'list'} />
      {found.total === 0 ? (
        <p className="screen-note">
          {kinds.length > 0 || text.trim() !== '' ? 'No match.' : 'There is nothing on either side.'}
        </p>
      ) : (
        <DifferenceTable found={found} first={first} page={page} onPage={(next) => onChange({ page: next })} />
      )}
    </div>
  )
}

/** What the comparison does not know. */
function Notes({
  found: { devices, known, unrecorded },
  isList,
}: {
  found: CallOutput<'compare.read'>
  isList: boolean
}) {
  const lacking = known.filter(({ first, second }) => isList && first > 0 && second < devices.second)
  return (
    <>
      {lacking.map(({ field, second }) => (
        <p key={field} className="muted-text" role="note">
          {fieldWords[field as AssetField]} is loaded for {numberText(second)} of {many(devices.second, 'device')}. Add
          its column to the inventory to have it compared for all of them.
        </p>
      ))}
      {unrecorded > 0 && (
        <p className="muted-text" role="note">
          {many(unrecorded, 'device')} of tenants of which nothing is recorded at that time{' '}
          {unrecorded === 1 ? 'is' : 'are'} left out.
        </p>
      )}
    </>
  )
}

import { ToggleButton } from 'react-aria-components'
import type { CallOutput } from '../../src-shared/contract/contract.ts'
import { type Difference, type DifferenceKind, differenceKinds } from '../../src-shared/model/comparison.ts'
import { numberText } from '../lib/format/numbers.ts'
import { DeviceLink } from '../lib/ui/buttons/device-link.tsx'
import { Isolated } from '../lib/ui/isolated.tsx'
import { NameText } from '../lib/ui/name-text.tsx'
import { Pager } from '../lib/ui/pager.tsx'
import type { FirstKind } from './comparison.ts'
import { assetPlace, detailText, kindHint, kindWords, matchWords } from './words.ts'

/** Rows of one page. */
export const pageRows = 100

interface KindsProps {
  first: FirstKind
  chosen: readonly DifferenceKind[]
  counts: CallOutput<'compare.read'>['counts']
  onChange: (kinds: readonly DifferenceKind[]) => void
}

/** The kinds with their counts. None chosen: all are shown. */
export function Kinds({ first, chosen, counts, onChange }: KindsProps) {
  return (
    <div className="changes-kinds" role="group" aria-label="Kinds of differences">
      {differenceKinds.map((kind) => (
        <ToggleButton
          key={kind}
          className="button toggle"
          aria-label={`${kindWords[kind]}: ${numberText(counts[kind])}. ${kindHint(kind, first)}`}
          isSelected={chosen.includes(kind)}
          onChange={(on) => onChange(on ? [...chosen, kind] : chosen.filter((each) => each !== kind))}
        >
          {kindWords[kind]} <span className="muted-text">{numberText(counts[kind])}</span>
        </ToggleButton>
      ))}
    </div>
  )
}

interface Props {
  found: CallOutput<'compare.read'>
  first: FirstKind
  page: number
  onPage: (page: number) => void
}

const firstHeads: Readonly<Record<FirstKind, string>> = { list: 'In the list', place: 'First place', date: 'Then' }

/** A page of the differences, kind after kind. */
export function DifferenceTable({ found: { rows, total }, first, page, onPage }: Props) {
  const from = page * pageRows
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: what scrolls is reached by keys */}
      <div className="changes-box" tabIndex={0} role="region" aria-label="Differences">
        <table className="overview-table changes-table compare-table" aria-rowcount={total + 1}>
          <thead>
            <tr aria-rowindex={1}>
              <th scope="col">Difference</th>
              <th scope="col">{firstHeads[first]}</th>
              <th scope="col">{first === 'place' ? 'Second place' : 'In the fleet'}</th>
              <th scope="col">Place</th>
              <th scope="col">Details</th>
              <th scope="col">Matched by</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((difference, index) => (
              <Row key={from + index} difference={difference} index={from + index} />
            ))}
          </tbody>
        </table>
      </div>
      <Pager page={page} pageRows={pageRows} shown={rows.length} total={total} onPage={onPage} />
    </>
  )
}

/** `index`: of the row, from 0. */
function Row({ difference, index }: { difference: Difference; index: number }) {
  const { kinds, by, first, second } = difference
  return (
    <tr aria-rowindex={index + 2} data-kind={kinds[0]}>
      <th scope="row" className="changes-kind">
        {kinds.map((kind) => kindWords[kind]).join(', ')}
      </th>
      <td>{first === null ? <None /> : <Side asset={first} />}</td>
      <td>{second === null ? <None /> : <Side asset={second} />}</td>
      <td>
        <Places difference={difference} />
      </td>
      <td>
        <Isolated className="compare-detail">{detailText(difference)}</Isolated>
      </td>
      <td className="muted-text">{by === null || kinds[0] === 'ambiguous' ? '' : matchWords[by]}</td>
    </tr>
  )
}

const None = () => <span className="absent">–</span>

/** A device of one side; one of the fleet opens. */
function Side({ asset: { key, line, name, serial, mac, id } }: { asset: NonNullable<Difference['first']> }) {
  const text = name !== '' ? name : serial !== '' ? serial : mac !== '' ? mac : id
  if (key === null)
    return (
      <span className="compare-side">
        <NameText name={text} clip />
        <span className="muted-text">line {line}</span>
      </span>
    )
  return <DeviceLink device={key} name={text} />
}

/** Where it is; of one that moved both places. */
function Places({ difference: { kinds, first, second } }: { difference: Difference }) {
  const isMoved = kinds.includes('moved')
  const withTenant = first?.tenant !== '' && first?.tenant !== second?.tenant
  const [one, other] = [first, second].map((asset) => (asset === null ? '' : assetPlace(asset, withTenant)))
  const text = isMoved ? `${one} → ${other}` : other !== '' ? other : one
  return (
    <Isolated className="clip" title={text}>
      {text ?? ''}
    </Isolated>
  )
}

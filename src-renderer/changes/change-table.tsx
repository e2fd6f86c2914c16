import type { CallOutput } from '../../src-shared/contract/contract.ts'
import type { DeviceChange } from '../../src-shared/contract/changes-calls.ts'
import { numberText } from '../lib/format/numbers.ts'
import { DeviceLink } from '../lib/ui/buttons/device-link.tsx'
import { Isolated } from '../lib/ui/isolated.tsx'
import { Moment } from '../lib/ui/moment.tsx'
import { NameText } from '../lib/ui/name-text.tsx'
import { Pager } from '../lib/ui/pager.tsx'
import { kindWords, placeText } from './words.ts'

/** Rows of one page. */
export const pageRows = 100

interface Props {
  found: CallOutput<'changes.read'>
  page: number
  onPage: (page: number) => void
}

/** A page of the changes, kind after kind. */
export function ChangeTable({ found: { changes, total }, page, onPage }: Props) {
  const from = page * pageRows
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: what scrolls is reached by keys */}
      <div className="changes-box" tabIndex={0} role="region" aria-label="Changes">
        <table className="overview-table changes-table" aria-rowcount={total + 1}>
          <thead>
            <tr aria-rowindex={1}>
              <th scope="col">Change</th>
              <th scope="col">At</th>
              <th scope="col">Device</th>
              <th scope="col">Place</th>
              <th scope="col">Before</th>
              <th scope="col" className="number">
                Disconnects
              </th>
            </tr>
          </thead>
          <tbody>
            {changes.map((change, index) => (
              <Row key={`${change.kind} ${change.key}`} change={change} index={from + index} />
            ))}
          </tbody>
        </table>
      </div>
      <Pager page={page} pageRows={pageRows} shown={changes.length} total={total} onPage={onPage} />
    </>
  )
}

/** `index`: of the row, from 0. */
function Row({ change, index }: { change: DeviceChange; index: number }) {
  const { kind, key, at, isListed, name, before, after, disconnects } = change
  return (
    <tr aria-rowindex={index + 2} data-kind={kind}>
      <td className="changes-kind">{kindWords[kind]}</td>
      <td className="changes-at">
        <Moment at={at} />
      </td>
      <th scope="row">{isListed ? <DeviceLink device={key} name={name} /> : <NameText name={name} clip />}</th>
      <td>
        <Isolated className="clip">{placeText(change)}</Isolated>
      </td>
      <td>
        <Isolated className="clip">{after === '' ? before : `${before} → ${after}`}</Isolated>
      </td>
      <td className="number">{numberText(disconnects)}</td>
    </tr>
  )
}

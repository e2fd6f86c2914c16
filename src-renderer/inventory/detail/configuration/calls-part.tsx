import type { CallRecord } from '../../../../src-shared/contract/configuration-calls.ts'
import type { CallOutput } from '../../../../src-shared/contract/contract.ts'
import { useAppContext } from '../../../lib/context.ts'
import { many } from '../../../lib/format/numbers.ts'
import { Isolated } from '../../../lib/ui/isolated.tsx'
import { Moment } from '../../../lib/ui/moment.tsx'
import { Part } from '../../../lib/ui/part.tsx'
import { ReadButton, type SectionProps } from './read-button.tsx'
import { usePress } from './use-press.ts'

type Calls = CallOutput<'configuration.calls'>

/** How far back calls are read, days. */
const days = 7

/** The calls of the device, of those that the service lists for its whole tenant, page by page. */
export function CallsPart(props: SectionProps) {
  const { session } = useAppContext()
  const { value, fault, busy, press } = usePress<Calls>()
  const { device } = props
  const isFirst = value === null
  const isMore = value !== null && value.next !== null
  const read = () => {
    const after = value?.next ?? null
    press(
      () => session.pipe.call('configuration.calls', { device, days, after }),
      (last, next) =>
        last === null || after === null
          ? next
          : { records: [...last.records, ...next.records], read: last.read + next.read, next: next.next },
    )
  }
  return (
    <Part title="Calls">
      <ReadButton {...props} busy={busy} fault={fault} onPress={read}>
        {isFirst ? `Read calls of ${days} days` : isMore ? 'Read on' : 'Read calls again'}
      </ReadButton>
      {value !== null && (
        <>
          <p className="detail-note" role="status">
            {many(value.records.length, 'call')} of this device in {many(value.read, 'record')} of its tenant
            {isMore ? ' so far. The service lists calls by tenant, so there may be more.' : ', which is all.'}
          </p>
          {value.records.length > 0 && <CallTable records={value.records} />}
        </>
      )}
    </Part>
  )
}

function CallTable({ records }: { records: readonly CallRecord[] }) {
  return (
    <table className="call-table" aria-label="Calls">
      <thead>
        <tr>
          <th scope="col">Began</th>
          <th scope="col">Duration</th>
          <th scope="col">Call</th>
        </tr>
      </thead>
      <tbody>
        {records.map((record, index) => (
          <tr key={`${record.startTime} ${index}`}>
            <td>
              <Moment at={record.startTime} />
            </td>
            <td>{durationText(record)}</td>
            <td>
              <Isolated>
                {[record.direction, record.protocol, record.remoteParty, record.disconnectInfo]
                  .filter((part) => part !== '')
                  .join(' · ')}
              </Isolated>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function durationText({ startTime, endTime }: CallRecord): string {
  if (startTime === null || endTime === null || endTime < startTime) return 'not told'
  const minutes = Math.round((endTime - startTime) / 60_000)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

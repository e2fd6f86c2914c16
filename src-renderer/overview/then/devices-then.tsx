import { useState } from 'react'
import { ToggleButton } from 'react-aria-components'
import type { CallOutput } from '../../../src-shared/contract/contract.ts'
import { type ThenState, thenStates } from '../../../src-shared/contract/overview-calls.ts'
import { faultSentence } from '../../../src-shared/model/fault.ts'
import { useAppContext } from '../../lib/context.ts'
import { numberText } from '../../lib/format/numbers.ts'
import { useLast } from '../../lib/hooks/use-last.ts'
import { DeviceLink } from '../../lib/ui/buttons/device-link.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { Pager } from '../../lib/ui/pager.tsx'
import { StatusMark } from '../../lib/ui/status-mark.tsx'
import { Panel } from '../panel.tsx'
import type { ThenPlace } from './then-time.ts'

const pageRows = 100

const stateWords: Readonly<Record<ThenState, string>> = {
  offline: 'Offline',
  online: 'Online',
  uncertain: 'Uncertain',
  none: 'No data',
}
const marks = { offline: 'disconnected', online: 'connected', uncertain: 'unknown', none: 'unknown' } as const

interface Props {
  at: number
  /** The chosen place with its name; null for the whole fleet. */
  place: ThenPlace | null
}

/** The devices at a past time, with names and places of then, by state, and searched. */
export function DevicesThen({ at, place }: Props) {
  const { session } = useAppContext()
  const [states, setStates] = useState<readonly ThenState[]>([])
  const [text, setText] = useState('')
  const [page, setPage] = useState(0)
  const asked = { at, place: place?.id ?? null, states: [...states], text, offset: page * pageRows, limit: pageRows }
  const { value, fault } = useLast(JSON.stringify(asked), () => session.pipe.call('overview.thenDevices', asked))
  const turn = (state: ThenState, on: boolean) => {
    setStates(on ? [...states, state] : states.filter((each) => each !== state))
    setPage(0)
  }
  return (
    <Panel
      title="Devices then"
      note={place === null ? '' : `at ${place.name}`}
      className="devices-then"
      tools={
        <input
          className="input"
          type="search"
          aria-label="Search devices then"
          placeholder="Name or place of then"
          autoComplete="off"
          maxLength={200}
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            setPage(0)
          }}
        />
      }
    >
      <div className="changes-kinds" role="group" aria-label="States">
        {thenStates.map((state) => (
          <ToggleButton
            key={state}
            className="button toggle"
            isSelected={states.includes(state)}
            onChange={(on) => turn(state, on)}
          >
            {stateWords[state]}{' '}
            <span className="muted-text">{value === null ? '…' : numberText(value.counts[state])}</span>
          </ToggleButton>
        ))}
      </div>
      {value === null ? (
        <p className="overview-empty" role={fault === null ? 'status' : 'alert'}>
          {fault === null ? 'Reading the journal…' : faultSentence(fault)}
        </p>
      ) : value.total === 0 ? (
        <p className="overview-empty">No match</p>
      ) : (
        <Table told={value} page={page} onPage={setPage} />
      )}
    </Panel>
  )
}

interface TableProps {
  told: CallOutput<'overview.thenDevices'>
  page: number
  onPage: (page: number) => void
}

function Table({ told: { devices, total }, page, onPage }: TableProps) {
  const from = page * pageRows
  return (
    <>
      <div className="overview-table-box">
        <table className="overview-table then-devices" aria-rowcount={total + 1}>
          <thead>
            <tr aria-rowindex={1}>
              <th scope="col">Status then</th>
              <th scope="col">Device</th>
              <th scope="col">Room</th>
              <th scope="col">Site</th>
              <th scope="col">Tenant</th>
            </tr>
          </thead>
          <tbody>
            {devices.map((device, index) => (
              <Row key={device.key} device={device} index={from + index} />
            ))}
          </tbody>
        </table>
      </div>
      {devices.some(({ isAsThen }) => !isAsThen) && (
        <p className="overview-more">
          Names and places of that time are not recorded for all of them: those have today’s.
        </p>
      )}
      <Pager page={page} pageRows={pageRows} shown={devices.length} total={total} onPage={onPage} />
    </>
  )
}

/** `index`: of the row, from 0. */
function Row({
  device: { key, name, room, site, tenant, state },
  index,
}: {
  device: TableProps['told']['devices'][number]
  index: number
}) {
  return (
    <tr aria-rowindex={index + 2}>
      <td>
        <span className={`status status-${marks[state]}`}>
          <StatusMark status={marks[state]} />
          <span>{stateWords[state].toLowerCase()}</span>
        </span>
      </td>
      <th scope="row">
        <DeviceLink device={key} name={name} title="Shows it as it is now" />
      </th>
      {[room, site, tenant].map((text, column) => (
        <td key={column}>
          <Isolated className="clip">{text}</Isolated>
        </td>
      ))}
    </tr>
  )
}

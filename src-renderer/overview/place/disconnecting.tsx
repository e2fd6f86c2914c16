import type { CallOutput } from '../../../src-shared/contract/contract.ts'
import { many, numberText } from '../../lib/format/numbers.ts'
import { span } from '../../lib/format/time.ts'
import { DeviceLink } from '../../lib/ui/buttons/device-link.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { Moment } from '../../lib/ui/moment.tsx'
import { fieldLabels } from '../../inventory/columns/labels.ts'
import { Panel } from '../panel.tsx'

type History = NonNullable<CallOutput<'overview.place'>['history']>

/** The devices of a place with the most disconnects in 30 days, and what most of them have in common. */
export function Disconnecting({ history, total }: { history: History; total: number }) {
  const { devices, disconnecting, inCommon } = history
  return (
    <Panel
      title="Most disconnects"
      note={`30 days · ${numberText(disconnecting)} of ${many(total, 'device')}`}
      className="disconnecting"
    >
      {devices.length === 0 ? (
        <p className="overview-empty">No disconnects in the journal</p>
      ) : (
        <div className="overview-table-box">
          <table className="overview-table">
            <thead>
              <tr>
                <th scope="col">Device</th>
                <th scope="col">Site and room</th>
                <th scope="col">{fieldLabels('hardwareModel')}</th>
                <th scope="col" className="number">
                  Disconnects
                </th>
                <th scope="col" className="number">
                  Offline
                </th>
                <th scope="col">Last one</th>
              </tr>
            </thead>
            <tbody>
              {devices.map((device) => (
                <Row key={device.key} device={device} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {inCommon.length > 0 && (
        <ul className="in-common" aria-label="In common">
          {inCommon.map(({ field, value, devices: having, all }) => (
            <li key={`${field} ${value}`}>
              {numberText(having)} of these {numberText(devices.length)} have {labelOf(field)}{' '}
              <Isolated>{value}</Isolated>; so have {numberText(all)} of all {many(total, 'device')} here.
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

const labelOf = (field: string): string => (field === 'site' ? 'site' : field === 'room' ? 'room' : fieldLabels(field))

function Row({ device }: { device: History['devices'][number] }) {
  const { key, name, site, room, hardwareModel, disconnects, last, down } = device
  const place = [site, room].filter((part) => part !== null && part !== '').join(' · ')
  return (
    <tr>
      <th scope="row">
        <DeviceLink device={key} name={name} />
      </th>
      <td>
        <Isolated className="clip">{place === '' ? '–' : place}</Isolated>
      </td>
      <td>
        <Isolated className="clip">{hardwareModel === '' ? '–' : hardwareModel}</Isolated>
      </td>
      <td className="number">{numberText(disconnects)}</td>
      <td className="number">{span(down)}</td>
      <td>
        <Moment at={last} />
      </td>
    </tr>
  )
}

import { everything } from '../../../src-shared/model/inventory.ts'
import { useAppContext } from '../../lib/context.ts'
import { numberText } from '../../lib/format/numbers.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { filterBehind, filterOf, type FirmwareModel, shareOf, shareText } from './firmware.ts'

interface Props {
  models: readonly FirmwareModel[]
  /** The extra column with the versions. */
  column: string
  /** The model whose progress is shown. */
  chosen: string | null
  disabled: boolean
  onTarget: (model: string, version: string | null) => void
  onChoose: (model: string) => void
}

/** Each model with its versions, its target, and what is behind. */
export function ModelTable({ models, ...props }: Props) {
  const hasFamilies = models.some(({ family }) => family !== '')
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: what scrolls is reached by keys
    <div className="firmware-box" tabIndex={0} role="region" aria-label="Versions by model">
      <table className="overview-table firmware-table">
        <thead>
          <tr>
            <th scope="col">Model</th>
            {hasFamilies && <th scope="col">Family</th>}
            <th scope="col" className="number">
              Devices
            </th>
            <th scope="col">Versions</th>
            <th scope="col">Target</th>
            <th scope="col">On target</th>
            <th scope="col" className="number">
              Behind
            </th>
          </tr>
        </thead>
        <tbody>
          {models.map((state) => (
            <Row key={state.model} state={state} hasFamilies={hasFamilies} {...props} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({
  state,
  hasFamilies,
  column,
  chosen,
  disabled,
  onTarget,
  onChoose,
}: Omit<Props, 'models'> & { state: FirmwareModel; hasFamilies: boolean }) {
  const { session } = useAppContext()
  const { family, model, devices, target, behind } = state
  const name = model === '' ? 'No model' : model
  const share = shareOf(state)
  return (
    <tr data-chosen={chosen === model}>
      <th scope="row">
        {target === null ? (
          <Isolated className="clip">{name}</Isolated>
        ) : (
          <button
            type="button"
            className="overview-link"
            aria-pressed={chosen === model}
            aria-label={`Progress of ${name}`}
            onClick={() => onChoose(model)}
          >
            <Isolated className="clip">{name}</Isolated>
          </button>
        )}
      </th>
      {hasFamilies && (
        <td>
          <Isolated className="clip">{family}</Isolated>
        </td>
      )}
      <td className="number">{numberText(devices)}</td>
      <td>
        <Versions state={state} column={column} />
      </td>
      <td>
        <Target state={state} name={name} disabled={disabled || model === ''} onTarget={onTarget} />
      </td>
      <td>{share === null ? <span className="absent">–</span> : <Share share={share} />}</td>
      <td className="number">
        {behind === null || target === null ? (
          <span className="absent">–</span>
        ) : behind === 0 ? (
          0
        ) : (
          <button
            type="button"
            className="overview-link"
            aria-label={`${numberText(behind)} devices of ${name} are behind: show them`}
            onClick={() =>
              session.open({ scope: everything, filter: filterBehind(model, column, target), device: null })
            }
          >
            {numberText(behind)}
          </button>
        )}
      </td>
    </tr>
  )
}

function Share({ share }: { share: number }) {
  return (
    <span className="firmware-share">
      <span className="firmware-bar" aria-hidden>
        <span style={{ inlineSize: `${share * 100}%` }} />
      </span>
      {shareText(share)}
    </span>
  )
}

/** Versions that are named in a row. */
const named = 4

/** The newest versions, each a link to its devices, and how many devices have none. */
function Versions({
  state: { model, versions, versionsLeftOut, unread, target },
  column,
}: {
  state: FirmwareModel
  column: string
}) {
  const { session } = useAppContext()
  const more = versions.length - named + versionsLeftOut
  return (
    <ul className="firmware-versions">
      {versions.slice(0, named).map(({ version, devices }) => (
        <li key={version} data-target={version === target}>
          <button
            type="button"
            className="overview-link"
            onClick={() => session.open({ scope: everything, filter: filterOf(model, column, version), device: null })}
          >
            <Isolated className="clip">{version}</Isolated>
          </button>{' '}
          <span className="muted-text">{numberText(devices)}</span>
        </li>
      ))}
      {more > 0 && <li className="muted-text">{numberText(more)} more</li>}
      {unread > 0 && <li className="muted-text">not known: {numberText(unread)}</li>}
    </ul>
  )
}

interface TargetProps {
  state: FirmwareModel
  name: string
  disabled: boolean
  onTarget: (model: string, version: string | null) => void
}

function Target({ state: { model, versions, target }, name, disabled, onTarget }: TargetProps) {
  const known = versions.map(({ version }) => version)
  const offered = target === null || known.includes(target) ? known : [target, ...known]
  return (
    <select
      className="input"
      aria-label={`Target of ${name}`}
      disabled={disabled}
      value={target ?? ''}
      onChange={({ target: { value } }) => onTarget(model, value === '' ? null : value)}
    >
      <option value="">No target</option>
      {offered.map((version) => (
        <option key={version} value={version}>
          {version}
        </option>
      ))}
    </select>
  )
}

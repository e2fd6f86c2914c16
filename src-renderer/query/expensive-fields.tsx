import { useState } from 'react'
import { Button } from 'react-aria-components'
import type { CostField, OperationEstimate } from '../../src-shared/contract/cost-calls.ts'
import { useAppContext } from '../lib/context.ts'
import { inputText } from '../lib/format/input.ts'
import { many, numberText } from '../lib/format/numbers.ts'
import { useCall } from '../lib/hooks/use-call.ts'
import { useTickedText } from '../lib/hooks/use-ticked-text.ts'
import { Isolated } from '../lib/ui/isolated.tsx'
import { costText, shareText } from './cost-text.ts'
import { change } from './query-state.ts'
import type { Estimated } from './use-estimate.ts'

interface Props {
  estimate: OperationEstimate
  asked: Estimated['asked']
}

/** The fields that cost most, of which the operator can leave out some. */
export function ExpensiveFields({ estimate: { fields, likely }, asked }: Props) {
  const [chosen, setChosen] = useState<readonly CostField[]>([])
  if (fields.length === 0) return null
  const toggle = (field: CostField) =>
    setChosen(chosen.includes(field) ? chosen.filter((one) => one !== field) : [...chosen, field])
  return (
    <details className="expensive-fields">
      <summary>Most expensive fields</summary>
      <ul>
        {fields.map((field) => (
          <li key={field.at.join(' ')}>
            <label>
              <input type="checkbox" checked={chosen.includes(field)} onChange={() => toggle(field)} />
              <Isolated className="clip" title={field.name}>
                {field.name}
              </Isolated>
              <span className="expensive-points">
                line {numberText(field.line)}, about {many(field.points, 'point')}, {shareText(field.points / likely)}
              </span>
            </label>
          </li>
        ))}
      </ul>
      {chosen.length > 0 && <Removal asked={asked} chosen={chosen} />}
    </details>
  )
}

/** What the operation costs without the chosen fields, before they are removed. */
function Removal({ asked, chosen }: { asked: Estimated['asked']; chosen: readonly CostField[] }) {
  const { session } = useAppContext()
  const at = chosen.flatMap((field) => field.at)
  const { value: answer, current } = useCall(at.join(' '), () => session.pipe.call('cost.without', { ...asked, at }))
  const known = current && answer?.ok === true ? answer.value : null
  const words = useTickedText((now) => {
    if (known === null) return ''
    const { cost, verdict } = costText(known.estimate, now)
    return `${cost}. ${verdict}`
  })
  return (
    <p className="query-cost" role="status">
      <Button
        className="button"
        isDisabled={known === null}
        onPress={() => {
          if (known !== null) change({ document: known.document })
          document.querySelector<HTMLElement>('.query-left .cm-content')?.focus()
        }}
      >
        Remove {many(chosen.length, 'field')}
      </Button>
      {answer !== null && current && !answer.ok ? (
        <Isolated>{inputText(answer.fault.detail)}</Isolated>
      ) : (
        <span>{words}</span>
      )}
    </p>
  )
}

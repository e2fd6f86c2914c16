import { X } from 'lucide-react'
import { useState } from 'react'
import type { Severity } from '../../src-shared/model/incidents.ts'
import { everything } from '../../src-shared/model/inventory.ts'
import { IconButton } from '../lib/ui/buttons/icon-button.tsx'
import { Isolated } from '../lib/ui/isolated.tsx'
import { Weekdays } from '../lib/ui/weekdays.tsx'
import { FormGroup } from '../policies/fields.tsx'
import { PlaceField } from '../policies/place/place-field.tsx'
import { usePolicies } from '../policies/use-policies.ts'
import { ZoneField } from '../policies/zones/zone-field.tsx'
import type { ChannelDraft, FieldProps } from './draft.ts'
import { TextField } from './target-fields.tsx'

const severities: readonly { value: Severity; word: string }[] = [
  { value: 'critical', word: 'Critical' },
  { value: 'major', word: 'Major' },
  { value: 'minor', word: 'Minor' },
]

/** What a channel is told, and when. */
export function RuleFields({ ownZone, ...props }: FieldProps & { ownZone: string }) {
  const { draft, problems, onChange } = props
  const { rule } = draft
  const change = (part: Partial<ChannelDraft['rule']>) => onChange({ rule: { ...rule, ...part } })
  const policies = usePolicies()
  return (
    <>
      <h3>What it is told</h3>
      <FormGroup label="Severities" field="severities" error={problems.get('severities')}>
        {severities.map(({ value, word }) => (
          <Check
            key={value}
            word={word}
            checked={rule.severities.includes(value)}
            onChange={(on) =>
              change({
                severities: severities
                  .map((one) => one.value)
                  .filter((one) => (one === value ? on : rule.severities.includes(one))),
              })
            }
          />
        ))}
      </FormGroup>
      <FormGroup label="Also">
        <Check word="Recoveries" checked={rule.recoveries} onChange={(recoveries) => change({ recoveries })} />
        <Check
          word="Lost monitoring"
          checked={rule.monitoringLost}
          onChange={(monitoringLost) => change({ monitoringLost })}
        />
      </FormGroup>
      <Places {...props} />
      <Hours {...props} />
      <div data-field="zone">
        <ZoneField
          value={rule.zone === ownZone ? null : rule.zone}
          inherited={{ zone: ownZone, from: null }}
          policies={policies}
          error={problems.get('zone')}
          onChange={(zone) => change({ zone: zone ?? ownZone })}
        />
      </div>
      <TextField
        {...props}
        name="afterMinutes"
        label="Wait, in minutes"
        mono
        hint="0 tells at once. Otherwise it is told if the incident is still open then, and nobody has acknowledged, snoozed or taken it: an escalation."
      />
    </>
  )
}

function Check({ word, checked, onChange }: { word: string; checked: boolean; onChange: (on: boolean) => void }) {
  return (
    <label className="check">
      <input type="checkbox" checked={checked} onChange={({ target }) => onChange(target.checked)} />
      <span>{word}</span>
    </label>
  )
}

/** The places of a rule. Those that are chosen are listed above the field that adds one. */
function Places({ draft: { rule }, problems, onChange }: FieldProps) {
  const [adds, setAdds] = useState(0)
  const change = (places: ChannelDraft['rule']['places']) => onChange({ rule: { ...rule, places } })
  return (
    <div data-field="places">
      {rule.places.length > 0 && (
        <ul className="channel-places" aria-label="Places">
          {rule.places.map(({ node, name }) => (
            <li key={node} className="channel-place">
              <Isolated className="clip">{name}</Isolated>
              <IconButton
                label={`Remove ${name}`}
                onPress={() => change(rule.places.filter((one) => one.node !== node))}
              >
                <X size={12} aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <PlaceField
        // Empty again after each choice.
        key={adds}
        label={rule.places.length === 0 ? 'Place (none: everywhere)' : 'Another place'}
        value={null}
        error={problems.get('places')}
        onChange={({ id, name }) => {
          setAdds(adds + 1)
          if (id === everything) change([])
          else if (!rule.places.some(({ node }) => node === id)) change([...rule.places, { node: id, name }])
        }}
      />
    </div>
  )
}

function Hours({ draft, problems, onChange }: FieldProps) {
  const { hours, hasHours } = draft
  const change = (part: Partial<typeof hours>) => onChange({ hours: { ...hours, ...part } })
  return (
    <>
      <Check word="Only in these hours" checked={hasHours} onChange={(on) => onChange({ hasHours: on })} />
      {hasHours && (
        <FormGroup
          label="Hours"
          field="hours"
          error={problems.get('hours')}
          hint="What is still open and not acknowledged is told when they begin."
        >
          <Weekdays days={hours.days} onChange={(days) => change({ days })} />
          <input
            className="input"
            type="time"
            data-size="length"
            aria-label="From"
            value={hours.from}
            onChange={({ target }) => change({ from: target.value })}
          />
          <input
            className="input"
            type="time"
            data-size="length"
            aria-label="Until"
            value={hours.until}
            onChange={({ target }) => change({ until: target.value })}
          />
        </FormGroup>
      )}
    </>
  )
}

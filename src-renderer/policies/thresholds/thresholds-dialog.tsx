import { type FormEvent, useId, useRef, useState } from 'react'
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import type { Fault } from '../../../src-shared/model/fault.ts'
import { numberSettings, type NumberSettingInfo } from '../../settings/fields/number-settings.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { useAppContext } from '../../lib/context.ts'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import { LeaveDialog, useLeaving } from '../../lib/ui/discard-dialog.tsx'
import {
  type ThresholdTexts,
  type Inherited,
  inheritedThreshold,
  inheritedText,
  thresholdsOf,
  textsOf,
} from './thresholds.ts'
import type { Place } from '../place/place.ts'
import { usePolicies } from '../use-policies.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'

/** The thresholds of everything below a place, each set here or inherited. */
export function ThresholdsDialog({ place, coreLost, onDone }: { place: Place; coreLost: boolean; onDone: () => void }) {
  const { policyEditor } = useAppContext()
  const policies = usePolicies()
  const [first] = useState(() => textsOf(policies.thresholds.find(({ node }) => node === place.id)?.thresholds ?? {}))
  const [texts, setTexts] = useState(first)
  const [fault, setFault] = useState<Fault | null>(null)
  const form = useRef<HTMLFormElement>(null)
  const changed = JSON.stringify(texts) !== JSON.stringify(first)
  const leaving = useLeaving(() => changed, onDone)
  async function save(event: FormEvent) {
    event.preventDefault()
    const { rules, problems } = thresholdsOf(texts)
    if (problems.size > 0) return form.current?.querySelector<HTMLInputElement>('[aria-invalid=true]')?.focus()
    const failure = changed ? await policyEditor.setThresholds(place, rules) : null
    if (failure === null) onDone()
    else setFault(failure)
  }
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(open) => !open && leaving.leave()}>
      <Modal className="modal wide">
        <Dialog className="dialog">
          <form ref={form} className="form" noValidate onSubmit={(event) => void save(event)}>
            <Heading slot="title">
              Alert rules of <Isolated>{place.name}</Isolated>
            </Heading>
            <p className="hint">These thresholds apply here and below. Empty fields are inherited.</p>
            <ThresholdFields place={place} texts={texts} onChange={setTexts} />
            <FaultNote fault={fault} />
            <div className="dialog-actions">
              <Button
                className="button"
                isDisabled={Object.values(texts).every((text) => text === '')}
                onPress={() => {
                  form.current?.querySelector('input')?.focus()
                  setTexts(textsOf({}))
                }}
              >
                Inherit all
              </Button>
              <span className="spring" />
              <Button className="button" onPress={leaving.leave}>
                Cancel
              </Button>
              <Button className="button primary" type="submit" isDisabled={coreLost}>
                Save
              </Button>
            </div>
          </form>
          {leaving.asking && <LeaveDialog what="The alert rules have not been saved." leaving={leaving} />}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

function ThresholdFields({
  place,
  texts,
  onChange,
}: {
  place: Place
  texts: ThresholdTexts
  onChange: (texts: ThresholdTexts) => void
}) {
  const policies = usePolicies()
  const settings = useSettings()
  const { problems } = thresholdsOf(texts)
  return (
    <div className="place-thresholds">
      {numberSettings.map((threshold, index) => (
        <ThresholdField
          key={threshold.setting}
          threshold={threshold}
          text={texts[threshold.setting]}
          inherited={inheritedThreshold(threshold.setting, place, policies, settings)}
          problem={problems.get(threshold.setting)}
          focused={index === 0}
          onChange={(text) => onChange({ ...texts, [threshold.setting]: text })}
        />
      ))}
    </div>
  )
}

interface LineProps {
  threshold: NumberSettingInfo
  text: string
  inherited: Inherited
  problem: string | undefined
  focused: boolean
  onChange: (text: string) => void
}

function ThresholdField({ threshold, text, inherited, problem, focused, onChange }: LineProps) {
  const id = useId()
  const words = inheritedText(inherited, threshold)
  return (
    <div className="setting">
      <div className="setting-text">
        <h3>{threshold.name}</h3>
        <p id={`${id}-description`}>
          {text === '' ? `Inherited: ${words}.` : `Set here. Inherited would be ${words}.`}
        </p>
        <p className="field-error" id={`${id}-error`} role="alert">
          {problem}
        </p>
      </div>
      <span className="number-field">
        <input
          className="input"
          inputMode="numeric"
          aria-label={`${threshold.name}, ${threshold.unit}`}
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}-description ${id}-error`}
          maxLength={8}
          autoComplete="off"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the first field of a dialog that the operator opened
          autoFocus={focused}
          title={threshold.description}
          placeholder={String(inherited.value)}
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
        <span className="unit">{threshold.unit}</span>
      </span>
    </div>
  )
}

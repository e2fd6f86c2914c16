import { X } from 'lucide-react'
import { useId, useRef, useState, type RefObject } from 'react'
import { Button } from 'react-aria-components'
import type { Settings } from '../../../src-shared/model/settings.ts'
import { useAppContext } from '../../lib/context.ts'
import { useCall } from '../../lib/hooks/use-call.ts'
import { numberSettings } from '../fields/number-settings.ts'
import { Group, rowOf, type Parts } from '../fields/fields.tsx'
import { NumberSetting, SettingRow } from '../fields/rows.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'

/** The thresholds of incidents, and the hardware models that do not notify. */
export function IncidentSettings({ demo, ...parts }: Parts & { demo: boolean }) {
  const { settings, defaults, change } = parts
  return (
    <Group name="Incidents" shared>
      {numberSettings.map(({ setting, description, ...threshold }) => (
        <NumberSetting
          key={setting}
          {...threshold}
          description={`${description}${demo && setting === 'holdOffSeconds' ? ' The demo uses 5 seconds, so that you see it soon; without the demo it is 90.' : ''}`}
          value={settings[setting]}
          onValue={(value) => change({ [setting]: value } satisfies Partial<Settings>)}
          {...rowOf(parts, setting, `${defaults[setting]} ${threshold.unit}`)}
        />
      ))}
      <ModelList
        parts={parts}
        setting="mutedModels"
        name="Muted models"
        field="Hardware model"
        remove={(model) => `Unmute ${model}`}
        description="Nobody is notified when devices of these hardware models, for example headsets, go offline, unless they or their room are on the watch list."
      />
      <NumberSetting
        name="Days until an offline device is a spare"
        description="An offline device that was last seen longer ago is not listed with those that are offline until you show it, and comes last under Long-standing. 0 for never, up to 3,650 days."
        unit="days"
        min={0}
        max={3650}
        value={settings.spareDays}
        onValue={(spareDays) => change({ spareDays })}
        {...rowOf(parts, 'spareDays', `${defaults.spareDays} days`)}
      />
      <ModelList
        parts={parts}
        setting="spareModels"
        name="Spare models"
        field="Spare model"
        remove={(model) => `Remove ${model} from the spare models`}
        description="Offline devices of these hardware models are spares, whenever they were last seen."
      />
    </Group>
  )
}

interface ModelListProps {
  parts: Parts
  setting: 'mutedModels' | 'spareModels'
  name: string
  description: string
  /** Names of the input field, and of the button that removes a model. */
  field: string
  remove: (model: string) => string
}

/** A list of hardware models to which the operator adds by name. The models of the fleet are suggested. */
function ModelList({ parts, setting, name, description, field: fieldName, remove }: ModelListProps) {
  const { settings, coreLost, change } = parts
  const models = settings[setting]
  const field = useRef<HTMLInputElement>(null)
  // The button disappears after use, so the focus moves to the field.
  const removeModel = (removed: string) => {
    change({ [setting]: models.filter((each) => each !== removed) })
    field.current?.focus()
  }
  return (
    <SettingRow name={name} description={description} {...rowOf(parts, setting, 'none')}>
      <div className="muted-models">
        {models.length > 0 && (
          <ul className="chips" aria-label={name}>
            {models.map((each) => (
              <li key={each}>
                <Button
                  className="chip"
                  isDisabled={coreLost}
                  aria-label={remove(each)}
                  onPress={() => removeModel(each)}
                >
                  <Isolated className="clip">{each}</Isolated>
                  <X size={12} aria-hidden />
                </Button>
              </li>
            ))}
          </ul>
        )}
        <ModelForm
          name={fieldName}
          models={models}
          coreLost={coreLost}
          input={field}
          onAdd={(model) => change({ [setting]: [...models, model] })}
        />
      </div>
    </SettingRow>
  )
}

interface ModelFormProps {
  name: string
  /** The models on the list. */
  models: readonly string[]
  coreLost: boolean
  input: RefObject<HTMLInputElement | null>
  onAdd: (model: string) => void
}

function ModelForm({ name, models, coreLost, input, onAdd }: ModelFormProps) {
  const [typed, setTyped] = useState('')
  const offers = useModels()
  const id = useId()
  const model = typed.trim()
  const known = models.some((each) => each.toLowerCase() === model.toLowerCase())
  const add = () => {
    if (model === '' || known || models.length >= 200) return
    onAdd(model)
    setTyped('')
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <input
        ref={input}
        className="input"
        aria-label={name}
        placeholder="Hardware model"
        list={id}
        maxLength={300}
        autoComplete="off"
        value={typed}
        disabled={coreLost}
        onChange={(event) => setTyped(event.target.value)}
      />
      <datalist id={id}>
        {offers.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </datalist>
      <Button
        className="button"
        type="submit"
        aria-label={`Add ${name.toLowerCase()}`}
        isDisabled={coreLost || model === '' || known}
      >
        Add
      </Button>
    </form>
  )
}

/** Returns the models of the fleet, the most frequent first. */
function useModels(): readonly string[] {
  const { session } = useAppContext()
  const { value: answer } = useCall('', () =>
    session.pipe.call('inventory.values', { scope: 'all', field: 'hardwareModel', text: '', limit: 50 }),
  )
  return answer?.ok ? answer.value.values.map(({ value }) => value).filter((value) => value !== '') : []
}

import { X } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import type { Settings } from '../../src-shared/model.ts'
import { useSurroundings } from '../surroundings.ts'
import { figures } from './figures.ts'
import { Group, rowOf, type Parts } from './parts.tsx'
import { NumberSetting, SettingRow } from './rows.tsx'

/** From when on something is an incident, and of what nothing is told. */
export function IncidentSettings({ demo, ...parts }: Parts & { demo: boolean }) {
  const { settings, usual, change } = parts
  return (
    <Group name="Incidents">
      {figures.map(({ setting, does, ...figure }) => (
        <NumberSetting
          key={setting} {...figure} does={`${does}${demo && setting === 'holdOffSeconds' ? ' The demo uses 5 seconds, so that you see it soon; without the demo it is 90.' : ''}`}
          value={settings[setting]} onValue={(value) => change({ [setting]: value } satisfies Partial<Settings>)} {...rowOf(parts, setting, `${usual[setting]} ${figure.unit}`)}
        />
      ))}
      <MutedModels {...parts} />
    </Group>
  )
}

/** Hardware models as a list that is added to by name; those of the estate are offered. */
function MutedModels(parts: Parts) {
  const { settings: { mutedModels }, blind, change } = parts
  const [typed, setTyped] = useState('')
  const offers = useModels()
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const model = typed.trim()
  const known = mutedModels.some((each) => each.toLowerCase() === model.toLowerCase())
  // The button goes with what it took away: the focus goes to the field.
  const tellAgain = (gone: string) => {
    change({ mutedModels: mutedModels.filter((each) => each !== gone) })
    field.current?.focus()
  }
  const add = () => {
    if (model === '' || known || mutedModels.length >= 200) return
    change({ mutedModels: [...mutedModels, model] })
    setTyped('')
  }
  return (
    <SettingRow name="Models that are not told" does="Devices of these hardware models, say headsets, are not told when they go offline, unless they or their room are on the watch list." {...rowOf(parts, 'mutedModels', 'none')}>
      <div className="muted-models">
        {mutedModels.length > 0 && (
          <ul className="chips" aria-label="Models that are not told">
            {mutedModels.map((each) => <li key={each}><Button className="chip" isDisabled={blind} aria-label={`Tell ${each} again`} onPress={() => tellAgain(each)}><bdi className="clip">{each}</bdi><X size={12} aria-hidden /></Button></li>)}
          </ul>
        )}
        <form
          onSubmit={(event) => {
            event.preventDefault()
            add()
          }}
        >
          <input ref={field} className="input" aria-label="Hardware model" placeholder="Hardware model" list={id} maxLength={300} autoComplete="off" value={typed} disabled={blind} onChange={(event) => setTyped(event.target.value)} />
          <datalist id={id}>{offers.map((each) => <option key={each} value={each}>{each}</option>)}</datalist>
          <Button className="button" type="submit" isDisabled={blind || model === '' || known}>Add</Button>
        </form>
      </div>
    </SettingRow>
  )
}

/** The models of the estate, the most frequent first. */
function useModels(): readonly string[] {
  const { session } = useSurroundings()
  const [models, setModels] = useState<readonly string[]>([])
  useEffect(() => {
    let wanted = true
    void session.pipe.call('inventory.values', { scope: 'all', field: 'hardwareModel', text: '', limit: 50 }).then((answer) => {
      if (wanted && answer.ok) setModels(answer.value.values.map(({ value }) => value).filter((value) => value !== ''))
    })
    return () => {
      wanted = false
    }
  }, [session])
  return models
}

import { useState } from 'react'
import { Button } from 'react-aria-components'
import type { ComparedSides, KeptComparison } from '../../src-shared/model/comparison.ts'
import type { Fault } from '../../src-shared/model/fault.ts'
import { useAppContext } from '../lib/context.ts'
import { fullTime } from '../lib/format/time.ts'
import { useCall } from '../lib/hooks/use-call.ts'
import { FaultNote } from '../lib/ui/fault-note.tsx'
import { Isolated } from '../lib/ui/isolated.tsx'
import { useSettings } from '../settings/use-settings.ts'
import { runSaved } from './run-saved.ts'

interface Props {
  /** What would be kept; null while nothing is chosen. */
  sides: ComparedSides | null
  coreLost: boolean
}

/** The comparisons that are kept, to be run again, and the present one to be kept with them. */
export function SavedComparisons({ sides, coreLost }: Props) {
  const { session } = useAppContext()
  const [name, setName] = useState('')
  const [fault, setFault] = useState<Fault | null>(null)
  const { value, again } = useCall('saved', () => session.pipe.call('compare.saved', {}))
  const saved = value?.ok === true ? value.value.saved : []
  async function save() {
    if (sides === null) return
    const id = saved.find((each) => each.name === name.trim())?.id ?? crypto.randomUUID()
    const answer = await session.pipe.call('compare.save', { id, name: name.trim(), ...sides })
    setFault(answer.ok ? null : answer.fault)
    if (answer.ok) setName('')
    again()
  }
  async function remove(id: string) {
    const answer = await session.pipe.call('compare.remove', { id })
    setFault(answer.ok ? null : answer.fault)
    again()
  }
  const run = async (id: string) => setFault(await runSaved(session.pipe, id))
  return (
    <details className="compare-saved">
      <summary>Saved comparisons ({saved.length})</summary>
      <FaultNote fault={fault ?? (value?.ok === false ? value.fault : null)} />
      <SavedList saved={saved} coreLost={coreLost} onRun={(id) => void run(id)} onRemove={(id) => void remove(id)} />
      <form
        className="compare-source"
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '') void save()
        }}
      >
        <input
          className="input"
          aria-label="Name of this comparison"
          placeholder="Name of this comparison"
          autoComplete="off"
          maxLength={200}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <Button className="button" type="submit" isDisabled={coreLost || sides === null || name.trim() === ''}>
          Save
        </Button>
        {sides === null && <p className="muted-text">Choose both sides first.</p>}
      </form>
    </details>
  )
}

interface ListProps {
  saved: readonly KeptComparison[]
  coreLost: boolean
  onRun: (id: string) => void
  onRemove: (id: string) => void
}

function SavedList({ saved, coreLost, onRun, onRemove }: ListProps) {
  const { times } = useSettings()
  // Its list goes with it: the press is asked for once more.
  const [asked, setAsked] = useState<string | null>(null)
  if (saved.length === 0) return null
  return (
    <ul>
      {saved.map((each) => (
        <li key={each.id} className="compare-kept">
          <Isolated className="clip compare-head">{each.name}</Isolated>
          <Isolated className="clip muted-text">{summary(each, (at) => fullTime(at, times))}</Isolated>
          <span className="spring" />
          <Button
            className="button"
            aria-label={`Run ${each.name}`}
            isDisabled={coreLost}
            onPress={() => onRun(each.id)}
          >
            Run
          </Button>
          <Button
            className={asked === each.id ? 'button danger' : 'button subtle'}
            aria-label={asked === each.id ? `Remove ${each.name} for good` : `Remove ${each.name}`}
            isDisabled={coreLost}
            onBlur={() => setAsked(null)}
            onPress={() => (asked === each.id ? onRemove(each.id) : setAsked(each.id))}
          >
            {asked === each.id ? 'Remove for good' : 'Remove'}
          </Button>
        </li>
      ))}
    </ul>
  )
}

function summary({ first, second, listName }: KeptComparison, time: (at: number) => string): string {
  const one = first.kind === 'list' ? (listName ?? '') : first.kind === 'date' ? time(first.at) : first.name
  return `${one} · ${second.name}`
}

import type { ReactNode } from 'react'
import { Button } from 'react-aria-components'
import { everything } from '../../../src-shared/model/inventory.ts'
import { noteLimits, spareTags, tagsOf } from '../../../src-shared/model/notes.ts'
import { useAppContext } from '../../lib/context.ts'
import { useCall } from '../../lib/hooks/use-call.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'

export const spareHint =
  'An offline device with the tag “spare” or “stock” is a spare and does not raise the severity of an incident.'

/** Returns why tags cannot be saved; '' when they can. */
export function tagProblem(tags: readonly string[]): string {
  if (tags.length > noteLimits.tags) return `There are at most ${noteLimits.tags} tags.`
  const long = tags.find(({ length }) => length > noteLimits.tag)
  return long === undefined
    ? ''
    : `A tag has at most ${noteLimits.tag} characters: “${long.slice(0, noteLimits.tag)}…”.`
}

interface Props {
  id: string
  label: string
  value: string
  problem: string
  onChange: (value: string) => void
  takesFocus?: boolean
  /** What the operator should know about these tags. */
  children: ReactNode
}

/** Tags with commas between them, and those that other devices have to choose from. */
export function TagField({ id, label, value, problem, onChange, takesFocus = false, children }: Props) {
  const { session } = useAppContext()
  const known = useCall('tags', async () => {
    const answer = await session.pipe.call('inventory.values', { scope: everything, field: 'tag', text: '', limit: 12 })
    return answer.ok ? answer.value.values.map((each) => each.value) : []
  })
  const present = new Set(tagsOf(value).map((tag) => tag.toLowerCase()))
  const offered = [...new Set([...(known.value ?? []), ...spareTags])].filter((tag) => !present.has(tag.toLowerCase()))
  const take = (tag: string) => {
    onChange([...tagsOf(value), tag].join(', '))
    document.getElementById(id)?.focus()
  }
  return (
    <div className="form-field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the first field of a dialog that was just asked for
        autoFocus={takesFocus}
        className="input"
        autoComplete="off"
        placeholder="VIP, second floor"
        value={value}
        aria-invalid={problem !== ''}
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => onChange(target.value)}
      />
      {problem !== '' && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
      <div className="reasons" role="group" aria-label="Tags to choose from">
        {offered.slice(0, 12).map((tag) => (
          <Button key={tag} className="reason" onPress={() => take(tag)}>
            <Isolated className="clip">{tag}</Isolated>
          </Button>
        ))}
      </div>
      <p className="hint" id={`${id}-hint`}>
        {children}
      </p>
    </div>
  )
}

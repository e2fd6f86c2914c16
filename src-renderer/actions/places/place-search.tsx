import { useState } from 'react'
import { ListBoxItem } from 'react-aria-components'
import type { Fault } from '../../../src-shared/model/fault.ts'
import type { NamedRef } from '../../../src-shared/model/inventory.ts'
import { useAppContext } from '../../lib/context.ts'
import { useCall } from '../../lib/hooks/use-call.ts'
import { explain } from '../../../src-shared/model/fault.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { Searched } from '../../policies/fields.tsx'
import { nodeOfSite, placesIn, type ServicePlace } from './place-ids.ts'

/** The most places that one search returns (contract: inventory.places). */
const maxFound = 200

interface Props {
  label: string
  kind: ServicePlace['kind']
  tenant: string
  /** Only rooms of this site; null for all. */
  site: string | null
  value: NamedRef | null
  /** The item for no place; null where one must be chosen. */
  none: string | null
  focused?: boolean
  onChange: (place: NamedRef | null) => void
}

const noneKey = ' none'

/** A field that finds an account, a site or a room of a tenant by name. */
export function PlaceSearch({ label, kind, tenant, site, value, none, focused = false, onChange }: Props) {
  const [text, setText] = useState(value?.name ?? none ?? '')
  const typed = text === (value?.name ?? none ?? '') ? '' : text.trim()
  const { places, more, fault } = usePlaces({ tenant, kind, site }, typed)
  const offered = places.filter(({ id }) => id !== value?.id)
  const present = [
    ...(none === null ? [] : [{ key: noneKey, words: none }]),
    ...(value === null ? [] : [{ key: value.id, words: value.name }]),
  ]
  const found = offered.map(({ id, name }) => ({ key: id, words: name }))
  // The first item is the one that a key reaches first: of what was typed, where something was.
  const items = typed === '' ? [...present, ...found] : [...found, ...present]
  return (
    <Searched
      label={label}
      value={value?.id ?? (none === null ? null : noneKey)}
      items={items}
      typed={{ text, onText: setText }}
      focused={focused}
      onChange={(key) => {
        const chosen = items.find((each) => each.key === key)
        setText(chosen?.words ?? value?.name ?? none ?? '')
        if (chosen !== undefined && chosen.key !== (value?.id ?? noneKey))
          onChange(chosen.key === noneKey ? null : { id: chosen.key, name: chosen.words })
      }}
      error={fault === null ? undefined : explain(fault).title}
      hint={more ? 'There are more: enter a part of the name.' : undefined}
      empty={typed === '' ? `No ${kind}s are known here` : 'No results'}
      placeholder={`Name of ${kind === 'account' ? 'an' : 'a'} ${kind}`}
    >
      {({ key, words }) => (
        <ListBoxItem id={key} className="combo-item" textValue={words}>
          <Isolated className="clip">{words}</Isolated>
        </ListBoxItem>
      )}
    </Searched>
  )
}

interface Found {
  places: readonly ServicePlace[]
  /** The search found more than it returns. */
  more: boolean
  fault: Fault | null
}

/** Returns the places of a tenant, or of one of its sites, whose names contain the text. */
export function usePlaces({ tenant, kind, site }: Pick<Props, 'tenant' | 'kind' | 'site'>, text: string): Found {
  const { session } = useAppContext()
  const within = site === null ? `t:${tenant}` : nodeOfSite(tenant, site)
  const { value } = useCall(`${kind} ${within} ${text}`, () =>
    session.pipe.call('inventory.places', { asked: { find: text.slice(0, 200), within, kind }, limit: maxFound }),
  )
  if (value === null) return { places: [], more: false, fault: null }
  if (!value.ok) return { places: [], more: false, fault: value.fault }
  return { places: placesIn(tenant, value.value.places), more: value.value.total > maxFound, fault: null }
}

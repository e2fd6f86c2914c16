import { useState } from 'react'
import { ListBoxItem } from 'react-aria-components'
import type { NamedRef } from '../../../src-shared/model/inventory.ts'
import { useAppContext } from '../../lib/context.ts'
import { useCall } from '../../lib/hooks/use-call.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { Searched } from '../../policies/fields.tsx'
import { placesIn, type ServicePlace } from './place-ids.ts'

/** Where devices move: to a site, and to a room of it or to no room. */
export interface MoveTarget {
  site: NamedRef | null
  room: NamedRef | null
}

interface Props {
  tenant: string
  target: MoveTarget | null
  onTarget: (target: MoveTarget | null) => void
}

/** The most places that one search returns (contract: inventory.places). */
const maxFound = 200

/** The fields for a site of a tenant, and a room of the site. */
export function MoveFields({ tenant, target, onTarget }: Props) {
  return (
    <div className="form-pair">
      <PlaceSearch
        label="Site"
        kind="site"
        tenant={tenant}
        site={null}
        value={target?.site ?? null}
        focused
        none={null}
        onChange={(site) => onTarget(site === null ? null : { site, room: null })}
      />
      {target?.site !== null && target !== null && (
        <PlaceSearch
          key={target.site.id}
          label="Room"
          kind="room"
          tenant={tenant}
          site={target.site.id}
          value={target.room}
          none="No room"
          onChange={(room) => onTarget({ site: target.site, room })}
        />
      )}
    </div>
  )
}

interface SearchProps {
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

/** A field that finds a site or room of a tenant by name. */
export function PlaceSearch({ label, kind, tenant, site, value, none, focused = false, onChange }: SearchProps) {
  const [text, setText] = useState(value?.name ?? none ?? '')
  const typed = text === (value?.name ?? none ?? '') ? '' : text.trim()
  const { places, more } = usePlaces(tenant, kind, site, typed)
  const offered = places.filter(({ id }) => id !== value?.id)
  const items = [
    ...(none === null ? [] : [{ key: noneKey, words: none }]),
    ...(value === null ? [] : [{ key: value.id, words: value.name }]),
    ...offered.map(({ id, name }) => ({ key: id, words: name })),
  ]
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
      hint={more ? 'There are more: enter a part of the name.' : undefined}
      empty="No results"
      placeholder={`Name of a ${kind}`}
    >
      {({ key, words }) => (
        <ListBoxItem id={key} className="combo-item" textValue={words}>
          <Isolated className="clip">{words}</Isolated>
        </ListBoxItem>
      )}
    </Searched>
  )
}

/** Returns the places of a tenant whose names contain the text. `more`: the search found more than it returns. */
function usePlaces(tenant: string, kind: ServicePlace['kind'], site: string | null, text: string) {
  const { session } = useAppContext()
  const { value } = useCall(`${tenant} ${kind} ${site} ${text}`, () =>
    session.pipe.call('inventory.places', { asked: { find: text.slice(0, 200) }, limit: maxFound }),
  )
  if (value?.ok !== true) return { places: [], more: false }
  const places = placesIn(tenant, value.value.places).filter(
    (place) => place.kind === kind && (site === null || place.site?.id === site),
  )
  return { places, more: value.value.total > maxFound }
}

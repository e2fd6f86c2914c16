import { Briefcase, Building2, Circle, DoorOpen, Globe, MapPin, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { ListBoxItem } from 'react-aria-components'
import { useAppContext } from '../../lib/context.ts'
import { useCall } from '../../lib/hooks/use-call.ts'
import { Searched } from '../fields.tsx'
import { type Place, wholeFleet } from './place.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'

const icons: Partial<Record<Place['kind'], LucideIcon>> = {
  everything: Globe,
  region: Globe,
  tenant: Building2,
  account: Briefcase,
  site: MapPin,
  room: DoorOpen,
}
const kindLabels: Record<Place['kind'], string> = {
  everything: '',
  gone: '',
  region: 'region',
  tenant: 'tenant',
  account: 'account',
  site: 'site',
  room: 'room',
  device: 'device',
}

/** Returns the kind and location of a place: "site, Acme". */
export const placeText = ({ kind, where }: Place): string =>
  [kindLabels[kind], where].filter((part) => part !== '').join(', ')

/** A field that finds a place of the fleet by name. */
export function PlaceField({
  label = 'Place',
  value,
  error,
  onChange,
}: {
  label?: string
  value: Place | null
  error?: string | undefined
  onChange: (place: Place) => void
}) {
  const [text, setText] = useState(value?.name ?? '')
  const found = useFound(text === value?.name ? '' : text)
  // The chosen place is always listed, because otherwise its name would disappear from the field.
  const places = [...(value === null ? [] : [value]), ...found.filter(({ id }) => id !== value?.id)]
  return (
    <Searched
      label={label}
      value={value?.id ?? null}
      items={places.map((place) => ({ key: place.id, words: place.name, place }))}
      typed={{ text, onText: setText }}
      error={error}
      onChange={(key) => {
        const place = places.find(({ id }) => id === key)
        setText(place?.name ?? value?.name ?? '')
        if (place !== undefined && place.id !== value?.id) onChange(place)
      }}
      hint={value === null ? 'A tenant, an account, a site, a room, or all tenants.' : placeText(value)}
      empty="No results"
      placeholder="Name of a tenant, account, site or room"
    >
      {({ key, place }) => {
        const Icon = icons[place.kind] ?? Circle
        return (
          <ListBoxItem id={key} className="combo-item" textValue={place.name}>
            <Icon size={13} aria-hidden />
            <Isolated className="clip">{place.name}</Isolated>
            <span className="combo-more clip">{placeText(place)}</span>
          </ListBoxItem>
        )
      }}
    </Searched>
  )
}

/** Returns the places with this name. The last results stay until the next ones arrive. */
function useFound(text: string): readonly Place[] {
  const { policyEditor } = useAppContext()
  const typed = text.trim()
  const found = useCall(typed, () => policyEditor.find(typed)).value ?? []
  return 'everything'.startsWith(typed.toLowerCase()) ? [wholeFleet, ...found] : found
}

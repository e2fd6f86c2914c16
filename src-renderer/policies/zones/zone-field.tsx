import { useMemo } from 'react'
import { ListBoxItem } from 'react-aria-components'
import type { Policies } from '../../../src-shared/model/incidents.ts'
import { type PlaceZone, zoneName, zones as allZones } from '../../../src-shared/maintenance/zones.ts'
import { useAppContext } from '../../lib/context.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { Searched } from '../fields.tsx'
import { likelyZones } from './likely-zones.ts'
import { inheritedZoneText, momentIn, offsetText } from '../format.ts'

interface Props {
  /** Null: inherited. */
  value: string | null
  inherited: PlaceZone
  /** The name of a place without a known zone, for which one must be chosen: nothing is inherited. */
  asksFor?: string | null
  policies: Policies
  error?: string | undefined
  focused?: boolean
  onChange: (zone: string | null) => void
}

const inherit = 'inherited'
const folded = (text: string) => text.toLowerCase().replaceAll(/[_/-]/gu, ' ')

/** A field for a zone of its own, or the inherited one. */
export function ZoneField({ value, inherited, asksFor = null, policies, error, focused = false, onChange }: Props) {
  const {
    policyEditor: { zones },
    ticker,
  } = useAppContext()
  const first = inheritedZoneText(inherited, policies)
  const zone = value ?? inherited.zone
  const items = useMemo(() => {
    const known = allZones()
    const own = value === null || known.includes(zoneName(value)) ? [] : [value]
    const likely = asksFor === null ? [] : likelyZones(asksFor, known, inherited.zone)
    const inheriting = asksFor === null ? [{ key: inherit, words: first }] : []
    return [...inheriting, ...[...new Set([...likely, ...own, ...known])].map((each) => ({ key: each, words: each }))]
  }, [asksFor, first, inherited.zone, value])
  const clock = useTickedText(
    (now) => `It is ${momentIn({ zones, now, own: zone }, zone, now)} there now, ${offsetText(zones, zone, now)}.`,
  )
  const open = asksFor !== null && value === null
  return (
    <Searched
      label="Time zone"
      value={open ? null : value === null ? inherit : zoneName(value)}
      items={items}
      matches={(words, typed) => folded(words).includes(folded(typed.trim()))}
      onChange={(key) => key !== null && onChange(key === inherit ? null : key)}
      error={error}
      hint={open ? `No time zone is known for ${asksFor}.` : clock}
      focused={focused}
      empty="No time zones match."
      placeholder="City or zone, for example Europe/Berlin"
    >
      {({ key, words }) => (
        <ListBoxItem id={key} className="combo-item" textValue={words}>
          <span className="clip">{words}</span>
          {key !== inherit && <span className="combo-more">{offsetText(zones, key, ticker.now())}</span>}
        </ListBoxItem>
      )}
    </Searched>
  )
}

import { Button } from 'react-aria-components'
import { above } from '../../../src-shared/model/tree.ts'
import { everything } from '../../../src-shared/model/inventory.ts'
import { useAppContext } from '../../lib/context.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { maintenanceStatus, momentIn, offsetText, operatorZone, zoneText } from '../../policies/format.ts'
import { zoneOf } from '../../policies/place/place.ts'
import { usePolicies } from '../../policies/use-policies.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { Panel } from '../panel.tsx'
import type { MapBelow } from './map-below.ts'

interface Props {
  place: string
  path: MapBelow['path']
}

/** The local time of a place, and the maintenance windows that hold there now or later. */
export function PlaceTimes({ place, path }: Props) {
  const { policyEditor } = useAppContext()
  const { times } = useSettings()
  const name = path.at(-1)?.name ?? ''
  const policies = usePolicies()
  const account =
    path.find(({ kind }) => kind === 'account')?.id ??
    policies.places.find(({ node }) => node === place)?.account ??
    null
  const zone = zoneOf({ path: above(place, account) }, policies)
  const { zones, maintenance } = policyEditor
  const own = operatorZone(times)
  const clock = useTickedText((now) => momentIn({ zones, now, own }, zone.zone, now))
  const offset = useTickedText((now) => offsetText(zones, zone.zone, now))
  const nodes = new Set([everything, ...above(place, account), ...path.map(({ id }) => id)])
  const windows = policies.windows.filter(({ window }) => nodes.has(window.node))
  const states = useTickedText((now) =>
    JSON.stringify(windows.map((window) => maintenanceStatus(maintenance, { zones, now, own }, window))),
  )
  const shown = (JSON.parse(states === '' ? '[]' : states) as ReturnType<typeof maintenanceStatus>[]).flatMap(
    ({ state, words }, index) => {
      const window = windows[index]?.window
      return window === undefined || state === 'ended' ? [] : [{ id: window.id, name: window.name, state, words }]
    },
  )
  return (
    <Panel title="Local time" className="place-times">
      <p className="place-clock">{clock}</p>
      <p className="muted-text">
        {zoneText(zone, policies)} · {offset}
      </p>
      {zone.from === null && (
        <Button className="button subtle" onPress={() => void policyEditor.ask('zone', { id: place, name })}>
          Set its time zone…
        </Button>
      )}
      <h3>Maintenance</h3>
      {shown.length === 0 ? (
        <p className="muted-text">No maintenance window holds here.</p>
      ) : (
        <ul>
          {shown.map(({ id, name, state, words }) => (
            <li key={id} data-state={state}>
              <Isolated className="place-window">{name}</Isolated>
              <span className="muted-text"> {words}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

import { Clock3, Pencil, Plus, SlidersHorizontal, Trash2, Undo2, Wrench } from 'lucide-react'
import { useRef } from 'react'
import { Button } from 'react-aria-components'
import { isolated } from '../../src-shared/text/direction.ts'
import type { Policies } from '../../src-shared/model/incidents.ts'
import { everything } from '../../src-shared/model/inventory.ts'
import { zoneName } from '../../src-shared/maintenance/zones.ts'
import { Group } from '../settings/fields/fields.tsx'
import { useStore } from '../lib/store.ts'
import { useAppContext } from '../lib/context.ts'
import { useTickedText } from '../lib/hooks/use-ticked-text.ts'
import { afterFrames, isFocusLost } from '../lib/ui/focus.ts'
import { IconButton } from '../lib/ui/buttons/icon-button.tsx'
import type { PolicyEditor } from './policy-editor.ts'
import { setText } from './thresholds/thresholds.ts'
import { useClocks, usePolicies } from './use-policies.ts'
import {
  type ConfiguredMaintenance,
  maintenanceStatus,
  type MaintenanceStatus,
  whenText,
  maintenanceZoneText,
} from './format.ts'
import { Isolated } from '../lib/ui/isolated.tsx'

export const maintenanceGroup = 'settings-maintenance'

/** All maintenance windows, and the places with a zone or thresholds of their own. */
export function PoliciesSection({ coreLost }: { coreLost: boolean }) {
  const { policyEditor } = useAppContext()
  const policies = usePolicies()
  const add = useRef<HTMLButtonElement>(null)
  const undo = useStore(policyEditor.acted, (acted) => acted.undo)
  /** Moves the focus after a line was removed: to the line that took its place, or else into this section. */
  const focusNext = (line = -1) =>
    void afterFrames(() => {
      if (!isFocusLost()) return
      const left = [...document.querySelectorAll<HTMLElement>(`#${maintenanceGroup} [data-remove]`)]
      const control = line < 0 ? null : (left[Math.min(line, left.length - 1)] ?? null)
      const button = control?.querySelector('button') ?? add.current
      button?.focus()
    })
  return (
    <Group name="Maintenance windows" id={maintenanceGroup}>
      <div className="maintenance-top">
        <p>
          During a maintenance window, disconnects in its scope are recorded and nobody is notified. It ends with a
          report of what changed and what did not come back. Devices on the watch list still notify.
        </p>
        <div className="maintenance-actions">
          <Button ref={add} className="button" isDisabled={coreLost} onPress={() => void policyEditor.askWindow(null)}>
            <Plus size={14} aria-hidden />
            New maintenance window
          </Button>
          {undo !== null && (
            <Button
              className="button subtle"
              isDisabled={coreLost}
              onPress={() => void policyEditor.undo().then(() => focusNext())}
            >
              <Undo2 size={14} aria-hidden />
              Undo the last change
            </Button>
          )}
        </div>
      </div>
      <Windows policies={policies} coreLost={coreLost} onRemoved={focusNext} />
      <OwnPlaces policies={policies} coreLost={coreLost} onRemoved={focusNext} />
    </Group>
  )
}

interface PartProps {
  policies: Policies
  coreLost: boolean
  onRemoved: (line?: number) => void
}

function Windows({ policies, coreLost, onRemoved }: PartProps) {
  const { policyEditor, ticker } = useAppContext()
  const clocks = useClocks()
  if (policies.windows.length === 0) {
    return (
      <div className="maintenance-none">
        <Wrench size={20} aria-hidden />
        <p>
          No maintenance windows. Add one for patching at night, a move or a rebuild, so that nobody is called for
          planned work.
        </p>
      </div>
    )
  }
  const ranked = policies.windows.map((configured) => ({
    configured,
    ...order(policyEditor, configured, { ...clocks, now: ticker.now() }),
  }))
  const sorted = ranked.toSorted(
    (one, other) =>
      one.rank - other.rank ||
      one.at - other.at ||
      one.configured.window.name.localeCompare(other.configured.window.name),
  )
  return (
    <ul className="maintenance-list" aria-label="Maintenance windows">
      {sorted.map(({ configured }, line) => (
        <WindowLine
          key={configured.window.id}
          configured={configured}
          line={line}
          policies={policies}
          coreLost={coreLost}
          onRemoved={onRemoved}
        />
      ))}
    </ul>
  )
}

/** Returns the rank of a window: active ones first, then by their next occurrence, then those that are over. */
function order(
  { maintenance }: PolicyEditor,
  { window, zone }: ConfiguredMaintenance,
  { now }: { now: number },
): { rank: number; at: number } {
  const present = maintenance.occurrenceAt(window, zone, now)
  if (present !== null) return { rank: 0, at: present.until }
  const next = maintenance.nextOccurrence(window, zone, now)
  return next === null ? { rank: 2, at: 0 } : { rank: 1, at: next.from }
}

const tones: Record<MaintenanceStatus['state'], string> = { now: 'Active', next: 'Scheduled', ended: 'Ended' }

function WindowLine({
  configured,
  line,
  policies,
  coreLost,
  onRemoved,
}: { configured: ConfiguredMaintenance; line: number } & PartProps) {
  const { policyEditor } = useAppContext()
  const clocks = useClocks()
  const state = useTickedText(
    (now) => maintenanceStatus(policyEditor.maintenance, { ...clocks, now }, configured).state,
  ) as MaintenanceStatus['state']
  const words = useTickedText(
    (now) => maintenanceStatus(policyEditor.maintenance, { ...clocks, now }, configured).words,
  )
  const { window } = configured
  return (
    <li className="maintenance-item" data-state={state} title={tones[state]}>
      <Wrench className="maintenance-shape" size={15} aria-hidden />
      <div className="maintenance-text">
        <h3>
          <Isolated className="clip">{window.name}</Isolated>{' '}
          <span className="maintenance-place">
            over <Isolated>{window.node === everything ? 'all tenants' : window.nodeName}</Isolated>
            {!isListed(policies, window.node) && notListed}
          </span>
        </h3>
        <p>
          {whenText(policyEditor.zones, configured, clocks.now)}{' '}
          <span className="maintenance-zone">
            <Clock3 size={11} aria-hidden />
            {maintenanceZoneText(configured, policies)}
          </span>
        </p>
        <p className="maintenance-status">{words}</p>
      </div>
      <IconButton
        label={`Edit ${isolated(window.name)}`}
        disabled={coreLost}
        onPress={() => void policyEditor.askChange(configured)}
      >
        <Pencil size={14} aria-hidden />
      </IconButton>
      <span data-remove>
        <IconButton
          label={`Remove ${isolated(window.name)}`}
          disabled={coreLost}
          onPress={() => void policyEditor.remove(window).then(() => onRemoved(line))}
        >
          <Trash2 size={14} aria-hidden />
        </IconButton>
      </span>
    </li>
  )
}

/** A policy of a place that is not listed now stays, and applies again when the place is back. */
const isListed = ({ places }: Policies, id: string): boolean =>
  id === everything || places.some(({ node }) => node === id)
const notListed = ', not listed now'

/** The places with their own zone or thresholds, which are set in the tree. */
function OwnPlaces({ policies, coreLost, onRemoved }: PartProps) {
  const places = ownPlaces(policies)
  if (places.length === 0)
    return (
      <p className="maintenance-hint">
        Set time zone and alert rules in a place’s menu in the tree. This computer’s zone, {zoneName(policies.ownZone)},
        applies where none is set.
      </p>
    )
  return (
    <>
      <h3 className="maintenance-head">Places with their own time zone or alert rules</h3>
      <ul className="maintenance-list" aria-label="Places with their own time zone or alert rules">
        {places.map((place) => (
          <OwnPlace key={place.id} place={place} coreLost={coreLost} onRemoved={onRemoved} />
        ))}
      </ul>
    </>
  )
}

interface Own {
  id: string
  name: string
  zone: string | null
  thresholds: readonly string[]
  listed: boolean
}

function ownPlaces(policies: Policies): readonly Own[] {
  const { zones, thresholds } = policies
  const ids = new Map([...zones, ...thresholds].map(({ node, nodeName }) => [node, nodeName]))
  return [...ids]
    .map(([id, name]) => ({
      id,
      name,
      zone: zones.find(({ node }) => node === id)?.zone ?? null,
      thresholds: setText(thresholds.find(({ node }) => node === id)?.thresholds ?? {}),
      listed: isListed(policies, id),
    }))
    .toSorted((one, other) => one.name.localeCompare(other.name))
}

function OwnPlace({ place, coreLost, onRemoved }: { place: Own; coreLost: boolean; onRemoved: () => void }) {
  const { policyEditor } = useAppContext()
  const { id, name, zone, thresholds, listed } = place
  const inherit = async () => {
    if (zone !== null) await policyEditor.setZone({ id, name }, null)
    else await policyEditor.setThresholds({ id, name }, {})
    onRemoved()
  }
  return (
    <li className="maintenance-item">
      <SlidersHorizontal className="maintenance-shape" size={15} aria-hidden />
      <div className="maintenance-text">
        <h3>
          <Isolated className="clip">{name}</Isolated>
          {!listed && <span className="maintenance-place">{notListed}</span>}
        </h3>
        {zone !== null && <p>Time zone: {zoneName(zone)}</p>}
        {thresholds.length > 0 && <p>{thresholds.join(' · ')}</p>}
      </div>
      <span className="maintenance-own">
        <Button
          className="button"
          isDisabled={coreLost}
          aria-label={`Time zone of ${isolated(name)}`}
          onPress={() => void policyEditor.ask('zone', { id, name })}
        >
          Time zone
        </Button>
        <Button
          className="button"
          isDisabled={coreLost}
          aria-label={`Alert rules of ${isolated(name)}`}
          onPress={() => void policyEditor.ask('thresholds', { id, name })}
        >
          Alert rules
        </Button>
        {(zone === null) !== (thresholds.length === 0) && (
          <Button
            className="button"
            isDisabled={coreLost}
            aria-label={`${isolated(name)}: inherit again`}
            onPress={() => void inherit()}
          >
            Inherit
          </Button>
        )}
      </span>
    </li>
  )
}

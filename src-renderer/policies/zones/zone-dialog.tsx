import { type FormEvent, useState } from 'react'
import { Button, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import type { Fault } from '../../../src-shared/model/fault.ts'
import { useAppContext } from '../../lib/context.ts'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import { LeaveDialog, useLeaving } from '../../lib/ui/discard-dialog.tsx'
import { type Place, zoneOf } from '../place/place.ts'
import { movedText } from '../maintenance/moved-text.ts'
import { useClocks, usePolicies } from '../use-policies.ts'
import { ZoneField } from './zone-field.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'

/** The zone of everything below a place: its own, or the inherited one. */
export function ZoneDialog({ place, coreLost, onDone }: { place: Place; coreLost: boolean; onDone: () => void }) {
  const { policyEditor } = useAppContext()
  const policies = usePolicies()
  const [first] = useState(() => policies.zones.find(({ node }) => node === place.id)?.zone ?? null)
  const [zone, setZone] = useState(first)
  const [fault, setFault] = useState<Fault | null>(null)
  const leaving = useLeaving(() => zone !== first, onDone)
  async function save(event: FormEvent) {
    event.preventDefault()
    const failure = zone === first ? null : await policyEditor.setZone(place, zone)
    if (failure === null) onDone()
    else setFault(failure)
  }
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(open) => !open && leaving.leave()}>
      <Modal className="modal">
        <Dialog className="dialog">
          <form className="form" noValidate onSubmit={(event) => void save(event)}>
            <Heading slot="title">
              Time zone of <Isolated>{place.name}</Isolated>
            </Heading>
            <p className="hint">
              Maintenance windows here and below use it, unless they or a place between have their own. Times on the
              screen do not change.
            </p>
            <ZoneField
              focused
              value={zone}
              inherited={zoneOf(place, policies, true)}
              policies={policies}
              onChange={setZone}
            />
            {zone !== first && <Moves place={place} zone={zone} />}
            <FaultNote fault={fault} />
            <div className="dialog-actions">
              <Button className="button" onPress={leaving.leave}>
                Cancel
              </Button>
              <Button className="button primary" type="submit" isDisabled={coreLost}>
                Save
              </Button>
            </div>
          </form>
          {leaving.asking && <LeaveDialog what="The time zone has not been saved." leaving={leaving} />}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

/** The effect of the change on maintenance windows below. */
function Moves({ place, zone }: { place: Place; zone: string | null }) {
  const { policyEditor } = useAppContext()
  const policies = usePolicies()
  const clocks = useClocks()
  const { head, lines } = movedText(policies, place.id, zone, policyEditor, clocks)
  return (
    <div className="zone-moves" role="status">
      <p>{head}</p>
      {lines.length > 0 && (
        <ul>
          {lines.map(({ id, name, words }) => (
            <li key={id}>
              <Isolated>{name}</Isolated>: {words}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

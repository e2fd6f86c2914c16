import { Zap } from 'lucide-react'
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import type { Incident } from '../../../src-shared/model/incidents.ts'
import { useAppContext } from '../../lib/context.ts'
import type { DeviceActionKind } from '../device-actions.ts'
import { kindLabels } from '../labels.ts'
import { tenantOfDevice, tenantOfNode } from '../offers.ts'
import { useReasons } from './menu.tsx'
import { subjectOfIncident } from './subject.ts'

/** The actions on the devices of an incident. */
export function IncidentActions({ incident, coreLost }: { incident: Incident; coreLost: boolean }) {
  const { session, deviceActions } = useAppContext()
  const reasonOf = useReasons()
  const { device, scope } = incident.open
  const tenant = device === null ? tenantOfNode(scope) : tenantOfDevice(device)
  async function ask(kind: DeviceActionKind) {
    const subject = await subjectOfIncident(session.pipe, incident)
    if (subject.ok) deviceActions.ask({ what: 'devices', kind, subject: subject.value })
    else deviceActions.report({ fault: subject.fault })
  }
  return (
    <MenuTrigger>
      <Button className="button" isDisabled={coreLost}>
        <Zap size={14} aria-hidden />
        Actions
      </Button>
      <Popover className="popover" placement="bottom start">
        <Menu className="menu" aria-label="Actions on its devices">
          {(['reboot', 'rename', 'move'] as const).map((kind) => {
            const reason = reasonOf(kind, tenant === null ? null : [tenant])
            return (
              <MenuItem
                key={kind}
                className="menu-item"
                isDisabled={reason !== ''}
                textValue={`${kindLabels[kind]}… ${reason}`}
                onAction={() => void ask(kind)}
              >
                <span>
                  {kindLabels[kind]}…{reason !== '' && <span className="menu-reason">{reason}</span>}
                </span>
              </MenuItem>
            )
          })}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}

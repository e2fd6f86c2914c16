import { Lock, LockOpen } from 'lucide-react'
import { useState } from 'react'
import { Button } from 'react-aria-components'
import type { TenantActions } from '../../../src-shared/model/jobs.ts'
import { useAppContext } from '../../lib/context.ts'
import { minutesLeft } from '../../lib/format/time.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { useStore } from '../../lib/store.ts'
import { afterFrames } from '../../lib/ui/focus.ts'
import { NameText } from '../../lib/ui/name-text.tsx'
import { armedOf, offText } from '../offers.ts'

/** The number of tenants from which on the list has a search field. */
const searchedFrom = 8

/** The tenants and their locks, for the popover of the title bar. */
export function LockPanel({ onDone }: { onDone: () => void }) {
  const { deviceActions } = useAppContext()
  const state = useStore(deviceActions.state)
  const [text, setText] = useState('')
  const off = offText(state)
  const offering = (state?.tenants ?? []).filter(({ offered }) => offered.length > 0)
  const typed = text.trim().toLocaleLowerCase()
  const shown = offering.filter(({ name }) => name.toLocaleLowerCase().includes(typed))
  const armed = armedOf(state)
  const arm = (tenant: string) => {
    onDone()
    // The popover first returns the focus to its button, and the dialog to the same.
    afterFrames(() => deviceActions.ask({ what: 'arm', tenants: [tenant] }))
  }
  return (
    <div className="dialog small wide lock-panel">
      <h2>Read-only and armed tenants</h2>
      <p className="lock-note">
        {off === ''
          ? 'Muster only reads until you arm a tenant. Then its devices can be rebooted, renamed and moved.'
          : off}
      </p>
      {off === '' && offering.length >= searchedFrom && (
        <input
          className="input"
          type="search"
          aria-label="Search tenants"
          placeholder="Search tenants"
          autoComplete="off"
          maxLength={200}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      {off === '' && offering.length === 0 && <p className="muted-text">No service offers actions, as far as known.</p>}
      {off === '' && (
        <ul className="lock-list" aria-label="Tenants">
          {shown.slice(0, 200).map((tenant) => (
            <LockLine key={tenant.tenant} tenant={tenant} onArm={() => arm(tenant.tenant)} />
          ))}
        </ul>
      )}
      {armed.length > 1 && (
        <div className="dialog-actions">
          <Button className="button" onPress={() => void deviceActions.lock(null)}>
            <Lock size={14} aria-hidden />
            Lock all
          </Button>
        </div>
      )}
    </div>
  )
}

function LockLine({ tenant: { tenant, name, armedUntil }, onArm }: { tenant: TenantActions; onArm: () => void }) {
  const { deviceActions } = useAppContext()
  const left = useTickedText((now) =>
    armedUntil === null ? 'Read-only' : `Armed, ${minutesLeft(armedUntil, now)} left`,
  )
  return (
    <li className="lock-line">
      <NameText name={name} clip />
      <span className="lock-state" data-armed={armedUntil !== null}>
        {left}
      </span>
      {armedUntil === null ? (
        <Button className="button" aria-label={`Arm ${name}`} onPress={onArm}>
          <LockOpen size={14} aria-hidden />
          Arm…
        </Button>
      ) : (
        <Button className="button" aria-label={`Lock ${name}`} onPress={() => void deviceActions.lock(tenant)}>
          <Lock size={14} aria-hidden />
          Lock
        </Button>
      )}
    </li>
  )
}

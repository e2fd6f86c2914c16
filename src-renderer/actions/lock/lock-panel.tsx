import { Lock, LockOpen } from 'lucide-react'
import { useState } from 'react'
import { Button } from 'react-aria-components'
import type { TenantActions } from '../../../src-shared/model/jobs.ts'
import { useAppContext } from '../../lib/context.ts'
import { many } from '../../lib/format/numbers.ts'
import { minutesLeft } from '../../lib/format/time.ts'
import { useTickedText } from '../../lib/hooks/use-ticked-text.ts'
import { useStore } from '../../lib/store.ts'
import { afterFrames } from '../../lib/ui/focus.ts'
import { NameText } from '../../lib/ui/name-text.tsx'
import { armedOf, noneReason, offText } from '../offers.ts'

/** The number of tenants from which on the list has a search field, and the most that are listed. */
const searchedFrom = 8
const maxListed = 100

/** The tenants and their locks, for the popover of the title bar. */
export function LockPanel({ onDone }: { onDone: () => void }) {
  const { deviceActions } = useAppContext()
  const state = useStore(deviceActions.state)
  const [text, setText] = useState('')
  const off = offText(state)
  const tenants = state?.tenants ?? []
  const arm = (tenant: string) => {
    onDone()
    // The popover first returns the focus to its button, and the dialog to the same.
    afterFrames(() => deviceActions.ask({ what: 'arm', tenants: [tenant] }))
  }
  return (
    <div className="dialog small wide lock-panel">
      <h2>Read-only and armed tenants</h2>
      <p className="lock-note">
        {off === '' ? 'Muster only reads until you arm a tenant. Every tenant is read-only again after a start.' : off}
      </p>
      {off === '' && tenants.length >= searchedFrom && (
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
      {off === '' && <LockList tenants={tenants} text={text} onArm={arm} />}
      {armedOf(state).length > 1 && (
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

interface ListProps {
  tenants: readonly TenantActions[]
  text: string
  onArm: (tenant: string) => void
}

/** The tenants whose names contain the text: armed ones first, then those that can be armed. */
function LockList({ tenants, text, onArm }: ListProps) {
  const typed = text.trim().toLocaleLowerCase()
  const rank = (tenant: TenantActions) => (tenant.armedUntil !== null ? 0 : noneReason(tenant) === '' ? 1 : 2)
  const found = tenants
    .filter(({ name }) => name.toLocaleLowerCase().includes(typed))
    .toSorted((one, other) => rank(one) - rank(other))
  if (found.length === 0)
    return <p className="muted-text">{tenants.length === 0 ? 'No tenants are known yet.' : 'No results'}</p>
  return (
    <>
      <ul className="lock-list" aria-label="Tenants">
        {found.slice(0, maxListed).map((tenant) => (
          <LockLine key={tenant.tenant} tenant={tenant} onArm={() => onArm(tenant.tenant)} />
        ))}
      </ul>
      {found.length > maxListed && (
        <p className="hint">{many(found.length - maxListed, 'more tenant')}. Search to find them.</p>
      )}
    </>
  )
}

function LockLine({ tenant, onArm }: { tenant: TenantActions; onArm: () => void }) {
  const { deviceActions } = useAppContext()
  const { tenant: key, name, armedUntil } = tenant
  const reason = noneReason(tenant)
  const left = useTickedText((now) =>
    armedUntil === null ? reason || 'Read-only' : `Armed, ${minutesLeft(armedUntil, now)} left`,
  )
  return (
    <li className="lock-line">
      <NameText name={name} clip />
      <span className="lock-state" data-armed={armedUntil !== null}>
        {left}
      </span>
      {armedUntil === null ? (
        <Button className="button" aria-label={`Arm ${name}`} isDisabled={reason !== ''} onPress={onArm}>
          <LockOpen size={14} aria-hidden />
          Arm…
        </Button>
      ) : (
        <Button className="button" aria-label={`Lock ${name}`} onPress={() => void deviceActions.lock(key)}>
          <Lock size={14} aria-hidden />
          Lock
        </Button>
      )}
    </li>
  )
}

import { useId, useRef, useState, type FormEvent } from 'react'
import { Button } from 'react-aria-components'
import type { Fault } from '../../../src-shared/model/fault.ts'
import type { ProxyState } from '../../../src-shared/model/environment.ts'
import type { AppState } from '../../lib/session.ts'
import { useAppContext } from '../../lib/context.ts'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import { groupOf } from '../use-section.ts'
import { Group } from '../fields/fields.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { Question } from '../../lib/ui/question.tsx'

/** The route to the services, and the proxies on it that require or have a login. */
export function NetworkSettings({
  proxies,
  shell,
  coreLost,
}: Pick<AppState, 'proxies' | 'shell'> & { coreLost: boolean }) {
  const path =
    shell === 'electron'
      ? 'The system’s: its proxy, or the file that chooses one (PAC).'
      : 'By HTTPS_PROXY and NO_PROXY, as they were when Muster was started.'
  return (
    <Group name="Network" id={groupOf('network')}>
      <div className="setting">
        <div className="setting-text">
          <h3 tabIndex={-1}>Proxy</h3>
          <p>
            {path}
            {proxies.length === 0 && ' None has asked for a name and password.'}
          </p>
        </div>
      </div>
      {proxies.map((proxy) => (
        <ProxyLogin key={proxy.address} proxy={proxy} coreLost={coreLost} />
      ))}
    </Group>
  )
}

const stateTexts: Record<ProxyState['state'], string> = {
  required: 'It asks for a name and password. Muster stores them with the client secrets, and never shows them again.',
  rejected: 'It rejected the stored name and password. Muster retries them only rarely until you change them.',
  locked: 'Its name and password wait for the keychain, which is locked.',
  stored: 'Its name and password are stored with the client secrets.',
  erased: 'It asked for a name and password, and none is stored. Muster stores them with the client secrets.',
}

const refusedVariable = 'It rejected the name and password of HTTPS_PROXY. Those entered here take precedence.'

/** The login of a proxy. The password is only in the field, and is removed from it after it was sent. */
function ProxyLogin({ proxy: { address, state, stored }, coreLost }: { proxy: ProxyState; coreLost: boolean }) {
  const { session } = useAppContext()
  const [fault, setFault] = useState<Fault | null>(null)
  const [forgetting, setForgetting] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const head = useRef<HTMLHeadingElement>(null)
  const id = useId()
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    const answer = session.pipe.call('proxies.save', {
      address,
      name: String(typed.get('name')),
      password: String(typed.get('password')),
    })
    form.current?.reset()
    head.current?.focus()
    report(await answer)
  }
  const report = (answer: { ok: true } | { ok: false; fault: Fault }) => setFault(answer.ok ? null : answer.fault)
  // The button disappears after use, so the focus moves to the name field.
  const forget = async () => {
    setForgetting(false)
    const answer = await session.pipe.call('proxies.forget', { address })
    report(answer)
    if (answer.ok) form.current?.querySelector('input')?.focus()
  }
  return (
    <form
      ref={form}
      className="setting"
      data-asks={state === 'required' || state === 'rejected' ? true : undefined}
      onSubmit={(event) => void save(event)}
      aria-labelledby={`${id}-head`}
    >
      <div className="setting-text">
        <h3 id={`${id}-head`} ref={head} tabIndex={-1}>
          <Isolated>{address}</Isolated>
        </h3>
        <p role="status">{state === 'rejected' && !stored ? refusedVariable : stateTexts[state]}</p>
        <FaultNote fault={fault} />
      </div>
      <div className="setting-control proxy-login">
        <div className="form-field">
          <label htmlFor={`${id}-name`}>Name</label>
          <input id={`${id}-name`} className="input" name="name" required autoComplete="off" spellCheck={false} />
        </div>
        <div className="form-field">
          <label htmlFor={`${id}-password`}>Password</label>
          <input id={`${id}-password`} className="input" name="password" type="password" autoComplete="new-password" />
        </div>
        <Button className="button" type="submit" isDisabled={coreLost}>
          Save
        </Button>
        {stored && (
          <Button className="button" isDisabled={coreLost} onPress={() => setForgetting(true)}>
            Forget
          </Button>
        )}
      </div>
      {forgetting && (
        <ForgetDialog address={address} onKeep={() => setForgetting(false)} onForget={() => void forget()} />
      )}
    </form>
  )
}

function ForgetDialog({ address, onKeep, onForget }: { address: string; onKeep: () => void; onForget: () => void }) {
  return (
    <Question
      title={
        <>
          Forget the name and password for <Isolated>{address}</Isolated>?
        </>
      }
      keep="Keep them"
      onKeep={onKeep}
      act={
        <Button className="button danger" onPress={onForget}>
          Forget them
        </Button>
      }
    >
      <p>
        They are wiped from this computer, and the connections that go through this proxy end. They come back when a
        name and password are given again.
      </p>
    </Question>
  )
}

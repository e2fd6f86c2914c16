import { Archive, Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from 'react-aria-components'
import type { Diagnostics } from '../../src-shared/contract/diagnostics.ts'
import { diagnosticsText } from '../../src-shared/text/diagnostics.ts'
import { useCopied } from '../lib/ui/buttons/copy-button.tsx'
import { FaultNote } from '../lib/ui/fault-note.tsx'
import { Moment } from '../lib/ui/moment.tsx'
import { BundleDialog } from './bundle-dialog.tsx'
import { Files, Log, Queues, Updates, Sockets, Start, SecretsAndProxies, Team, Threads, Versions } from './parts.tsx'
import { ReadElsewhere } from './read-elsewhere.tsx'
import { useDiagnostics, type DiagnosticsState } from './use-diagnostics.ts'

/** Muster's own state, for the operator and for support. */
export function DiagnosticsScreen({ coreLost }: { coreLost: boolean }) {
  const shown = useDiagnostics()
  const [bundling, setBundling] = useState(false)
  return (
    <div className="screen" id="diagnostics" tabIndex={-1}>
      <div className="screen-head">
        <h1>Diagnostics</h1>
        <span className="screen-sum">
          <Asked shown={shown} />
        </span>
        <span className="spring" />
        {shown.state === 'shown' && <CopyAll seen={shown.diagnostics} />}
        <Button className="button" id="support-bundle" isDisabled={coreLost} onPress={() => setBundling(true)}>
          <Archive size={14} aria-hidden />
          Support bundle…
        </Button>
      </div>
      {coreLost && <p className="screen-note">Muster’s core is not running. These values are old.</p>}
      <Shown shown={shown} coreLost={coreLost} />
      {bundling && <BundleDialog onDone={() => setBundling(false)} />}
    </div>
  )
}

function Asked({ shown }: { shown: DiagnosticsState }) {
  if (shown.state !== 'shown') return null
  return (
    <>
      as of <Moment at={shown.diagnostics.at} />
    </>
  )
}

function CopyAll({ seen }: { seen: Diagnostics }) {
  const { copied, copy } = useCopied(diagnosticsText(seen))
  return (
    <Button className="button" onPress={copy}>
      {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
      {copied ? 'Copied' : 'Copy as text'}
    </Button>
  )
}

function Shown({ shown, coreLost }: { shown: DiagnosticsState; coreLost: boolean }) {
  if (shown.state === 'loading')
    return (
      <p className="screen-note" role="status">
        Loading…
      </p>
    )
  if (shown.state === 'failed') {
    return (
      <>
        <FaultNote fault={shown.fault} />
        <p className="screen-note">It updates every few seconds.</p>
      </>
    )
  }
  const { diagnostics: seen, fault } = shown
  return (
    <div className="diagnostics">
      <FaultNote fault={coreLost ? null : fault} />
      <div className="diagnostics-panels">
        <Start seen={seen} />
        <Threads seen={seen} />
        <Versions seen={seen} />
        <SecretsAndProxies seen={seen} />
        <Updates seen={seen} />
        <Files seen={seen} />
        <Team seen={seen} />
      </div>
      <ReadElsewhere />
      <Queues seen={seen} />
      <Sockets seen={seen} />
      <Log seen={seen} />
    </div>
  )
}

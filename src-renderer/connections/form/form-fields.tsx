import { Button } from 'react-aria-components'
import type { ConnectionInput } from '../../../src-shared/model/connection.ts'
import { presets, type Preset } from '../../../src-shared/connections/presets.ts'
import { Field } from './field.tsx'
import type { FieldName } from './fields.ts'

interface Props {
  /** The stored connection; null for a new one. */
  known: ConnectionInput | null
  /** Returns what is wrong with a field; null when it is valid. */
  error: (name: FieldName) => string | null
  onLeft: (name: FieldName) => void
}

/** Buttons for services with known addresses. */
export function Presets({ onChoose }: { onChoose: (preset: Preset) => void }) {
  return (
    <div className="presets" role="group" aria-label="Known services">
      <span className="hint">Known services:</span>
      {presets.map((preset) => (
        <Button key={preset.id} className="button" onPress={() => onChoose(preset)}>
          {preset.name}
        </Button>
      ))}
    </div>
  )
}

export function AddressFields({ known, error, onLeft }: Props) {
  return (
    <>
      <Field
        name="tokenUrl"
        value={known?.tokenUrl}
        error={error('tokenUrl')}
        onLeft={onLeft}
        placeholder="https://login.example.com/oauth/token"
        mono
      />
      <Field
        name="graphqlUrl"
        value={known?.graphqlUrl}
        error={error('graphqlUrl')}
        onLeft={onLeft}
        placeholder="https://api.example.com/graphql"
        mono
      />
      <Field
        name="subscriptionUrl"
        value={known?.subscriptionUrl}
        error={error('subscriptionUrl')}
        onLeft={onLeft}
        placeholder="wss://api.example.com/graphql"
        mono
      />
    </>
  )
}

/** The CA certificate that this connection trusts besides the system's. */
export function TrustField({ known, error, onLeft, focused }: Props & { focused: boolean }) {
  return (
    <Field
      name="ca"
      value={known?.ca}
      error={error('ca')}
      onLeft={onLeft}
      focused={focused}
      lines={4}
      placeholder="-----BEGIN CERTIFICATE-----"
      hint="Only if the service has a certificate of your company, or a proxy of your company looks into encrypted connections (TLS). It adds trust for this connection alone."
      mono
    />
  )
}

/** Fields that few services need. They are expanded when one of them has a value or an error. */
export function AdvancedFields({ known, error, onLeft }: Props) {
  return (
    <details
      className="advanced"
      open={
        Boolean(known?.subscription) ||
        Boolean(known?.portal) ||
        error('subscription') !== null ||
        error('portal') !== null
      }
    >
      <summary>Advanced</summary>
      <Field
        name="portal"
        value={known?.portal}
        error={error('portal')}
        onLeft={onLeft}
        placeholder="https://portal.example.com/{tenant}/{id}"
        hint="In the vendor’s portal, with {tenant} and {id} in their places. Empty for none."
        mono
      />
      <Field
        name="subscription"
        value={known?.subscription}
        error={error('subscription')}
        onLeft={onLeft}
        lines={5}
        hint="Only if the service’s live stream has another name. Empty for the standard one."
        mono
      />
    </details>
  )
}

import { KeyRound } from 'lucide-react'
import { Button } from 'react-aria-components'
import type { WebhookFormat } from '../../src-shared/model/channels.ts'
import { Choice } from '../lib/ui/choice.tsx'
import { FormGroup, FormRow } from '../policies/fields.tsx'
import { type ChannelDraft, type FieldProps, keptAt, newSigningSecret, usualPorts } from './draft.ts'
import { formatLabels } from './words.ts'

type TextName = {
  [N in keyof ChannelDraft]: ChannelDraft[N] extends string ? N : never
}[keyof ChannelDraft]

interface TextProps extends FieldProps {
  name: TextName
  /** The name of the field in the core's answers; left out where it is the same. */
  field?: string
  label: string
  hint?: string
  placeholder?: string
  secret?: boolean
  mono?: boolean
  lines?: number
}

/** A labelled text of the form. */
export function TextField({ draft, problems, onChange, name, field = name, label, hint, ...more }: TextProps) {
  const { placeholder, secret = false, mono = false, lines } = more
  const error = problems.get(field)
  return (
    <FormRow label={label} error={error} {...(hint !== undefined && { hint })}>
      {({ id, describedBy }) => {
        const shared = {
          id,
          className: mono ? 'input mono' : 'input',
          'data-field': field,
          placeholder,
          spellCheck: false,
          'aria-invalid': error !== undefined,
          'aria-describedby': describedBy,
          value: draft[name],
        }
        return lines === undefined ? (
          <input
            {...shared}
            type={secret ? 'password' : 'text'}
            autoComplete={secret ? 'new-password' : 'off'}
            onChange={({ target }) => onChange({ [name]: target.value })}
          />
        ) : (
          <textarea {...shared} rows={lines} onChange={({ target }) => onChange({ [name]: target.value })} />
        )
      }}
    </FormRow>
  )
}

/** Returns what is said beside a secret that is stored; '' for none. */
function keptText({ known, draft }: Pick<FieldProps, 'known' | 'draft'>): string {
  switch (keptAt(known, draft)) {
    case 'here':
      return 'Stored. Enter another one to change it.'
    case 'elsewhere':
      return 'Not known here. Leave it empty to keep it, or enter it to send from here too.'
    case null:
      return ''
  }
}

const addressHints: Record<WebhookFormat, string> = {
  slack: 'The address of an incoming webhook: https://hooks.slack.com/services/…',
  teams: 'The address of the workflow “When a Teams webhook request is received”.',
  pagerduty:
    'Leave it empty for PagerDuty’s usual address; its European service is https://events.eu.pagerduty.com/v2/enqueue.',
  servicenow: 'The event collector: https://….service-now.com/api/global/em/jsonv2',
  plain: 'Muster sends its own JSON there, one POST for each message.',
}

const formats: readonly WebhookFormat[] = ['slack', 'teams', 'pagerduty', 'servicenow', 'plain']

/** Where a webhook leads, and its keys. */
export function WebhookFields(props: FieldProps) {
  const { draft, onChange } = props
  const kept = keptText(props)
  return (
    <>
      <FormRow label="For">
        {({ id }) => (
          <select
            id={id}
            className="input"
            value={draft.format}
            onChange={({ target }) => onChange({ format: formats.find((one) => one === target.value) ?? 'plain' })}
          >
            {formats.map((format) => (
              <option key={format} value={format}>
                {formatLabels[format]}
              </option>
            ))}
          </select>
        )}
      </FormRow>
      <TextField
        {...props}
        name="address"
        label="Address"
        secret
        mono
        hint={`${kept} ${addressHints[draft.format]}`.trim()}
      />
      <Keys {...props} />
      <AuthorityField {...props} />
    </>
  )
}

function Keys(props: FieldProps) {
  const { draft, onChange } = props
  const kept = keptText(props)
  const hint = kept === '' ? {} : { hint: kept }
  if (draft.format === 'pagerduty')
    return (
      <TextField
        {...props}
        name="key"
        label="Integration key"
        secret
        mono
        hint={kept === '' ? 'Of an integration with the Events API v2.' : kept}
      />
    )
  if (draft.format === 'servicenow')
    return (
      <div className="form-pair">
        <TextField {...props} name="user" label="Name" {...hint} />
        <TextField {...props} name="key" label="Password" secret {...hint} />
      </div>
    )
  if (draft.format !== 'plain') return null
  return (
    <>
      <TextField
        {...props}
        name="key"
        label="Signing secret"
        mono
        hint={`${kept} Messages are signed with it as Standard Webhooks are, so that their reader knows that they are Muster’s. Copy it now: it is not shown again.`.trim()}
      />
      <span>
        <Button className="button" onPress={() => onChange({ key: newSigningSecret() })}>
          <KeyRound size={14} aria-hidden />
          Generate a signing secret
        </Button>
      </span>
    </>
  )
}

const securities = [
  { value: 'starttls', word: 'STARTTLS' },
  { value: 'tls', word: 'TLS' },
  { value: 'none', word: 'None' },
] as const

/** The mail server, and who gets the mails. */
export function MailFields(props: FieldProps) {
  const { draft, problems, onChange } = props
  const kept = keptText(props)
  return (
    <>
      <div className="form-pair">
        <TextField {...props} name="host" label="Mail server" placeholder="smtp.example.com" mono />
        <TextField {...props} name="port" label="Port" mono />
      </div>
      <FormGroup label="Encryption" field="security" error={problems.get('security')}>
        <Choice
          label="Encryption"
          value={draft.security}
          options={securities}
          onChange={(security) =>
            onChange({ security, ...(draft.port === usualPorts[draft.security] && { port: usualPorts[security] }) })
          }
        />
      </FormGroup>
      <div className="form-pair">
        <TextField {...props} name="login" field="user" label="Name" hint="Empty where the server asks for none." />
        <TextField {...props} name="password" label="Password" secret {...(kept !== '' && { hint: kept })} />
      </div>
      <TextField {...props} name="from" label="From" placeholder="muster@example.com" mono />
      <TextField {...props} name="to" label="To" lines={2} mono hint="One address a line." />
      <RotaFields {...props} />
      <AuthorityField {...props} />
    </>
  )
}

const turns = [
  { value: 'week', word: 'Week' },
  { value: 'day', word: 'Day' },
] as const

function RotaFields(props: FieldProps) {
  const { draft, problems, onChange } = props
  const small = { className: 'input', autoComplete: 'off', spellCheck: false }
  return (
    <>
      <label className="check">
        <input
          type="checkbox"
          checked={draft.hasRota}
          onChange={({ target }) => onChange({ hasRota: target.checked })}
        />
        <span>And to who is on shift</span>
      </label>
      {draft.hasRota && (
        <>
          <TextField
            {...props}
            name="people"
            label="People in turn"
            lines={3}
            placeholder={'Ann Lee <ann@example.com>\nBen Okafor <ben@example.com>'}
            hint="One a line. The list begins anew at its end."
          />
          <FormGroup
            label="Each for a"
            field="rota"
            error={problems.get('rota')}
            hint="The shift changes at this time in the zone below. The first of the list begins on that day."
          >
            <Choice label="Each for a" value={draft.every} options={turns} onChange={(every) => onChange({ every })} />
            <input
              {...small}
              type="time"
              data-size="length"
              aria-label="Time of the change"
              value={draft.at}
              onChange={({ target }) => onChange({ at: target.value })}
            />
            <input
              {...small}
              type="date"
              data-size="date"
              aria-label="First day of the first person"
              max="9999-12-31"
              value={draft.first}
              onChange={({ target }) => onChange({ first: target.value })}
            />
          </FormGroup>
        </>
      )}
    </>
  )
}

function AuthorityField(props: FieldProps) {
  return (
    <details className="advanced" open={props.problems.has('ca') || props.draft.ca !== ''}>
      <summary>CA certificate</summary>
      <TextField
        {...props}
        name="ca"
        label="CA certificate (PEM)"
        lines={3}
        mono
        hint="Trusted beside the system’s, for this channel alone."
      />
    </details>
  )
}

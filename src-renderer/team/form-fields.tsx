import type { TeamInput } from '../../src-shared/model/team.ts'
import type { AppState } from '../lib/session.ts'
import { FormRow } from '../policies/fields.tsx'
import type { FieldName, Problems } from './faults.ts'

interface FieldProps {
  name: FieldName
  label: string
  hint: string
  problems: Problems
  value?: string
  placeholder?: string
  isSecret?: boolean
  isMono?: boolean
  /** Number of lines, when more than one. */
  lines?: number
  /** True for the field with the focus when the form opens. */
  isFocused?: boolean
}

/** A labelled, uncontrolled field (see the form). */
function Field({ name, label, hint, problems, value = '', placeholder, lines, ...more }: FieldProps) {
  const { isSecret = false, isMono = false, isFocused = false } = more
  const error = problems.get(name)
  return (
    <FormRow label={label} error={error} hint={hint}>
      {({ id, describedBy }) => {
        const shared = {
          id,
          name,
          placeholder,
          defaultValue: value,
          className: isMono ? 'input mono' : 'input',
          spellCheck: false,
          'aria-invalid': error !== undefined,
          'aria-describedby': describedBy,
        }
        return lines === undefined ? (
          <input
            {...shared}
            type={isSecret ? 'password' : 'text'}
            autoComplete={isSecret ? 'new-password' : 'off'}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the first field of a dialog that the operator opened
            autoFocus={isFocused}
          />
        ) : (
          <textarea {...shared} rows={lines} autoComplete="off" />
        )
      }}
    </FormRow>
  )
}

interface Props {
  /** What was typed to join; null for a Muster on its own. */
  known: TeamInput | null
  keychain: AppState['keychain']
  problems: Problems
}

export function TeamFields({ known, keychain, problems }: Props) {
  return (
    <>
      <Field
        name="address"
        label="Address"
        value={known?.address ?? ''}
        problems={problems}
        placeholder="postgresql://user@host/database"
        hint="The team’s database, without the password. The port is 5432 unless it follows the host, as in host:6432."
        isMono
        isFocused
      />
      <Field
        name="password"
        label="Password"
        problems={problems}
        hint={`${known === null ? '' : 'Leave empty to keep the current one. '}${passwordText(keychain)}`}
        isSecret
      />
      <Field
        name="ca"
        label="CA certificate"
        value={known?.ca ?? ''}
        problems={problems}
        lines={3}
        placeholder="-----BEGIN CERTIFICATE-----"
        hint="Only if the database has a certificate of your company. It adds trust for this database alone; over a network, certificates are always verified."
        isMono
      />
      <Field
        name="operator"
        label="Your name"
        value={known?.operator ?? ''}
        problems={problems}
        hint="As the other members see it."
      />
    </>
  )
}

/** Returns where the password is kept. */
function passwordText({ kind }: AppState['keychain']): string {
  switch (kind) {
    case 'keychain':
      return 'Kept in this computer’s keychain.'
    case 'locked':
      return 'Kept in memory, and put into this computer’s keychain as soon as that is unlocked.'
    case 'session':
      return 'Kept in memory until Muster quits, never on disk.'
    default:
      return kind satisfies never
  }
}

/** Whether the own connections are added to the team's. */
export function ShareField() {
  return (
    <div className="team-share">
      <label className="check">
        <input type="checkbox" name="share" defaultChecked aria-describedby="team-share-hint" />
        <span>Add my connections and channels to the team, without their secrets</span>
      </label>
      <p className="hint" id="team-share-hint">
        A member reads a connection once it has entered its client secret.
      </p>
    </div>
  )
}

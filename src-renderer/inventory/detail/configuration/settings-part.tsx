import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { Button, Input, SearchField } from 'react-aria-components'
import type { CallOutput } from '../../../../src-shared/contract/contract.ts'
import { useAppContext } from '../../../lib/context.ts'
import { numberText } from '../../../lib/format/numbers.ts'
import { CopyButton } from '../../../lib/ui/buttons/copy-button.tsx'
import { IconButton } from '../../../lib/ui/buttons/icon-button.tsx'
import { Isolated } from '../../../lib/ui/isolated.tsx'
import { FaultNote } from '../../../lib/ui/fault-note.tsx'
import { Part } from '../../../lib/ui/part.tsx'
import { ReadButton, type SectionProps } from './read-button.tsx'
import { usePress } from './use-press.ts'

type Settings = CallOutput<'configuration.settings'>
type Setting = Settings['settings'][number]

const levelNames: Readonly<Record<Setting['level'], string>> = {
  DEVICE: 'Device',
  SITE: 'Site',
  DEVICE_MODEL: 'Model',
  GLOBAL: 'Account',
}

/** Settings that are shown before "Show all". */
const few = 30

/** The names of the settings with the level that sets each. A value is read when the operator reveals it. */
export function SettingsPart(props: SectionProps) {
  const { session } = useAppContext()
  const { value, fault, busy, press } = usePress<Settings>()
  const { device } = props
  return (
    <Part title="Settings">
      <ReadButton
        {...props}
        busy={busy}
        fault={fault}
        onPress={() => press(() => session.pipe.call('configuration.settings', { device }))}
      >
        {value === null ? 'Read settings' : 'Read settings again'}
      </ReadButton>
      {value !== null && <List {...value} device={device} coreLost={props.coreLost} />}
    </Part>
  )
}

function List({ settings, failed, device, coreLost }: Settings & Pick<SectionProps, 'device' | 'coreLost'>) {
  const [search, setSearch] = useState('')
  const [all, setAll] = useState(false)
  const found = settings.filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase()))
  const shown = all ? found : found.slice(0, few)
  return (
    <>
      {failed.map(({ level, detail }) => (
        <p key={level} className="detail-note" role="alert">
          {levelNames[level]} settings could not be read: <Isolated>{detail}</Isolated>
        </p>
      ))}
      {settings.length === 0 && <p className="detail-note">No policy sets anything.</p>}
      {settings.length > few && (
        <SearchField aria-label="Search settings" value={search} onChange={setSearch}>
          <Input className="input" placeholder="Search settings" />
        </SearchField>
      )}
      <ul className="device-settings" aria-label="Settings">
        {shown.map((setting) => (
          <SettingLine
            key={`${setting.policy} ${setting.name}`}
            setting={setting}
            device={device}
            coreLost={coreLost}
          />
        ))}
      </ul>
      {found.length > shown.length && (
        <Button className="button" onPress={() => setAll(true)}>
          Show {numberText(found.length - shown.length)} more
        </Button>
      )}
      {settings.length > 0 && (
        <p className="detail-note">A value may be a password. It is read when you reveal it, and kept nowhere.</p>
      )}
    </>
  )
}

function SettingLine({
  setting: { name, level, policy },
  device,
  coreLost,
}: { setting: Setting } & Pick<SectionProps, 'device' | 'coreLost'>) {
  const { session } = useAppContext()
  const { value, fault, busy, press, forget } = usePress<CallOutput<'configuration.value'>>()
  return (
    <li>
      <Isolated className="mono">{name}</Isolated>
      <span className="device-setting-level">{levelNames[level]}</span>
      <span className="device-setting-value">
        {value === null && <span aria-label="Covered">••••••</span>}
        {value !== null && value.value === null && <span className="absent">none</span>}
        {value !== null && value.value !== null && <Isolated className="mono">{value.value}</Isolated>}
      </span>
      <span className="device-setting-actions">
        {value !== null && value.value !== null && <CopyButton text={value.value} what={name} />}
        {value === null ? (
          <IconButton
            label={busy ? `Reading ${name}` : `Reveal ${name}`}
            disabled={coreLost}
            onPress={() => press(() => session.pipe.call('configuration.value', { device, policy, name }))}
          >
            <Eye size={14} aria-hidden />
          </IconButton>
        ) : (
          <IconButton label={`Cover ${name}`} onPress={forget}>
            <EyeOff size={14} aria-hidden />
          </IconButton>
        )}
      </span>
      <FaultNote fault={fault} />
    </li>
  )
}

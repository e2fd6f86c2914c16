import { useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import type { Fault } from '../../../src-shared/model/fault.ts'
import { base64Of } from '../../lib/base64.ts'
import { useAppContext } from '../../lib/context.ts'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import type { Settings } from '../../../src-shared/model/settings.ts'
import { useSettings } from '../../settings/use-settings.ts'

/** Countries whose numbers and dates a report can have. */
const locales = [
  'en-GB',
  'en-US',
  'cs-CZ',
  'da-DK',
  'de-AT',
  'de-CH',
  'de-DE',
  'es-ES',
  'fi-FI',
  'fr-CH',
  'fr-FR',
  'hu-HU',
  'it-IT',
  'ja-JP',
  'ko-KR',
  'nb-NO',
  'nl-NL',
  'pl-PL',
  'pt-BR',
  'pt-PT',
  'ro-RO',
  'sk-SK',
  'sv-SE',
  'tr-TR',
  'zh-CN',
] as const
const regionOf = (locale: string) =>
  `${new Intl.DisplayNames('en', { type: 'region' }).of(locale.slice(-2)) ?? locale} (${locale})`
/** Largest picture, bytes. */
const maxLogo = 100_000

interface PartProps {
  settings: Pick<Settings, 'reportLocale' | 'reportWords' | 'reportLogo' | 'reportNotes'>
  coreLost: boolean
  change: (part: Partial<Settings>) => void
}

/** What the operator adds to every report: the reader's country, words and a logo. */
export function ReportDressing({ coreLost }: { coreLost: boolean }) {
  const { session } = useAppContext()
  const settings = useSettings()
  const [fault, setFault] = useState<Fault | null>(null)
  const change = async (part: Partial<Settings>) => {
    const answer = await session.change(part)
    setFault(answer.ok ? null : answer.fault)
  }
  const parts = { settings, coreLost, change: (part: Partial<Settings>) => void change(part) }
  return (
    <details className="report-dressing report-form">
      <summary>Words, logo, country and notes</summary>
      <div className="report-fields">
        <label className="report-field">
          <span>Numbers and dates of</span>
          <select
            className="input"
            value={settings.reportLocale}
            disabled={coreLost}
            onChange={({ target }) => parts.change({ reportLocale: target.value })}
          >
            <option value="">This computer ({navigator.language})</option>
            {locales.map((locale) => (
              <option key={locale} value={locale}>
                {regionOf(locale)}
              </option>
            ))}
          </select>
        </label>
        <Logo {...parts} onFault={setFault} />
        <label className="check">
          <input
            type="checkbox"
            checked={settings.reportNotes}
            disabled={coreLost}
            onChange={({ target }) => parts.change({ reportNotes: target.checked })}
          />
          <span>Notes and tags</span>
        </label>
      </div>
      <Words {...parts} />
      <FaultNote fault={fault} />
    </details>
  )
}

function Logo({
  settings: { reportLogo },
  coreLost,
  change,
  onFault,
}: PartProps & { onFault: (fault: Fault) => void }) {
  const picker = useRef<HTMLInputElement>(null)
  const take = async (file: File | undefined) => {
    if (file === undefined) return
    if (file.size > maxLogo) return onFault({ kind: 'input', detail: 'The picture is larger than 100 kB.' })
    change({ reportLogo: `data:${file.type};base64,${await base64Of(file)}` })
  }
  return (
    <>
      <input
        ref={picker}
        type="file"
        accept="image/png,image/jpeg"
        hidden
        onChange={({ target }) => {
          void take(target.files?.[0])
          target.value = ''
        }}
      />
      <Button className="button" isDisabled={coreLost} onPress={() => picker.current?.click()}>
        {reportLogo === '' ? 'Choose a logo…' : 'Choose another logo…'}
      </Button>
      {reportLogo !== '' && (
        <>
          <img className="report-logo" src={reportLogo} alt="The logo of reports" />
          <Button className="button subtle" isDisabled={coreLost} onPress={() => change({ reportLogo: '' })}>
            Remove the logo
          </Button>
        </>
      )}
    </>
  )
}

function Words({ settings: { reportWords }, coreLost, change }: PartProps) {
  const [words, setWords] = useState<string | null>(null)
  return (
    <label className="report-words">
      <span>Words at the beginning</span>
      <textarea
        className="input"
        rows={3}
        maxLength={4000}
        disabled={coreLost}
        value={words ?? reportWords}
        onChange={({ target }) => setWords(target.value)}
        onBlur={() => {
          if (words !== null && words !== reportWords) change({ reportWords: words })
          setWords(null)
        }}
      />
    </label>
  )
}

import { useState } from 'react'
import { Button } from 'react-aria-components'
import type { AvailabilityReport, ReportRequest } from '../../../src-shared/contract/report-calls.ts'
import { reportHtml } from '../../../src-shared/reports/report-html.ts'
import { fileName } from '../../inventory/actions/export-all.ts'
import { useAppContext } from '../../lib/context.ts'
import { saveFile, saveParts } from '../../lib/save-file.ts'
import { shellOf } from '../../lib/session.ts'
import { savedState, SaveStatus, type SaveState } from '../../lib/ui/save-status.tsx'
import { useSettings } from '../../settings/use-settings.ts'

interface Props {
  request: ReportRequest
  report: AvailabilityReport
  locale: string
}

/** Saves a report as one page of HTML, or as CSV with a line for each device. */
export function SaveReport({ request, report, locale }: Props) {
  const { session, ticker } = useAppContext()
  const { reportWords, reportLogo, reportNotes } = useSettings()
  const [state, setState] = useState<SaveState>({ is: 'idle' })
  const name = (format: 'html' | 'csv' | 'pdf') => fileName('availability', format, new Date(ticker.exact()))
  const saving = async (save: () => ReturnType<typeof saveFile>) => {
    setState({ is: 'saving', progress: 'Saving…' })
    setState(savedState(await save()))
  }
  const html = () => {
    const text = reportHtml(report, request, { locale, words: reportWords, logo: reportLogo, notes: reportNotes })
    return saveFile(session.pipe, shellOf(session), name('html'), 'text/html', [text])
  }
  const pdf = async (): ReturnType<typeof saveFile> => {
    const begun = await session.pipe.call('files.begin', { name: name('pdf') })
    if (!begun.ok) return begun
    const { file } = begun.value
    if (file === null) return { ok: true, where: null }
    const written = await session.pipe.call('files.writePdf', { file })
    const ended = await session.pipe.call('files.end', { file, keep: written.ok })
    if (!written.ok) return written
    return ended.ok ? { ok: true, where: ended.value.path } : ended
  }
  const csv = () => {
    let offset: number | null = 0
    const next = async () => {
      if (offset === null) return null
      // The report's own end: it is of whole minutes.
      const answer = await session.pipe.call('reports.csv', { ...request, until: report.until, offset })
      if (!answer.ok) return answer
      offset = answer.value.next
      return { ok: true as const, value: answer.value.text }
    }
    return saveParts(session.pipe, shellOf(session), name('csv'), 'text/csv', next, () => false)
  }
  return (
    <>
      <SaveStatus state={state} />
      <Button
        className="button subtle report-tool"
        isDisabled={state.is === 'saving'}
        onPress={() => void saving(html)}
      >
        Save HTML
      </Button>
      <Button className="button subtle report-tool" isDisabled={state.is === 'saving'} onPress={() => void saving(csv)}>
        Save CSV
      </Button>
      {shellOf(session) === 'electron' && (
        <Button
          className="button subtle report-tool"
          isDisabled={state.is === 'saving'}
          onPress={() => void saving(pdf)}
        >
          Save PDF
        </Button>
      )}
    </>
  )
}

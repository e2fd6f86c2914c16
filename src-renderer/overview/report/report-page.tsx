import '../../styles/report.css'
import { ArrowLeft, Printer } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import type { AvailabilityReport, ReportRequest } from '../../../src-shared/contract/report-calls.ts'
import type { Fault } from '../../../src-shared/model/fault.ts'
import { everything } from '../../../src-shared/model/inventory.ts'
import { above } from '../../../src-shared/model/tree.ts'
import { createReportFormat } from '../../../src-shared/reports/report-format.ts'
import { placeText } from '../../../src-shared/reports/report-html.ts'
import { useAppContext } from '../../lib/context.ts'
import { useCall } from '../../lib/hooks/use-call.ts'
import { afterFrames } from '../../lib/ui/focus.ts'
import { FaultNote } from '../../lib/ui/fault-note.tsx'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { operatorZone } from '../../policies/format.ts'
import { zoneOf } from '../../policies/place/place.ts'
import { usePolicies } from '../../policies/use-policies.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { firstDraft, requestOf } from './draft.ts'
import { ReportDressing } from './dressing.tsx'
import { ReportForm } from './report-form.tsx'
import { ReportSchedules } from './report-schedules.tsx'
import { ReportView } from './report-view.tsx'
import { SaveReport } from './save-report.tsx'
import { shownReport } from './shown-report.ts'

/** The availability of a place over a time, to be read, saved and printed. */
export function ReportPage({ place, coreLost }: { place: string; coreLost: boolean }) {
  const { policyEditor, ticker } = useAppContext()
  const { times, reportLocale } = useSettings()
  const policies = usePolicies()
  const [draft, setDraft] = useState(firstDraft)
  // The days are those of when the page was opened.
  const [now] = useState(() => ticker.exact())
  const account = policies.places.find(({ node }) => node === place)?.account ?? null
  const its = zoneOf({ path: above(place, account) }, policies)
  const zone = place === everything || its.from === null ? operatorZone(times) : its.zone
  const asked = requestOf(draft, place, { zone, zones: policyEditor.zones, now })
  const request = 'request' in asked ? asked.request : null
  const { value, current } = useReport(request, coreLost)
  const locale = reportLocale === '' ? navigator.language : reportLocale
  const format = createReportFormat(locale, zone)
  const screen = useRef<HTMLDivElement>(null)
  useEffect(() => screen.current?.focus(), [])
  const report = value?.report ?? null
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape leaves the page from anywhere in it
    <div
      className="screen overview report-page"
      id="overview"
      tabIndex={-1}
      ref={screen}
      onKeyDown={(event) => event.key === 'Escape' && !event.defaultPrevented && leave()}
    >
      <div className="screen-head">
        <Button className="button subtle report-tool" onPress={leave}>
          <ArrowLeft size={14} aria-hidden />
          Back
        </Button>
        <h1>Availability report</h1>
        <Isolated className="screen-sum clip">{report === null ? '' : placeText(report)}</Isolated>
        <span className="spring" />
        {request !== null && report !== null && current && (
          <>
            <SaveReport request={request} report={report} locale={locale} />
            <Button className="button subtle report-tool" onPress={() => window.print()}>
              <Printer size={14} aria-hidden />
              Print
            </Button>
          </>
        )}
      </div>
      <div className="overview-grid">
        <ReportForm draft={draft} zone={zone} onChange={(part) => setDraft({ ...draft, ...part })} />
        <ReportDressing coreLost={coreLost} />
        {report !== null && (
          <ReportSchedules
            place={place}
            placeName={report.path.at(-1)?.name ?? 'All tenants'}
            hours={request?.hours ?? null}
            coreLost={coreLost}
          />
        )}
        {'problem' in asked ? (
          <p className="screen-note" role="alert">
            {asked.problem}
          </p>
        ) : report !== null && request !== null ? (
          <ReportView report={report} request={request} format={format} isCurrent={current} />
        ) : (
          <Waiting fault={value?.fault ?? null} />
        )}
      </div>
    </div>
  )
}

function Waiting({ fault }: { fault: Fault | null }) {
  if (fault !== null) return <FaultNote fault={fault} />
  return (
    <p className="screen-note" role="status">
      Reading the journal…
    </p>
  )
}

/** Returns the report of a request; the last one stays while another is read. */
function useReport(request: ReportRequest | null, coreLost: boolean) {
  const { session } = useAppContext()
  const load = async (): Promise<{ report: AvailabilityReport | null; fault: Fault | null } | null> => {
    if (request === null) return null
    const answer = await session.pipe.call('reports.availability', request)
    return answer.ok ? { report: answer.value, fault: null } : { report: null, fault: answer.fault }
  }
  return useCall(request === null ? null : JSON.stringify([request, coreLost]), load)
}

/** Returns to what the overview showed before, which takes the focus. */
function leave(): void {
  shownReport.set(null)
  afterFrames(() => document.getElementById('overview')?.focus())
}

import { type Report, readReport, reportCsv } from '../reads/report/availability-report.ts'
import { createScan, type Scan } from '../reads/overview/scan.ts'
import type { Store } from '../store.ts'
import type { ReportData, ReportInput } from './report-protocol.ts'

type ReportCalls = {
  [N in keyof ReportData]: (input: Parameters<ReportData[N]>[0]) => Awaited<ReturnType<ReportData[N]>>
}

/** How long a report holds, ms: its CSV is read in parts. */
const maxAge = 10 * 60_000

/** The calls for reports (report-protocol.ts). The last report is kept. */
export function reportCalls(store: Store): ReportCalls {
  let last: { name: string; scan: Scan<{ report: Report | null }> } | null = null
  const step = (input: ReportInput) => {
    const { now, ...asked } = input
    const name = JSON.stringify(asked)
    if (last?.name !== name)
      last = {
        name,
        scan: createScan(function* () {
          return { report: yield* readReport(store, input) }
        }, maxAge),
      }
    return last.scan.step(now)
  }
  return {
    availabilityReport(input) {
      const done = step(input)
      return done && { answer: done.report?.answer ?? null }
    },
    availabilityCsv({ offset, ...input }) {
      const done = step(input)
      return done && { answer: done.report && reportCsv(store, done.report, offset) }
    },
  }
}

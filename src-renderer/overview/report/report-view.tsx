import type { AvailabilityReport, ReportRequest } from '../../../src-shared/contract/report-calls.ts'
import { dayBars } from '../../../src-shared/reports/figures.ts'
import type { ReportFormat } from '../../../src-shared/reports/report-format.ts'
import {
  keyFigures,
  methodLines,
  placeText,
  type ReportTable,
  reportTables,
} from '../../../src-shared/reports/report-html.ts'
import { Isolated } from '../../lib/ui/isolated.tsx'
import { useSettings } from '../../settings/use-settings.ts'
import { Panel } from '../panel.tsx'

interface Props {
  report: AvailabilityReport
  request: ReportRequest
  format: ReportFormat
  /** False while another report is read. */
  isCurrent: boolean
}

/** A report on the screen, which is also what is printed. */
export function ReportView({ report, request, format, isCurrent }: Props) {
  const { reportWords, reportLogo, reportNotes } = useSettings()
  return (
    <div className="report" aria-busy={!isCurrent}>
      <div className="report-printed">
        {reportLogo !== '' && <img src={reportLogo} alt="" />}
        <h1>Availability of {placeText(report)}</h1>
      </div>
      <p className="report-time">
        {format.time(report.from)} to {format.time(report.until)}, {request.zone}
        {!isCurrent && <span role="status"> · reading another time…</span>}
      </p>
      {reportWords.trim() !== '' && <Isolated className="report-own-words">{reportWords}</Isolated>}
      <dl className="then-numbers" aria-label="Figures">
        {keyFigures(report, format).map(([name, value, note]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
            <dd className="report-note">{note}</dd>
          </div>
        ))}
      </dl>
      <Days report={report} format={format} />
      {reportTables(report, format, reportNotes).map((table) => (
        <Table key={table.title} {...table} />
      ))}
      <Panel title="How it is counted">
        {methodLines(report, request, format).map((line) => (
          <p key={line} className="report-method">
            {line}
          </p>
        ))}
      </Panel>
    </div>
  )
}

/** A bar for each day, from the lowest round share on, and below it how much was observed. */
function Days({ report, format }: Pick<Props, 'report' | 'format'>) {
  const { low, bars } = dayBars(report.days)
  if (bars.length < 2) return null
  return (
    <Panel title="Availability by day" note={`the axis begins at ${format.share(low)}; grey has no data`}>
      <ol className="report-days" aria-label="Availability by day">
        {bars.map(({ from, availability, height, coverage }) => (
          <li
            key={from}
            aria-label={`${format.date(from)}: ${format.share(availability)} available, ${format.share(coverage)} observed`}
            title={`${format.date(from)}: ${format.share(availability)} available, ${format.share(coverage)} observed`}
          >
            <span className="report-bar" data-none={height === null}>
              <span style={{ blockSize: `${(height ?? 0) * 100}%` }} />
            </span>
            <span className="report-observed">
              <span style={{ blockSize: `${coverage * 100}%` }} />
            </span>
          </li>
        ))}
      </ol>
      <p className="report-axis" aria-hidden="true">
        <span>{format.date(report.from)}</span>
        <span>{format.date(report.until - 1)}</span>
      </p>
    </Panel>
  )
}

function Table({ title, heads, rows, leftOut }: ReportTable) {
  return (
    <Panel title={title} note={leftOut === 0 ? '' : `${leftOut} more are left out`}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: what scrolls is reached by keys */}
      <div className="overview-table-box" role="region" aria-label={`${title}, table`} tabIndex={0}>
        <table className="overview-table">
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([first = '', ...rest], row) => (
              // oxlint-disable-next-line react/no-array-index-key -- names repeat, and rows have no state
              <tr key={row}>
                <th scope="row">
                  <Isolated className="clip">{first}</Isolated>
                </th>
                {rest.map((cell, column) => (
                  <td key={heads[column + 1]}>
                    <Isolated className="clip">{cell}</Isolated>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}

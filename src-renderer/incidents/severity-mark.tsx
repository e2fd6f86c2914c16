import type { Severity } from '../../src-shared/model/incidents.ts'

/** The shape of a severity: filled octagon, triangle, ring. It is decoration beside the severity text. */
export function SeverityMark({ severity, size = 14 }: { severity: Severity; size?: number }) {
  return (
    <svg
      className={`severity-mark severity-${severity}`}
      viewBox="0 0 14 14"
      width={size}
      height={size}
      aria-hidden="true"
      focusable="false"
    >
      {severity === 'critical' && <path d="M4.4 1h5.2L13 4.4v5.2L9.6 13H4.4L1 9.6V4.4Z" fill="currentColor" />}
      {severity === 'major' && (
        <path d="M7 1.6 13 12.2H1Z" fill="currentColor" stroke="currentColor" strokeWidth="1" strokeLinejoin="round" />
      )}
      {severity === 'minor' && <circle cx="7" cy="7" r="4.6" fill="none" stroke="currentColor" strokeWidth="1.8" />}
    </svg>
  )
}

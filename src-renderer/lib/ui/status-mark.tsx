import type { DeviceStatus } from '../../../src-shared/model/inventory.ts'

/** The shape of a status: disc, triangle, dashed ring. It is decoration beside the status text. */
export function StatusMark({ status }: { status: DeviceStatus }) {
  return (
    <svg
      className={`mark mark-${status}`}
      viewBox="0 0 12 12"
      width="12"
      height="12"
      aria-hidden="true"
      focusable="false"
    >
      {status === 'connected' && <circle cx="6" cy="6" r="4.4" fill="currentColor" />}
      {status === 'disconnected' && (
        <path d="M6 1.6 11 10.4 H1 Z" fill="none" stroke="currentColor" strokeWidth="1.7" strokeLinejoin="round" />
      )}
      {status === 'unknown' && (
        <circle cx="6" cy="6" r="4.2" fill="none" stroke="currentColor" strokeWidth="1.5" strokeDasharray="2.2 2.2" />
      )}
    </svg>
  )
}

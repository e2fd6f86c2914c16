/** A disc when all connections are live, a half disc when some are, a ring when none is. */
export function ConnectionMark({ tone }: { tone: 'good' | 'partly' | 'none' }) {
  return (
    <svg
      className={`mark connection-${tone}`}
      viewBox="0 0 12 12"
      width="12"
      height="12"
      aria-hidden="true"
      focusable="false"
    >
      <circle
        cx="6"
        cy="6"
        r="3.8"
        fill={tone === 'good' ? 'currentColor' : 'none'}
        stroke="currentColor"
        strokeWidth="1.5"
      />
      {tone === 'partly' && <path d="M6 2.2 A3.8 3.8 0 0 0 6 9.8 Z" fill="currentColor" />}
    </svg>
  )
}

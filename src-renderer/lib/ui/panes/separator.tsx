import type { KeyboardEvent, PointerEvent } from 'react'

interface Props {
  label: string
  /** Id of the pane whose width it sets. */
  controls: string
  width: number
  min: number
  max: number
  /** The side of the pane. Dragging towards it makes the pane smaller. */
  side: 'start' | 'end'
  onWidth: (width: number) => void
}

/**
 * A window splitter that is dragged by the pointer or moved by the arrow keys, Home and End. Widths are in CSS pixels.
 */
export function Separator({ label, controls, width, min, max, side, onWidth }: Props) {
  const set = (wanted: number) => onWidth(Math.round(Math.max(min, Math.min(max, wanted))))
  const sign = side === 'start' ? 1 : -1

  function onPointerDown(event: PointerEvent<HTMLDivElement>) {
    const from = event.clientX
    const handle = event.currentTarget
    handle.setPointerCapture(event.pointerId)
    const move = (moved: globalThis.PointerEvent) => set(width + sign * (moved.clientX - from))
    handle.addEventListener('pointermove', move)
    handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), { once: true })
  }

  function onKeyDown(event: KeyboardEvent) {
    const wanted = { ArrowLeft: width - sign * 16, ArrowRight: width + sign * 16, Home: min, End: max }[event.key]
    if (wanted === undefined) return
    event.preventDefault()
    set(wanted)
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a focusable separator is a widget (WAI-ARIA, window splitter)
    <div
      className="separator"
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-controls={controls}
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
    />
  )
}

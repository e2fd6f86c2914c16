import { Timer } from 'lucide-react'
import type { Delay } from '../../src-shared/model/incidents.ts'
import { useAppContext } from '../lib/context.ts'
import { countdown } from '../lib/format/time.ts'
import { useTickedText } from '../lib/hooks/use-ticked-text.ts'
import { useStore } from '../lib/store.ts'

const words: Readonly<Record<Delay['of'], (left: string) => string>> = {
  alert: (left) => `incident in ${left}`,
  recovery: (left) => `recovered in ${left}`,
  reboot: (left) => `rebooting, ${left}`,
}
const hints: Readonly<Record<Delay['of'], string>> = {
  alert: 'Alert delay: it becomes an incident when it is still offline then.',
  recovery: 'Recovery delay: its incident ends when it is still online then.',
  reboot: 'It is expected back by then, and becomes an incident otherwise.',
}

/** By list: each list of delays is searched by many rows. */
const byKey = new WeakMap<readonly Delay[], ReadonlyMap<string, Delay>>()

function delayIn(delays: readonly Delay[], key: string): Delay | null {
  const known = byKey.get(delays) ?? new Map(delays.map((delay) => [delay.key, delay]))
  byKey.set(delays, known)
  return known.get(key) ?? null
}

const none: readonly Delay[] = []

interface Props {
  device: string
  /** With a word for what happens then; else as a number with a clock, for a narrow cell. */
  inWords?: boolean
}

/** Counts down the alert delay or recovery delay of a device; nothing where none runs. */
export function DelayLeft({ device, inWords = false }: Props) {
  const { session } = useAppContext()
  const delay = useStore(session.state, ({ app }) => delayIn(app?.delays ?? none, device))
  return delay === null ? null : <Left delay={delay} inWords={inWords} />
}

function Left({ delay: { of, until }, inWords }: { delay: Delay; inWords: boolean }) {
  const left = useTickedText((now) => (until <= now ? '' : countdown(until, now)))
  if (left === '') return null
  const text = words[of](left)
  return (
    <span className="delay-left" title={`${text}. ${hints[of]}`}>
      {inWords ? (
        text
      ) : (
        <>
          <Timer size={11} aria-hidden />
          <span aria-hidden>{left}</span>
          <span className="sr-only">{text}</span>
        </>
      )}
    </span>
  )
}

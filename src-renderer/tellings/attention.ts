import { useEffect } from 'react'
import alert from '../../assets/icon-alert.svg?inline'
import blindIcon from '../../assets/icon-blind.svg?inline'
import idle from '../../assets/icon.svg?inline'
import type { AppState } from '../session.ts'
import { useStore } from '../store.ts'
import { useSurroundings } from '../surroundings.ts'
import { titleWords } from '../words/device.ts'
import { isBlind } from '../words/link.ts'

/**
 * The window's title and icon as a sign: how many are down, how much was told unseen, whether Muster sees at all. The
 * icons lie in the script: when the core is gone there is nobody to fetch them from.
 */
export function useAttention({ totals, demo, connections }: AppState, lost: boolean): void {
  const { unread } = useSurroundings()
  const count = useStore(unread.count)
  const none = connections.length === 0
  const words = titleWords(none ? null : totals, lost)
  const blind = lost || (!none && connections.every(isBlind))
  useEffect(() => {
    document.title = [count > 0 && `(${count})`, demo && 'DEMO ·', words].filter((part) => part !== false).join(' ')
  }, [words, demo, count])
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
    if (link !== null) link.href = count > 0 ? alert : blind ? blindIcon : idle
  }, [count, blind])
}

import { useEffect } from 'react'
import alert from '../../assets/icon-alert.svg?inline'
import blindIcon from '../../assets/icon-blind.svg?inline'
import idle from '../../assets/icon.svg?inline'
import { callingIn } from '../../src-shared/notifications/desktop-notification.ts'
import type { AppState } from '../lib/session.ts'
import { titleText } from '../lib/format/device.ts'
import { isBlind } from '../lib/format/connection-status.ts'
import { windowTitle } from './format.ts'

/**
 * The window's title and icon as a sign: how many incidents call for somebody, how many devices are down, whether Muster
 * sees at all. The icons lie in the script: when the core is gone there is nobody to fetch them from.
 */
export function useAttention({ totals, demo, connections, incidents }: AppState, lost: boolean): void {
  const calling = callingIn(incidents)
  const none = connections.length === 0
  const blind = lost || (!none && connections.every(isBlind))
  const words = windowTitle(incidents, titleText(none ? null : totals, lost), { demo, blind })
  useEffect(() => {
    document.title = words
  }, [words])
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
    if (link !== null) link.href = blind ? blindIcon : calling > 0 ? alert : idle
  }, [calling, blind])
}

import { useEffect } from 'react'
import alert from '../../assets/icon-alert.svg?inline'
import monitoringLostIcon from '../../assets/icon-lost.svg?inline'
import idle from '../../assets/icon.svg?inline'
import { attentionCount } from '../../src-shared/notifications/desktop-notification.ts'
import type { AppState } from '../lib/session.ts'
import { titleText } from '../lib/format/device.ts'
import { isMonitoringLost } from '../lib/format/connection-status.ts'
import { windowTitle } from './format.ts'

/**
 * Sets the window's title and icon by the number of incidents that need attention, the number of devices that are down,
 * and lost monitoring. The icons are part of the script, because they cannot be fetched when the core is gone.
 */
export function useAttention({ totals, demo, connections, incidents }: AppState, lost: boolean): void {
  const count = attentionCount(incidents)
  const none = connections.length === 0
  const monitoringLost = lost || (!none && connections.every(isMonitoringLost))
  const words = windowTitle(incidents, titleText(none ? null : totals, lost), { demo, monitoringLost })
  useEffect(() => {
    document.title = words
  }, [words])
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
    if (link !== null) link.href = monitoringLost ? monitoringLostIcon : count > 0 ? alert : idle
  }, [count, monitoringLost])
}

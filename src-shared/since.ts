import type { DeviceRow, Since } from './model.ts'

/**
 * Since when a device has been down, after the service's last word on it: from the transition where Muster saw it, else
 * from what is known of its beginning, else from when the service last detected it (`at-least`, shown with "≥"). Null
 * when it is not down, or nothing tells. The filter's `down:` counts from here, and so does whatever shows it.
 */
export function downSince({ connected, since, lastDetected }: Pick<DeviceRow, 'connected' | 'since' | 'lastDetected'>): Since | null {
  if (connected !== false) return null
  return since ?? (lastDetected === null ? null : { at: lastDetected, kind: 'at-least' })
}

/** Since when a device has been up; null when it is not, or nobody saw it come up. */
export function upSince({ connected, since }: Pick<DeviceRow, 'connected' | 'since'>): Since | null {
  return connected === true ? since : null
}

import { own } from '../../../../src-shared/lib/own.ts'
import type { NotificationText } from './notifications.ts'

/** Longest title and body, bytes: what Windows shows, and well below its limit of 5 kB for a notification. */
const [titleBytes, bodyBytes] = [1_000, 3_000]

/**
 * Returns the options of a notification. On Windows with its own XML: Electron's has no `launch`
 * (windows_toast_notification.cc, GetToastXml), so a click after the end of this run would not name its notification.
 */
export function toastOptions(
  notification: NotificationText,
  platform: NodeJS.Platform,
): NotificationText & { toastXml?: string } {
  return platform === 'win32' ? { ...notification, toastXml: toastXml(notification) } : notification
}

/**
 * Returns the XML of Windows' toast schema, without characters that are invalid in XML, any of which would invalidate
 * it.
 */
function toastXml({ id, title, body, silent }: NotificationText): string {
  const launch = escaped(`type=click&tag=${encodeURIComponent(id)}`, Infinity)
  const texts = `<text>${escaped(title, titleBytes)}</text><text>${escaped(body, bodyBytes)}</text>`
  return `<toast launch="${launch}"><visual><binding template="ToastGeneric">${texts}</binding></visual>${silent === true ? '<audio silent="true"/>' : ''}</toast>`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Returns the XML of as many whole characters as fit into these bytes. */
function escaped(text: string, maxBytes: number): string {
  let [out, bytes] = ['', 0]
  for (const character of text) {
    const written = isOfXml(character) ? (own(entities, character) ?? character) : ''
    bytes += Buffer.byteLength(written)
    if (bytes > maxBytes) return out
    out += written
  }
  return out
}

/** Returns whether a character is allowed by XML 1.0, section 2.2. */
function isOfXml(character: string): boolean {
  const code = character.codePointAt(0) ?? 0
  return code >= 0x20
    ? !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff
    : [0x9, 0xa, 0xd].includes(code)
}

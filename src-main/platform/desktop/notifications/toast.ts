import { own } from '../../../../src-shared/lib/own.ts'
import type { NotificationText } from './notifications.ts'

/** Bytes that Windows shows of each, and well below the 5 kB that it takes for a whole notification. */
const [titleBytes, bodyBytes] = [1_000, 3_000]

/**
 * What a notification is made of. On Windows with its own XML: Electron's has no `launch` (windows_toast_notification.cc, GetToastXml), so
 * that a click after the end of this run would come without a word of what was clicked.
 */
export function toastOptions(
  words: NotificationText,
  platform: NodeJS.Platform,
): NotificationText & { toastXml?: string } {
  return platform === 'win32' ? { ...words, toastXml: toastXml(words) } : words
}

/** As Windows' toast schema has it; what is no character of XML is left out, since one of them would make the whole invalid. */
function toastXml({ id, title, body, silent }: NotificationText): string {
  const launch = escaped(`type=click&tag=${encodeURIComponent(id)}`, Infinity)
  const texts = `<text>${escaped(title, titleBytes)}</text><text>${escaped(body, bodyBytes)}</text>`
  return `<toast launch="${launch}"><visual><binding template="ToastGeneric">${texts}</binding></visual>${silent === true ? '<audio silent="true"/>' : ''}</toast>`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** So much of the text as fits into these bytes once it is XML, in whole characters. */
function escaped(text: string, most: number): string {
  let [out, bytes] = ['', 0]
  for (const character of text) {
    const written = isOfXml(character) ? (own(entities, character) ?? character) : ''
    bytes += Buffer.byteLength(written)
    if (bytes > most) return out
    out += written
  }
  return out
}

/** XML 1.0, section 2.2. */
function isOfXml(character: string): boolean {
  const code = character.codePointAt(0) ?? 0
  return code >= 0x20
    ? !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff
    : [0x9, 0xa, 0xd].includes(code)
}

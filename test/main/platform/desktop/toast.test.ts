import { expect, it } from 'vitest'
import { toastOptions } from '../../../../src-main/platform/desktop/notifications/toast.ts'

const words = { id: 'mh7x9-3', title: 'Berlin: 143 of 150 offline', body: 'since 02:10', urgency: 'normal' as const }
const text = String.raw`((?:[^<>&"\p{Cc}\p{Cs}\uFFFE\uFFFF]|&(?:amp|lt|gt|quot);)*)`
const wellFormed = new RegExp(
  `^<toast launch="${text}"><visual><binding template="ToastGeneric"><text>${text}</text><text>${text}</text></binding></visual>(<audio silent="true"/>)?</toast>$`,
  'u',
)
const read = (written = '') =>
  written.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')

/** Read as strictly as Windows does, which shows nothing of what is not well-formed. */
function toast(changes: Partial<typeof words> & { silent?: boolean } = {}) {
  const xml = toastOptions({ ...words, ...changes }, 'win32').toastXml ?? ''
  const found = wellFormed.exec(xml)
  if (found === null) throw new Error(`not well-formed: ${xml}`)
  return { xml, launch: read(found[1]), texts: [read(found[2]), read(found[3])], silent: found[4] !== undefined }
}

it('a toast of Windows names its notification for a later run', () => {
  expect(toast()).toMatchObject({ launch: 'type=click&tag=mh7x9-3', texts: [words.title, words.body], silent: false })
  expect(toast({ silent: true }).silent).toBe(true)
  expect(toastOptions(words, 'linux')).toEqual(words)
  expect(toastOptions(words, 'darwin')).toEqual(words)
})

it('customer names are text in a toast, whatever they contain', () => {
  const title = '<b>R&D</b> "Zürich" ]]> \u{1F4FA}'
  expect(toast({ title }).texts[0]).toBe(title)
  expect(toast({ title: 'a\u0000b\u001Bc\uD800d\uFFFEe' }).texts[0]).toBe('abcde')
})

it('a toast is cut between two characters before Windows rejects it as too large', () => {
  const { xml, texts } = toast({ title: '&'.repeat(5_000), body: '\u{1F4FA}'.repeat(5_000) })
  expect(Buffer.byteLength(xml)).toBeLessThan(5_000)
  expect(texts).toEqual(['&'.repeat(200), '\u{1F4FA}'.repeat(750)])
})

import type { Content } from '../../../../src-main/channels/formats/content.ts'

/** What a message says, as a format gets it. */
export const contentWith = (over: Partial<Content> = {}): Content => ({
  id: 'd1',
  alert: 'i1',
  action: 'trigger',
  isTest: false,
  title: '12 devices offline in Berlin',
  body: 'Acme. Since 14:02.',
  link: 'muster://incident/i1',
  severity: 'critical',
  kind: 'offline',
  places: ['Berlin', 'Acme'],
  incidents: ['i1'],
  devices: 12,
  at: Date.parse('2026-11-27T13:02:03.456Z'),
  time: '27 Nov, 14:02 CET',
  ...over,
})

/** Names that somebody may give to a device or place, by what they try. */
export const hostileNames = {
  'a mention': '<!channel> <@U1> @everyone <at>all</at>',
  'a link': '<http://evil.example|click> [x](http://evil.example) <a href="x">y</a>',
  markdown: '*bold* _it_ ~no~ `code` # head > quote',
  lines: 'one\r\ntwo\nthree\u2028four',
  'control characters': 'a\u0000b\u001Bc\u007F',
  'right-to-left': 'a\u202Eb\u2067c',
  'lone surrogates': 'a\uD800b\uDC00',
  'ten thousand characters': 'x'.repeat(10_000),
  'ten thousand faces': '😀'.repeat(5_000),
} as const

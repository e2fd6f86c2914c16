import { createElement } from 'react'
import { expect, test } from 'vitest'
import { bullets, inline, page, table } from '../../../src-main/reports/markdown.ts'
import { HandoverText } from '../../../src-renderer/incidents/team/handed-over.tsx'
import { plainLines } from '../../../src-renderer/incidents/team/plain-text.ts'
import { openWindow } from '../support/window.ts'

const textOf = (markdown: string) =>
  plainLines(markdown)
    .map(({ text }) => text)
    .join('\n')

test('headings, strong text and lists are read without their marks', () => {
  const markdown = page([
    '# Shift handover, 22:00 to 06:00',
    '**1 incident is open.** Nothing closed in these 8 h.',
    '## Open, not acknowledged (1)',
    '- **12 devices offline in Berlin**, open for 2 h\n  - Who: Ann\n  - Why: power',
  ])
  expect(textOf(markdown)).toBe(
    [
      'Shift handover, 22:00 to 06:00',
      '',
      '1 incident is open. Nothing closed in these 8 h.',
      '',
      'Open, not acknowledged (1)',
      '',
      '• 12 devices offline in Berlin, open for 2 h',
      '  • Who: Ann',
      '  • Why: power',
    ].join('\n'),
  )
  expect(plainLines(markdown).flatMap(({ text, isHead }) => (isHead ? [text] : []))).toEqual([
    'Shift handover, 22:00 to 06:00',
    'Open, not acknowledged (1)',
  ])
})

test('a table is a list with the names of its columns; empty cells are left out', () => {
  const markdown = page([
    table(
      ['Incident', 'Severity', 'Ended', 'Reason'],
      [
        ['Berlin', 'major', '02:00', ''],
        ['Rome', 'minor', '', 'Ticket 7'],
      ],
    ),
    'Shown are 2 of 9 incidents.',
    table(['Device'], [['Aurora']]),
  ])
  expect(textOf(markdown)).toBe(
    [
      '• Berlin',
      '  Severity: major · Ended: 02:00',
      '• Rome',
      '  Severity: minor · Reason: Ticket 7',
      '',
      'Shown are 2 of 9 incidents.',
      '',
      '• Aurora',
    ].join('\n'),
  )
})

const foreign = [
  'Hall | 2',
  String.raw`C:\rooms\1`,
  '**not strong** _x_',
  '# 1',
  '- 2',
  '1. One',
  '<img src=x>',
  'ops@example.test',
  'see `code` at #12',
  'https://example.test/a|b',
  String.raw`\| end\ `.trim(),
]

test.each(foreign)('a foreign text is read as it is: %j', (text) => {
  expect(textOf(page([`At ${inline(text)}, since 02:00`]))).toBe(`At ${text}, since 02:00`)
  expect(textOf(bullets([inline(text)]))).toBe(`• ${text}`)
  expect(textOf(table(['Place', 'Room'], [['a', inline(text)]]))).toBe(`• a\n  Room: ${text}`)
})

test('the dialog has the text without marks, with its headings strong', async () => {
  const { markup } = await openWindow()
  const shown = markup(createElement(HandoverText, { text: '## Closed (1)\n\n- **Berlin** <b>\n' }))
  expect(shown).toBe('<span><strong>Closed (1)</strong>\n</span><span>\n</span><span>• Berlin &lt;b&gt;\n</span>')
})

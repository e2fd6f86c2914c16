import { textMessage } from '../../support/messages.ts'
import { array, assert, constantFrom, oneof, property, string } from 'fast-check'
import Papa from 'papaparse'
import { describe, expect, test } from 'vitest'
import { handoverOf } from '../../../src-main/reports/handover.ts'
import { readCsv, writeCsv } from '../../../src-main/connections/import/csv.ts'
import { exportColumns } from '../../../src-main/inventory/reads/export-cells.ts'
import { csvCell, tsvCell } from '../../../src-shared/text/csv.ts'
import { isFormula } from '../../../src-shared/text/formula.ts'
import type { DeviceRow } from '../../../src-shared/model/inventory.ts'
import { contained } from '../../../src-shared/text/direction.ts'
import { handover, incident, member } from '../reports/text-cases.ts'

const unseen = [
  '\u200B',
  '\u200D',
  '\uFEFF',
  '\u00AD',
  '\u2060',
  '\u3164',
  '\u115F',
  '\uFFA0',
  '\u034F',
  '\uFE0F',
  '\u2800',
  '\u00A0',
  '\u3000',
  '\u2028',
  '\u0000',
  '\t',
  '\n',
  '\r',
  ' ',
  '"',
  "'",
  '„',
  '“',
  '«',
  '＂',
  '＇',
  '`',
  '\u0301',
  '\u{E0001}',
]
const signs = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '﹦', '﹢', '﹣', '﹫', '⁺', '⁼', '₊', '₌', '﬩', '⩵', '⩶']
/** Texts made to run as a formula, and any others. */
const texts = oneof(
  array(oneof(constantFrom(...unseen), constantFrom(...signs), constantFrom('a', '1', ',', ';')), {
    maxLength: 12,
  }).map((parts) => parts.join('')),
  string({ unit: 'binary' }),
)

/** Recognises a formula in another way than the code: by the first plain letter that a cell shows, without invisible characters. */
function runs(cell: string): boolean {
  if (/^[\t\r\n]/u.test(cell)) return true
  const [first = ''] = [...cell.normalize('NFKC')].filter(
    (letter) =>
      /[\p{L}\p{N}\p{P}\p{S}]/u.test(letter) &&
      !/\p{Default_Ignorable_Code_Point}|[\u1160\u2800"'`\p{Pi}\p{Pf}\u201E]/u.test(letter),
  )
  // The apostrophe that makes it text stands before everything else.
  return '=+-@'.includes(first) && first !== '' && !cell.startsWith("'")
}
const guarded = (cell: string): boolean => !runs(cell)
const csv = (text: string) =>
  Papa.parse<string[]>(text.replace(/^\uFEFF/u, ''), { delimiter: ',', newline: '\r\n', skipEmptyLines: true }).data

describe('no cell of any export is a formula', () => {
  test.each(
    unseen.flatMap((hidden) =>
      signs.map((sign) => [`U+${hidden.codePointAt(0)?.toString(16).padStart(4, '0')}`, sign, hidden] as const),
    ),
  )('behind %s, %s', (_name, sign, hidden) => {
    for (const text of [`${hidden}${sign}cmd`, `${hidden}${hidden}${sign}1`, `"${hidden}'${sign}x`])
      expect(isFormula(text)).toBe(true)
  })

  test('a text that is no formula stays as it is', () => {
    for (const text of [
      'Berlin',
      'a=1',
      '1-2',
      '10.0.0.1',
      '“Big” room',
      '(north)',
      'Ünïcode',
      '会議室-1',
      '',
      '’s-Hertogenbosch',
      '#4',
      '€5',
      '– none',
    ])
      expect([text, csvCell(text).replaceAll('"', '')]).toEqual([text, text.replaceAll('"', '')])
  })

  test('the inventory’s table, its heads, and the clipboard', () => {
    assert(
      property(texts, texts, (name, head) => {
        const columns = exportColumns(['name', `extra:${head === '' ? 'x' : head}`], () => 'text')
        const row = { name, extra: { [head === '' ? 'x' : head]: name } } as unknown as DeviceRow
        const cells = columns.flatMap((column) => [column.head, column.cellOf(row)])
        for (const cell of cells) {
          expect(
            csv(`x,${csvCell(cell)}\r\n`)[0]
              ?.slice(1)
              .every(guarded),
          ).toBe(true)
          expect(
            guarded(tsvCell(cell).replace(/^"([^]*)"$/u, (_all, inner: string) => inner.replaceAll('""', '"'))),
          ).toBe(true)
        }
      }),
      { numRuns: 500 },
    )
  })

  test('the list of connections, which is read back unchanged', () => {
    assert(
      property(texts, texts, (one, other) => {
        const name = `n${other}`
        const input = {
          id: null,
          name,
          tokenUrl: one,
          graphqlUrl: other,
          subscriptionUrl: one,
          clientId: other,
          ca: one,
          subscription: other,
          portal: one,
        }
        const text = writeCsv([input])
        for (const cell of csv(text).flat()) expect(guarded(cell)).toBe(true)
        if (text.includes('\0') || /[\r\uFFFD]/u.test(one + other)) return
        const { id: _id, ...cells } = input
        // No cell may turn the direction of its neighbours: unbalanced direction controls are not written.
        const written = Object.fromEntries(Object.entries(cells).map(([field, cell]) => [field, contained(cell)]))
        expect(readCsv(text).lines.map((line) => line.cells)).toEqual([{ ...written, clientSecret: '' }])
      }),
      { numRuns: 500 },
    )
  })

  test('the shift handover', () => {
    assert(
      property(texts, texts, (one, other) => {
        const { text } = handoverOf(
          handover({
            open: [incident({ message: textMessage(one), acknowledged: { at: 1, reason: other } })],
            members: new Map([['i1', [member({ name: other })]]]),
          }),
          'csv',
        )
        for (const cell of csv(text).flat()) expect(guarded(cell)).toBe(true)
      }),
      { numRuns: 200 },
    )
  })
})

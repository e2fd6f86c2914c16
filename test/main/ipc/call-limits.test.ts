import { describe, expect, test } from 'vitest'
import { array, assert, jsonValue, property, string } from 'fast-check'
import { z } from 'zod'
import { calls, type CallName, type Handlers } from '../../../src-shared/contract/contract.ts'
import { callLimit, entriesLimit, importLimit, limitOf } from '../../../src-shared/contract/limits.ts'
import { answer, answerText } from '../../../src-main/ipc/answer.ts'
import { maxKeys, rejectLong, tooLong } from '../../../src-main/ipc/call-limits.ts'
import { readCsv } from '../../../src-main/connections/import/csv.ts'

const names = Object.keys(calls) as CallName[]
const handlers = Object.fromEntries(names.map((name) => [name, async () => ({})])) as unknown as Handlers

type Schema = z.core.$ZodType
type Bounds = { maxLength?: number | null; maxValue?: number | null; minValue?: number | null }
interface Def {
  checks?: { _zod: { def: { check: string; maximum?: number } } }[]
  type: string
  element?: Schema
  shape?: Record<string, Schema>
  options?: Schema[]
  innerType?: Schema
  in?: Schema
  valueType?: Schema
  values?: unknown[]
  entries?: Record<string, unknown>
}

/** Every part of a schema with its path. */
function parts(schema: Schema, path: string): { path: string; def: Def; bounds: Bounds }[] {
  const def = schema._zod.def as unknown as Def
  const below = [def.element, def.innerType, def.in, def.valueType, ...(def.options ?? [])]
    .filter((each) => each !== undefined)
    .flatMap((each) => parts(each, path))
  return [
    { path, def, bounds: boundsOf(schema) },
    ...below,
    ...Object.entries(def.shape ?? {}).flatMap(([name, each]) => parts(each, `${path}.${name}`)),
  ]
}

function boundsOf(schema: Schema): Bounds {
  const most = (schema._zod.def as unknown as Def).checks?.find((check) => check._zod.def.check === 'max_length')?._zod
    .def.maximum
  const { maxLength = null, maxValue = null, minValue = null } = schema as unknown as Bounds
  return { maxLength: most ?? maxLength, maxValue, minValue }
}

/** The largest input that a schema takes, in bytes of JSON; three bytes a character. */
function largest(schema: Schema): number {
  const def = schema._zod.def as unknown as Def
  const most = boundsOf(schema).maxLength ?? 30
  switch (def.type) {
    case 'string':
      return most * 3 + 2
    case 'array':
      return def.element === undefined ? 2 : most * (largest(def.element) + 1) + 2
    case 'object':
      return Object.entries(def.shape ?? {}).reduce((sum, [name, part]) => sum + name.length + 4 + largest(part), 2)
    case 'union':
      return Math.max(...(def.options ?? []).map(largest))
    case 'record':
      return 0
    default:
      return def.innerType !== undefined ? largest(def.innerType) : def.in !== undefined ? largest(def.in) : 30
  }
}

describe('every input of the contract', () => {
  const all = names.flatMap((name) => parts(calls[name].input, name))

  test('bounds each of its texts, lists and numbers', () => {
    const open = all.filter(({ def: { type }, bounds }) =>
      type === 'string' || type === 'array'
        ? bounds.maxLength === null
        : type === 'number' && !(Number.isFinite(bounds.maxValue) && Number.isFinite(bounds.minValue)),
    )
    expect(open.map(({ path, def }) => `${path}: ${def.type}`)).toEqual([])
  })

  test("fits into its call's limit, the keys of a selection with at least 200 letters each", () => {
    const beyond = names.filter((name) => largest(calls[name].input) > limitOf(name))
    expect(beyond).toEqual(['inventory.hidden', 'inventory.export', 'files.write'])
    expect(100_000 * 203 * 3).toBeLessThan(callLimit)
  })

  test('takes no moment beyond the calendar', async () => {
    for (const at of [1e308, -1e308, -1, 8.64e15 + 1]) {
      for (const [name, input] of [
        ['handover.make', { from: at, until: at, format: 'md' }],
        ['incidents.snooze', { ids: ['a'], until: at }],
        ['notifications.delivered', { id: 'a', at, shown: true }],
      ] as const) {
        expect(await answer(handlers, name, input)).toMatchObject({ ok: false, fault: { kind: 'input' } })
      }
    }
  })
})

describe('lengths', () => {
  test('are checked before elements: of a long list no element is touched', () => {
    let touched = 0
    const list = new Proxy(
      Array.from({ length: 2000 }, () => 'x'),
      {
        get: (target, name, receiver) => {
          if (typeof name === 'string' && /^\d+$/u.test(name)) touched += 1
          return Reflect.get(target, name, receiver) as unknown
        },
      },
    )
    expect(tooLong(calls['incidents.acknowledge'].input, { ids: list, reason: 'x' })).toBe('ids: at most 1000')
    expect(tooLong(calls['inventory.places'].input, { asked: { nodes: list }, limit: 1 })).toBe(
      'asked.nodes: at most 200',
    )
    expect(tooLong(calls['settings.change'].input, { mutedModels: list })).toBe('mutedModels: at most 200')
    expect(touched).toBe(0)
  })

  test('of a record are bounded too', () => {
    const variables = Object.fromEntries(Array.from({ length: maxKeys + 1 }, (_none, at) => [`k${at}`, 1]))
    expect(tooLong(calls['cost.estimate'].input, { connection: 'a', document: '', variables })).toBe(
      `variables: at most ${maxKeys}`,
    )
  })

  test('of an input that fits, or of another type, are no problem', () => {
    const schema = z.object({ list: z.array(z.array(z.string()).max(2)).max(2).nullable() })
    expect(tooLong(schema, { list: [['a', 'b'], []] })).toBe(null)
    expect(tooLong(schema, { list: [['a'], ['a', 'b', 'c']] })).toBe('list: at most 2')
    assert(
      property(jsonValue(), (value) =>
        names.every((name) => tooLong(calls[name].input, value) === null || typeof value === 'object'),
      ),
    )
  })

  test('the message of an invalid input is readable', async () => {
    const given = await answer(handlers, 'incidents.acknowledge', {
      ids: Array.from({ length: 1000 }, () => 1),
      reason: 'x',
    })
    expect(given.ok ? '' : given.fault.detail.split('; ')).toHaveLength(10)
  })
})

describe('a text', () => {
  const refused = (call: string, text: string) => {
    try {
      rejectLong(call, text)
      return false
    } catch {
      return true
    }
  }

  test('is rejected before parsing when it is longer than its call allows, in bytes', () => {
    const limit = limitOf('sync.start')
    expect([
      refused('sync.start', 'x'.repeat(limit)),
      refused('sync.start', 'x'.repeat(limit + 1)),
      refused('sync.start', '連'.repeat(limit / 2)),
    ]).toEqual([false, true, true])
  })

  test('is rejected for too many elements, and not for brackets within its strings', { timeout: 30_000 }, () => {
    const many = '{},'.repeat(entriesLimit)
    expect(refused('connections.import', many)).toBe(true)
    expect(refused('connections.import', JSON.stringify({ text: many }))).toBe(false)
    expect(refused('connections.import', JSON.stringify({ text: `${'\\"'.repeat(50_000)}${many}` }))).toBe(false)
    assert(
      property(
        array(string({ unit: 'binary' }), { maxLength: 20 }),
        (texts) => !refused('connections.import', JSON.stringify({ texts: [...texts, 'x'.repeat(70_000)] })),
      ),
      { numRuns: 30 },
    )
  })

  test.each([
    ['numbers', 'inventory.export', `{"keys":[${'0,'.repeat(30_000_000)}0]}`],
    ['objects', 'connections.import', `[${'{},'.repeat(20_000_000)}{}]`],
    ['lists in lists', 'inventory.export', '['.repeat(60_000_000)],
    ['backslashes', 'connections.import', `{"text":"${'\\'.repeat(60_000_000)}`],
    ['short texts', 'inventory.export', `[${'"",'.repeat(20_000_000)}""]`],
  ])('of 60 MB of %s is an input fault within a second', { timeout: 60_000 }, async (_what, name, text) => {
    const [began, before] = [process.cpuUsage().user, process.memoryUsage().rss]
    expect(await answerText(handlers, name, text)).toMatchObject({ ok: false, fault: { kind: 'input' } })
    expect((process.cpuUsage().user - began) / 1e6).toBeLessThan(1)
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024)
  })

  test.each([
    ['blank lines', '\n'],
    ['old line ends', '\r'],
    ['both line ends', '\r\n'],
    ['commas', ','],
    ['tabs', '\t'],
    ['quotes', '"'],
    ['quoted lines', '"a"\n'],
    ['quotes that do not fit', '"a" '],
    ['spaces', ' '],
    ['letters', 'x'],
    ['lines of one letter', 'a\n'],
  ])('to import of 20 MB of %s is an input fault within a second', { timeout: 60_000 }, (_what, part) => {
    for (const head of ['', 'name,token_url\n', 'name,token_url\n"']) {
      const text = head + part.repeat(Math.floor((importLimit - head.length) / part.length))
      const [began, before] = [process.cpuUsage().user, process.memoryUsage().rss]
      expect(() => {
        const { lines } = readCsv(text)
        if (lines.length > 1) throw new Error('read as lines')
        if (lines.length === 0 || lines[0]?.problem !== null || (lines[0].cells.name?.length ?? 0) > 200)
          throw new Error('rejected')
      }).toThrow(/^input: text|^text|rejected|There are more/u)
      expect((process.cpuUsage().user - began) / 1e6).toBeLessThan(1)
      expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024)
    }
  })
})

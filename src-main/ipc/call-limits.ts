import type { z } from 'zod'
import { FaultError } from '../../src-shared/model/fault.ts'
import { entriesLimit, limitOf } from '../../src-shared/contract/limits.ts'

/** Shorter texts, in characters, cannot contain enough entries to matter. */
const shortText = 64 * 1024

/** Throws a fault of kind `input` for a text that exceeds the call's limit of bytes or entries, before it is parsed. */
export function rejectLong(call: string, text: string): void {
  const limit = limitOf(call)
  if (text.length > limit || (text.length * 3 > limit && Buffer.byteLength(text) > limit))
    throw new FaultError('input', tooLarge)
  if (text.length > shortText && hasMoreEntries(text)) throw new FaultError('input', tooLarge)
}

const tooLarge = 'This is more than Muster can take at once. Do it in parts.'

/** Counts the brackets and commas of arrays and objects, outside of strings; the text may be invalid. */
function hasMoreEntries(text: string): boolean {
  let entries = 0
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charCodeAt(at)
    if (letter === 0x22) at = endOfString(text, at)
    else if (letter === 0x2c || letter === 0x5b || letter === 0x7b) entries += 1
    if (entries > entriesLimit) return true
  }
  return false
}

/** Returns the end of the string that begins here: the quote behind an even number of backslashes. */
function endOfString(text: string, begin: number): number {
  for (let end = text.indexOf('"', begin + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes += 1
    if (slashes % 2 === 0) return end
  }
  return text.length
}

/** The parts of a schema that concern lengths (zod 4, `_zod.def`). */
interface Def {
  type: string
  element?: z.core.$ZodType
  shape?: Record<string, z.core.$ZodType>
  options?: readonly z.core.$ZodType[]
  innerType?: z.core.$ZodType
  in?: z.core.$ZodType
  checks?: readonly z.core.$ZodCheck[]
}

/** Keys of a record whose schema sets no limit. */
export const maxKeys = 1000

/**
 * Returns the path and limit of an array or record that exceeds its schema; null where all fit. The schema itself would
 * first check every element.
 */
export function tooLong(schema: z.core.$ZodType, value: unknown, path = ''): string | null {
  const def = schema._zod.def as unknown as Def
  const inner = def.innerType ?? def.in
  if (inner !== undefined) return tooLong(inner, value, path)
  if (def.type === 'union') return firstOf(def.options ?? [], (option) => tooLong(option, value, path))
  if (typeof value !== 'object' || value === null) return null
  if (def.type === 'array' && Array.isArray(value)) {
    const maximum = maximumOf(def)
    if (value.length > maximum) return `${path}: at most ${maximum}`
    const { element } = def
    return element === undefined ? null : firstOf(value, (each: unknown) => tooLong(element, each, path))
  }
  if (def.type === 'record' && Object.keys(value).length > maxKeys) return `${path}: at most ${maxKeys}`
  if (def.type !== 'object') return null
  return firstOf(Object.entries(def.shape ?? {}), ([name, part]) =>
    Object.hasOwn(value, name)
      ? tooLong(part, (value as Record<string, unknown>)[name], path === '' ? name : `${path}.${name}`)
      : null,
  )
}

/** Returns the limit of the schema's `max`. */
function maximumOf({ checks = [] }: Def): number {
  const limit = checks
    .map((check) => check._zod.def as { check: string; maximum?: number })
    .find(({ check }) => check === 'max_length')
  return limit?.maximum ?? Infinity
}

function firstOf<T>(all: readonly T[], find: (each: T) => string | null): string | null {
  for (const each of all) {
    const found = find(each)
    if (found !== null) return found
  }
  return null
}

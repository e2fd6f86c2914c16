import { FaultError } from '../../../../src-shared/model/fault.ts'
import { maxSentName } from '../../../../src-shared/model/jobs.ts'
import type { ActionDevice } from '../../../inventory/thread/job-protocol.ts'

/** Returns the new name of a device; `position` from 1. Longer than `maxSentName` where it is too long, and cut there. */
export type NamePattern = (device: ActionDevice, position: number) => string

type Part = (device: ActionDevice, position: number) => string

const values: ReadonlyMap<string, Part> = new Map<string, Part>([
  ['name', ({ name }) => name],
  ['site', ({ site }) => site?.name ?? ''],
  ['room', ({ room }) => room?.name ?? ''],
  ['model', ({ hardwareModel }) => hardwareModel],
  ['serial', ({ serial }) => serial],
  ['id', ({ id }) => id],
  ['n', (_, position) => String(position)],
])

/** Reads a pattern (model/jobs.ts, `actionRequest`). Throws a fault of kind `input` that names an unknown placeholder. */
export function readPattern(pattern: string): NamePattern {
  const parts = pattern.split(/(\{[^{}]*\})/u).map((text) => (isPlaceholder(text) ? partOf(text.slice(1, -1)) : text))
  return (device, position) => {
    let name = ''
    for (const part of parts) {
      name += typeof part === 'string' ? part : part(device, position)
      // A pattern may name a long name many times, for thousands of devices.
      if (name.length > farTooLong) return sentName(name).padEnd(maxSentName + 1, '…')
    }
    return sentName(name)
  }
}

/** A name of this length, characters, is not completed. */
const farTooLong = 16_384

const isPlaceholder = (text: string): boolean => text.startsWith('{') && text.endsWith('}')

function partOf(placeholder: string): Part {
  const known = values.get(placeholder)
  if (known !== undefined) return known
  const digits = /^n:([1-9])$/u.exec(placeholder)?.[1]
  if (digits !== undefined) return (_, position) => String(position).padStart(Number(digits), '0')
  const all = [...values.keys(), 'n:3'].map((name) => `{${name}}`).join(', ')
  throw new FaultError('input', `pattern: “{${placeholder.slice(0, 50)}}” is no placeholder. There are ${all}.`)
}

/**
 * Returns a name as it is sent: on one line, without white space around it. One that is too long is cut behind the
 * longest that may be sent, so that it stays too long and takes no memory.
 */
export const sentName = (text: string): string =>
  text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, maxSentName + 1)
    .toWellFormed()

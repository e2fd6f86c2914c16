import { useRef, useState, type ClipboardEvent, type FormEvent, type RefObject } from 'react'
import type { Fault } from '../../../src-shared/model/fault.ts'
import type { ConnectionInput, ConnectionState } from '../../../src-shared/model/connection.ts'
import type { Preset } from '../../../src-shared/connections/presets.ts'
import { useAppContext } from '../../lib/context.ts'
import {
  errorsOf,
  fieldNames,
  fieldProblem,
  fieldsOf,
  inputOf,
  problemsOf,
  takenProblems,
  unusedText,
  type FieldName,
} from './fields.ts'
import { useTest, type TestState } from './test.ts'

export interface FormState {
  form: RefObject<HTMLFormElement | null>
  /** What is wrong with each field. */
  errors: ReadonlyMap<FieldName, string>
  /** A fault that is about no field. */
  fault: Fault | null
  busy: boolean
  /** The secret was sent and is no longer in its field. */
  sent: boolean
  /** Says which fields a paste or a preset filled in. */
  filled: string
  test: TestState
  save(event: FormEvent): Promise<void>
  try(): Promise<void>
  /** Something else stands in a field. */
  changed(event: FormEvent): void
  /** The focus has left this field. */
  left(name: FieldName): void
  paste(event: ClipboardEvent): void
  choose(preset: Preset): void
}

/**
 * The fields are the browser's own: what is typed stands in the document only, and the secret leaves it with the
 * submit. Nothing of it is ever held in the window's state (invariant 1).
 */
export function useConnectionForm(connection: ConnectionState | null, onSaved: (id: string) => void): FormState {
  const { session } = useAppContext()
  const form = useRef<HTMLFormElement>(null)
  const [busy, setBusy] = useState(false)
  const [sent, setSent] = useState(false)
  const { run, clear, outdate, ...test } = useTest()
  const field = (name: FieldName) => form.current?.elements.namedItem(name) as FieldElement
  const { errors, fault, report, left } = useMarks(field)
  const { filled, fill } = useFilled(field, () => {
    report(new Map(), null)
    outdate()
  })

  const typed = () => inputOf(connection?.id ?? null, (name) => field(name)?.value ?? '')

  /** What stands in the form when it can be sent; else its fields are marked, and the first of them has the focus. */
  function checked(named: boolean): ConnectionInput | null {
    const input = typed()
    const known = session.state.get().app?.connections ?? []
    const found = new Map([
      ...(named ? takenProblems(input, known) : []),
      ...problemsOf(input, { secretKnown: connection !== null, named }),
    ])
    report(found, null)
    return found.size > 0 ? null : input
  }

  async function save(event: FormEvent) {
    event.preventDefault()
    const input = checked(true)
    if (input === null) return
    const secret = field('clientSecret')
    if (secret !== null) secret.value = ''
    setSent(input.clientSecret !== '')
    setBusy(true)
    const answer = await session.pipe.call('connections.save', input)
    setBusy(false)
    if (answer.ok) onSaved(answer.value.id)
    else report(errorsOf(answer.fault), answer.fault)
  }

  async function tryIt() {
    const input = checked(false)
    if (input === null) return clear()
    // Nothing is stored by a test: what has no name yet is tried under any.
    const refused = await run(input.name.trim() === '' ? { ...input, name: 'Test' } : input)
    if (refused === null) return
    const found = errorsOf(refused)
    if (found.size === 0) return
    clear()
    report(found, null)
  }

  /** A test is of what stood there: neither a name nor the portal is a part of it. */
  function changed({ target }: FormEvent) {
    const { name } = target as HTMLInputElement
    if (name !== 'name' && name !== 'portal') outdate()
  }

  function paste(event: ClipboardEvent) {
    const found = fieldsOf(event.clipboardData.getData('text/plain'))
    if (found === null) return
    event.preventDefault()
    fill(found.fields, 'the JSON object', unusedText(found.unused))
  }

  const choose = (preset: Preset) => fill(valuesOf(preset, field('name')?.value.trim() === ''), preset.name)

  return { form, errors, fault, busy, sent, filled, test, save, try: tryIt, changed, left, paste, choose }
}

/** Puts known values in the fields, and says which; what was said of the fields before is over (`onFilled`). */
function useFilled(field: (name: FieldName) => FieldElement, onFilled: () => void) {
  const [filled, setFilled] = useState('')
  function fill(values: Iterable<[FieldName, string]>, what: string, more = '') {
    const count = fillIn(field, values)
    onFilled()
    setFilled(`Filled in ${count} fields from ${what}. ${more}`.trim())
  }
  return { filled, fill }
}

type FieldElement = HTMLInputElement | HTMLTextAreaElement | null

/** What is wrong, beside its field or, when it is about none, by itself. */
function useMarks(field: (name: FieldName) => FieldElement) {
  const [errors, setErrors] = useState<ReadonlyMap<FieldName, string>>(new Map())
  const [fault, setFault] = useState<Fault | null>(null)

  function report(found: ReadonlyMap<FieldName, string>, why: Fault | null): void {
    setErrors(found)
    setFault(found.size > 0 ? null : why)
    const first = fieldNames.find((name) => found.has(name))
    if (first === undefined) return
    field(first)?.closest('details')?.setAttribute('open', '')
    field(first)?.focus()
  }

  /** A field that is left with a mistake is marked, one that was mended no longer. One that is empty may still be filled in. */
  function left(name: FieldName) {
    const text = field(name)?.value ?? ''
    const problem = fieldProblem(name, text)
    setErrors((before) => {
      if (problem === null && (text.trim() === '' || !before.has(name))) return before
      const after = new Map(before)
      if (problem === null) after.delete(name)
      else after.set(name, problem)
      return after
    })
  }

  return { errors, fault, report, left }
}

/** Returns how many of the fields are there. */
function fillIn(field: (name: FieldName) => FieldElement, values: Iterable<[FieldName, string]>): number {
  let count = 0
  for (const [name, value] of values) {
    const input = field(name)
    if (input === null) continue
    input.value = value
    count += 1
  }
  return count
}

/** A name that was typed already stays. */
function valuesOf(
  { name, tokenUrl, graphqlUrl, subscriptionUrl, portal }: Preset,
  named: boolean,
): [FieldName, string][] {
  const addresses: [FieldName, string][] = [
    ['tokenUrl', tokenUrl],
    ['graphqlUrl', graphqlUrl],
    ['subscriptionUrl', subscriptionUrl],
    ['portal', portal],
  ]
  return named ? [['name', name], ...addresses] : addresses
}

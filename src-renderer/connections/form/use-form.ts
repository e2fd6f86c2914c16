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
  /** The error of each field. */
  errors: ReadonlyMap<FieldName, string>
  /** A fault that is about no field. */
  fault: Fault | null
  busy: boolean
  /** True when the secret was sent and is no longer in its field. */
  sent: boolean
  /** Says which fields a paste or a preset filled. */
  filled: string
  test: TestState
  save(event: FormEvent): Promise<void>
  try(): Promise<void>
  /** Called when a field has changed. */
  changed(event: FormEvent): void
  /** Called when the focus leaves a field. */
  left(name: FieldName): void
  paste(event: ClipboardEvent): void
  choose(preset: Preset): void
}

/**
 * Holds the state of the connection form. The fields are uncontrolled: the input is only in the document, and the
 * secret is removed from it on submit, so that the window's state never holds it (invariant 1).
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

  /** Returns a valid input. Otherwise marks the invalid fields and moves the focus to the first of them. */
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
    // A test stores nothing, so a connection without a name is tested under any.
    const failure = await run(input.name.trim() === '' ? { ...input, name: 'Test' } : input)
    if (failure === null) return
    const found = errorsOf(failure)
    if (found.size === 0) return
    clear()
    report(found, null)
  }

  /** A test does not depend on the name and the portal. */
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

/** Fills fields with known values, and says which. `onFilled` clears the earlier errors. */
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

/** Holds the errors of the fields, and a fault that is about no field. */
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

  /** Marks a field that is left with an error, and unmarks a corrected one. An empty field may still be filled in. */
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

/** Returns the number of the fields that exist. */
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

/** Returns the field values of a preset. A name that was already entered stays. */
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

import { type FormEvent, type RefObject, useRef, useState } from 'react'
import type { Fault } from '../../src-shared/model/fault.ts'
import type { TeamInput } from '../../src-shared/model/team.ts'
import { useAppContext } from '../lib/context.ts'
import { type FieldName, type Problems, fieldNames, noProblems, problemsIn, problemsOf } from './faults.ts'
import { type TeamTest, useTeamTest } from './use-team-test.ts'

export interface TeamForm {
  form: RefObject<HTMLFormElement | null>
  problems: Problems
  /** A fault that is about no field. */
  fault: Fault | null
  /** True when the password was sent and is no longer in its field, and nothing was saved. */
  isPasswordGone: boolean
  test: TeamTest
  runTest(): Promise<void>
  join(event: FormEvent): Promise<void>
  /** Called when a field has changed. */
  changed(event: FormEvent): void
}

interface Options {
  isBusy: boolean
  onBusy: (isBusy: boolean) => void
  onJoined: () => void
}

/**
 * Holds the state of the form. Its fields are uncontrolled: the input is only in the document, and the password is
 * removed from it on submit, so that the window's state never holds it (invariant 1).
 */
export function useTeamForm({ isBusy, onBusy, onJoined }: Options): TeamForm {
  const { session } = useAppContext()
  const form = useRef<HTMLFormElement>(null)
  const [isSent, setSent] = useState(false)
  const { problems, fault, report } = useMarks(form)
  const { test, run, clear, outdate } = useTeamTest()

  /** Returns a valid input. Otherwise marks the invalid fields and moves the focus to the first of them. */
  function checked(isNamed: boolean): TeamInput | null {
    const input = inputOf(form.current)
    const found = problemsOf(input, isNamed)
    report(found, null)
    return found.size > 0 ? null : input
  }

  async function join(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    const typed = checked(true)
    if (typed === null) return
    const share = isShared(form.current)
    const password = fieldIn(form.current, 'password')
    if (password !== null) password.value = ''
    setSent(typed.password !== '')
    clear()
    onBusy(true)
    const answer = await session.pipe.call('team.join', { typed, share })
    onBusy(false)
    if (answer.ok) onJoined()
    else report(problemsIn(answer.fault), answer.fault)
  }

  async function runTest() {
    const input = checked(false)
    if (input === null) return clear()
    // A test stores nothing, so one without a name is made under any.
    const failure = await run(input.operator.trim() === '' ? { ...input, operator: 'Test' } : input)
    const found = failure === null ? noProblems : problemsIn(failure)
    if (found.size === 0) return
    clear()
    report(found, null)
  }

  /** A test does not depend on the name and on what is shared. */
  function changed({ target }: FormEvent) {
    const { name } = target as HTMLInputElement
    if (name !== 'operator' && name !== 'share') outdate()
  }

  const isPasswordGone = isSent && !isBusy && (fault !== null || problems.size > 0)
  return { form, problems, fault, isPasswordGone, test, runTest, join, changed }
}

type Field = HTMLInputElement | HTMLTextAreaElement | null

const fieldIn = (form: HTMLFormElement | null, name: FieldName): Field => form?.elements.namedItem(name) as Field

function inputOf(form: HTMLFormElement | null): TeamInput {
  const text = (name: FieldName) => fieldIn(form, name)?.value ?? ''
  return { address: text('address'), password: text('password'), ca: text('ca'), operator: text('operator') }
}

/** Returns whether the own connections are added to the team's. The form has no such field where this was done. */
function isShared(form: HTMLFormElement | null): boolean {
  const field = form?.elements.namedItem('share')
  return field instanceof HTMLInputElement && field.checked
}

/** Holds the problems of the fields, and a fault that is about no field. */
function useMarks(form: RefObject<HTMLFormElement | null>) {
  const [problems, setProblems] = useState<Problems>(noProblems)
  const [fault, setFault] = useState<Fault | null>(null)
  function report(found: Problems, why: Fault | null) {
    setProblems(found)
    setFault(found.size > 0 ? null : why)
    const first = fieldNames.find((name) => found.has(name))
    if (first !== undefined) fieldIn(form.current, first)?.focus()
  }
  return { problems, fault, report }
}

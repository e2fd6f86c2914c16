import type { Answer, Pipe } from '../../../src-shared/contract/contract.ts'
import { explain, type Fault } from '../../../src-shared/model/fault.ts'
import type { Saved } from '../../lib/save-file.ts'
import { createStore, type Store } from '../../lib/store.ts'
import { createUndoSteps } from '../../lib/undo-steps.ts'
import { inputText } from '../../lib/format/input.ts'
import { numberText, many } from '../../lib/format/numbers.ts'
import { shortTime, type Times } from '../../lib/format/time.ts'

/**
 * What is said of the last thing that was done. `undo`: the number by which the last act that was not yet is taken back, null when
 * there is none; `about`: the words are about that act, and its way back stands beside them.
 */
export interface ActionState {
  words: string
  failed: boolean
  undo: number | null
  about: boolean
}

export interface Actions {
  state: Store<ActionState>
  /** Reasons given from this window, the last one first. */
  reasons: Store<readonly string[]>
  acknowledge(ids: readonly string[], reason: string): Promise<boolean>
  snooze(ids: readonly string[], until: number | null): Promise<boolean>
  release(ids: readonly string[]): Promise<boolean>
  /** Takes back the last act. */
  undo(): Promise<void>
  copyEvidence(id: string): Promise<void>
  copyLink(id: string): Promise<void>
  /** Puts the handover as Markdown on the clipboard, or saves a file of it. True when that was done. */
  handover(from: number, how: 'copy' | 'md' | 'csv'): Promise<boolean>
  /** The words have been read; the act can still be taken back. */
  forget(): void
  /** Says why nothing was done. */
  say(words: string): void
}

interface Options {
  pipe: Pipe
  /** Hears of which incidents an act was taken back. */
  onUndone: (ids: readonly string[]) => void
  now: () => number
  times: () => Times
  /** Puts a text on the clipboard; false when that is not allowed. */
  write: (text: string) => Promise<boolean>
  /** The link to an incident as this window hands it out. */
  linkText: (id: string) => string
  /** Gives the person a file. */
  save: (name: string, type: string, text: string) => Promise<Saved>
}

const clipboardProblem = 'The clipboard could not be written. Click into the window and try again.'

/** What is said of the last act, and the acts that can be taken back. */
function createReport({ pipe, onUndone }: Pick<Options, 'pipe' | 'onUndone'>) {
  const state = createStore<ActionState>({ words: '', failed: false, undo: null, about: false })
  const steps = createUndoSteps<{ id: number; about: readonly string[] }>()
  const say = (words: string, failed = false) => state.set({ words, failed, undo: state.get().undo, about: false })

  /** An act that can be taken back. A failed one leaves the one before to be taken back. */
  function acted(answer: Answer<{ undo: number }>, ids: readonly string[], words: string): boolean {
    if (answer.ok) steps.add({ id: answer.value.undo, about: ids })
    if (answer.ok) state.set({ words, failed: false, undo: answer.value.undo, about: true })
    else say(faultMessage(answer.fault), true)
    return answer.ok
  }

  async function undo() {
    const step = steps.last()
    if (step === null) return say('There is nothing to undo.')
    const answer = await pipe.call('actions.undo', { id: step.id })
    steps.tried(answer)
    const undo = steps.last()?.id ?? null
    if (answer.ok) onUndone(step.about)
    state.set({
      words: answer.ok ? 'Undone.' : faultMessage(answer.fault),
      failed: !answer.ok,
      undo,
      about: answer.ok && undo !== null,
    })
  }

  return { state, say, acted, undo }
}

type Report = ReturnType<typeof createReport>

export function createActions(options: Options): Actions {
  const { pipe, now, times } = options
  const reasons = createStore<readonly string[]>([])
  const report = createReport(options)
  const { state, say, acted, undo } = report

  async function acknowledge(ids: readonly string[], reason: string) {
    const said = reason.trim()
    const done = acted(
      await pipe.call('incidents.acknowledge', { ids: [...ids], reason: said }),
      ids,
      `Acknowledged ${many(ids.length, 'incident')}.`,
    )
    if (done) reasons.set([said, ...reasons.get().filter((each) => each !== said)].slice(0, 6))
    return done
  }

  async function snooze(ids: readonly string[], until: number | null) {
    const answer = await pipe.call('incidents.snooze', { ids: [...ids], until })
    return acted(
      answer,
      ids,
      `Snoozed ${many(ids.length, 'incident')} until ${until === null ? (ids.length === 1 ? 'it recovers' : 'they recover') : shortTime(until, now(), times())}.`,
    )
  }

  return {
    state,
    reasons,
    acknowledge,
    snooze,
    undo,
    ...textActions(options, report),
    release: async (ids) =>
      acted(
        await pipe.call('incidents.unacknowledge', { ids: [...ids] }),
        ids,
        `Unacknowledged ${many(ids.length, 'incident')}.`,
      ),
    forget: () => say(''),
    say: (words) => say(words),
  }
}

/** What the operator takes along: on the clipboard, or as a file. */
function textActions(
  { pipe, now, write, linkText, save }: Options,
  { say }: Pick<Report, 'say'>,
): Pick<Actions, 'copyEvidence' | 'copyLink' | 'handover'> {
  async function copy(text: string, words: string): Promise<boolean> {
    const done = await write(text)
    say(done ? words : clipboardProblem, !done)
    return done
  }

  async function copyEvidence(id: string) {
    const answer = await pipe.call('incidents.evidence', { id })
    if (answer.ok)
      await copy(
        answer.value.text,
        `Copied the report, ${many(answer.value.text.split('\n').length, 'line')} of Markdown.`,
      )
    else say(faultMessage(answer.fault), true)
  }

  async function handover(from: number, how: 'copy' | 'md' | 'csv') {
    const format = how === 'csv' ? 'csv' : 'md'
    const answer = await pipe.call('handover.make', { from, until: now(), format })
    if (!answer.ok) {
      say(faultMessage(answer.fault), true)
      return false
    }
    const { text, name } = answer.value
    if (how === 'copy') return copy(text, `Copied the handover, ${many(text.split('\n').length, 'line')} of Markdown.`)
    const saved = await save(name, format === 'csv' ? 'text/csv' : 'text/markdown', text)
    if (!saved.ok) say(faultMessage(saved.fault), true)
    else if (saved.where !== null) say(`Saved the handover as ${saved.where}, ${numberText(text.length)} characters.`)
    return saved.ok && saved.where !== null
  }

  return {
    copyEvidence,
    handover,
    copyLink: async (id) => void (await copy(linkText(id), 'Copied the link.')),
  }
}

function faultMessage(fault: Fault): string {
  if (fault.kind === 'input' && fault.detail !== '') return inputText(fault.detail)
  const { title, advice } = explain(fault)
  return `${title} ${advice}`
}

import type { Answer, Pipe } from '../../../src-shared/contract/contract.ts'
import { explain, type Fault } from '../../../src-shared/model/fault.ts'
import type { Saved } from '../../lib/save-file.ts'
import { createStore, type Store } from '../../lib/store.ts'
import { createUndoSteps } from '../../lib/undo-steps.ts'
import { inputText } from '../../lib/format/input.ts'
import { numberText, many } from '../../lib/format/numbers.ts'
import { shortTime, type Times } from '../../lib/format/time.ts'

/**
 * The message about the last action. `undo`: the number of the last action that can be undone; null without one.
 * `about`: the message is about that action, and offers to undo it.
 */
export interface ActionState {
  words: string
  failed: boolean
  undo: number | null
  about: boolean
}

export interface Actions {
  state: Store<ActionState>
  /** Reasons that were given in this window, the last one first. */
  reasons: Store<readonly string[]>
  acknowledge(ids: readonly string[], reason: string): Promise<boolean>
  snooze(ids: readonly string[], until: number | null): Promise<boolean>
  release(ids: readonly string[]): Promise<boolean>
  undo(): Promise<void>
  copyEvidence(id: string): Promise<void>
  copyLink(id: string): Promise<void>
  /** Copies the handover as Markdown, or saves it as a file. Resolves with true when that succeeded. */
  handover(from: number, how: 'copy' | 'md' | 'csv'): Promise<boolean>
  /** Clears the message. The action can still be undone. */
  forget(): void
  /** Says why nothing was done. */
  say(words: string): void
}

interface Options {
  pipe: Pipe
  /** Called with the ids of the incidents whose action was undone. */
  onUndone: (ids: readonly string[]) => void
  now: () => number
  times: () => Times
  /** Copies a text; resolves with false when that is not allowed. */
  write: (text: string) => Promise<boolean>
  /** Returns the link to an incident as this window copies it. */
  linkText: (id: string) => string
  /** Saves a file for the operator. */
  save: (name: string, type: string, text: string) => Promise<Saved>
}

const clipboardProblem = 'The clipboard could not be written. Click into the window and try again.'

/** Holds the message about the last action, and the actions that can be undone. */
function createReport({ pipe, onUndone }: Pick<Options, 'pipe' | 'onUndone'>) {
  const state = createStore<ActionState>({ words: '', failed: false, undo: null, about: false })
  const steps = createUndoSteps<{ id: number; about: readonly string[] }>()
  const say = (words: string, failed = false) => state.set({ words, failed, undo: state.get().undo, about: false })

  /**
   * Reports the result of an action that can be undone. After a failed action, the one before it can still be undone.
   */
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

/** Creates the actions that copy a text or save a file. */
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

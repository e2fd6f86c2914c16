import type { Answer, Pipe } from '../../../src-shared/contract/contract.ts'
import { explain, type Fault } from '../../../src-shared/model/fault.ts'
import { isolated } from '../../../src-shared/text/direction.ts'
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
  /** Assigns incidents to this Muster's operator. */
  take(ids: readonly string[], operator: string): Promise<boolean>
  /** Assigns incidents to a member of the team; null: to nobody. */
  assign(ids: readonly string[], to: string | null): Promise<boolean>
  undo(): Promise<void>
  copyEvidence(id: string): Promise<void>
  copyLink(id: string): Promise<void>
  /** Copies the handover as Markdown, or saves it as a file. Resolves with true when that succeeded. */
  handover(from: number, how: 'copy' | 'md' | 'csv'): Promise<boolean>
  /** Clears the message. The action can still be undone. */
  forget(): void
  /** Says why nothing was done. */
  showMessage(words: string): void
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
  const showMessage = (words: string, failed = false) =>
    state.set({ words, failed, undo: state.get().undo, about: false })

  /**
   * Reports the result of an action that can be undone. After a failed action, the one before it can still be undone.
   */
  function reportResult(answer: Answer<{ undo: number }>, ids: readonly string[], words: string): boolean {
    if (answer.ok) steps.add({ id: answer.value.undo, about: ids })
    if (answer.ok) state.set({ words, failed: false, undo: answer.value.undo, about: true })
    else showMessage(faultMessage(answer.fault), true)
    return answer.ok
  }

  async function undo() {
    const step = steps.last()
    if (step === null) return showMessage('There is nothing to undo.')
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

  return { state, showMessage, reportResult, undo }
}

type Report = ReturnType<typeof createReport>

export function createActions(options: Options): Actions {
  const { pipe, now, times } = options
  const reasons = createStore<readonly string[]>([])
  const report = createReport(options)
  const { state, showMessage, reportResult, undo } = report

  async function acknowledge(ids: readonly string[], reason: string) {
    const given = reason.trim()
    const done = reportResult(
      await pipe.call('incidents.acknowledge', { ids: [...ids], reason: given }),
      ids,
      `Acknowledged ${many(ids.length, 'incident')}.`,
    )
    if (done) reasons.set([given, ...reasons.get().filter((each) => each !== given)].slice(0, 6))
    return done
  }

  async function snooze(ids: readonly string[], until: number | null) {
    const answer = await pipe.call('incidents.snooze', { ids: [...ids], until })
    return reportResult(
      answer,
      ids,
      `Snoozed ${many(ids.length, 'incident')} until ${until === null ? (ids.length === 1 ? 'it recovers' : 'they recover') : shortTime(until, now(), times())}.`,
    )
  }

  const assignAs = async (ids: readonly string[], to: string | null, words: string) =>
    reportResult(await pipe.call('incidents.assign', { ids: [...ids], to }), ids, words)

  return {
    state,
    reasons,
    acknowledge,
    snooze,
    undo,
    take: (ids, operator) => assignAs(ids, operator, `Took ${many(ids.length, 'incident')}.`),
    assign: (ids, to) =>
      assignAs(
        ids,
        to,
        to === null
          ? `Gave back ${many(ids.length, 'incident')}.`
          : `Assigned ${many(ids.length, 'incident')} to ${isolated(to)}.`,
      ),
    ...textActions(options, report),
    release: async (ids) =>
      reportResult(
        await pipe.call('incidents.unacknowledge', { ids: [...ids] }),
        ids,
        `Unacknowledged ${many(ids.length, 'incident')}.`,
      ),
    forget: () => showMessage(''),
    showMessage: (words) => showMessage(words),
  }
}

/** Creates the actions that copy a text or save a file. */
function textActions(
  { pipe, now, write, linkText, save }: Options,
  { showMessage }: Pick<Report, 'showMessage'>,
): Pick<Actions, 'copyEvidence' | 'copyLink' | 'handover'> {
  async function copy(text: string, words: string): Promise<boolean> {
    const done = await write(text)
    showMessage(done ? words : clipboardProblem, !done)
    return done
  }

  async function copyEvidence(id: string) {
    const answer = await pipe.call('incidents.evidence', { id })
    if (answer.ok)
      await copy(
        answer.value.text,
        `Copied the report, ${many(answer.value.text.split('\n').length, 'line')} of Markdown.`,
      )
    else showMessage(faultMessage(answer.fault), true)
  }

  async function handover(from: number, how: 'copy' | 'md' | 'csv') {
    const format = how === 'csv' ? 'csv' : 'md'
    const answer = await pipe.call('handover.make', { from, until: now(), format })
    if (!answer.ok) {
      showMessage(faultMessage(answer.fault), true)
      return false
    }
    const { text, name } = answer.value
    if (how === 'copy') return copy(text, `Copied the handover, ${many(text.split('\n').length, 'line')} of Markdown.`)
    const saved = await save(name, format === 'csv' ? 'text/csv' : 'text/markdown', text)
    if (!saved.ok) showMessage(faultMessage(saved.fault), true)
    else if (saved.where !== null)
      showMessage(`Saved the handover as ${saved.where}, ${numberText(text.length)} characters.`)
    return saved.ok && saved.where !== null
  }

  return {
    copyEvidence,
    handover,
    copyLink: async (id) => void (await copy(linkText(id), 'Copied the link.')),
  }
}

/** Returns why a call failed, for the operator. */
export function faultMessage(fault: Fault): string {
  if (fault.kind === 'input' && fault.detail !== '') return inputText(fault.detail)
  const { title, advice } = explain(fault)
  return `${title} ${advice}`
}

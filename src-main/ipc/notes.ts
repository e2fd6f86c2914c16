import type { Handlers } from '../../src-shared/contract/contract.ts'
import type { Clock } from '../../src-shared/lib/clock.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { Change } from '../inventory/thread/change.ts'

type NoteCall = Extract<keyof Handlers, `notes.${string}`>

interface NoteDeps {
  data: Pick<InventoryData, 'notesOf' | 'saveNote' | 'tagsOf' | 'tag' | 'setTags'>
  clock: Pick<Clock, 'now'>
  /** The operator of a team, who signs what is written; null for a Muster on its own. */
  operator: string | null
  publish: (change: Change) => void
  /** Evaluates the incidents again: a tag changes their severity. */
  recheck: () => void
}

/** The calls of notes and tags. */
export function noteHandlers({ data, clock, operator, publish, recheck }: NoteDeps): Pick<Handlers, NoteCall> {
  async function written<T>(writing: Promise<{ before: T; change: Change }>): Promise<{ before: T }> {
    const { before, change } = await writing
    publish(change)
    recheck()
    return { before }
  }
  const signed = () => ({ at: clock.now(), ...(operator !== null && { by: operator }) })
  return {
    'notes.of': (input) => data.notesOf(input),
    'notes.tags': (input) => data.tagsOf({ ...input, now: clock.now() }),
    'notes.tag': (input) => written(data.tag({ ...input, ...signed() })),
    'notes.setTags': (input) => written(data.setTags({ ...input, ...signed() })),
    'notes.save': (input) => written(data.saveNote({ ...input, ...signed() })),
  }
}

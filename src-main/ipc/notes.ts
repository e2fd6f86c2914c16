import type { Handlers } from '../../src-shared/contract/contract.ts'
import type { Clock } from '../../src-shared/lib/clock.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { Change } from '../inventory/thread/change.ts'

type NoteCall = Extract<keyof Handlers, `notes.${string}`>

interface NoteDeps {
  data: Pick<InventoryData, 'notesOf' | 'saveNote' | 'tagsOf' | 'tag' | 'setTags'>
  clock: Pick<Clock, 'now'>
  publish: (change: Change) => void
  /** Evaluates the incidents again: a tag changes their severity. */
  recheck: () => void
}

/** The calls of notes and tags. */
export function noteHandlers({ data, clock, publish, recheck }: NoteDeps): Pick<Handlers, NoteCall> {
  async function written<T>(writing: Promise<{ before: T; change: Change }>): Promise<{ before: T }> {
    const { before, change } = await writing
    publish(change)
    recheck()
    return { before }
  }
  return {
    'notes.of': (input) => data.notesOf(input),
    'notes.tags': (input) => data.tagsOf({ ...input, now: clock.now() }),
    'notes.tag': (input) => written(data.tag({ ...input, at: clock.now() })),
    'notes.setTags': (input) => written(data.setTags({ ...input, at: clock.now() })),
    'notes.save': (input) => written(data.saveNote({ ...input, at: clock.now() })),
  }
}

import type { Handlers } from '../../src-shared/contract/contract.ts'
import type { Clock } from '../../src-shared/lib/clock.ts'
import type { InventoryData } from '../inventory/thread/protocol.ts'
import type { Change } from '../inventory/thread/change.ts'

interface NoteDeps {
  data: Pick<InventoryData, 'notesOf' | 'saveNote'>
  clock: Pick<Clock, 'now'>
  publish: (change: Change) => void
  /** Evaluates the incidents again: a tag changes their severity. */
  recheck: () => void
}

/** The calls of notes and tags. */
export const noteHandlers = ({
  data,
  clock,
  publish,
  recheck,
}: NoteDeps): Pick<Handlers, 'notes.of' | 'notes.save'> => ({
  'notes.of': (input) => data.notesOf(input),
  'notes.save': async (input) => {
    const { before, change } = await data.saveNote({ ...input, at: clock.now() })
    publish(change)
    recheck()
    return { before }
  },
})

import type { NoteContent } from '../../../../src-shared/model/notes.ts'
import { noteReader } from '../notes.ts'
import { fold } from './fold.ts'
import { fitsPattern, matcherOf, type MatchTerm, testName } from './matcher.ts'
import { filterSlots, type FilterContext, type Test } from './test.ts'

/** Tests tags, or the texts and contacts of notes: the device's own and those of the places that it is in. */
export function noteTest(term: MatchTerm, field: 'tag' | 'note', context: FilterContext): Test {
  const { none, patterns, not } = matcherOf(term)
  return {
    name: testName(term),
    cost: 2,
    topics: ['notes'],
    extraColumn: null,
    text: null,
    aged: null,
    narrow(slots) {
      const notesOf = noteReader(context)
      const passes = new Map<NoteContent, Outcome>()
      const outcomeOf = (note: NoteContent) => {
        const known = passes.get(note)
        if (known !== undefined) return known
        const texts = field === 'tag' ? note.tags : [note.text, note.contact].filter((text) => text !== '')
        const fits = texts.some((text) => patterns.some((pattern) => fitsPattern(pattern, fold(text))))
        const outcome = { fits, isEmpty: texts.length === 0 }
        passes.set(note, outcome)
        return outcome
      }
      return filterSlots(slots, (slot) => {
        const outcomes = notesOf(slot).map(outcomeOf)
        const found = outcomes.some(({ fits }) => fits) || (none && outcomes.every(({ isEmpty }) => isEmpty))
        return found !== not
      })
    },
  }
}

interface Outcome {
  fits: boolean
  isEmpty: boolean
}

/** Returns a test that a note of a row contains one of these folded texts; null where no note does. */
export function notesHave(
  context: FilterContext,
  holds: (text: string) => boolean,
): ((slot: number) => boolean) | null {
  const found = new Set<NoteContent>()
  for (const note of context.notes.values())
    if ([note.text, note.contact, ...note.tags].some((text) => holds(fold(text)))) found.add(note)
  if (found.size === 0) return null
  const notesOf = noteReader(context)
  return (slot) => notesOf(slot).some((note) => found.has(note))
}

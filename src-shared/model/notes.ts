import { z } from 'zod'

/** Most characters of each part of a note, and most tags. */
export const noteLimits = { text: 4000, contact: 300, tag: 40, tags: 20 } as const

/** A tag as it is kept: without a comma, which separates tags, and without white space around it. */
export const noteTag = z
  .string()
  .trim()
  .min(1, 'A tag has at least one letter.')
  .max(noteLimits.tag, `A tag has at most ${noteLimits.tag} characters.`)
  .regex(/^[^,\p{Cc}]*$/u, 'A tag has no comma.')

/** What an operator wrote about a device or a place. With nothing in any part there is no note. */
export const noteContent = z.object({
  text: z.string().max(noteLimits.text, `A note has at most ${noteLimits.text} characters.`),
  /** Whom to ask or call there. */
  contact: z.string().max(noteLimits.contact, `A contact has at most ${noteLimits.contact} characters.`),
  tags: z.array(noteTag).max(noteLimits.tags, `At most ${noteLimits.tags} tags.`),
})
export type NoteContent = z.infer<typeof noteContent>

export const noNote: NoteContent = { text: '', contact: '', tags: [] }

/** Tags, in any case, that make an offline device a spare on the shelf. */
export const spareTags: readonly string[] = ['spare', 'stock']

export const isEmptyNote = ({ text, contact, tags }: NoteContent): boolean =>
  text.trim() === '' && contact.trim() === '' && tags.length === 0

/** Returns the tags of a text with commas between them: each once in any case, without empty ones. */
export function tagsOf(text: string): string[] {
  const byFolded = new Map<string, string>()
  for (const part of text.split(',')) {
    const tag = part.replaceAll(/\s+/gu, ' ').trim()
    const folded = tag.toLowerCase()
    if (tag !== '' && !byFolded.has(folded)) byFolded.set(folded, tag)
  }
  return [...byFolded.values()]
}

import { LanguageSupport } from '@codemirror/language'
import { graphqlLanguage } from 'cm6-graphql'

interface Stack {
  /** Whether the grammar takes that token here. */
  canShift(term: number): boolean
}

interface Keywords {
  /** Twice the token of a keyword, and 1 more for one that may be a name as well; -1 for another word. */
  get(word: string): number
}

/**
 * The grammar of `cm6-graphql`, in which a keyword is one only where the grammar takes it: there, a field that is called
 * `type` or `input` ends the document, and all behind it is read as something else.
 */
const language = graphqlLanguage.configure({ specializers: [{ from: inlineSpecializer(), to: keywordOf }] })

/** The parser's name for the keywords that are written in the grammar itself, which has none. */
function inlineSpecializer() {
  return undefined as unknown as typeof keywordOf
}

function keywordOf(word: string, stack: Stack): number {
  const { specializerSpecs } = graphqlLanguage.parser as unknown as { specializerSpecs?: readonly Keywords[] }
  const term = (specializerSpecs?.[0]?.get(word) ?? -1) >> 1
  return term !== -1 && stack.canShift(term) ? term : -1
}

/** The language of GraphQL documents. */
export const graphqlSupport = (): LanguageSupport => new LanguageSupport(language)

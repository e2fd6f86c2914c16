import { getLocation, Kind, parse, visit, type FieldNode } from 'graphql'
import { own } from '../../src-shared/lib/own.ts'
import type { ServiceError } from './classify.ts'

/** A field of a document: the names from the root to it (`tenants.region.id`), and its position in the text. */
interface Place {
  path: string
  name: string
  parent: string
  line: number
  column: number
}

/** Messages by which servers of many libraries reject an unknown field. */
const unknownWords =
  /cannot query field|unknown field|undefined field|fieldundefined|no such field|has no field|invalid field|not found in type|selections? of sub-?fields|must (not )?have a (sub-?)?selection|sub-?selections? ((is|are) )?required/i
const absentWords =
  /not found|not defined|undefined|does ?n[o’']t exist|does not exist|is not (a )?(known|valid|defined)/i
const mentionsField = (message: string): boolean =>
  unknownWords.test(message) || (/\b(field|property)\b/i.test(message) && absentWords.test(message))
const partWords = /selections? of sub-?fields|must have a (sub-?)?selection|sub-?selections? ((is|are) )?required/i
/** Returns whether a message says that a field is an object and needs a selection. */
export const mentionsParts = (message: string): boolean => partWords.test(message)
/** Words about the whole document, which name no unknown field. */
const documentWords = /depth|too deep|deeply|nest|complexity|\bcost\b|alias|too many|introspection/i
const validationCode = 'GRAPHQL_VALIDATION_FAILED'
/** Usual names of the type whose fields stand below a field of this name. */
const typeWords: Record<string, RegExp> = {
  node: /device/i,
  device: /device/i,
  pageInfo: /page/i,
  deviceSearch: /connection|search|result/i,
  tenants: /tenant/i,
  region: /region/i,
  site: /site/i,
  room: /room/i,
}

/**
 * Returns the paths of the document's fields that the service does not know. An entry's position in the text (GraphQL
 * specification, section 7.1.2) decides, otherwise the names in its message. An error with a path occurred in execution
 * and says nothing about the schema.
 */
export function unknownFields(document: string, errors: readonly ServiceError[]): string[] {
  const matching = errors.filter(
    ({ message, code, path }) =>
      path === null && (mentionsField(message) || (code === validationCode && !documentWords.test(message))),
  )
  if (matching.length === 0) return []
  const places = placesIn(document)
  return [...new Set(matching.flatMap((error) => placeOf(error, places)?.path ?? []))]
}

function placeOf({ message, locations = [] }: ServiceError, places: readonly Place[]): Place | null {
  const names = [...message.matchAll(/["'`‘“]([A-Za-z_]\w*)["'`’”]/g)].map(([, name = '']) => name)
  const byPosition = places.find(
    ({ line, column, name }) =>
      (names.length === 0 || names.includes(name)) && locations.some((at) => at.line === line && at.column === column),
  )
  if (byPosition !== undefined) return byPosition
  if (!mentionsField(message)) return null
  const named =
    names.map((name) => places.filter((place) => place.name === name)).find((found) => found.length > 0) ?? []
  const ofType = named.filter(({ parent }) => names.some((name) => own(typeWords, parent)?.test(name)))
  return ofType[0] ?? (named.length === 1 ? (named[0] ?? null) : null)
}

function placesIn(document: string): Place[] {
  const places: Place[] = []
  const above: string[] = []
  visit(parse(document), {
    Field: {
      enter(node: FieldNode) {
        const at = node.loc === undefined ? { line: 0, column: 0 } : getLocation(node.loc.source, node.loc.start)
        places.push({
          path: [...above, node.name.value].join('.'),
          name: node.name.value,
          parent: above.at(-1) ?? '',
          ...at,
        })
        above.push(node.name.value)
      },
      leave: () => void above.pop(),
    },
    [Kind.FRAGMENT_DEFINITION]: () => false,
  })
  return places
}

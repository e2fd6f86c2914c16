import { placesOperation, type Operation } from '../operations.ts'
import { levelsOf, type PlaceList, type PlaceSource } from './lists.ts'

/** One part of an operation: a list under one tenant or site. */
export interface PlacesPart {
  /** Id of the tenant or the site. */
  id: string
  /** For each level, the outermost first: the token of the page, null for the first one. */
  tokens: readonly (string | null)[]
  /** For each level: the requested page size. It is not sent where the level takes none. */
  sizes: readonly number[]
}

/** Returns the name under which part `index` stands in an answer. */
export const partName = (index: number): string => `p${index}`

/** Returns the operation that reads `parts`, with its variables, and its size: the number of places requested. */
export function placesRequest(
  source: PlaceSource,
  parts: readonly PlacesPart[],
): { operation: Operation; variables: Record<string, unknown>; size: number } {
  const levels = levelsOf(source.list)
  const variables = parts.flatMap(({ id, tokens, sizes }, index): [string, unknown][] => [
    [`${idName(source)}${index}`, id],
    ...levels.flatMap(({ params }, level): [string, unknown][] =>
      params === null ? [] : [[pageName(index, level), paramsOf(params, tokens[level] ?? null, sizes[level] ?? 1)]],
    ),
  ])
  return {
    operation: placesOperation((count) => documentOf(source, levels, count), parts.length),
    variables: Object.fromEntries(variables),
    // The fields around a page cost about as much as a place.
    size: parts.reduce((sum, { sizes }) => sum + requested(levels, sizes), parts.length - 1),
  }
}

/** Returns the number of places that a part requests; a level whose length is unknown counts once. */
export const requested = (levels: readonly PlaceList[], sizes: readonly number[]): number =>
  levels.reduce((product, level, at) => product * (isSized(level) ? (sizes[at] ?? 1) : 1), 1)

export const isSized = ({ params }: PlaceList): boolean => params?.size != null

/** Distinct for each type of id, because rejected types are remembered by the variable's name (`dialect.ts`). */
const idName = ({ parent, idArgument }: PlaceSource): string => `${parent ?? 'places'}_${idArgument}`

const pageName = (index: number, level: number): string => `page${index}_${level}`

function paramsOf(
  { size, token, paging }: NonNullable<PlaceList['params']>,
  pageToken: string | null,
  pageSize: number,
): Record<string, unknown> {
  return {
    ...(token !== null && { [token]: pageToken }),
    ...(size !== null && { [size]: pageSize }),
    ...(paging !== null && { paging }),
  }
}

function documentOf(source: PlaceSource, levels: readonly PlaceList[], count: number): string {
  const numbers = Array.from({ length: count }, (_, index) => index)
  const declared = numbers.flatMap((index) => [
    `$${idName(source)}${index}: ${source.idType}`,
    ...levels.flatMap(({ params }, level) =>
      params === null ? [] : [`$${pageName(index, level)}: ${params.type.replace(/!$/, '')}!`],
    ),
  ])
  return `query Places(${declared.join(', ')}) { ${numbers.map((index) => partOf(source, index)).join(' ')} }`
}

function partOf(source: PlaceSource, index: number): string {
  const { parent, idArgument, list } = source
  const id = `${idArgument}: $${idName(source)}${index}`
  return parent === null
    ? listText(list, index, 0, partName(index), [id])
    : `${partName(index)}: ${parent}(${id}) { ${listText(list, index, 0, null, [])} }`
}

function listText(
  list: PlaceList,
  index: number,
  level: number,
  alias: string | null,
  given: readonly string[],
): string {
  const { field, form, params, pageInfo, hasTotal, members, above, below } = list
  const args = [...given, ...(params === null ? [] : [`params: $${pageName(index, level)}`])]
  const place = [
    ...members,
    ...(above === null ? [] : [`${above.field} { ${above.members.join(' ')} }`]),
    ...(below === null ? [] : [listText(below, index, level + 1, null, [])]),
  ].join(' ')
  const paging = [
    ...(pageInfo.length === 0 ? [] : [`pageInfo { ${pageInfo.join(' ')} }`]),
    ...(hasTotal ? ['total'] : []),
  ]
  const selection = form === 'list' ? place : [`edges { node { ${place} } }`, ...paging].join(' ')
  return `${alias === null ? '' : `${alias}: `}${field}${args.length === 0 ? '' : `(${args.join(', ')})`} { ${selection} }`
}

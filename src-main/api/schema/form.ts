/**
 * A schema in short, for comparison: one line each, sorted, with a letter for its kind, its coordinate, its type and,
 * where it is deprecated, the reason.
 */
export type SchemaForm = ReadonlyMap<string, FormLine>

/** `type`, `field`, `argument`, `input` field, enum `value`, `member` of a union, implemented interface (`implements`). */
export type FormKind = 'type' | 'field' | 'argument' | 'input' | 'value' | 'member' | 'implements'

export interface FormLine {
  kind: FormKind
  coordinate: string
  /** As written in a document, with the default value; of a type its kind in lower case. */
  type: string
  /** The reason; null: not deprecated. */
  deprecated: string | null
}

/** Returned for an introspection that is not whole: a part is missing, or names that no schema can have. */
export type NotWhole = { notWhole: string }

/** Longest part of a line, characters, and most lines. */
const maxText = 300
const maxLines = 200_000
const maxWrappers = 12

class NotWholeError extends Error {}

/**
 * Returns the form of an introspection's answer (`{"data":{"__schema":…}}`). An answer with errors, without types, or with a
 * reference to a type that is not in it is not whole: nothing may be taken for removed by it.
 */
export function formOf(introspection: string): SchemaForm | NotWhole {
  try {
    const body = recordOf(JSON.parse(introspection), 'answer')
    if (Array.isArray(body['errors']) && body['errors'].length > 0) return { notWhole: 'it has errors' }
    const schema = recordOf(recordOf(body['data'], 'data')['__schema'], '__schema')
    const lines = new Map<string, FormLine>()
    const defined = new Set<string>()
    const wanted = new Set<string>([nameOf(recordOf(schema['queryType'], 'queryType')['name'])])
    const types = listOf(schema['types'], 'types').map((each) => recordOf(each, 'type'))
    for (const type of types) defined.add(nameOf(type['name']))
    for (const type of types) addType(lines, wanted, type)
    const missing = [...wanted].find((name) => !defined.has(name))
    return missing === undefined ? lines : { notWhole: `the type ${missing} is missing` }
  } catch (error) {
    return { notWhole: error instanceof NotWholeError ? error.message : 'it is no JSON' }
  }
}

type Json = Readonly<Record<string, unknown>>

function addType(lines: Map<string, FormLine>, wanted: Set<string>, type: Json): void {
  const name = nameOf(type['name'])
  // Types of the introspection itself, and scalars of the specification, are in every schema.
  if (name.startsWith('__') || standardScalars.has(name)) return
  const add = (line: Omit<FormLine, 'deprecated'>, of: Json) => {
    if (lines.size >= maxLines) throw new NotWholeError('it is too large')
    const reason = of['isDeprecated'] === true ? plain(of['deprecationReason'] ?? '') : null
    lines.set(`${line.kind} ${line.coordinate}`, { ...line, deprecated: reason })
  }
  const typed = (of: Json): string => typeText(of['type'], wanted, 0)
  const given = (of: Json): string => {
    const value = of['defaultValue']
    return value === null || value === undefined ? typed(of) : `${typed(of)} = ${plain(value)}`
  }
  add({ kind: 'type', coordinate: name, type: nameOf(type['kind']).toLowerCase() }, {})
  for (const field of optionalList(type['fields'], `fields of ${name}`, objectKinds.has(String(type['kind'])))) {
    const coordinate = `${name}.${nameOf(field['name'])}`
    add({ kind: 'field', coordinate, type: typed(field) }, field)
    for (const arg of optionalList(field['args'], `arguments of ${coordinate}`, false))
      add({ kind: 'argument', coordinate: `${coordinate}(${nameOf(arg['name'])}:)`, type: given(arg) }, arg)
  }
  for (const field of optionalList(type['inputFields'], `fields of ${name}`, type['kind'] === 'INPUT_OBJECT'))
    add({ kind: 'input', coordinate: `${name}.${nameOf(field['name'])}`, type: given(field) }, field)
  for (const value of optionalList(type['enumValues'], `values of ${name}`, type['kind'] === 'ENUM'))
    add({ kind: 'value', coordinate: `${name}.${nameOf(value['name'])}`, type: '' }, value)
  for (const member of optionalList(type['possibleTypes'], `members of ${name}`, type['kind'] === 'UNION'))
    if (type['kind'] === 'UNION')
      add({ kind: 'member', coordinate: `${name} | ${typeText(member, wanted, 0)}`, type: '' }, {})
  for (const above of optionalList(type['interfaces'], `interfaces of ${name}`, false))
    add({ kind: 'implements', coordinate: `${name} & ${typeText(above, wanted, 0)}`, type: '' }, {})
}

const objectKinds: ReadonlySet<string> = new Set(['OBJECT', 'INTERFACE'])
const standardScalars: ReadonlySet<string> = new Set(['String', 'Int', 'Float', 'Boolean', 'ID'])

function typeText(value: unknown, wanted: Set<string>, depth: number): string {
  const { kind, name, ofType } = recordOf(value, 'type')
  if (depth > maxWrappers) throw new NotWholeError('a type is too deep')
  if (kind === 'NON_NULL') return `${typeText(ofType, wanted, depth + 1)}!`
  if (kind === 'LIST') return `[${typeText(ofType, wanted, depth + 1)}]`
  const named = nameOf(name)
  if (!standardScalars.has(named)) wanted.add(named)
  return named
}

function recordOf(value: unknown, what: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new NotWholeError(`${what} is missing`)
  return value as Json
}

function listOf(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0) throw new NotWholeError(`${what} are missing`)
  return value
}

const optionalList = (value: unknown, what: string, required: boolean): readonly Json[] =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0 && !required)
    ? noneUnless(required, what)
    : listOf(value, what).map((each) => recordOf(each, what))

function noneUnless(required: boolean, what: string): readonly Json[] {
  if (required) throw new NotWholeError(`${what} are missing`)
  return []
}

function nameOf(value: unknown): string {
  if (typeof value !== 'string' || !/^[_A-Za-z]\w{0,200}$/.test(value)) throw new NotWholeError('a name is missing')
  return value
}

/** Returns foreign text as one line of bounded length. */
const plain = (value: unknown): string =>
  String(typeof value === 'string' ? value : '')
    .slice(0, maxText)
    .replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ')

/** Returns a form as text, for storage. */
export const printForm = (form: SchemaForm): string =>
  [...form.values()]
    .map(({ kind, coordinate, type, deprecated }) =>
      [kind, coordinate, type, ...(deprecated === null ? [] : [deprecated])].join('\t'),
    )
    .toSorted()
    .join('\n')

/** Returns the form that `printForm` wrote. */
export function readForm(text: string): SchemaForm {
  const lines = new Map<string, FormLine>()
  for (const line of text.split('\n')) {
    const [kind = '', coordinate = '', type = '', deprecated] = line.split('\t')
    if (isKind(kind)) lines.set(`${kind} ${coordinate}`, { kind, coordinate, type, deprecated: deprecated ?? null })
  }
  return lines
}

const kinds: readonly FormKind[] = ['type', 'field', 'argument', 'input', 'value', 'member', 'implements']
const isKind = (text: string): text is FormKind => kinds.some((kind) => kind === text)

/**
 * Returns the form of what a sync reads of the schema: the words of `Capabilities.fingerprint`, such as `name:String!`,
 * `user.email:String` and `search.filter.contains`.
 */
export function fingerprintForm(words: readonly string[]): SchemaForm {
  const typeOf = new Map(words.map((word) => [word.split(':')[0] ?? '', (word.split(':')[1] ?? '').replace(/!$/, '')]))
  const lines = words.flatMap((word): FormLine[] => {
    const [path = '', type = ''] = word.split(':')
    const [first = '', ...rest] = path.split('.')
    if (path === '') return []
    if (first === 'search')
      return [{ kind: 'input', coordinate: ['DeviceFindArgs', ...rest].join('.'), type: '', deprecated: null }]
    const owner = rest.length === 0 ? 'Device' : (typeOf.get(first) ?? first)
    return [{ kind: 'field', coordinate: `${owner}.${rest[0] ?? first}`, type, deprecated: null }]
  })
  return new Map(lines.map((line) => [`${line.kind} ${line.coordinate}`, line]))
}

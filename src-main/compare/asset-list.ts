import { type Asset, type AssetField, assetFields, type AssetList } from '../../src-shared/model/comparison.ts'
import { FaultError } from '../../src-shared/model/fault.ts'
import { readTable, type Table, withoutApostrophe } from '../connections/import/table.ts'

/** How the heads of asset lists call each field, without case, spaces and signs. */
const names: Readonly<Record<AssetField, readonly string[]>> = {
  id: ['id', 'deviceid', 'device'],
  serial: ['serial', 'serialnumber', 'serialno', 'serialnr', 'sn', 'seriennummer'],
  mac: ['mac', 'macaddress', 'macaddr', 'ethernetmac', 'ethernetmacaddress', 'hwaddress'],
  name: ['name', 'devicename', 'displayname', 'hostname', 'host', 'systemname'],
  tenant: ['tenant', 'tenantname', 'customer', 'organization', 'organisation', 'company'],
  site: ['site', 'sitename', 'building', 'office', 'campus'],
  room: ['room', 'roomname', 'meetingroom'],
  place: ['place', 'location', 'siteroom', 'sitesandroom'],
  model: ['model', 'hardwaremodel', 'modelname', 'product', 'producttype', 'devicemodel', 'type'],
  firmware: ['firmware', 'firmwareversion', 'softwareversion', 'software', 'version', 'fw'],
}
const fieldOf = new Map(assetFields.flatMap((field) => names[field].map((name) => [name, field] as const)))

/** Returns what each head stands for; null for an unknown one, and for one whose field an earlier head has. */
export function recognised(heads: readonly string[]): (AssetField | null)[] {
  const taken = new Set<AssetField>()
  return heads.map((head) => {
    const field = fieldOf.get(head.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')) ?? null
    if (field === null || taken.has(field)) return null
    taken.add(field)
    return field
  })
}

/** A list in memory: its text and lines, and what its columns are taken for. */
export interface ReadList {
  name: string
  text: string
  table: Table<AssetField>
  fields: (AssetField | null)[]
}

const maxLines = 100_000

/** Reads a list. Throws a fault of kind `input` for one without a head. `fields`: what its columns are; default: as recognised. */
export function readAssetList(name: string, text: string, fields?: readonly (AssetField | null)[]): ReadList {
  const table = readTable<AssetField>(text, {
    columns: assetFields,
    columnsOf: recognised,
    missing: (found) => (found.length === 0 ? 'The first line must name the columns.' : null),
    maxLines,
    tooManyLines: `There are more than ${maxLines.toLocaleString('en-US')} lines. Compare the list in parts.`,
    tooManyCells: 'There are more cells than an asset list can have.',
  })
  const list = { name, text, table, fields: table.columns }
  return fields === undefined ? list : withFields(list, fields)
}

/** Returns the list with other columns. Throws a fault of kind `input` where a field is there twice. */
export function withFields(list: ReadList, fields: readonly (AssetField | null)[]): ReadList {
  const its = list.table.heads.map((_, index) => fields[index] ?? null)
  const twice = its.find((field, index) => field !== null && its.indexOf(field) !== index)
  if (twice !== undefined) throw new FaultError('input', `fields: Two columns are taken for “${twice}”. Choose one.`)
  return { ...list, fields: its }
}

const maxProblems = 20
const sampleLength = 80

/** Returns what the window shows of a list. */
export function shownList(id: string, { name, table, fields }: ReadList): AssetList {
  const problems = table.lines.flatMap(({ line, problem }) => (problem === null ? [] : [{ line, problem }]))
  return {
    list: id,
    name,
    heads: table.heads.map((head, index) => ({
      head: head.trim().slice(0, 100),
      sample: (table.lines.find(({ cells }) => (cells[index] ?? '').trim() !== '')?.cells[index] ?? '')
        .trim()
        .slice(0, sampleLength),
      field: fields[index] ?? null,
    })),
    lines: table.lines.length,
    problems: problems.slice(0, maxProblems),
    problemCount: problems.length,
  }
}

const empty: Readonly<Record<AssetField, string>> = Object.fromEntries(
  assetFields.map((field) => [field, '']),
) as Record<AssetField, string>
/** Longest cell that is compared, characters. */
const cellLength = 500

/** Returns the lines that can be read, as one side of a comparison. */
export function assetsOf({ table, fields }: ReadList): Asset[] {
  return table.lines.flatMap(({ line, cells, problem }): Asset[] => {
    if (problem !== null) return []
    const asset: Asset = { ...empty, key: null, line }
    fields.forEach((field, index) => {
      if (field !== null)
        asset[field] = withoutApostrophe(cells[index] ?? '')
          .trim()
          .slice(0, cellLength)
    })
    return [asset]
  })
}

import { z } from 'zod'

/**
 * What a column of an asset list can be. `place` holds names of a site, room or both in one cell. The first three identify a device,
 * the strongest first.
 */
export const assetFields = [
  'id',
  'serial',
  'mac',
  'name',
  'tenant',
  'site',
  'room',
  'place',
  'model',
  'firmware',
] as const
export const assetField = z.enum(assetFields)
export type AssetField = z.infer<typeof assetField>

/** A device as one side of a comparison has it; '' for what it does not say. */
export const asset = z.object({
  /** Of a device of the fleet; null for a line of a list. */
  key: z.string().nullable(),
  /** The number of the line in its list, as in a spreadsheet; null for a device of the fleet. */
  line: z.number().nullable(),
  id: z.string(),
  serial: z.string(),
  mac: z.string(),
  name: z.string(),
  tenant: z.string(),
  site: z.string(),
  room: z.string(),
  place: z.string(),
  model: z.string(),
  firmware: z.string(),
})
export type Asset = z.infer<typeof asset>

/**
 * How two sides differ. `missing`: on the first side only; `unexpected`: on the second only. `ambiguous`: several could be meant (a row for each
 * of them, with the other side null), or two with one name have different serials or MAC addresses; nothing is guessed. `moved`, `renamed`, `model`, `firmware`: of a device on both sides. `same`: nothing
 * that both sides say differs.
 */
export const differenceKinds = [
  'missing',
  'unexpected',
  'ambiguous',
  'moved',
  'renamed',
  'model',
  'firmware',
  'same',
] as const
export const differenceKind = z.enum(differenceKinds)
export type DifferenceKind = z.infer<typeof differenceKind>

/** By what two sides were matched, the strongest first. `key`: it is the same device of the fleet. */
export const matchKeys = ['key', 'id', 'serial', 'mac', 'name-and-room', 'name-and-site', 'name'] as const
export const matchKey = z.enum(matchKeys)
export type MatchKey = z.infer<typeof matchKey>

export const difference = z.object({
  /** Several where a device differs in several ways. */
  kinds: z.array(differenceKind).min(1),
  by: matchKey.nullable(),
  first: asset.nullable(),
  second: asset.nullable(),
  /** Of an ambiguous one: the number of candidates on each side, and the key that contradicts; null: none does. */
  candidates: z.object({ first: z.number(), second: z.number(), conflict: matchKey.nullable() }).nullable(),
})
export type Difference = z.infer<typeof difference>

const place = z.string().max(2048)

/** What is in a place (a node, or `everything`) now. `name`: of the place, for a kept comparison. */
const presentSide = z.object({ kind: z.literal('place'), place, name: z.string().max(300) })
/** The first side may also be an asset list that was read, or what was in a place at a past time (`at`, ms). */
const firstSide = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('list'), list: z.string().max(64) }),
  presentSide,
  z.object({ kind: z.literal('date'), place, name: z.string().max(300), at: z.number().min(0).max(8.64e15) }),
])
export const comparedSides = z.object({ first: firstSide, second: presentSide })
export type ComparedSides = z.infer<typeof comparedSides>

/** An asset list as it was read. */
export const assetList = z.object({
  list: z.string(),
  /** Of its file. */
  name: z.string(),
  /** Its columns, with a value of each, and what it is taken for; null: nothing. */
  heads: z.array(z.object({ head: z.string(), sample: z.string(), field: assetField.nullable() })),
  lines: z.number(),
  /** The first lines that cannot be read, and how many there are. */
  problems: z.array(z.object({ line: z.number(), problem: z.string() })),
  problemCount: z.number(),
})
export type AssetList = z.infer<typeof assetList>

/** A comparison that the operator keeps, to run it again. Its list is kept with it. */
export const savedComparison = z.object({
  id: z.string().max(64),
  name: z.string().trim().min(1, 'Give it a name.').max(200),
  ...comparedSides.shape,
})
export type SavedComparison = z.infer<typeof savedComparison>
/** As it is kept: with the name of its list and its columns. */
export const keptComparison = savedComparison.extend({
  listName: z.string().nullable(),
  fields: z.array(assetField.nullable()),
})
export type KeptComparison = z.infer<typeof keptComparison>

/** The most comparisons that are kept. */
export const maxComparisons = 50

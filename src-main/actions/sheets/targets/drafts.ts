import { FaultError } from '../../../../src-shared/model/fault.ts'
import {
  maxSentName,
  maxTargets,
  type ActionRequest,
  type DeviceValues,
  type Obstacle,
  type Targets,
} from '../../../../src-shared/model/jobs.ts'
import { cellText } from '../../../../src-shared/text/csv.ts'
import type { ActionDevice } from '../../../inventory/thread/job-protocol.ts'
import type { InventoryData } from '../../../inventory/thread/protocol.ts'
import { readUpdate, type UpdateLine } from './csv.ts'
import { readPattern, sentName } from './pattern.ts'
import { knownPlaces, placeChange } from './places.ts'

/** A device of a sheet and what is wanted of it, before anything is known of its connection. */
export interface Draft {
  /** Null where no such device is known: then the key or the id that was given is its name. */
  device: ActionDevice | null
  name: string
  key: string
  line: number | null
  after: DeviceValues
  /** What stands in the way, whatever its connection is. */
  obstacles: Obstacle[]
}

export type DraftData = Pick<InventoryData, 'actionDevices' | 'actionPlaces'>
export type DeviceRequest = Exclude<ActionRequest, { kind: 'site' | 'room' }>

/** Returns the devices of a request, and the heads of its CSV file that are ignored. Throws a fault of kind `input`. */
export async function draftsOf(
  data: DraftData,
  request: DeviceRequest,
  now: number,
): Promise<{ drafts: Draft[]; ignored: string[] }> {
  switch (request.kind) {
    case 'reboot':
      return { drafts: await targetDrafts(data, request.targets, now), ignored: [] }
    case 'rename': {
      const pattern = readPattern(request.pattern)
      const drafts = await targetDrafts(data, request.targets, now)
      let position = 0
      for (const draft of drafts) if (draft.device !== null) setName(draft, pattern(draft.device, (position += 1)))
      return { drafts, ignored: [] }
    }
    case 'move': {
      const drafts = await targetDrafts(data, request.targets, now)
      await setPlaces(data, drafts, () => request, false)
      return { drafts, ignored: [] }
    }
    case 'update':
      return updateDrafts(data, request.text, now)
  }
}

export const draftOf = (device: ActionDevice): Draft => ({
  device,
  name: device.name,
  key: device.key,
  line: null,
  after: {},
  obstacles: [],
})

const goneDraft = (key: string, name: string): Draft => ({
  device: null,
  name,
  key,
  line: null,
  after: {},
  obstacles: ['gone'],
})

async function targetDrafts(data: DraftData, targets: Targets, now: number): Promise<Draft[]> {
  if ('keys' in targets) return keyDrafts(data, [...new Set(targets.keys)], now)
  const { total, devices } = await data.actionDevices({ of: { query: targets.query }, limit: maxTargets, now })
  if (total > maxTargets)
    throw new FaultError(
      'input',
      `targets: These are ${inText(total)} devices, and a job acts on at most ${inText(maxTargets)}. Choose fewer.`,
    )
  return devices.map(draftOf)
}

const inText = (count: number) => count.toLocaleString('en-US')

/** Returns a draft for each key, in their order. */
export async function keyDrafts(
  data: Pick<InventoryData, 'actionDevices'>,
  keys: readonly string[],
  now: number,
): Promise<Draft[]> {
  const { devices } = await data.actionDevices({ of: { keys: [...keys] }, limit: keys.length, now })
  const byKey = new Map(devices.map((device) => [device.key, device]))
  return keys.map((key) => {
    const device = byKey.get(key)
    return device === undefined ? goneDraft(key, idIn(key)) : draftOf(device)
  })
}

/** Returns the device's id in a key; the key itself where it has none. */
function idIn(key: string): string {
  try {
    return decodeURIComponent(key.slice(key.lastIndexOf('/') + 1)) || key
  } catch {
    return key
  }
}

/** Sets the new name of a draft, with what stands in its way. */
export function setName(draft: Draft, name: string): void {
  draft.after = { ...draft.after, name }
  if (name === '') draft.obstacles.push('empty')
  if (name.length > maxSentName) draft.obstacles.push('too-long')
}

/** Sets where the devices go. `wantedOf`: ids, or with `byName` ids or names; null: nothing of this device. */
export async function setPlaces(
  data: DraftData,
  drafts: readonly Draft[],
  wantedOf: (draft: Draft) => { site?: string | null | undefined; room?: string | null | undefined } | null,
  byName: boolean,
): Promise<void> {
  const wanted = drafts.map((draft) => (draft.device === null ? null : wantedOf(draft)))
  const places = await knownPlaces(
    data,
    drafts.flatMap(({ device }) => device?.tenant.key ?? []),
    wanted.flatMap((each) => [each?.site, each?.room]),
    byName,
  )
  for (const [at, draft] of drafts.entries()) {
    const [device, to] = [draft.device, wanted[at]]
    if (device === null || to === null || to === undefined) continue
    const found = places.find(device.tenant.key, to)
    if ('obstacle' in found) draft.obstacles.push(found.obstacle)
    else draft.after = { ...draft.after, ...placeChange(device, found) }
  }
}

async function updateDrafts(
  data: DraftData,
  text: string,
  now: number,
): Promise<{ drafts: Draft[]; ignored: string[] }> {
  const { lines, ignored } = readUpdate(text)
  const find = await finder(data, lines, now)
  const seen = new Set<string>()
  const byDraft = new Map<Draft, UpdateLine>()
  for (const line of lines) {
    const draft: Draft = { ...find(line), line: line.line }
    byDraft.set(draft, line)
    if (draft.device === null) continue
    if (seen.has(draft.key)) draft.obstacles.push('duplicate')
    seen.add(draft.key)
    if (line.name !== '') setName(draft, readName(line.name, draft.device))
  }
  const drafts = [...byDraft.keys()]
  await setPlaces(
    data,
    drafts,
    (draft) => {
      const line = byDraft.get(draft)
      if (line === undefined || (line.site === '' && line.room === '')) return null
      return { site: line.site || undefined, room: line.room || undefined }
    },
    true,
  )
  return { drafts, ignored }
}

/** Returns how the device of a line is found: by its key, or else by its id where only one device has it. */
async function finder(
  data: Pick<InventoryData, 'actionDevices'>,
  lines: readonly UpdateLine[],
  now: number,
): Promise<(line: UpdateLine) => Draft> {
  const keys = [...new Set(lines.flatMap(({ key }) => (key === '' ? [] : key)))]
  const ids = [...new Set(lines.flatMap(({ key, id }) => (key !== '' || id === '' ? [] : id)))]
  const byKey = new Map((await keyDrafts(data, keys, now)).map((draft) => [draft.key, draft]))
  const { devices } = await data.actionDevices({ of: { ids }, limit: 2 * ids.length, now })
  const byId = Map.groupBy(devices, ({ id }) => id)
  return ({ key, id }) => {
    const known = byKey.get(key)
    if (known !== undefined) return { ...known, obstacles: [...known.obstacles] }
    const [device, ...others] = byId.get(id) ?? []
    if (device === undefined) return goneDraft('', id)
    return others.length === 0 ? draftOf(device) : { ...goneDraft('', id), obstacles: ['ambiguous'] }
  }
}

/**
 * Returns the name of a cell. An export writes a name with direction marks contained, and white space around it is not
 * read: the cell of the name that the device has is that name.
 */
const readName = (cell: string, { name }: ActionDevice): string =>
  cell === cellText(name).trim() || cell === name.trim() ? name : sentName(cell)

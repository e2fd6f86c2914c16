import type { CallInput, CallOutput } from '../../../../src-shared/contract/contract.ts'
import {
  compareVersions,
  familyColumns,
  firmwareColumns,
  type FirmwareTarget,
} from '../../../../src-shared/model/firmware.ts'
import { at, sharedTextAt, textAt } from '../../engine/columns/columns.ts'
import { type ExtraValues, nullValue, unread, valueAt } from '../../engine/columns/extras.ts'
import type { Inventory } from '../../engine/inventory.ts'
import { isPlaceless, type Place, titleOf } from '../../engine/places.ts'
import type { Store } from '../../store.ts'
import { dayMs } from '../../../storage/journal/day-states.ts'
import type { VersionCount } from '../../../storage/journal/firmware-days.ts'

/** Most models, versions of one, and sites that are told. */
const [maxModels, maxVersions, maxSites] = [500, 100, 20]

function loaded({ extras }: Inventory, names: readonly string[]): ExtraValues | null {
  for (const name of names) {
    const column = extras.columns.get(name)
    if (column !== undefined) return column
  }
  return null
}

/** Returns the text of a column in a row; '' where it was not read, and where there is none. */
function textOf(column: ExtraValues | null, slot: number): string {
  if (column === null) return ''
  const value = valueAt(column, slot)
  return value === unread || value === nullValue ? '' : textAt(column.texts, value)
}

interface ModelCount {
  family: string
  model: string
  devices: number
  unread: number
  versions: Map<string, number>
}

/** Counts the versions of each model. */
function countedModels(inventory: Inventory): Map<string, ModelCount> {
  const { rows } = inventory
  const [firmware, family] = [loaded(inventory, firmwareColumns), loaded(inventory, familyColumns)]
  const models = new Map<string, ModelCount>()
  for (let slot = 0; slot < rows.top; slot += 1) {
    if (rows.alive[slot] !== 1) continue
    const model = sharedTextAt(rows.texts.hardwareModel, slot)
    let counted = models.get(model)
    if (counted === undefined) {
      counted = { family: textOf(family, slot), model, devices: 0, unread: 0, versions: new Map() }
      models.set(model, counted)
    }
    counted.devices += 1
    const version = textOf(firmware, slot)
    if (version === '') counted.unread += 1
    else counted.versions.set(version, (counted.versions.get(version) ?? 0) + 1)
  }
  return models
}

/** Answers `firmware.read`. */
export function firmwareOf(
  { inventory }: Pick<Store, 'inventory'>,
  targets: readonly FirmwareTarget[],
): CallOutput<'firmware.read'> {
  const targetOf = new Map(targets.map(({ model, version }) => [model, version]))
  const models = [...countedModels(inventory).values()].sort(
    (one, other) => other.devices - one.devices || (one.model < other.model ? -1 : 1),
  )
  return {
    column: loaded(inventory, firmwareColumns)?.name ?? null,
    devices: inventory.rows.count,
    models: models.slice(0, maxModels).map(({ versions, ...model }) => {
      const target = targetOf.get(model.model) ?? null
      const all = [...versions]
        .map(([version, devices]) => ({ version, devices }))
        .sort((one, other) => compareVersions(other.version, one.version))
      return {
        ...model,
        target,
        behind: target === null ? null : behindOf(all, target),
        versions: all.slice(0, maxVersions),
        versionsLeftOut: Math.max(0, all.length - maxVersions),
      }
    }),
    modelsLeftOut: Math.max(0, models.length - maxModels),
  }
}

const behindOf = (versions: readonly { version: string; devices: number }[], target: string): number =>
  versions.reduce((sum, { version, devices }) => sum + (compareVersions(version, target) < 0 ? devices : 0), 0)

/** Returns a test of whether a row has a lower version than the target of its model; null: it has no target, or its version is not known. */
export function targetTest(inventory: Inventory, targets: readonly FirmwareTarget[]): (slot: number) => boolean | null {
  const { rows } = inventory
  const firmware = loaded(inventory, firmwareColumns)
  const targetOf = new Map(targets.map(({ model, version }) => [model, version]))
  // Few versions, and many rows.
  const known = new Map<string, boolean>()
  return (slot) => {
    const target = targetOf.size === 0 ? undefined : targetOf.get(sharedTextAt(rows.texts.hardwareModel, slot))
    const version = target === undefined ? '' : textOf(firmware, slot)
    if (target === undefined || version === '') return null
    const key = `${version}\n${target}`
    const behind = known.get(key) ?? compareVersions(version, target) < 0
    known.set(key, behind)
    return behind
  }
}

/** Answers `firmware.progress`. */
export function firmwareProgress(
  { inventory, journal }: Pick<Store, 'inventory' | 'journal'>,
  { model, version }: CallInput<'firmware.progress'>,
): CallOutput<'firmware.progress'> {
  const { rows, places } = inventory
  const firmware = loaded(inventory, firmwareColumns)
  const sites = new Map<Place, number>()
  let [reached, behind] = [0, 0]
  for (let slot = 0; slot < rows.top; slot += 1) {
    if (rows.alive[slot] !== 1 || sharedTextAt(rows.texts.hardwareModel, slot) !== model) continue
    const its = textOf(firmware, slot)
    if (its === '') continue
    if (compareVersions(its, version) >= 0) reached += 1
    else {
      behind += 1
      const site = places.byIndex[at(rows.room, slot)]?.parent ?? null
      if (site !== null) sites.set(site, (sites.get(site) ?? 0) + 1)
    }
  }
  return {
    reached,
    behind,
    sites: [...sites]
      .sort(([, one], [, other]) => other - one)
      .slice(0, maxSites)
      .map(([site, count]) => ({
        id: site.id,
        name: isPlaceless(site) ? 'No site' : titleOf(places, site),
        tenant: site.tenant?.name ?? '',
        behind: count,
      })),
    days: daysOf(journal.firmwareDays.of(model), version),
  }
}

function daysOf(
  counts: readonly { day: number; version: string; devices: number }[],
  version: string,
): CallOutput<'firmware.progress'>['days'] {
  const days = new Map<number, { day: number; reached: number; read: number }>()
  for (const { day, version: its, devices } of counts) {
    const of = days.get(day) ?? { day: day * dayMs, reached: 0, read: 0 }
    days.set(day, of)
    of.read += devices
    if (compareVersions(its, version) >= 0) of.reached += devices
  }
  return [...days.values()]
}

/** Returns a function that tells the firmware of a row, '' where it is not known; null while no column has it. */
export function versionReader(inventory: Inventory): ((slot: number) => string) | null {
  const firmware = loaded(inventory, firmwareColumns)
  return firmware === null ? null : (slot) => textOf(firmware, slot)
}

/** Records how many devices have which firmware today. */
export function recordFirmwareDay({ inventory, journal }: Pick<Store, 'inventory' | 'journal'>, now: number): void {
  const counts: VersionCount[] = []
  for (const { model, versions } of countedModels(inventory).values())
    for (const [version, devices] of versions) counts.push({ model, version, devices })
  if (counts.length > 0) journal.firmwareDays.write(Math.floor(now / dayMs), counts)
}

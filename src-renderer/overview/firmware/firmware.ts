import type { CallOutput } from '../../../src-shared/contract/contract.ts'
import { amountOf, printFilter, type Term } from '../../../src-shared/filter/filter.ts'
import type { FirmwareTarget } from '../../../src-shared/model/firmware.ts'
import { percentText } from '../../../src-shared/text/counts.ts'

export type FirmwareModel = CallOutput<'firmware.read'>['models'][number]

/** Returns the share of a model's devices with a known version that have its target or a higher one; null without either. */
export function shareOf({ devices, unread, behind }: FirmwareModel): number | null {
  const known = devices - unread
  return behind === null || known === 0 ? null : (known - behind) / known
}

/** Returns the targets with another one for a model; null: none. */
export function withTarget(
  targets: readonly FirmwareTarget[],
  model: string,
  version: string | null,
): FirmwareTarget[] {
  const others = targets.filter((target) => target.model !== model)
  return version === null ? others : [...others, { model, version }]
}

/** Returns a share as text: nothing but all of it is 100 %. */
export const shareText = (share: number): string => percentText(Math.floor(share * 1000) / 10)

const ofModel = (model: string): Term => ({
  kind: 'match',
  not: false,
  field: 'hardwareModel',
  how: 'is',
  values: [model === '' ? null : [model]],
})

/** Returns the filter for the devices of a model with a version. */
export const filterOf = (model: string, column: string, version: string): string =>
  printFilter([ofModel(model), { kind: 'match', not: false, field: `extra:${column}`, how: 'is', values: [[version]] }])

/** Returns the filter for the devices of a model with a lower version than its target. */
export const filterBehind = (model: string, column: string, target: string): string =>
  printFilter([
    ofModel(model),
    { kind: 'compare', not: false, field: `extra:${column}`, operator: '<', amount: amountOf(target) },
  ])

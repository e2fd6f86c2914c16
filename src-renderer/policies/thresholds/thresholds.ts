import { nodeThresholds, type NodeThresholds, type Policies } from '../../../src-shared/model/incidents.ts'
import type { Settings } from '../../../src-shared/model/settings.ts'
import {
  numberSettings,
  type NumberSettingName,
  type NumberSettingInfo,
} from '../../settings/fields/number-settings.ts'
import { numberProblem } from '../../settings/fields/rows.tsx'
import { numberText as written } from '../../lib/format/numbers.ts'
import type { Place } from '../place/place.ts'

/** An inherited threshold: its value and the place that set it; null for the settings. */
export interface Inherited {
  value: number
  from: string | null
}

/** Returns the threshold of the nearest place above that sets it, or else the settings'. */
export function inheritedThreshold(
  setting: NumberSettingName,
  { path }: Pick<Place, 'path'>,
  policies: Policies,
  settings: Settings,
): Inherited {
  for (const node of path.slice(1)) {
    const configured = policies.thresholds.find((each) => each.node === node)
    const value = configured?.thresholds[setting]
    if (configured !== undefined && value !== undefined) return { value, from: configured.nodeName }
  }
  return { value: settings[setting], from: null }
}

/** Returns for example "90 seconds, from the settings". */
export function inheritedText({ value, from }: Inherited, { unit }: NumberSettingInfo): string {
  return `${written(value)} ${unit}, from ${from ?? 'the settings'}`
}

/** The input of each threshold; '' inherits. */
export type ThresholdTexts = Readonly<Record<NumberSettingName, string>>

export function textsOf(rules: NodeThresholds): ThresholdTexts {
  return Object.fromEntries(
    numberSettings.map(({ setting }) => [setting, rules[setting] === undefined ? '' : String(rules[setting])]),
  ) as Record<NumberSettingName, string>
}

/** Returns the thresholds, or the errors by threshold. */
export function thresholdsOf(texts: ThresholdTexts): {
  rules: NodeThresholds
  problems: ReadonlyMap<NumberSettingName, string>
} {
  const problems = new Map<NumberSettingName, string>()
  const typed = numberSettings.filter(({ setting }) => texts[setting].trim() !== '')
  for (const threshold of typed) {
    const problem = numberProblem(texts[threshold.setting], threshold)
    if (problem !== null) problems.set(threshold.setting, problem)
  }
  return {
    rules:
      problems.size > 0
        ? {}
        : nodeThresholds.parse(Object.fromEntries(typed.map(({ setting }) => [setting, Number(texts[setting])]))),
    problems,
  }
}

/** Returns a place's thresholds as text, for example "Alert delay: 20 seconds". */
export function setText(rules: NodeThresholds): readonly string[] {
  return numberSettings.flatMap(({ setting, name, unit }) =>
    rules[setting] === undefined ? [] : [`${name}: ${written(rules[setting])} ${unit}`],
  )
}

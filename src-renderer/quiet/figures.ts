import { nodeRules, type NodeRules, type Policies } from '../../src-shared/incidents.ts'
import type { Settings } from '../../src-shared/settings.ts'
import { figures, type Figure, type FigureSetting } from '../settings/figures.ts'
import { numberProblem } from '../settings/rows.tsx'
import { figure as written } from '../words/numbers.ts'
import type { Place } from './place.ts'

/** What a figure is where nothing is set: the value, and the place that set it; null: the settings. */
export interface Inherited {
  value: number
  from: string | null
}

/** The nearest place above that lays a figure down decides it, else the settings. */
export function inheritedFigure(
  setting: Figure,
  { path }: Pick<Place, 'path'>,
  policies: Policies,
  settings: Settings,
): Inherited {
  for (const node of path.slice(1)) {
    const laid = policies.rules.find((each) => each.node === node)
    const value = laid?.rules[setting]
    if (laid !== undefined && value !== undefined) return { value, from: laid.nodeName }
  }
  return { value: settings[setting], from: null }
}

/** "90 seconds, from the settings". */
export function inheritedWords({ value, from }: Inherited, { unit }: FigureSetting): string {
  return `${written(value)} ${unit}, from ${from ?? 'the settings'}`
}

/** What was typed for each figure; '' inherits. */
export type FigureTexts = Readonly<Record<Figure, string>>

export function textsOf(rules: NodeRules): FigureTexts {
  return Object.fromEntries(
    figures.map(({ setting }) => [setting, rules[setting] === undefined ? '' : String(rules[setting])]),
  ) as Record<Figure, string>
}

/** The figures that are meant, or what is wrong with which. */
export function rulesOf(texts: FigureTexts): { rules: NodeRules; problems: ReadonlyMap<Figure, string> } {
  const problems = new Map<Figure, string>()
  const typed = figures.filter(({ setting }) => texts[setting].trim() !== '')
  for (const figure of typed) {
    const problem = numberProblem(texts[figure.setting], figure)
    if (problem !== null) problems.set(figure.setting, problem)
  }
  return {
    rules:
      problems.size > 0
        ? {}
        : nodeRules.parse(Object.fromEntries(typed.map(({ setting }) => [setting, Number(texts[setting])]))),
    problems,
  }
}

/** What is set at a place in a line: "Alert delay: 20 seconds". */
export function setWords(rules: NodeRules): readonly string[] {
  return figures.flatMap(({ setting, name, unit }) =>
    rules[setting] === undefined ? [] : [`${name}: ${written(rules[setting])} ${unit}`],
  )
}

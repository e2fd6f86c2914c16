import type { ReactNode } from 'react'
import type { Settings } from '../../../src-shared/model/settings.ts'
import { SharedMark } from '../../team/shared-mark.tsx'

/** The settings that change where they are used; all others are on this screen. */
const elsewhere = [
  'treeSort',
  'showEmptyPlaces',
  'columns',
  'watched',
  'filterHistory',
  'reportLocale',
  'reportWords',
  'reportLogo',
  'reportSchedules',
] as const satisfies readonly (keyof Settings)[]
type Own = Exclude<keyof Settings, (typeof elsewhere)[number]>

/** Returns the names of the settings on this screen. */
export const ownSettings = (defaults: Settings): readonly Own[] =>
  (Object.keys(defaults) as (keyof Settings)[]).filter((name) => !elsewhere.some((other) => other === name)) as Own[]

/** The properties that each group of settings needs. */
export interface Parts {
  settings: Settings
  defaults: Settings
  coreLost: boolean
  change: (part: Partial<Settings>) => void
}

/** Returns whether a setting has its default value; lists are compared by content. */
export function isDefault(settings: Settings, defaults: Settings, name: Own): boolean {
  return JSON.stringify(settings[name]) === JSON.stringify(defaults[name])
}

/** Returns the properties of a setting's row, beside its control. */
export function rowOf({ settings, defaults, coreLost, change }: Parts, name: Own, words: string) {
  return {
    defaultText: isDefault(settings, defaults, name) ? null : words,
    disabled: coreLost,
    onReset: () => change({ [name]: defaults[name] }),
  }
}

interface GroupProps {
  name: string
  /** Id for links to it. */
  id?: string
  /** In a team, all members have all of these settings in common. */
  shared?: boolean
  children: ReactNode
}

export function Group({ name, id, shared = false, children }: GroupProps) {
  return (
    <section className="settings-group" id={id} aria-label={name}>
      <h2 tabIndex={-1}>{name}</h2>
      {shared && <SharedMark />}
      {children}
    </section>
  )
}

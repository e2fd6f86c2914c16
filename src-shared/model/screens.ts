/** The rooms of the window, in the order of its rail. */
export const screens = ['inventory', 'incidents', 'connections', 'diagnostics', 'settings'] as const
export type Screen = (typeof screens)[number]

/** Parts of the settings that something else leads to. */
export const settingsSections = ['points', 'network', 'updates'] as const
export type SettingsSection = (typeof settingsSections)[number]

/** The rooms of the window, in the order of its rail. */
export const rooms = ['inventory', 'incidents', 'connections', 'diagnostics', 'settings'] as const
export type Room = (typeof rooms)[number]

/** Parts of the settings that something else leads to. */
export const settingsParts = ['points', 'network', 'updates'] as const
export type SettingsPart = (typeof settingsParts)[number]

/** The rooms of the window, in the order of its rail. */
export const rooms = ['inventory', 'incidents', 'connections', 'diagnostics', 'settings'] as const
export type Room = (typeof rooms)[number]

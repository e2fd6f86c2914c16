import { z } from 'zod'
import { notification } from '../model/inventory.ts'

/** The screens of the window, in the order of its rail. */
export const screens = [
  'overview',
  'inventory',
  'incidents',
  'changes',
  'actions',
  'query',
  'connections',
  'diagnostics',
  'settings',
] as const
export type Screen = (typeof screens)[number]

/** Sections of the settings that other screens lead to. */
export const settingsSections = ['points', 'network', 'updates'] as const
export type SettingsSection = (typeof settingsSections)[number]

/** Dialogs that a link may open: the form of a new connection, or the import of connections. */
export const addings = ['connection', 'import'] as const
export type Adding = (typeof addings)[number]

/**
 * The target that the window opens after a click on a notification, in the tray or the menu, or for a link. `seek`: the
 * operator's intent with the incident. `screen`: only that screen, in its present state. `place`: the
 * page of this tenant, account or site (its node), with the screen `overview`. `past`: that screen at a past time (ms). `wall`: the wall display in place of everything. `section`: this section of the settings. `dialog`: only that dialog, over the present screen. `operation`, `query`: a saved operation by its id, or a text with
 * variables, for a new tab of the query screen.
 */
export const openRequest = notification.shape.open.extend({
  seek: z.enum(['acknowledge', 'why']).optional(),
  screen: z.enum(screens).optional(),
  place: z.string().optional(),
  past: z.number().optional(),
  wall: z.literal(true).optional(),
  section: z.enum(settingsSections).optional(),
  dialog: z.enum(['keys', ...addings]).optional(),
  operation: z.string().optional(),
  query: z.object({ document: z.string(), variables: z.string() }).optional(),
})
export type OpenRequest = z.infer<typeof openRequest>

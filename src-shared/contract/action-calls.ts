import { z } from 'zod'
import { actionsState, expectedReboot } from '../model/jobs.ts'

const key = z.string().max(2048)

/**
 * The calls about actions on devices and places, a part of the contract (contract.ts). `actions.arm` fails with a fault
 * of kind `actions-off` where actions are off (invariant 16).
 */
export const actionCalls = {
  'actions.state': { input: z.object({}), output: actionsState },
  /** Arms a tenant for `armedMs`; every use extends it. */
  'actions.arm': { input: z.object({ tenant: key }), output: z.object({ until: z.number() }) },
  /** Locks a tenant; without `tenant` all. Confirmed jobs continue. */
  'actions.lock': { input: z.object({ tenant: key.optional() }), output: z.object({}) },
  /** Returns the reboot of a device whose drop is expected now; null: none. It changes only with a job of `actions.state`. */
  'actions.expected': {
    input: z.object({ device: key }),
    output: z.object({ reboot: expectedReboot.nullable() }),
  },
} as const

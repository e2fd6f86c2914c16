import { z } from 'zod'

const device = z.string().max(1_000)

/** `cost`: likely points of one press. `offered`: null where it is not known, because the service does not tell its schema. */
const section = z.object({ offered: z.boolean().nullable(), points: z.number() })

/** The charts that a service may have, by the topics that are known; a service documents no list of them. */
export const chartTopics = ['callDuration', 'deviceUptime', 'connectedDevices'] as const
export const chartSpans = ['WEEK', 'MONTH'] as const

export const levels = ['DEVICE', 'SITE', 'DEVICE_MODEL', 'GLOBAL'] as const

/** A call of the device. Times in ms; null: not told. */
export const callRecord = z.object({
  startTime: z.number().nullable(),
  endTime: z.number().nullable(),
  direction: z.string(),
  protocol: z.string(),
  remoteParty: z.string(),
  disconnectInfo: z.string(),
  rate: z.string(),
})
export type CallRecord = z.infer<typeof callRecord>

export const chartSeries = z.object({
  name: z.string(),
  unit: z.string(),
  points: z.array(z.object({ at: z.number(), value: z.number() })),
})
export type ChartSeries = z.infer<typeof chartSeries>

/**
 * The calls about configuration and analytics of one device (service-spec.md, section 1; service-twin.md, sections 9 and 11): a part
 * of the contract. Each read is sent on a person's request alone, and nothing of it is kept. They fail with `input` where no running
 * connection lists the device, and as the service does.
 */
export const configurationCalls = {
  /** Returns what the service of a device offers, and what reading it costs. Sends nothing. */
  'configuration.offered': {
    input: z.object({ device }),
    output: z.object({ settings: section, calls: section, chart: section }),
  },
  /** Reads the names of the settings with the policies that set them: no value. `failed`: levels that could not be read, and why. */
  'configuration.settings': {
    input: z.object({ device }),
    output: z.object({
      settings: z.array(z.object({ name: z.string(), policy: z.string(), level: z.enum(levels) })),
      failed: z.array(z.object({ level: z.enum(levels), detail: z.string() })),
    }),
  },
  /** Reads the value of one setting, which may be a password. Null: the service has none. */
  'configuration.value': {
    input: z.object({ device, policy: z.string().max(500), name: z.string().max(500) }),
    output: z.object({ value: z.string().nullable() }),
  },
  /**
   * Reads call records of the last `days` days of the device's tenant, as the service lists them, and returns those of the device.
   * `read`: how many were read. `next`: where to read on (`after`); null: all were read.
   */
  'configuration.calls': {
    input: z.object({ device, days: z.int().min(1).max(31), after: z.string().max(500).nullable() }),
    output: z.object({ records: z.array(callRecord), read: z.number(), next: z.string().nullable() }),
  },
  /** Reads a chart up to today. `text`: what the service sent, where Muster does not understand it as series; null otherwise. */
  'configuration.chart': {
    input: z.object({ device, topic: z.string().min(1).max(100), span: z.enum(chartSpans) }),
    output: z.object({ series: z.array(chartSeries), text: z.string().nullable() }),
  },
}

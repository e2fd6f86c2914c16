import type { Device } from './device.ts'
import { startRandom, type Random } from './random.ts'

/** A setting of a device: its name, its value, and the level of the policy that sets it. */
export type Setting = { name: string; value: string; scope: PolicyScope }

/** Levels of policies that this world has, the one that wins first (twin section 9). */
export const policyScopes = ['DEVICE', 'SITE', 'DEVICE_MODEL', 'GLOBAL'] as const
export type PolicyScope = (typeof policyScopes)[number]

/** Settings by the level that sets them. Some values are secrets, as in the twin: they come back in clear. */
const settings: readonly [scope: PolicyScope, name: string, value: (device: Device, random: Random) => string][] = [
  ['DEVICE', 'device.local.adminPassword', (_device, random) => `Pw-${random.hex(12)}`],
  ['DEVICE', 'device.local.contactName', ({ user }) => user?.name ?? ''],
  ['DEVICE', 'video.camera.autoTracking', (_device, random) => String(random.chance(0.7))],
  ['DEVICE', 'call.autoAnswer', (_device, random) => String(random.chance(0.2))],
  ['SITE', 'network.wifi.ssid', ({ site }) => `${site?.name ?? 'Office'}-Rooms`],
  ['SITE', 'network.wifi.preSharedKey', (_device, random) => `Key-${random.hex(20)}`],
  ['SITE', 'time.timeZone', (_device, random) => random.pick(['Europe/Berlin', 'America/New_York', 'Asia/Tokyo'])],
  ['DEVICE_MODEL', 'software.updateWindow', () => '02:00-04:00'],
  ['DEVICE_MODEL', 'display.screenTimeoutMinutes', (_device, random) => String(random.pick([5, 15, 30]))],
  ['GLOBAL', 'network.ntp.server', () => 'time.example.net'],
  ['GLOBAL', 'provisioning.snmp.community', (_device, random) => `Com-${random.hex(10)}`],
  ['GLOBAL', 'web.interfaceEnabled', () => 'false'],
]

/** Returns the thing that a level sets settings of; null where the device has none (a device without a site). */
export function policyKey(device: Device, scope: PolicyScope): string | null {
  if (scope === 'DEVICE') return device.id
  if (scope === 'SITE') return device.site?.id ?? null
  return scope === 'DEVICE_MODEL' ? device.hardwareModel : device.tenantId
}

/** Returns the settings of a device; the same in each call, and the same for all devices that share a level. */
export function settingsOf(device: Device): Setting[] {
  return settings.flatMap(([scope, name, value]) => {
    const key = policyKey(device, scope)
    return key === null
      ? []
      : [{ name, scope, value: value(device, startRandom(seedOf(`${name} ${key} ${device.tenantId}`))) }]
  })
}

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** A call of a device. Times: milliseconds since 1970. */
export type CallRecord = {
  startTime: number
  endTime: number
  callDirection: string
  protocol: string
  disconnectInfo: string
  remoteParty: string
  callRate: string
}

/** Returns the calls that a device began on the UTC days from `from` up to `to`, the oldest first; at most four a day. */
export function callsOf(device: Device, from: number, to: number): CallRecord[] {
  const calls: CallRecord[] = []
  // A controller or a sensor makes no calls.
  if (device.callStatus === 'UNSUPPORTED') return calls
  for (let day = Math.floor(from / DAY) * DAY; day < to; day += DAY) {
    const random = startRandom(seedOf(`${device.id} ${day}`))
    const starts = Array.from({ length: random.int(0, 4) }, () => day + random.int(7 * 60, 18 * 60) * 60_000)
    for (const startTime of starts.toSorted((one, other) => one - other)) {
      const endTime = startTime + random.int(1, 90) * 60_000
      if (startTime < from || endTime > to) continue
      calls.push({
        startTime,
        endTime,
        callDirection: random.pick(['INCOMING', 'OUTGOING']),
        protocol: random.pick(['SIP', 'TEAMS', 'ZOOM']),
        disconnectInfo: random.pick(['LOCAL_HANGUP', 'REMOTE_HANGUP', 'NETWORK_ERROR']),
        remoteParty: `room-${random.int(100, 999)}@example.com`,
        callRate: random.pick(['1024', '2048', '4096']),
      })
    }
  }
  return calls
}

/** The charts of this world, by topic, with their unit. */
export const chartTopics: Readonly<Record<string, string>> = {
  callDuration: 'minutes',
  deviceUptime: 'percent',
  connectedDevices: 'devices',
}

/** Returns the values of a chart for the days from `start`, one a day. */
export function chartOf(topic: string, id: string, start: number, days: number): { at: number; value: number }[] {
  return Array.from({ length: days }, (_each, index) => {
    const at = start + index * DAY
    const random = startRandom(seedOf(`${topic} ${id} ${at}`))
    const value =
      topic === 'deviceUptime' ? random.int(880, 1000) / 10 : random.int(0, topic === 'callDuration' ? 300 : 50)
    return { at, value }
  })
}

/** Returns a seed for a text (FNV-1a). */
function seedOf(text: string): number {
  let seed = 2_166_136_261
  for (let at = 0; at < text.length; at += 1) seed = Math.imul(seed ^ text.charCodeAt(at), 16_777_619)
  return seed >>> 0
}

import type { WebSocketClass } from '../../../src-main/ports.ts'
import type { Viewer } from './answers.ts'
import type { Far, FarSocket } from './far.ts'
import { saysOnline, type Device } from './fleet.ts'
import type { Guest } from './guest.ts'
import { lag } from './weather.ts'

interface Message {
  type: string
  id?: string
  payload?: { variables?: { deviceIds?: string[] } }
}

/** The console's end of a socket. */
export interface Near {
  readyState: number
  onopen: (() => void) | null
  onmessage: ((event: { data: string }) => void) | null
  onerror: ((error: Error) => void) | null
  onclose: ((event: { code: number; reason: string }) => void) | null
  send(text: string): void
  close(): void
}

const ackWithinMs = 10_000

/** A WebSocket class that ends at the service. */
export function dialFor(far: Far, guest: Guest, viewer: Viewer, onFault: (thrown: unknown) => void): WebSocketClass {
  const construct = function () {
    return connect(far, guest, viewer, onFault)
  }
  return Object.assign(construct, { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 }) as unknown as WebSocketClass
}

interface Wire {
  far: Far
  guest: Guest
  viewer: Viewer
  near: Near
  isOpen: boolean
  isStalled: boolean
  isAcknowledged: boolean
  /** Messages arrive in the order of sending; events only in the order of their device. */
  upTo: number
  downTo: number
  eventsTo: Map<string, number>
  subscriptions: Map<string, ReadonlySet<string>>
  socket: FarSocket
}

function connect(far: Far, guest: Guest, viewer: Viewer, onFault: (thrown: unknown) => void): Near {
  const near: Near = {
    readyState: 0,
    onopen: null,
    onmessage: null,
    onerror: null,
    onclose: null,
    send: (text) => up(wire, text),
    close: () => forget(wire),
  }
  const socket: FarSocket = {
    tell: (device, word) => tell(wire, device, word),
    cut: (code) => cut(wire, code),
    stall: () => stall(wire),
    complete: () => complete(wire),
  }
  const wire: Wire = {
    far,
    guest,
    viewer,
    near,
    socket,
    isOpen: true,
    isStalled: false,
    isAcknowledged: false,
    upTo: 0,
    downTo: 0,
    eventsTo: new Map(),
    subscriptions: new Map(),
  }
  far.sockets.add(socket)
  const { blocks, draws } = far.weather
  if (blocks === 'is deaf') stall(wire)
  if (blocks === 'cuts') far.clock.after(draws.of([500, 3_000, 20_000, 50_000]), () => cut(wire, 4500))
  if (far.weather.down || blocks === 'refuses') {
    far.clock.after(lag(far.weather), () => {
      if (!guest.isDead()) onFault(new Error('down'))
      cut(wire, 1006)
    })
  } else far.clock.after(lag(far.weather), () => opened(wire))
  return near
}

function forget(wire: Wire): void {
  wire.isOpen = false
  wire.near.readyState = 3
  wire.far.sockets.delete(wire.socket)
}

function opened(wire: Wire): void {
  if (!wire.isOpen || wire.isStalled) return
  wire.near.readyState = 1
  wire.near.onopen?.()
}

function cut(wire: Wire, code: number): void {
  if (!wire.isOpen) return
  forget(wire)
  wire.near.onerror?.(new Error('cut'))
  wire.near.onclose?.({ code, reason: '' })
}

/** Timeouts of opening and acknowledgement run by a clock that the story does not turn (graphql-ws): they are fired here. */
function stall(wire: Wire): void {
  wire.isStalled = true
  if (!wire.isAcknowledged) wire.far.clock.after(ackWithinMs, () => cut(wire, 1006))
}

function complete(wire: Wire): void {
  const [id] = wire.subscriptions.keys()
  if (id === undefined) return
  wire.subscriptions.delete(id)
  down(wire, { type: 'complete', id })
}

function up(wire: Wire, text: string): void {
  const {
    far: { clock, weather },
  } = wire
  wire.upTo = Math.max(wire.upTo, clock.monotonic() + lag(weather))
  clock.after(wire.upTo - clock.monotonic(), () => {
    if (wire.isOpen && !wire.isStalled) take(wire, JSON.parse(text) as Message)
  })
}

function take(wire: Wire, { type, id = '', payload }: Message): void {
  if (type === 'connection_init') down(wire, { type: 'connection_ack' })
  if (type === 'ping') down(wire, { type: 'pong' })
  if (type === 'subscribe') wire.subscriptions.set(id, new Set(payload?.variables?.deviceIds))
  if (type === 'complete') wire.subscriptions.delete(id)
}

/** Behind everything that was sent before. */
function down(wire: Wire, message: object): void {
  const {
    far: { clock, weather },
  } = wire
  wire.downTo = Math.max(wire.downTo, clock.monotonic() + lag(weather), ...wire.eventsTo.values())
  clock.after(wire.downTo - clock.monotonic(), () => say(wire, message, () => {}))
}

function say(wire: Wire, message: object, arrives: () => void): void {
  const { guest } = wire
  if (!wire.isOpen || wire.isStalled || guest.isDead()) return
  guest.crossing('event')
  if (guest.isDead()) return
  wire.isAcknowledged = true
  guest.loseTime = false
  wire.near.onmessage?.({ data: JSON.stringify(message) })
  // It is dealt with later: nothing of it is written yet.
  if (!guest.loseTime) arrives()
  guest.crossing('after event')
}

function tell(wire: Wire, device: Device, word: number): void {
  const { far, viewer, subscriptions, eventsTo } = wire
  const { clock, weather, offer, oracle } = far
  for (const [id, devices] of subscriptions) {
    if (!devices.has(device.id) || !viewer.tenants.includes(device.tenant) || !viewer.sees(device)) continue
    const payload = {
      data: {
        deviceStream: {
          id: device.id,
          tenantId: offer.namesTenant ? device.tenant : null,
          name: device.id,
          connected: saysOnline(device, word),
        },
      },
    }
    // Of one device in order, and twice in a row where it is told twice; of several in any order.
    const at = Math.max(clock.monotonic() + lag(weather), eventsTo.get(device.id) ?? 0, wire.downTo)
    eventsTo.set(device.id, at)
    const times = weather.draws.chance(weather.twice) ? 2 : 1
    for (let time = 0; time < times; time += 1) {
      clock.after(at - clock.monotonic(), () =>
        say(wire, { type: 'next', id, payload }, () => oracle.heard(device, word, clock.now(), wire.guest.place())),
      )
    }
  }
}

import { expect, test } from 'vitest'
import {
  createSenderChoice,
  neededFor,
  permissionMs,
  type Permission,
} from '../../../src-main/actions/choose-sender.ts'
import type { Sender } from '../../../src-main/connections/senders.ts'
import { manualClock } from '../../support/clock.ts'
import { everything, mutationsOf, type ServiceAnswers } from './sheets/sheet-world.ts'

const sender = (connection: string, answers: ServiceAnswers = {}, roles: string[] = []): Sender => ({
  connection,
  service: 's',
  link: {},
  mutations: mutationsOf(answers),
  access: { name: '', roles, scope: {} },
})
const none = { ...everything, update: null }
const unread = { offer: null, offerFault: null }

test('the first connection that lists the device, offers the kind and may do it acts', () => {
  const { chooseSender } = createSenderChoice(manualClock())
  const senders = [sender('other'), sender('none', { offer: none }), sender('reads', {}, ['user']), sender('acts')]
  expect(chooseSender({ senders }, ['none', 'reads', 'acts'], 'rename')).toEqual({ sender: senders[3] })
  expect(chooseSender({ senders }, ['none'], 'reboot')).toEqual({ sender: senders[1] })
})

test('the obstacle is the one that passes soonest', () => {
  const { chooseSender } = createSenderChoice(manualClock())
  const senders = [sender('none', { offer: none }), sender('reads', {}, ['User', 'device_user']), sender('new', unread)]
  const obstacle = (...connections: string[]) => chooseSender({ senders }, connections, 'rename')
  expect(obstacle('none')).toEqual({ obstacle: 'not-offered' })
  expect(obstacle('none', 'reads')).toEqual({ obstacle: 'role' })
  expect(obstacle('none', 'reads', 'new')).toEqual({ obstacle: 'paused' })
  expect(obstacle()).toEqual({ obstacle: 'paused' })
})

test('a role that is not known, or one of several that may write, forbids nothing', () => {
  const { forbids } = createSenderChoice(manualClock())
  for (const roles of [[], ['admin'], ['user', 'admin'], ['Room user manager'], ['constructor']])
    expect(forbids(sender('a', {}, roles), 'reboot')).toBe(null)
  for (const role of ['user', 'Device_User', 'Read only', 'VIEWER'])
    expect(forbids(sender('a', {}, [role]), 'reboot')).toBe('certain')
})

test('what was forbidden is so for all kinds of the same mutation, of that link alone', () => {
  const { forbids, notePermission } = createSenderChoice(manualClock())
  const [one, other] = [sender('one'), sender('other')]
  notePermission(one.link, 'rename', 'forbidden')
  expect((['rename', 'move', 'update', 'reboot', 'site'] as const).map((kind) => forbids(one, kind))).toEqual([
    'likely',
    'likely',
    'likely',
    null,
    null,
  ])
  expect(forbids(other, 'rename')).toBe(null)
  expect(forbids({ ...one, link: {} }, 'rename')).toBe(null)
})

test('three rejections in a row mean the role, and single ones their devices alone', () => {
  const { chooseSender, forbids, notePermission } = createSenderChoice(manualClock())
  const one = sender('one')
  const note = (...all: Permission[]) =>
    all.map((each) => (notePermission(one.link, 'reboot', each), forbids(one, 'reboot')))
  const choice = () => chooseSender({ senders: [one] }, ['one'], 'reboot')
  expect(note('forbidden', 'forbidden')).toEqual(['likely', 'likely'])
  expect(choice()).toEqual({ sender: one })
  expect(note('confirmed', 'forbidden', 'forbidden', 'confirmed', 'forbidden')).toEqual([null, null, null, null, null])
  expect(note('forbidden', 'forbidden')).toEqual([null, 'certain'])
  expect(choice()).toEqual({ obstacle: 'role' })
})

test('a connection of which the service rejected nothing acts before one of which it did', () => {
  const { chooseSender, notePermission } = createSenderChoice(manualClock())
  const senders = [sender('one'), sender('two')]
  notePermission(senders[0]?.link ?? {}, 'rename', 'forbidden')
  expect(chooseSender({ senders }, ['one', 'two'], 'move')).toEqual({ sender: senders[1] })
  expect(chooseSender({ senders }, ['one', 'two'], 'reboot')).toEqual({ sender: senders[0] })
  expect(chooseSender({ senders }, ['one'], 'move')).toEqual({ sender: senders[0] })
})

test('what was learned from rejections is forgotten after ten minutes', async () => {
  const clock = manualClock()
  const { forbids, notePermission } = createSenderChoice(clock)
  const one = sender('one')
  for (let times = 0; times < 3; times += 1) notePermission(one.link, 'site', 'forbidden')
  await clock.advance(permissionMs)
  expect(forbids(one, 'site')).toBe('certain')
  await clock.advance(1)
  expect(forbids(one, 'site')).toBe(null)
  notePermission(one.link, 'site', 'forbidden')
  expect(forbids(one, 'site')).toBe('likely')
})

test('a job needs all of what it does: linked devices, and each value that is changed', () => {
  const { chooseSender } = createSenderChoice(manualClock())
  const bare = { ...everything, reboot: { linkedDevices: false }, update: { name: true, site: false, room: true } }
  const senders = [sender('bare', { offer: bare }), sender('whole')]
  const chosen = (...needed: Parameters<typeof neededFor>) => {
    const found = chooseSender({ senders }, ['bare', 'whole'], needed[0], neededFor(...needed))
    return 'sender' in found ? found.sender.connection : found.obstacle
  }
  expect([chosen('reboot', false, {}), chosen('reboot', true, {})]).toEqual(['bare', 'whole'])
  expect([chosen('move', false, { room: null }), chosen('move', false, { site: null })]).toEqual(['bare', 'whole'])
  expect([chosen('update', false, { name: 'A' }), chosen('update', false, { name: 'A', site: null })]).toEqual([
    'bare',
    'whole',
  ])
})

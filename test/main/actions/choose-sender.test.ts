import { expect, test } from 'vitest'
import { createSenderChoice } from '../../../src-main/actions/choose-sender.ts'
import type { Sender } from '../../../src-main/connections/senders.ts'
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
  const { chooseSender } = createSenderChoice()
  const senders = [sender('other'), sender('none', { offer: none }), sender('reads', {}, ['user']), sender('acts')]
  expect(chooseSender({ senders }, ['none', 'reads', 'acts'], 'rename')).toEqual({ sender: senders[3] })
  expect(chooseSender({ senders }, ['none'], 'reboot')).toEqual({ sender: senders[1] })
})

test('the obstacle is the one that passes soonest', () => {
  const { chooseSender } = createSenderChoice()
  const senders = [sender('none', { offer: none }), sender('reads', {}, ['User', 'device_user']), sender('new', unread)]
  const obstacle = (...connections: string[]) => chooseSender({ senders }, connections, 'rename')
  expect(obstacle('none')).toEqual({ obstacle: 'not-offered' })
  expect(obstacle('none', 'reads')).toEqual({ obstacle: 'role' })
  expect(obstacle('none', 'reads', 'new')).toEqual({ obstacle: 'paused' })
  expect(obstacle()).toEqual({ obstacle: 'paused' })
})

test('a role that is not known, or one of several that may write, forbids nothing', () => {
  const { isForbidden } = createSenderChoice()
  for (const roles of [[], ['admin'], ['user', 'admin'], ['Room user manager'], ['constructor']])
    expect(isForbidden(sender('a', {}, roles), 'reboot')).toBe(false)
  for (const role of ['user', 'Device_User', 'Read only', 'VIEWER'])
    expect(isForbidden(sender('a', {}, [role]), 'reboot')).toBe(true)
})

test('what was forbidden is so for all kinds of the same mutation, of that link alone', () => {
  const { isForbidden, noteForbidden } = createSenderChoice()
  const [one, other] = [sender('one'), sender('other')]
  noteForbidden(one.link, 'rename')
  expect((['rename', 'move', 'update', 'reboot', 'site'] as const).map((kind) => isForbidden(one, kind))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ])
  expect(isForbidden(other, 'rename')).toBe(false)
  expect(isForbidden({ ...one, link: {} }, 'rename')).toBe(false)
})

import { expect, test } from 'vitest'
import { outcomes, type Job } from '../../../src-shared/model/jobs.ts'
import {
  alertText,
  costText,
  countsText,
  jobStateText,
  jobTitle,
  leftOutText,
  outcomeOrder,
  outcomeText,
  readyText,
  rebootText,
  valuesText,
} from '../../../src-renderer/actions/format.ts'
import { clockLeft } from '../../../src-renderer/actions/labels.ts'
import { openJobsText } from '../../../src-renderer/actions/jobs/job-status.tsx'
import { minute, now } from '../support/samples.ts'
import { job, jobDevice } from './samples.ts'

const sentAt = now + 2 * minute

test.each([
  [{}, 'Reboot 12 devices'],
  [{ devices: 1 }, 'Reboot 1 device'],
  [{ devices: 1, device: 'Boardroom 3' }, 'Reboot Boardroom 3'],
  [{ devices: 1, device: '\u200B ' }, 'Reboot 1 device'],
  [{ devices: 1, device: 'Boardroom 3', kind: 'rename', undoes: 'x' }, 'Undo: rename Boardroom 3'],
  [{ kind: 'rename', undoes: 'x' }, 'Undo: rename 12 devices'],
  [{ kind: 'site', place: { tenant: 's/t', kind: 'site', id: null, name: 'Berlin' } }, 'Create the site “Berlin”'],
  [
    { kind: 'site', place: { tenant: 's/t', kind: 'site', id: '7', name: 'Berlin', created: true } },
    'Create the site “Berlin”',
  ],
  [{ kind: 'room', place: { tenant: 's/t', kind: 'room', id: '7', name: 'Lobby' } }, 'Edit the room “Lobby”'],
] as [Partial<Job>, string][])('the title of %j is “%s”', (part, title) =>
  expect(jobTitle({ ...job, ...part })).toBe(title),
)

test('an expected reboot says until when, and whether the device has dropped already', () => {
  const reboot = { sentAt: now, until: now + 10 * minute }
  const text = (status: 'connected' | 'disconnected' | 'unknown', at: number) => rebootText(reboot, status, at, 'utc')
  expect(text('disconnected', now)).toMatch(/^Rebooting, expected back by \d\d:\d\d\.$/u)
  expect(text('connected', now)).toMatch(/^Reboot sent at \d\d:\d\d, expected back by \d\d:\d\d\.$/u)
  expect(text('unknown', now)).toBe(text('connected', now))
  expect(text('disconnected', reboot.until)).toBe('')
})

test('a job that was interrupted says that it continues only by hand, and sends nothing twice', () => {
  expect(jobStateText({ ...job, state: 'interrupted' }, now, 'local')).toBe(
    'Interrupted: 7 of 12 devices. Muster ended, or the computer slept. It continues only when you say so; what was sent is not sent again.',
  )
  expect(jobStateText(job, now, 'local')).toBe('Running: 7 of 12 devices.')
})

test('outcomes are counted with the most urgent first, and none is left out of the order', () => {
  expect(countsText(job)).toBe('1 unknown, 1 rejected, 1 sent, 4 waiting, 5 done')
  expect(outcomeOrder.toSorted()).toEqual(outcomes.toSorted())
})

test('a device that was sent and has no answer is said to be unknown, never done', () => {
  expect(outcomeText({ ...jobDevice, outcome: 'unknown', sentAt }, 'reboot', now, 'local')).toBe(
    'Sent at 12:02, no answer. It is not known whether it was executed.',
  )
})

test('a rejection has the words of the service, and a device that was not sent its reason', () => {
  const rejected = { ...jobDevice, outcome: 'refused' as const, words: 'Device is busy' }
  expect(outcomeText(rejected, 'reboot', now, 'local')).toBe('Rejected by the service: “Device is busy”')
  const skipped = { ...jobDevice, outcome: 'not-sent' as const, obstacle: 'in-call' as const }
  expect(outcomeText(skipped, 'reboot', now, 'local')).toBe('Not sent: in a call.')
  const line = { ...skipped, key: 'line:1204', obstacle: 'gone' as const }
  expect(outcomeText(line, 'update', now, 'local')).toBe('Line 1,204 not sent: no such device.')
})

test('what is done says how it is known', () => {
  const done = { ...jobDevice, outcome: 'done' as const }
  expect(outcomeText({ ...done, provenBy: 'disconnect', backAfter: 2 * minute }, 'reboot', now, 'local')).toBe(
    'Rebooted, back after 2 min.',
  )
  expect(outcomeText({ ...done, provenBy: 'read' }, 'rename', now, 'local')).toBe('Done, read back.')
})

test('a sheet says what is ready, what it costs, and what happens to alerts', () => {
  expect(readyText({ ready: 10, total: 12 })).toBe('10 of 12 devices ready')
  expect(readyText({ ready: 1, total: 1 })).toBe('1 device ready')
  expect(costText({ ready: 10, points: 1_200, seconds: 130 })).toBe('About 1,200 points, sent within 3 minutes.')
  expect(costText({ ready: 1, points: 1, seconds: 0.2 })).toBe('About 1 point, sent within 1 s.')
  expect(leftOutText({ obstacle: 'in-call', devices: 2 }, false)).toBe('2 left out: in a call')
  expect(leftOutText({ obstacle: 'in-call', devices: 2 }, true)).toBe('2 included: in a call')
  expect(costText({ ready: 10, points: null, seconds: null })).toBe('Cost not known yet.')
  expect(costText({ ready: 0, points: 0, seconds: 0 })).toBe('Nothing would be sent.')
  expect(alertText({ suppressed: 0 }, 10)).toBe('')
  expect(alertText({ suppressed: 2 }, 10)).toContain('not back after 10 minutes becomes an incident')
})

test('values show only what they have, and a missing place in words', () => {
  expect(valuesText({ name: 'A', site: { id: '1', name: 'Berlin' }, room: null })).toBe('A, Berlin, no room')
  expect(valuesText({})).toBe('')
})

test('the countdown counts seconds, and never says less than is left', () => {
  expect(clockLeft(now + 15 * minute, now)).toBe('15:00')
  expect(clockLeft(now + 61_001, now)).toBe('1:02')
  expect(clockLeft(now - 1, now)).toBe('0:00')
  expect(clockLeft(now + 3_723_000, now)).toBe('1:02:03')
})

test('the status bar counts running, waiting and scheduled actions, and not those that ended', () => {
  const states = (...all: Job['state'][]) => openJobsText(all.map((state) => ({ ...job, state })))
  expect(states('done', 'stopped')).toBe('')
  expect(states('running', 'paused', 'interrupted', 'scheduled')).toBe(
    '1 action running, 2 actions waiting for you, 1 action scheduled',
  )
})

test('another member’s actions are not counted as one’s own, and wait for that member', () => {
  const theirs = { ...job, state: 'interrupted' as const, endedAt: null, owner: 'Ann' }
  expect(openJobsText([theirs])).toBe('')
  expect(jobStateText(theirs, now, 'local')).toContain('It continues only when Ann says so;')
  const waiting =
    'Waiting: 7 of 12 devices. Ann’s Muster was not seen for over ten minutes. Take the action over to continue or stop it.'
  for (const state of ['running', 'paused', 'interrupted'] as const)
    expect(jobStateText({ ...theirs, state, ownerAway: true }, now, 'local')).toBe(waiting)
})

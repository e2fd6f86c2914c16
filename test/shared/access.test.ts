import { expect, test } from 'vitest'
import type { Access } from '../../src-shared/model/access.ts'
import { explain } from '../../src-shared/model/fault.ts'
import { accessText, adviceText } from '../../src-shared/text/access.ts'

const access = (roles: string[], scope: Access['scope'] = {}): Access => ({ name: '', roles, scope })

test.each([
  [access(['it-admin'], { accounts: 2 }), 'Device Manager (it-admin), 2 accounts'],
  [access(['admin']), 'Admin'],
  [access(['user'], { tenants: 1, sites: 3 }), 'Guest (user), 1 tenant, 3 sites'],
  [access(['Night watch', 'constructor']), 'Night watch, constructor'],
  [access([], { accounts: 0 }), '0 accounts'],
  [access([]), ''],
])('role and scope %# are written as in the portal', (given, text) => {
  expect(accessText(given)).toBe(text)
})

const dated = (roles: string[], scope?: Access['scope']) => ({ ...access(roles, scope), readAt: 5 })

test('the advice for a rejection begins with the role that does not allow it', () => {
  const { advice } = explain({ kind: 'forbidden', detail: '' })
  const forbidden = { kind: 'forbidden', detail: '' } as const
  expect(adviceText(forbidden, 5, dated(['user']))).toBe(`The role Guest (user) does not allow it. ${advice}`)
  expect(adviceText(forbidden, 4, dated(['user', 'x'], { sites: 1 }))).toBe(
    `The roles Guest (user), x with 1 site do not allow it. ${advice}`,
  )
  expect(adviceText(forbidden, 5, dated([], { sites: 1 }))).toBe(advice)
  expect(adviceText(forbidden, 5, undefined)).toBe(advice)
})

test('a role that was told before the rejection is not named beside it', () => {
  const fault = { kind: 'forbidden', detail: '' } as const
  expect(adviceText(fault, 6, dated(['user']))).toBe(explain(fault).advice)
})

test('another fault says nothing of the role', () => {
  const fault = { kind: 'timeout', detail: '' } as const
  expect(adviceText(fault, 5, dated(['user']))).toBe(explain(fault).advice)
})

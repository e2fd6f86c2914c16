import { describe, expect, it } from 'vitest'
import { offReasons, type UpdateState } from '../../../src-shared/model/updates.ts'
import {
  disabledText,
  updateActions,
  updateHead,
  updateLine,
  updateText,
} from '../../../src-renderer/lib/format/updates.ts'

const update = { version: '1.2.0', notes: '', releasedAt: null, size: 131_400_000 }
const failed = (more: Partial<Extract<UpdateState, { is: 'failed' }>>): UpdateState => ({
  is: 'failed',
  what: 'check',
  words: 'No.',
  at: 1,
  update: null,
  pending: 'none',
  ...more,
})

describe('the text of updates', () => {
  it('gives each reason why there are none', () => {
    expect(new Set(offReasons.map((reason) => disabledText({ reason, detail: '' }))).size).toBe(offReasons.length)
    expect(disabledText({ reason: 'policy-unread', detail: '/etc/muster/policy.json: it is no JSON' })).toContain(
      '(/etc/muster/policy.json: it is no JSON)',
    )
  })

  it('gives the progress and the size of a download', () => {
    expect(updateText({ is: 'available', update })).toBe(
      'Muster downloads it when you confirm. The download has 131 MB.',
    )
    expect(updateText({ is: 'available', update: { ...update, size: null } })).toBe(
      'Muster downloads it when you confirm.',
    )
    expect(updateText({ is: 'downloading', update, transferred: 12_345_678 })).toBe('12.3 of 131 MB.')
    expect(updateText({ is: 'downloading', update: { ...update, size: null }, transferred: 0 })).toBe('0.0 MB so far.')
  })

  it('asks for the operator only where a decision waits', () => {
    expect(updateLine({ is: 'idle', checkedAt: 1 })).toBe('')
    expect(updateLine({ is: 'downloading', update, transferred: 1 })).toBe('')
    expect(updateLine(failed({}))).toBe('')
    expect(updateLine({ is: 'ready', update })).toBe('Muster 1.2.0 is ready')
    expect(updateLine(failed({ what: 'install', update, pending: 'failed' }))).toBe('Update not installed')
    expect(updateHead({ is: 'idle', checkedAt: 1 }, '1.0.0')).toBe('Muster 1.0.0 is the newest')
  })
})

describe('the offered actions', () => {
  it('are those that the core accepts in that state', () => {
    expect(updateActions({ is: 'off', reason: 'web', detail: '' })).toEqual([])
    expect(updateActions({ is: 'idle', checkedAt: null })).toEqual(['check'])
    expect(updateActions({ is: 'checking', update: null, pending: 'none' })).toEqual([])
    expect(updateActions({ is: 'checking', update, pending: 'ready' })).toEqual(['apply'])
    expect(updateActions({ is: 'available', update })).toEqual(['download', 'check'])
    expect(updateActions({ is: 'downloading', update, transferred: 0 })).toEqual([])
    expect(updateActions({ is: 'ready', update })).toEqual(['apply', 'check'])
    expect(updateActions(failed({ update }))).toEqual(['download', 'check'])
    expect(updateActions(failed({ update, pending: 'failed' }))).toEqual(['apply', 'check'])
    expect(updateActions(failed({}))).toEqual(['check'])
  })
})

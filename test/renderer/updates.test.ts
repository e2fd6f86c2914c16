import { describe, expect, it } from 'vitest'
import { offReasons, type UpdateState } from '../../src-shared/updates.ts'
import { offWords, updateActs, updateHead, updateLine, updateWords } from '../../src-renderer/words/updates.ts'

const update = { version: '1.2.0', notes: '', releasedAt: null, size: 131_400_000 }
const failed = (more: Partial<Extract<UpdateState, { is: 'failed' }>>): UpdateState => ({
  is: 'failed',
  what: 'ask',
  words: 'No.',
  at: 1,
  update: null,
  held: 'no',
  ...more,
})

describe('the words of updates', () => {
  it('say why there are none, each reason its own', () => {
    expect(new Set(offReasons.map((reason) => offWords({ reason, detail: '' }))).size).toBe(offReasons.length)
    expect(offWords({ reason: 'policy-unread', detail: '/etc/muster/policy.json: it is no JSON' })).toContain(
      '(/etc/muster/policy.json: it is no JSON)',
    )
  })

  it('say how far a download is, and how large it is', () => {
    expect(updateWords({ is: 'available', update })).toBe(
      'Nothing is downloaded before you say so. The download has 131 MB.',
    )
    expect(updateWords({ is: 'available', update: { ...update, size: null } })).toBe(
      'Nothing is downloaded before you say so.',
    )
    expect(updateWords({ is: 'downloading', update, transferred: 12_345_678 })).toBe('12.3 of 131 MB.')
    expect(updateWords({ is: 'downloading', update: { ...update, size: null }, transferred: 0 })).toBe('0.0 MB so far.')
  })

  it('call for the operator only where something waits for them', () => {
    expect(updateLine({ is: 'idle', askedAt: 1 })).toBe('')
    expect(updateLine({ is: 'downloading', update, transferred: 1 })).toBe('')
    expect(updateLine(failed({}))).toBe('')
    expect(updateLine({ is: 'ready', update })).toBe('Muster 1.2.0 is ready')
    expect(updateLine(failed({ what: 'install', update, held: 'tried' }))).toBe('Update not installed')
    expect(updateHead({ is: 'idle', askedAt: 1 }, '1.0.0')).toBe('Muster 1.0.0 is the newest')
  })
})

describe('what is offered', () => {
  it('is what the core takes in that state', () => {
    expect(updateActs({ is: 'off', reason: 'web', detail: '' })).toEqual([])
    expect(updateActs({ is: 'idle', askedAt: null })).toEqual(['check'])
    expect(updateActs({ is: 'asking', update: null, held: 'no' })).toEqual([])
    expect(updateActs({ is: 'asking', update, held: 'ready' })).toEqual(['apply'])
    expect(updateActs({ is: 'available', update })).toEqual(['download', 'check'])
    expect(updateActs({ is: 'downloading', update, transferred: 0 })).toEqual([])
    expect(updateActs({ is: 'ready', update })).toEqual(['apply', 'check'])
    expect(updateActs(failed({ update }))).toEqual(['download', 'check'])
    expect(updateActs(failed({ update, held: 'tried' }))).toEqual(['apply', 'check'])
    expect(updateActs(failed({}))).toEqual(['check'])
  })
})

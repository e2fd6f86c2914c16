import { describe, expect, it } from 'vitest'
import { readErrors } from '../../../../src-main/api/classify.ts'
import { updateSending } from '../../../../src-main/api/mutations/documents.ts'
import { outcomesOf } from '../../../../src-main/api/mutations/outcomes.ts'
import type { Result } from '../../../../src-main/api/mutations/schema.ts'

const object: Result = { is: 'object', selection: '{ id }' }
const action: Result = { is: 'action', selection: '{ success error }' }

function outcomes(body: { status?: number; data?: unknown; errors?: unknown }, result: Result = action, count = 1) {
  const input = { name: 'fields', type: 'UpdateDeviceRequest!', members: new Set(['name']) }
  const update = { id: { name: 'id', type: 'String!' }, fields: input, result }
  const sending = updateSending(
    update,
    Array.from({ length: count }, (_, at) => ({ id: `d${at}`, name: 'x' })),
  )
  const errors = readErrors(body.errors ?? [], (text) => text)
  const redact = (text: string) => text.replaceAll('s3cret', '[hidden]')
  return outcomesOf({ is: 'answered', status: body.status ?? 200, data: body.data, errors }, sending, redact)
}

const kinds = (...given: Parameters<typeof outcomes>) =>
  outcomes(...given).map((each) => {
    const fault = 'fault' in each ? each.fault : null
    return fault === null ? each.outcome : `${each.outcome} ${fault.kind}`
  })
const coded = (code: string, path?: unknown[], message = 'No') => ({ message, path, extensions: { code } })

describe('the outcome of what was sent', () => {
  it('is that which the mutation returned', () => {
    expect(outcomes({ data: { m0: { success: true, error: null } } })).toEqual([{ outcome: 'confirmed', id: null }])
    expect(outcomes({ data: { m0: { id: 'r1' } } }, object)).toEqual([{ outcome: 'confirmed', id: 'r1' }])
    expect(outcomes({ data: { m0: true } }, { is: 'boolean', selection: '' })).toEqual([
      { outcome: 'confirmed', id: null },
    ])
    expect(outcomes({ data: { m0: { success: false, error: 'Busy\u0000 with\ns3cret' } } })).toEqual([
      { outcome: 'refused', words: 'Busy with [hidden]', fault: null },
    ])
    expect(outcomes({ data: { m0: { success: false, error: null } } })).toEqual([
      { outcome: 'refused', words: '', fault: null },
    ])
  })

  it('has at most 500 characters of the service', () => {
    const [long] = outcomes({ data: { m0: { success: false, error: 'x'.repeat(10_000) } } })
    expect(long).toMatchObject({ words: 'x'.repeat(500) })
  })

  it('is unknown for null, another shape, and a success under the status of a failure', () => {
    for (const m0 of [null, undefined, 'yes', 1, [], {}, { success: 'true' }, { success: null }])
      expect(kinds({ data: { m0 } })).toEqual(['unknown'])
    for (const data of [null, undefined, [], 'x']) expect(kinds({ data })).toEqual(['unknown'])
    expect(kinds({ status: 500, data: { m0: { success: true } } })).toEqual(['unknown'])
    expect(kinds({ data: { m0: {} } }, object)).toEqual(['unknown'])
  })

  it('is refused by an error that proves that nothing was executed', () => {
    const path = ['m0']
    const data = { m0: null }
    expect(kinds({ data, errors: [coded('FORBIDDEN', path)] })).toEqual(['refused forbidden'])
    expect(kinds({ status: 403, data, errors: [coded('FORBIDDEN', path)] })).toEqual(['refused forbidden'])
    expect(kinds({ data, errors: [coded('NOT_FOUND', path)] })).toEqual(['refused input'])
    expect(kinds({ data, errors: [coded('BAD_USER_INPUT', path)] })).toEqual(['refused query'])
    expect(kinds({ data, errors: [coded('UNAUTHENTICATED', path)] })).toEqual(['refused token'])
    expect(kinds({ data, errors: [{ message: 'You must be logged in to run this query', path }] })).toEqual([
      'refused token',
    ])
    expect(kinds({ errors: [{ message: 'Cannot query field "x" on type "Mutation".' }] })).toEqual(['refused query'])
    expect(kinds({ status: 400, errors: [{ message: 'Request failed' }] })).toEqual(['refused query'])
    expect(kinds({ status: 401, errors: [{ message: 'No' }] })).toEqual(['refused token'])
  })

  it('is not sent for lack of points where the service says so and nothing of data', () => {
    expect(kinds({ status: 429, errors: [coded('RATE_LIMITED')] })).toEqual(['not-sent exhausted'])
    expect(kinds({ status: 503, errors: [{ message: 'Too many requests' }] })).toEqual(['not-sent exhausted'])
    expect(kinds({ status: 429, errors: [coded('QUOTA')] })).toEqual(['not-sent exhausted'])
    const text = 'GraphQL query cost of 20000 points exceeds maximum cost limit of 10000 points'
    expect(
      kinds({ status: 400, errors: [{ message: text }, coded('INTERNAL_SERVICE_ERROR', undefined, text)] }),
    ).toEqual(['not-sent cost-limit'])
  })

  it('is unknown after an internal error, and after a text alone inside the operation', () => {
    const path = ['m0']
    const data = { m0: null }
    for (const code of ['INTERNAL_SERVICE_ERROR', 'TIMEOUT', 'REGION_UNAVAILABLE', 'DOWNSTREAM'])
      expect(kinds({ data, errors: [coded(code, path)] })).toEqual(['unknown'])
    for (const message of ['Too many requests', 'Not found', 'Unknown argument "x"', 'jwt expired'])
      expect(kinds({ data, errors: [{ message, path }] })).toEqual(['unknown'])
    expect(kinds({ data, errors: [coded('FORBIDDEN', path), coded('INTERNAL_SERVICE_ERROR', path)] })).toEqual([
      'unknown',
    ])
    for (const status of [200, 500, 502, 503])
      expect(kinds({ status, errors: [{ message: 'upstream reset' }] })).toEqual(['unknown'])
    for (const status of [403, 500, 502, 503, 504]) expect(kinds({ status })).toEqual(['unknown'])
    expect(outcomes({ data, errors: [coded('TIMEOUT', path, 'It took too long')] })).toEqual([
      { outcome: 'unknown', words: 'It took too long' },
    ])
  })

  it('is unknown for lack of points within the operation: it may have acted before it threw', () => {
    const path = ['m0']
    for (const code of ['RATE_LIMITED', 'TOO_MANY_REQUESTS', 'THROTTLED']) {
      expect(kinds({ data: { m0: null }, errors: [coded(code, path)] })).toEqual(['unknown'])
      expect(kinds({ status: 429, data: { m0: null }, errors: [coded(code)] })).toEqual(['unknown'])
      expect(kinds({ data: null, errors: [coded(code)] })).toEqual(['unknown'])
      expect(kinds({ status: 429, errors: [coded(code, path)] })).toEqual(['unknown'])
      expect(kinds({ errors: [coded(code)] })).toEqual(['not-sent exhausted'])
      expect(kinds({ status: 429, errors: [coded(code)] })).toEqual(['not-sent exhausted'])
    }
    expect(kinds({ status: 429, data: { m0: null } })).toEqual(['unknown'])
    expect(kinds({ status: 401, data: { m0: null } })).toEqual(['unknown'])
    expect(kinds({ status: 429 })).toEqual(['not-sent exhausted'])
  })

  it('is unknown after a text alone beside data that is null', () => {
    for (const message of ['Too many requests', 'Request is too complex', 'Cannot query field "x" on type "Y".', 'No'])
      for (const status of [200, 400, 429])
        expect([message, status, kinds({ status, data: null, errors: [{ message }] })]).toEqual([
          message,
          status,
          ['unknown'],
        ])
    const text = 'Request is too complex'
    expect(kinds({ data: { m0: null }, errors: [coded('BAD_USER_INPUT', ['m0'], text)] })).toEqual(['refused query'])
    expect(kinds({ errors: [{ message: text }] })).toEqual(['not-sent cost-limit'])
  })

  it('is not sent after the documented rejection of its cost, in any order and with null data', () => {
    const text = 'GraphQL query cost of 20000 points exceeds maximum cost limit of 10000 points'
    const [first, second] = [{ message: text }, { extensions: { code: 'INTERNAL_SERVICE_ERROR', stacktrace: [text] } }]
    for (const errors of [
      [first, second],
      [second, first],
    ])
      for (const body of [{ status: 400 }, { status: 400, data: null }])
        expect(kinds({ ...body, errors })).toEqual(['not-sent cost-limit'])
    expect(kinds({ data: null, errors: [first] })).toEqual(['unknown'])
    expect(kinds({ status: 400, data: { m0: null }, errors: [first] })).toEqual(['unknown'])
    expect(kinds({ status: 400, data: null, errors: [{ ...first, path: ['m0'] }] })).toEqual(['unknown'])
  })

  it('is unknown where only a field of the answer was forbidden: the mutation was executed', () => {
    for (const code of ['FORBIDDEN', 'NOT_FOUND', 'UNAUTHENTICATED'])
      expect(kinds({ data: { m0: null }, errors: [coded(code, ['m0', 'success'])] })).toEqual(['unknown'])
  })

  it('is that of each alias alone', () => {
    const data = { m0: { id: 'a' }, m1: null, m2: null, m3: null }
    const errors = [coded('FORBIDDEN', ['m1']), coded('INTERNAL_SERVICE_ERROR', ['m2', 'site'])]
    expect(kinds({ data, errors }, object, 4)).toEqual(['confirmed', 'refused forbidden', 'unknown', 'unknown'])
    // An error of one mutation took the whole data away: the others may have been executed.
    expect(kinds({ data: null, errors: [coded('FORBIDDEN', ['m1'])] }, object, 2)).toEqual([
      'unknown',
      'refused forbidden',
    ])
  })
})

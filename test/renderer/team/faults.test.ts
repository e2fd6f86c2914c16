import { describe, expect, test } from 'vitest'
import { explainTeam, problemsIn, problemsOf } from '../../../src-renderer/team/faults.ts'

const input = { address: 'postgresql://ann@db/muster', password: '', ca: '', operator: 'Ann' }

describe('faults of the form', () => {
  test('an invalid input is told by field', () => {
    const detail = 'address: The port must be between 1 and 65535.\noperator: Enter your name.\nname: another'
    expect([...problemsIn({ kind: 'input', detail })]).toEqual([
      ['address', 'The port must be between 1 and 65535.'],
      ['operator', 'Enter your name.'],
    ])
  })

  test('an invalid certificate is the CA field’s, and any other fault no field’s', () => {
    expect([...problemsIn({ kind: 'ca', detail: '' })]).toEqual([
      ['ca', 'The CA certificate cannot be read. Paste the whole PEM text, with its BEGIN and END lines.'],
    ])
    expect(problemsIn({ kind: 'connect', detail: 'address: x' }).size).toBe(0)
    expect(problemsIn({ kind: 'input', detail: 'db:5432: it was not made by Muster' }).size).toBe(0)
  })

  test('the window asks for the address, and for a name unless it only tests', () => {
    expect([...problemsOf({ ...input, address: ' ', operator: ' ' }, true)]).toEqual([
      ['address', 'Enter the address.'],
      ['operator', 'Enter your name.'],
    ])
    expect(problemsOf({ ...input, operator: '' }, false).size).toBe(0)
    expect(problemsOf(input, true).size).toBe(0)
  })

  test('what is too long is told, a name also when it only tests', () => {
    const long = { ...input, address: 'a'.repeat(2001), operator: 'a'.repeat(201) }
    expect([...problemsOf(long, false)]).toEqual([
      ['address', 'It is longer than 2000 characters.'],
      ['operator', 'It is too long.'],
    ])
  })
})

describe('faults of the database', () => {
  test('are explained as those of a database, not of the device service', () => {
    expect(explainTeam({ kind: 'credentials', detail: '' }).title).toBe('The database rejected this role and password.')
    expect(explainTeam({ kind: 'tls', detail: '' }).advice).not.toContain('connection')
  })

  test('keep the usual text where it fits both', () => {
    expect(explainTeam({ kind: 'connect', detail: '' }).title).toBe('Nothing answers at that address.')
  })
})

import { expect, test } from 'vitest'
import { isLoopback } from '../../../../src-main/network/loopback.ts'
import { headlessFlags, readHeadlessArgs } from '../../../../src-main/platform/headless/args.ts'

test('without flags it listens on loopback, at the port of exporters', () => {
  expect(readHeadlessArgs([])).toEqual({
    profile: null,
    connections: null,
    channels: null,
    team: null,
    host: '127.0.0.1',
    port: 9464,
  })
  expect(
    readHeadlessArgs([
      '--profile',
      'p',
      '--connections',
      'c.csv',
      '--channels',
      'c.json',
      '--team',
      't.json',
      '--host',
      '::',
      '--port',
      '0',
    ]),
  ).toEqual({
    profile: 'p',
    connections: 'c.csv',
    channels: 'c.json',
    team: 't.json',
    host: '::',
    port: 0,
  })
})

test('what is no flag, port or address is an error', () => {
  for (const argv of [['--web'], ['--port', '70000'], ['--port', 'x'], ['--host', ' '], ['list.csv']])
    expect(() => readHeadlessArgs(argv)).toThrow()
})

test('the application runs without a window only where its own flags say so', () => {
  expect(headlessFlags(['--headless', '--port', '0'])).toEqual(['--port', '0'])
  expect(headlessFlags(['--no-sandbox', '--headless', '--ozone-platform=headless', '--enable-logging'])).toEqual([])
  for (const argv of [[], ['--hidden'], ['--headless=new'], ['--', '--headless'], ['muster://room/incidents']])
    expect(headlessFlags(argv)).toBeNull()
  // What is mistyped is kept, and so an error.
  expect(headlessFlags(['--headless', '--conections', 'list.csv'])).toEqual(['--conections', 'list.csv'])
  expect(headlessFlags(['--headless', '--no-sandboxes'])).toEqual(['--no-sandboxes'])
})

test('only addresses of this computer are loopback', () => {
  expect(['127.0.0.1', '127.8.9.1', '::1', 'localhost'].every(isLoopback)).toBe(true)
  expect(['0.0.0.0', '::', '10.0.0.1', '127.0.0.1.example', 'example.com', ''].some(isLoopback)).toBe(false)
})

import { expect, it } from 'vitest'
import { canSandbox, removeSwitches } from '../../../../src-main/platform/desktop/start/switches.ts'

function line(...given: string[]) {
  const switches = new Set(given)
  return {
    switches,
    hasSwitch: (name: string) => switches.has(name),
    removeSwitch: (name: string) => void switches.delete(name),
  }
}

it('what would have a bad certificate believed, or secrets written down, is taken away at every start', () => {
  const weak = [
    'ignore-certificate-errors',
    'ignore-certificate-errors-spki-list',
    'allow-insecure-localhost',
    'host-resolver-rules',
    'host-rules',
    'ssl-key-log-file',
    'net-log-capture-mode',
  ]
  const started = line(...weak, 'proxy-server', 'log-net-log')
  expect(removeSwitches(started, false)).toEqual(weak)
  expect([...started.switches]).toEqual(['proxy-server', 'log-net-log'])
  expect(removeSwitches(started, false)).toEqual([])
})

it('nobody connects to the page of the installed application; from a checkout its developers do', () => {
  expect(removeSwitches(line('remote-debugging-port', 'remote-debugging-pipe'), true)).toEqual([
    'remote-debugging-port',
    'remote-debugging-pipe',
  ])
  expect(removeSwitches(line('remote-debugging-port', 'remote-debugging-pipe'), false)).toEqual([])
})

it('where Linux was started without a sandbox none is asked for; elsewhere it comes all the same', () => {
  expect([
    canSandbox(line(), 'linux'),
    canSandbox(line('no-sandbox'), 'linux'),
    canSandbox(line('no-sandbox'), 'win32'),
    canSandbox(line('no-sandbox'), 'darwin'),
  ]).toEqual([true, false, true, true])
})

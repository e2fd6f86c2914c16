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

it('switches that weaken certificates or write secrets down are removed at every start', () => {
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

it('remote debugging works from a checkout and not in the installed application', () => {
  expect(removeSwitches(line('remote-debugging-port', 'remote-debugging-pipe'), true)).toEqual([
    'remote-debugging-port',
    'remote-debugging-pipe',
  ])
  expect(removeSwitches(line('remote-debugging-port', 'remote-debugging-pipe'), false)).toEqual([])
})

it('no sandbox is requested where Linux was started without one', () => {
  expect([
    canSandbox(line(), 'linux'),
    canSandbox(line('no-sandbox'), 'linux'),
    canSandbox(line('no-sandbox'), 'win32'),
    canSandbox(line('no-sandbox'), 'darwin'),
  ]).toEqual([true, false, true, true])
})

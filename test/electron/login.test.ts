import { expect, test } from 'vitest'
import { loginStart } from '../../src-main/platform/electron/desktop/login.ts'

test('Windows starts it at login also when its path has a space', () => {
  const notification: unknown[] = []
  const app = { setLoginItemSettings: (settings: unknown) => void notification.push(settings) }
  const login = loginStart(app, 'win32', String.raw`C:\Users\Anna Berg\Muster\Muster.exe`, {})
  login.set(true)
  login.set(false)
  const item = { path: String.raw`"C:\Users\Anna Berg\Muster\Muster.exe"`, args: ['--hidden'] }
  expect(notification).toEqual([
    { openAtLogin: true, ...item },
    { openAtLogin: false, ...item },
  ])
})

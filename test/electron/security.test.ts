import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { IpcMainInvokeEvent, WebContents } from 'electron'
import { describe, expect, it } from 'vitest'
import {
  answerRequest,
  externalUrl,
  isOwnUrl,
  origin,
  pageUrl,
  securityHeaders,
} from '../../src-main/platform/desktop/page/page.ts'
import { confine, type Confined } from '../../src-main/platform/electron/security/navigation.ts'
import { cutPageNetwork } from '../../src-main/platform/electron/security/page-session.ts'
import { denyPermissions } from '../../src-main/platform/electron/security/permissions.ts'
import { ownScheme, serveWindow } from '../../src-main/platform/electron/security/scheme.ts'
import { isOurs } from '../../src-main/platform/desktop/page/sender.ts'
import { windowOptions } from '../../src-main/platform/electron/window/window-options.ts'
import { listWindow } from '../../src-main/platform/shared/window-files.ts'
import { ownFolder } from '../main/platform/shared/folder.ts'

describe('the scheme', () => {
  function built() {
    const folder = ownFolder()
    mkdirSync(path.join(folder, 'window', 'assets'), { recursive: true })
    writeFileSync(path.join(folder, 'secret.txt'), 'secret')
    writeFileSync(path.join(folder, 'window', 'index.html'), '<html><head></head></html>')
    writeFileSync(path.join(folder, 'window', 'assets', 'a.js'), 'let a')
    const known = listWindow(path.join(folder, 'window'))
    return (url: string, method = 'GET') => answerRequest(known, { url, method })
  }

  it('is registered as a standard, secure scheme without exceptions', () => {
    expect(ownScheme).toEqual({
      scheme: 'app',
      privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
    })
  })

  it('serves the window’s files with their types and the policy', async () => {
    const get = built()
    const script = await get(`${origin}/assets/a.js`)
    expect([script.status, script.headers.get('content-type'), await script.text()]).toEqual([
      200,
      'text/javascript; charset=utf-8',
      'let a',
    ])
    expect(script.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(script.headers.get('x-content-type-options')).toBe('nosniff')
    const page = await get(pageUrl)
    const nonce = /nonce="([\w+/=]+)"/.exec(await page.text())?.[1]
    expect(page.headers.get('content-security-policy')).toContain(`style-src 'self' 'nonce-${nonce}'`)
    expect((await get(`${origin}/`)).status).toBe(200)
  })

  it.each([
    `${origin}/../secret.txt`,
    `${origin}/%2e%2e/secret.txt`,
    `${origin}/..%2fsecret.txt`,
    `${origin}/assets/..%5c..%5csecret.txt`,
    'app://other/index.html',
    'app://muster.evil/index.html',
    'file:///etc/passwd',
    `${origin}/%`,
    `${origin}/nothing.js`,
    'not an address',
  ])('has nothing at %s', async (url) => {
    expect((await built()(url)).status).toBe(404)
  })

  it('answers no other method', async () => {
    expect((await built()(pageUrl, 'POST')).status).toBe(404)
  })

  it('is handled in the given session', async () => {
    const handled: string[] = []
    serveWindow({ handle: (scheme) => void handled.push(scheme) }, ownFolder())
    expect(handled).toEqual(['app'])
  })
})

describe('the content policy', () => {
  it('lets the page run its own files and reach nothing', () => {
    const policy = securityHeaders('abc')['Content-Security-Policy'] ?? ''
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self' 'nonce-abc'",
      "img-src 'self' data:",
      "font-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ])
    expect(policy).not.toMatch(/unsafe|connect-src|\*|https?:/)
  })
})

describe('the page’s network', () => {
  it('is its own files', () => {
    const cancelled = (url: string) => {
      let answer: boolean | undefined
      cutPageNetwork({
        webRequest: {
          onBeforeRequest: (given: unknown) =>
            (given as (details: unknown, callback: (response: { cancel?: boolean }) => void) => void)(
              { url },
              ({ cancel }) => (answer = cancel),
            ),
        },
      } as never)
      return answer
    }
    expect(cancelled(pageUrl)).toBe(false)
    for (const url of [
      'https://example.com/',
      'http://127.0.0.1/',
      'ws://127.0.0.1/',
      'file:///etc/passwd',
      'app://muster.evil/x',
      'app://muster@evil/',
      'data:text/html,x',
    ]) {
      expect([url, cancelled(url)]).toEqual([url, true])
      expect(isOwnUrl(url)).toBe(false)
    }
  })
})

describe('permissions', () => {
  type Session = Parameters<typeof denyPermissions>[0]
  function handlers() {
    const given: {
      check?: (contents: null, permission: string, asker: string) => boolean
      request?: (
        contents: null,
        permission: string,
        callback: (granted: boolean) => void,
        details: { requestingUrl: string },
      ) => void
      device?: () => boolean
    } = {}
    denyPermissions({
      setPermissionCheckHandler: (handler: unknown) => void (given.check = handler as never),
      setPermissionRequestHandler: (handler: unknown) => void (given.request = handler as never),
      setDevicePermissionHandler: (handler: unknown) => void (given.device = handler as never),
    } as Session)
    const requested = (permission: string, requestingUrl: string) => {
      let answer: boolean | null = null
      given.request?.(null, permission, (granted) => (answer = granted), { requestingUrl })
      return answer
    }
    return {
      check: (permission: string, asker: string) => given.check?.(null, permission, asker),
      requested,
      device: () => given.device?.(),
    }
  }

  it('let our own page write text to the clipboard', () => {
    const { check, requested } = handlers()
    expect([
      check('clipboard-sanitized-write', origin),
      check('clipboard-sanitized-write', `${origin}/`),
      requested('clipboard-sanitized-write', pageUrl),
    ]).toEqual([true, true, true])
  })

  it('deny everything else, and every other page', () => {
    const { check, requested, device } = handlers()
    for (const permission of [
      'clipboard-read',
      'notifications',
      'media',
      'geolocation',
      'openExternal',
      'fullscreen',
      'usb',
      'unknown',
    ]) {
      expect([permission, check(permission, origin), requested(permission, pageUrl)]).toEqual([
        permission,
        false,
        false,
      ])
    }
    for (const asker of ['https://example.com', 'app://muster.evil', 'app://other', 'null', '']) {
      expect([asker, check('clipboard-sanitized-write', asker), requested('clipboard-sanitized-write', asker)]).toEqual(
        [asker, false, false],
      )
    }
    expect(device()).toBe(false)
  })
})

describe('the sender', () => {
  const sender = {} as WebContents
  const event = (frame: unknown): Pick<IpcMainInvokeEvent, 'sender' | 'senderFrame'> => ({
    sender,
    senderFrame: frame as never,
  })
  const known = (contents: WebContents) => contents === sender

  it('is the top frame of a window of ours, at our origin', () => {
    expect(isOurs(event({ parent: null, origin }), known)).toBe(true)
  })

  it.each([
    ['no frame any more', null],
    ['a frame in the page', { parent: {}, origin }],
    ['another origin', { parent: null, origin: 'https://example.com' }],
    ['an origin that begins like ours', { parent: null, origin: `${origin}.evil` }],
    ['no origin', { parent: null, origin: 'null' }],
  ])('is not %s', (_what, frame) => {
    expect(isOurs(event(frame), known)).toBe(false)
  })

  it('is not a frame that is gone, nor an unknown window', () => {
    const gone = {
      sender,
      get senderFrame(): never {
        throw new Error('Render frame was disposed')
      },
    }
    expect(isOurs(gone, known)).toBe(false)
    expect(isOurs(event({ parent: null, origin }), () => false)).toBe(false)
  })
})

describe('navigation', () => {
  function confined() {
    const listeners = new Map<
      string,
      (details: { preventDefault(): void; url: string; isMainFrame: boolean }) => void
    >()
    let open: ((details: { url: string }) => { action: string }) | null = null
    const opened: string[] = []
    const contents = {
      on: (name: string, listener: never) => void listeners.set(name, listener),
      setWindowOpenHandler: (handler: never) => (open = handler),
    } as unknown as Confined
    confine(contents, (url) => opened.push(url))
    const prevented = (name: string, url: string, isMainFrame = true) => {
      let was = false
      listeners.get(name)?.({ preventDefault: () => (was = true), url, isMainFrame })
      return was
    }
    return { opened, prevented, open: (url: string) => open?.({ url }).action }
  }

  it('lets the page be reloaded, and go nowhere else', () => {
    const { prevented, opened } = confined()
    expect([prevented('will-frame-navigate', pageUrl), prevented('will-frame-navigate', `${origin}/`)]).toEqual([
      false,
      false,
    ])
    for (const url of [
      'https://example.com/',
      'http://example.com/',
      'file:///etc/passwd',
      'app://muster.evil/',
      `${origin}/assets/a.js`,
      'javascript:alert(1)',
      'data:text/html,x',
      `https://example.com/?x=${pageUrl}`,
    ]) {
      expect([url, prevented('will-frame-navigate', url)]).toEqual([url, true])
    }
    expect(prevented('will-frame-navigate', pageUrl, false)).toBe(true)
    expect(prevented('will-redirect', pageUrl)).toBe(true)
    expect(prevented('will-attach-webview', '')).toBe(true)
    expect(opened).toEqual(['https://example.com/', `https://example.com/?x=${pageUrl}`])
  })

  it('opens no window, and passes https alone to the system', () => {
    const { open, opened } = confined()
    for (const url of [
      'https://portal.example/device/1',
      'http://example.com/',
      'file:///etc/passwd',
      'mailto:a@b.c',
      'javascript:alert(1)',
      pageUrl,
      'smb://host/share',
    ]) {
      expect(open(url)).toBe('deny')
    }
    expect(opened).toEqual(['https://portal.example/device/1'])
  })

  it('a frame in the page opens nothing by navigating', () => {
    const { prevented, opened } = confined()
    expect(prevented('will-frame-navigate', 'https://example.com/', false)).toBe(true)
    expect(opened).toEqual([])
  })

  it.each([
    ['https://example.com/a b', 'https://example.com/a%20b'],
    ['HTTPS://EXAMPLE.com', 'https://example.com/'],
    ['https://ann:secret@example.com/', null],
    ['https://ann@example.com/', null],
    ['https:example', 'https://example/'],
    ['//example.com', null],
    ['', null],
    [' javascript:alert(1)', null],
  ])('an external address %j is %j', (text, url) => {
    expect(externalUrl(text)).toBe(url)
  })
})

describe('the window', () => {
  it('is confined: a sandbox, an isolated preload, and no node', () => {
    const { webPreferences } = windowOptions({
      preload: '/preload.cjs',
      session: {} as never,
      icon: '/icon.png',
      devTools: false,
    })
    expect(webPreferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      devTools: false,
    })
  })
})

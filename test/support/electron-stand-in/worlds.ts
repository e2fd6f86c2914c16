/** The preload runs in a world of its own beside the page's: same document, other objects. */
export const worldName = 'muster-preload'

/**
 * The page's half of the context bridge: what the preload exposes appears here, and every call crosses as text. Calls
 * and answers go by events of the document, whose details the browser clones from one world to the other.
 */
export const mainWorld = `(() => {
  if (window.top !== window) return
  const waiting = new Map(), callbacks = new Map()
  let last = 0
  const say = (detail) => document.dispatchEvent(new CustomEvent('stand-in-to-preload', { detail: JSON.stringify(detail) }))
  document.addEventListener('stand-in-to-page', ({ detail }) => {
    const said = JSON.parse(detail)
    if (said.say === 'expose') {
      const api = {}
      for (const name of said.names) api[name] = (...args) => new Promise((resolve, reject) => {
        last += 1
        waiting.set(last, { resolve, reject })
        say({ say: 'call', id: last, name, args: args.map((arg) => typeof arg === 'function' ? (last += 1, callbacks.set(last, arg), { callback: last }) : { value: arg }) })
      })
      Object.defineProperty(window, said.key, { value: Object.freeze(api), configurable: false, writable: false })
    }
    if (said.say === 'done') (said.ok ? waiting.get(said.id)?.resolve(said.value) : waiting.get(said.id)?.reject(new Error(said.value)), waiting.delete(said.id))
    if (said.say === 'callback') callbacks.get(said.id)?.(...said.args)
  })
  window.open = (url, ...more) => { say({ say: 'open', url: new URL(url, location.href).href }); return null }
  document.addEventListener('click', (event) => {
    const link = event.target?.closest?.('a[target=_blank]')
    if (link) { event.preventDefault(); say({ say: 'open', url: link.href }) }
  })
  document.addEventListener('stand-in-preload-ready', () => say({ say: 'ready' }))
  say({ say: 'ready' })
})()`

/** The preload as Electron runs it: a plain script with a \`require\` that knows \`electron\` alone. */
export function preloadWorld(preload: string): string {
  return `(() => {
  if (window.top !== window) return
  const waiting = new Map(), listeners = new Map(), exposed = []
  let last = 0
  const say = (detail) => document.dispatchEvent(new CustomEvent('stand-in-to-page', { detail: JSON.stringify(detail) }))
  const textOnly = (value) => { if (value !== undefined && typeof value !== 'string') throw new Error('the bridge would copy this member by member'); return value }
  const electron = {
    ipcRenderer: {
      invoke: (channel, ...args) => new Promise((resolve, reject) => {
        last += 1
        waiting.set(last, { resolve, reject })
        standInInvoke(JSON.stringify({ id: last, channel, args }))
      }),
      on: (channel, listener) => { listeners.set(channel, [...(listeners.get(channel) ?? []), listener]) },
    },
    contextBridge: { exposeInMainWorld: (key, api) => { exposed.push({ key, api }); announce() } },
  }
  const announce = () => { for (const { key, api } of exposed) if (pageReady) say({ say: 'expose', key, names: Object.keys(api) }) }
  let pageReady = false
  window.standInAnswer = (id, text) => {
    const done = JSON.parse(text)
    if (done.ok) waiting.get(id)?.resolve(done.value)
    else waiting.get(id)?.reject(new Error(done.error))
    waiting.delete(id)
  }
  window.standInHear = (channel, text) => { for (const listener of listeners.get(channel) ?? []) listener({}, ...JSON.parse(text)) }
  document.addEventListener('stand-in-to-preload', async ({ detail }) => {
    const said = JSON.parse(detail)
    if (said.say === 'ready' && !pageReady) { pageReady = true; announce() }
    if (said.say === 'open') standInInvoke(JSON.stringify({ id: 0, channel: 'stand-in:open', args: [said.url] }))
    if (said.say !== 'call') return
    const args = said.args.map((arg) => 'callback' in arg ? (...values) => say({ say: 'callback', id: arg.callback, args: values.map(textOnly) }) : arg.value)
    try {
      const value = textOnly(await exposed[0].api[said.name](...args))
      say({ say: 'done', id: said.id, ok: true, value })
    } catch (error) {
      say({ say: 'done', id: said.id, ok: false, value: String(error) })
    }
  })
  const module = { exports: {} }
  ;((require, module, exports) => {
${preload}
  })((name) => { if (name !== 'electron') throw new Error('module not found: ' + name); return electron }, module, module.exports)
  // The page's half may have been there first.
  document.dispatchEvent(new CustomEvent('stand-in-preload-ready'))
})()`
}

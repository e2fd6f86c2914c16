import { contextBridge, ipcRenderer } from 'electron'
import type { Bridge } from '../../../src-shared/contract/bridge.ts'

/**
 * The bridge of the window to Electron: one function to call and one to listen, both with text. `ipcRenderer` itself is
 * never exposed. Text, because the bridge would copy every object of an answer member by member.
 */
const bridge: Bridge = {
  ask: (call, input) => ipcRenderer.invoke('muster:call', call, input) as Promise<string>,
  subscribe: (listener) => {
    ipcRenderer.on('muster:event', (_event, name: string, data: string) => listener(name, data))
  },
}

contextBridge.exposeInMainWorld('musterBridge', bridge)

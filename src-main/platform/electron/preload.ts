import { contextBridge, ipcRenderer } from 'electron'
import type { Bridge } from '../../../src-shared/contract/bridge.ts'

/**
 * All that the window gets of Electron: one way to ask and one to hear, both of text. `ipcRenderer` itself is never
 * given away. Text, because the bridge would copy every object of an answer once more, member by member.
 */
const bridge: Bridge = {
  ask: (call, input) => ipcRenderer.invoke('muster:call', call, input) as Promise<string>,
  hear: (listener) => {
    ipcRenderer.on('muster:event', (_event, name: string, data: string) => listener(name, data))
  },
}

contextBridge.exposeInMainWorld('musterBridge', bridge)

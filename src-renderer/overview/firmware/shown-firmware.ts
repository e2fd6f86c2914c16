import { createStore } from '../../lib/store.ts'

/** True while the overview shows the page of firmware. */
export const shownFirmware = createStore(false)

import type { Link } from '../../../src-main/ports.ts'
import type { Viewer } from './answers.ts'
import type { Far } from './far.ts'
import type { Guest } from './guest.ts'
import { fetchFor } from './requests.ts'
import { dialFor } from './sockets.ts'

/** The network of one connection to the service. */
export function networkOf(far: Far, guest: Guest, viewer: Viewer): Link {
  const fetch = fetchFor(far, guest, viewer)
  return {
    fetch,
    fetchOnce: fetch,
    dial: (_headers, onFault) => dialFor(far, guest, viewer, onFault),
    close: async () => {},
  }
}

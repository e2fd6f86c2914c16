import type { Session } from '../session.ts'

/** Reads anew what lies in a scope. Its progress shows in the status bar; when there is nothing to read with, nothing happens. */
export async function readAnew(session: Session, scope: string): Promise<void> {
  await session.pipe.call('sync.read', { scope })
}

import type { Notification } from '../../src-shared/model/inventory.ts'

/** A title and a body, and where the instants stand in them. */
export type Message = Pick<Notification, 'title' | 'body'> & { moments: NonNullable<Notification['moments']> }

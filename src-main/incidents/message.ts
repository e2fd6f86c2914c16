import type { Told } from '../../src-shared/model/inventory.ts'

/** A title and a body, and where the instants stand in them. */
export type Message = Pick<Told, 'title' | 'body'> & { moments: NonNullable<Told['moments']> }

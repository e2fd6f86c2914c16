import { badInput } from '../../access/access.ts'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../points/cost.ts'
import { SearchError } from '../../world/search/search.ts'

/** Returns the page size: 1 to 5000, default 10 (twin section 6). Throws `BAD_USER_INPUT` for any other. */
export function pageSizeOf(params: { pageSize?: number | null } | null | undefined): number {
  const pageSize = params?.pageSize ?? DEFAULT_PAGE_SIZE
  if (pageSize < 1 || pageSize > MAX_PAGE_SIZE) throw badInput(`pageSize must be between 1 and ${MAX_PAGE_SIZE}`)
  return pageSize
}

/** Calls `work` and turns a SearchError into `BAD_USER_INPUT` with its message. */
export function asBadInput<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof SearchError ? badInput(error.message) : error
  }
}

import type { Handlers } from '../../../src-shared/contract/contract.ts'
import { maxTabs, queryTab } from '../../../src-shared/model/kept-queries.ts'
import { readable } from './readable.ts'
import type { KeptOptions } from './kept-options.ts'

/** The calls about the tabs. */
export function tabHandlers({
  data,
  log,
  redact,
}: KeptOptions): Pick<Handlers, Extract<keyof Handlers, `queryTabs.${string}`>> {
  return {
    'queryTabs.list': async () => {
      const stored = await data.queryTabs()
      const active = stored.find((tab) => (tab as { active?: unknown }).active === true)
      return {
        tabs: readable(queryTab, stored, { log, what: 'tabs of the query screen' }).slice(0, maxTabs),
        active: active === undefined ? null : String((active as { id?: unknown }).id),
      }
    },
    'queryTabs.save': async (tab) => {
      await data.saveQueryTab({ ...tab, document: redact(tab.document), variables: redact(tab.variables) })
      return {}
    },
    'queryTabs.arrange': async (input) => {
      await data.arrangeQueryTabs(input)
      return {}
    },
    'queryTabs.close': async ({ id }) => {
      await data.closeQueryTab({ id })
      return {}
    },
  }
}

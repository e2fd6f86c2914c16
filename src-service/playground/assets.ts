import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** `tag`: changes with the body, for `etag`. */
export type Asset = { type: string; body: string; tag: string }

const script = 'text/javascript; charset=utf-8'
const style = 'text/css; charset=utf-8'

/**
 * Resolves with the files that the pages load, by name. None comes from the network; GraphiQL's nine megabytes are read
 * for the first browser.
 */
export async function readAssets(): Promise<ReadonlyMap<string, Asset>> {
  const graphiql = await import('@graphql-yoga/render-graphiql/graphiql')
  const contents: [string, { type: string; body: string }][] = [
    ['playground.css', { type: style, body: own('playground.css') }],
    ['icon.svg', { type: 'image/svg+xml', body: own('icon.svg') }],
    ['playground.js', { type: script, body: own('playground.js') }],
    ['graphiql.css', { type: style, body: graphiql.css }],
    ['graphiql.js', { type: script, body: graphiql.js }],
    ['worker-editorWorkerService.js', { type: script, body: graphiql.editorWorkerService }],
    ['worker-json.js', { type: script, body: graphiql.jsonWorker }],
    ['worker-graphql.js', { type: script, body: graphiql.graphqlWorker }],
  ]
  return new Map(
    contents.map(([name, content]) => [
      name,
      { ...content, tag: `"${createHash('sha256').update(content.body).digest('base64url')}"` },
    ]),
  )
}

function own(name: string): string {
  return readFileSync(new URL(`page/${name}`, import.meta.url), 'utf8')
}

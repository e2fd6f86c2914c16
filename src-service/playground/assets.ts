import { readFileSync } from 'node:fs'

export type Asset = { type: string; body: string }

const script = 'text/javascript; charset=utf-8'
const style = 'text/css; charset=utf-8'

/** What the pages load, by name. Nothing comes from the network; GraphiQL's nine megabytes are read when the first browser asks. */
export async function readAssets(): Promise<ReadonlyMap<string, Asset>> {
  const graphiql = await import('@graphql-yoga/render-graphiql/graphiql')
  return new Map([
    ['playground.css', { type: style, body: own('playground.css') }],
    ['icon.svg', { type: 'image/svg+xml', body: own('icon.svg') }],
    ['playground.js', { type: script, body: own('playground.js') }],
    ['graphiql.css', { type: style, body: graphiql.css }],
    ['graphiql.js', { type: script, body: graphiql.js }],
    ['worker-editorWorkerService.js', { type: script, body: graphiql.editorWorkerService }],
    ['worker-json.js', { type: script, body: graphiql.jsonWorker }],
    ['worker-graphql.js', { type: script, body: graphiql.graphqlWorker }],
  ])
}

function own(name: string): string {
  return readFileSync(new URL(`page/${name}`, import.meta.url), 'utf8')
}

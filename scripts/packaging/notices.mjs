import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../setup.mjs'

/**
 * Third-party software in the packages, with its licences: the builds record what they bundle, and this makes a text of
 * it.
 */

/** The targets of scripts/build/build.mjs that go into a package. */
export const packed = ['renderer', 'thread', 'answers', 'electron', 'later', 'preload', 'service']
/** keytar is packed without being bundled; the typeface is imported by a style sheet, which no build records. */
const unbundled = ['keytar', '@fontsource-variable/inter']
/** Prebuilt content of packages, for which they have no text. */
const prebuilt = {
  '@graphql-yoga/render-graphiql':
    'It contains, prebuilt: GraphiQL, MIT, Copyright GraphQL Contributors, https://github.com/graphql/graphiql, and with it\nMonaco Editor, MIT, Copyright (c) 2016 - present Microsoft Corporation, https://github.com/microsoft/monaco-editor.',
}

const recordFile = (name) => path.join(root, 'out', '.parts', `${name}.json`)

/** Returns a plugin of Vite that records the packages of a target. */
export function recordPackages(name) {
  return {
    name: 'muster-packages',
    generateBundle() {
      const folders = [...new Set([...this.getModuleIds()].flatMap((id) => packageFolder(id) ?? []))].sort()
      mkdirSync(path.dirname(recordFile(name)), { recursive: true })
      writeFileSync(
        recordFile(name),
        JSON.stringify(
          folders.map((folder) => path.relative(root, folder).replaceAll('\\', '/')),
          null,
          1,
        ),
      )
    },
  }
}

/** Returns the folder of a module's package; null for our own. */
function packageFolder(id) {
  const found = /^\0?((?:.*[\\/])node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/u.exec(id)
  return found?.[1] ?? null
}

/**
 * Returns one text with every package of the targets, its licence and the licence's text. Throws when a target was not
 * built.
 * @returns {string}
 */
export function noticesText() {
  const recorded = packed.flatMap((name) => JSON.parse(readFileSync(recordFile(name), 'utf8')))
  const folders = [
    ...recorded.map((each) => path.resolve(root, each)),
    ...unbundled.map((name) => path.join(root, 'node_modules', name)),
  ]
  const notices = new Map(folders.map(noticeOf).map((notice) => [`${notice.name} ${notice.version}`, notice]))
  const sections = [...notices.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([title, { license, text }]) => `${'='.repeat(80)}\n${title} (${license})\n\n${text}\n`)
  return `Muster contains the following third-party software. The licences of Electron and Chromium are beside the program.\n\n${sections.join('\n')}`
}

export function writeNotices() {
  const file = path.join(root, 'out', 'THIRD-PARTY-NOTICES.txt')
  writeFileSync(file, noticesText())
  return file
}

function noticeOf(folder) {
  const { name, version, license, author, repository } = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  )
  const licence = typeof license === 'string' ? license : 'no licence named'
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice|third)/iu.test(file) && !/\.(c?js|ts|json)$/iu.test(file))
    .sort()
  const text = texts.map((file) => readFileSync(path.join(folder, file), 'utf8').trim()).join('\n\n')
  const own = text === '' ? withoutText({ licence, author, repository }) : text
  return {
    name,
    version,
    license: licence,
    text: [own, ...(prebuilt[name] === undefined ? [] : [prebuilt[name]])].join('\n\n'),
  }
}

/** Returns author and source of a package without a licence text. */
function withoutText({ licence, author, repository }) {
  const name = typeof author === 'object' ? author?.name : author
  const source = typeof repository === 'object' ? repository?.url : repository
  return [
    `Published under ${licence}, without a text of it.`,
    ...(name ? [`By ${name}.`] : []),
    ...(source ? [`From ${source}`] : []),
  ].join('\n')
}

import { decoded } from '../../../src-shared/text/decoded.ts'
import { withoutMarks, type Known } from './name-shapes.ts'

const unit = String.raw`‹[^‹›\n]*›`
/** Scheme, login, host and port, and the path without the parameters; not within a mark. */
const address = new RegExp(
  String.raw`${unit}|\b((?:wss?|https?)://(?:${unit}|[^\s/?#"'<>\\‹])*)(/(?:${unit}|[^\s?"'<>\\\x60‹])*)`,
  'giu',
)

/** Path parts that are common to many services and feeds and name no customer. */
const wellKnown =
  /^(?:graphql|api|oauth2?|token|connect|authorize|subscriptions?|wss?|v\d{1,3}(?:\.\d{1,3})?|(?:latest|beta|alpha)(?:-(?:mac|linux(?:-\w{3,6})?))?\.yml|\{\w+\}|#|)$/iu

/** Returns the parts of an address's path that may be names. */
export function namesInPath(url: string): Known[] {
  const path = URL.parse(url)?.pathname ?? ''
  return path
    .split('/')
    .filter((part) => !wellKnown.test(part))
    .map((part) => ({ kind: 'path', name: decoded(part) }))
}

/** Replaces each part of each address's path in a text by `made`, except well-known ones. */
export function withPaths(text: string, made: (known: Known) => string): string {
  return text.replaceAll(address, (whole, before: string | undefined, path: string) =>
    before === undefined
      ? whole
      : `${before}${path
          .split('/')
          .map((part) => pathPart(part, made))
          .join('/')}`,
  )
}

function pathPart(text: string, made: (known: Known) => string): string {
  const end = /[.,:;)]$/u.exec(text)?.[0] ?? ''
  const part = withoutMarks(text.slice(0, text.length - end.length))
  return wellKnown.test(part) ? text : `${made({ kind: 'path', name: decoded(part) })}${end}`
}

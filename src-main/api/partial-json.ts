import { someMark } from './bounds.ts'

/**
 * Of a text of JSON that was cut off within a list of `data` (`{"data":{"tenants":[…`): the same with the elements that are
 * whole, closed behind the last of them. Null where it was cut off elsewhere, or before the first of them ended.
 */
export function completePart(text: string): string | null {
  let [path, end] = ['', -1]
  const isDeep = someMark(text, (at, mark) => {
    if (mark === 'divides') return false
    path = mark === 'opens' ? path + text.charAt(at) : path.slice(0, -1)
    if (mark === 'closes' && path === '{{[') end = at + 1
    else if (path.length < 3) end = -1
    // Nothing that is asked for lies deeper.
    return path.length > 64
  })
  return isDeep || end < 0 || !path.startsWith('{{[') ? null : `${text.slice(0, end)}]}}`
}

/** Puts an entry last into a map. Of more than `most`, the one that was put first is removed. */
export function keepNewest<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.delete(key)
  map.set(key, value)
  const oldest = map.keys().next()
  if (map.size > most && oldest.done !== true) map.delete(oldest.value)
}

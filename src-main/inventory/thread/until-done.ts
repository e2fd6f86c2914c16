/** Repeats a call that reads a part at a time; others come between (overview-protocol.ts). */
export async function untilDone<T>(call: () => Promise<T | null>): Promise<T> {
  let answer = await call()
  while (answer === null) answer = await call()
  return answer
}

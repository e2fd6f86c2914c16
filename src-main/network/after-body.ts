/** Returns the response, and calls `end` once its body was read or cancelled, or has failed; at once where it has none. */
export function afterBody(response: Response, end: () => void): Response {
  if (response.body === null) {
    end()
    return response
  }
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        controller.close()
      } catch (error) {
        controller.error(error)
      }
      end()
    },
    cancel: (reason) => reader.cancel(reason).finally(end),
  })
  const { status, statusText, headers } = response
  return new Response(body, { status, statusText, headers })
}

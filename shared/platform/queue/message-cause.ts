/** The request that caused a message, for the log lines of its consumer; nothing when the body names none. */
export function messageCause(body: string): { readonly request_id?: string } {
  try {
    const { request_id: id } = JSON.parse(body) as { readonly request_id?: unknown }
    return typeof id === 'string' ? { request_id: id } : {}
  } catch {
    // The schema of the message refuses it.
    return {}
  }
}

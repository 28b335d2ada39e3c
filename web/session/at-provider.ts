const begunAt = 'sign-in-begun'
/** As long as the service waits for who comes back from a provider, and for the code. */
const begunForMs = 11 * 60_000

/** Notes in this browser that somebody goes to a provider to sign in. */
export const beginAtProvider = (): void => localStorage.setItem(begunAt, String(Date.now()))

/** Whether a code that came back ends a sign-in of this browser: a link with the code of somebody else would sign in as them. */
export function endAtProvider(): boolean {
  const at = Number(localStorage.getItem(begunAt) ?? 0)
  localStorage.removeItem(begunAt)
  return Date.now() - at < begunForMs
}

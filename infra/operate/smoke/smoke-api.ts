/** Who signs in. */
export interface Account {
  readonly email: string
  readonly password: string
  readonly tenant: string | undefined
}

/** The `data` of an answer, or the answer itself when it has none. */
export type SmokeApi = (method: string, path: string, body?: object) => Promise<Readonly<Record<string, unknown>>>

/** What the service did not do; its message says what it answered. */
class Refused extends Error {
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** Longer than any request may run. */
const answersWithinMs = 40_000

/** Calls of one session. Throws for every answer that is no success, and says which. */
export function callsTo(url: string): { readonly api: SmokeApi; signIn(account: Account): Promise<void> } {
  let token: string | undefined

  const api: SmokeApi = async (method, path, body) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(answersWithinMs),
    }).catch((error: unknown) => {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
      throw new Error(`${method} ${path} got no answer: ${cause}`, { cause: error })
    })
    const text = await answer.text()
    const isJson = /\bjson\b/.test(answer.headers.get('content-type') ?? '')
    const said = (isJson ? JSON.parse(text) : { message: text.slice(0, 200) }) as Record<string, unknown>
    if (!answer.ok) {
      const request = answer.headers.get('x-request-id') ?? 'unknown'
      const why = said['errors'] === undefined ? String(said['message']) : JSON.stringify(said['errors'])
      throw new Refused(`${method} ${path} is ${answer.status}: ${why} (request ${request})`, answer.status)
    }
    return (said['data'] ?? said) as Record<string, unknown>
  }

  async function signIn({ email, password, tenant }: Account): Promise<void> {
    const said = await api('POST', '/api/login-local', { email, password, ...(tenant !== undefined && { tenant }) })
    if (said['mfa_required'] === true)
      throw new Error(`${email} has a second factor: use an administrator without one.`)
    token = String(said['token'])
  }

  return { api, signIn }
}
